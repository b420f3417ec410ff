import type { ActionFunctionArgs, AppLoadContext, HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { boundary } from "@shopify/shopify-app-remix/server";
import { randomBase62 } from "../../platform/ids.server.ts";
import { readPart } from "../../platform/log/read-part.server.ts";
import { adminSession, type AdminSession } from "./session.server.ts";

/** An authenticated request for a page of the admin. */
export interface AdminRequest extends AdminSession {
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** generated for each response; a form sends it back in its hidden field `idempotencyKey` */
  idempotencyKey: string;
  /** whether the browser says that it is a phone's */
  isPhone: boolean;
}

/** Browsers of phones have the word in their names. An iPad's app has it as well, and a desktop's width. */
function isPhone(userAgent: string): boolean {
  return /\bMobi/.test(userAgent) && !userAgent.includes("iPad");
}

/** Memoized per HTTP request, because a page's loaders run in parallel. */
const sessions = new WeakMap<AppLoadContext["http"], Promise<AdminSession>>();

export async function adminRequest(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<AdminRequest> {
  const { request, context, params } = args;
  let session = sessions.get(context.http);
  if (!session) {
    session = adminSession(request, context);
    sessions.set(context.http, session);
  }
  return {
    ...(await session),
    params,
    query: new URL(request.url).searchParams,
    idempotencyKey: randomBase62(22),
    isPhone: isPhone(request.headers.get("user-agent") ?? ""),
  };
}

/** Creates a page's `loader`, which runs only with a merchant's session. */
export function adminLoader<Data>(load: (request: AdminRequest) => Data | Promise<Data>) {
  return async (args: LoaderFunctionArgs): Promise<Data> => load(await adminRequest(args));
}

/** Reads a part of a page. @returns undefined when that fails, so that the rest of the page is shown */
export function readPartOf<Data>({ shop }: AdminSession, reading: Promise<Data>): Promise<Data | undefined> {
  return readPart(shop.domain, reading);
}

/** The `headers` of every page: those of Shopify's library, including the ones a loader throws, and no caching of merchant data. */
export const adminHeaders: HeadersFunction = (args) => {
  const headers = new Headers(boundary.headers(args));
  headers.set("Cache-Control", "no-store");
  return headers;
};

/** Returns the page number in `?page=`, from 1. An invalid number means the first page. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** The response for an id that is unknown or belongs to another shop. */
export function notFound(): Response {
  return new Response("Not found", { status: 404 });
}
