import type { ActionFunctionArgs, AppLoadContext, HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { boundary } from "@shopify/shopify-app-remix/server";
import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { isBusy } from "../../platform/database-errors.server.ts";
import { Failure } from "../../platform/failure.ts";
import { randomBase62 } from "../../platform/ids.server.ts";
import { appClientId, publicRequest, authenticate } from "../../shopify.server.ts";
import { findShop, type Shop } from "../../shops/index.server.ts";
import type { CustomerAccess } from "../../customers/index.server.ts";
import type { Staff } from "../../audit/index.server.ts";
import type { RequestContext } from "../context.ts";
import { BODY_LIMIT, FORM_BODY, FORM_BODY_LIMIT, readBody } from "../body.server.ts";
import { runIdempotently } from "../idempotency.server.ts";

/**
 * A section of the merchant's admin is
 *
 * 1. `app/routes/app.<section>.tsx`: `loader = adminLoader(…)`, `action = adminAction({ <intent>: form(schema, …) })`, both from here, and
 *    `headers = adminHeaders`, `ErrorBoundary = PageError`, the component, and
 *    with an action `clientAction = keepTyped` and `shouldRevalidate = keepShown`;
 * 2. data and changes by `app/<feature>/index.server.ts`: a handful of queries, whatever the shop's size, all by `visit.shop.id`;
 * 3. one zod schema for each form, in the feature: what it says of a field is shown at that field;
 * 4. components in `app/admin/<section>/`, around them `AdminPage` (title bar, heading, `main`); forms by `useForm`, `SaveBar` and
 *    `ConfirmModal`; of the features they import types only;
 * 5. its line in `app/admin/sections.ts` (the menu), its tests in `tests/admin/`. `tests/shopify/admin.test.ts` finds the route by itself.
 *
 * What staff change is written down by `audit`, in the transaction of the change.
 *
 * What makes something, or shows a secret once, goes through `visit.once`, and its form has the hidden field `submission`.
 */
export interface Visit {
  shop: Shop;
  /** who is there, for what is written down of their acts (`audit`) */
  staff: Staff;
  /** what Shopify's library knows of the visit: session, Admin API, billing */
  shopify: Awaited<ReturnType<typeof authenticate.admin>>;
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** for a form's hidden field of this name: sent twice, it is done once */
  submission: string;
}

type Guest = Pick<Visit, "shop" | "staff" | "shopify">;

/** By HTTP request: the routes of a page ask at the same time, and who is there need be found out once. */
const guests = new WeakMap<AppLoadContext["http"], Promise<Guest>>();

/** Who is there, by what Shopify has signed: the token names them by an id; a session that is theirs alone knows more. */
function staffOf({ sessionToken, session }: Visit["shopify"]): Staff {
  const user = session.onlineAccessInfo?.associated_user;
  const known = user && String(user.id) === sessionToken.sub ? user : undefined;
  const name = known && `${known.first_name} ${known.last_name}`.trim();
  return { id: sessionToken.sub, name: name === "" ? undefined : name, email: known?.email };
}

/** Parameters that Shopify adds to the address of a page. */
const OF_SHOPIFY = ["embedded", "shop", "host", "locale", "id_token", "hmac", "session", "timestamp"];

/**
 * Authenticates a merchant. A page that is opened outside Shopify's admin, such as in a new tab, leads to itself in the admin; Shopify's library
 * alone would lead to the app's first page.
 */
async function authenticateAdmin(request: Request): ReturnType<typeof authenticate.admin> {
  try {
    return await authenticate.admin(request);
  } catch (thrown) {
    const location = thrown instanceof Response ? thrown.headers.get("location") : null;
    if (location?.endsWith(`/apps/${appClientId()}`) !== true) throw thrown;
    const { pathname, searchParams } = new URL(request.url);
    for (const name of OF_SHOPIFY) searchParams.delete(name);
    const query = searchParams.size === 0 ? "" : `?${searchParams}`;
    throw new Response(null, { status: 302, headers: { Location: location + pathname + query } });
  }
}

/** Returns the address of a page of the app inside Shopify's admin. @param page such as `/app/plan` */
export function adminUrl(shop: Pick<Shop, "domain">, page: string): string {
  return `https://admin.shopify.com/store/${shop.domain.replace(".myshopify.com", "")}/apps/${appClientId()}${page}`;
}

async function receive(request: Request, context: AppLoadContext): Promise<Guest> {
  const shopify = await authenticateAdmin(request);
  const shop = await findShop(shopify.session.shop);
  if (!shop) throw new Error("a session of a shop that there is not");
  context.http.logged.shop = shop.domain;
  return { shop, staff: staffOf(shopify), shopify };
}

async function visitOf({ request, context, params }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Visit> {
  let guest = guests.get(context.http);
  if (!guest) {
    guest = receive(request, context);
    guests.set(context.http, guest);
  }
  return { ...(await guest), params, query: new URL(request.url).searchParams, submission: randomBase62(22) };
}

/** For `audit`: who does it, and where. */
export function whose({ shop, staff }: Guest): { shopId: number; staff: Staff } {
  return { shopId: shop.id, staff };
}

/** The customers that the shop has at Shopify, and the scopes that decide whether the app can read them. */
export function customersOf({ shop, shopify }: Guest): CustomerAccess {
  return { shop: shop.domain, scope: shopify.session.scope };
}

/** A loader that only a merchant's session gets to. */
export function adminLoader<Data>(load: (visit: Visit) => Data | Promise<Data>) {
  return async (args: LoaderFunctionArgs): Promise<Data> => load(await visitOf(args));
}

/** What an answer holds that is no page. */
const RESOURCE_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/**
 * What scripts of the pages fetch, or send: a route without a component, behind the same session.
 * @param path as the log names it
 * @param bodyLimit bytes that a body may have
 */
export function adminResource(
  path: string,
  answer: (visit: Guest & { query: URLSearchParams; request: Request; http: RequestContext }) => Promise<Response>,
  { bodyLimit = BODY_LIMIT }: { bodyLimit?: number } = {},
) {
  const handle = async ({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    context.http.logged.route = path;
    const sent = publicRequest(request, context.http.target);
    const response = await answer({
      ...(await receive(sent, context)),
      query: new URL(sent.url).searchParams,
      request: sent,
      http: context.http,
    });
    for (const [name, value] of Object.entries(RESOURCE_HEADERS)) response.headers.set(name, value);
    return response;
  };
  return Object.assign(handle, { bodyLimit });
}

/** What became of a form. `errors` are by field, `problem` is about no single one. */
export type FormAnswer<Data> =
  { ok: true; data: Data } | { ok: false; errors: Readonly<Record<string, string>>; problem: string | undefined };

/** A form that was sent, with what helps to act on it. */
export interface Sent extends Visit {
  /** Does something in one transaction, and once however often this very form is sent: the first outcome is given again. */
  once: <Outcome extends z.ZodType>(
    outcome: Outcome,
    work: (tx: Prisma.TransactionClient) => Promise<z.input<Outcome> | Failure>,
  ) => Promise<z.output<Outcome> | Failure>;
}

interface Form<Data> {
  answer: (sent: Visit, intent: string, fields: Record<string, unknown>) => Promise<FormAnswer<Data>>;
}

/**
 * A form's fields by a schema.
 * @returns the first problem of each field, in the words of the schema, as Polaris' fields take it in `error`
 */
function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  fields: Record<string, unknown>,
): { data: z.output<Schema> } | { errors: Record<string, string>; problem: string | undefined } {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return { data: parsed.data };
  const errors: Record<string, string> = {};
  let problem: string | undefined;
  for (const { path, message } of parsed.error.issues) {
    const [field] = path;
    if (typeof field === "string") errors[field] ??= message;
    else problem ??= message;
  }
  return { errors, problem };
}

const BUSY = "Too many changes to this shop are in progress, and nothing was saved. Try again in a moment.";

const submissionSchema = z.string().regex(/^\w{22}$/);

/**
 * @param schema of the fields, from the feature
 * @param act yields what the page shows of it; a Failure's message is shown as it is
 */
export function form<Schema extends z.ZodType, Data>(
  schema: Schema,
  act: (sent: Sent, fields: z.output<Schema>) => Promise<Data | Failure>,
): Form<Data> {
  return {
    async answer(visit, intent, { submission, ...given }) {
      const parsed = parseForm(schema, given);
      if ("errors" in parsed) return { ok: false, ...parsed };
      const { data: key } = submissionSchema.safeParse(submission);
      // All forms of a page have the same one until it is loaded anew; what one has used is still new to the others.
      const idempotencyKey = key && `${intent} ${key}`;
      const sent: Sent = {
        ...visit,
        async once(outcome, work) {
          const caller = { shopId: visit.shop.id, keyId: "admin" };
          const call = { caller, params: visit.params, query: {}, body: given, idempotencyKey };
          const answer = await runIdempotently(call, "admin form", work);
          if (answer instanceof Failure) return answer;
          return outcome.parse("json" in answer ? JSON.parse(answer.json) : undefined);
        },
      };
      const outcome = await act(sent, parsed.data).catch((error: unknown) => {
        // Nothing was changed, and what was typed is still there to be sent again.
        if (isBusy(error)) return new Failure("service_unavailable", BUSY);
        throw error;
      });
      if (outcome instanceof Failure) return { ok: false, errors: {}, problem: outcome.message };
      return { ok: true, data: outcome };
    },
  };
}

type DataOf<F> = F extends Form<infer Data> ? Data : never;

/** The action of a page with one form or several, told apart by their field `intent`. */
export function adminAction<Forms extends Record<string, Form<unknown>>>(
  forms: Record<string, Form<DataOf<Forms[keyof Forms]>>> & Forms,
) {
  return async (args: ActionFunctionArgs): Promise<FormAnswer<DataOf<Forms[keyof Forms]>>> => {
    const visit = await visitOf(args);
    const read = await readBody(args.request, { format: FORM_BODY, limit: FORM_BODY_LIMIT });
    if (read instanceof Failure) return { ok: false, errors: {}, problem: read.message };
    const { intent, ...fields } = z.record(z.string(), z.unknown()).parse(read.value);
    const name = typeof intent === "string" ? intent : "";
    const chosen = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!chosen) throw new Response("There is no such form here.", { status: 400 });
    return chosen.answer(visit, name, fields);
  };
}

/** Every page's `headers`: Shopify's, also those of what a loader throws, and that nobody keeps what is a merchant's own. */
export const adminHeaders: HeadersFunction = (given) => {
  const headers = new Headers(boundary.headers(given));
  headers.set("Cache-Control", "no-store");
  return headers;
};

/** `?page=` of a list, from 1. Whatever is no page is the first. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** There is no such thing, or it is another shop's. */
export function notFound(): Response {
  return new Response("Not found", { status: 404 });
}
