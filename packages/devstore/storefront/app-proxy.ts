import { randomBytes } from "node:crypto";
import { nowMs } from "../../../app/platform/clock.server.ts";
import { forwardableHeaders, toResponse, type AppResponse } from "../foundation/app-client.ts";
import { proxySignature } from "../foundation/signatures.ts";
import type { Store } from "../store/store.ts";
import type { StorefrontContext } from "./context.ts";
import { renderProxyResponse } from "./page.ts";
import { proxyPrefix } from "./proxy-prefix.ts";

const MAXIMUM_BODY_BYTES = 1024 * 1024;
const MAXIMUM_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

/** Request headers that the app does not receive. */
const REQUEST_HEADERS_REMOVED = [
  "cookie",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
  "host",
];
/** Response headers that the shopper does not receive. */
const RESPONSE_HEADERS_REMOVED = ["set-cookie", "server", "x-powered-by", "strict-transport-security"];

/** Address of one of Shopify's proxies, for requests that pass several. */
const EDGE_ADDRESS = "23.227.38.32";

/** Returns X-Forwarded-For: each proxy appends its client's address to the header that it received. */
function forwardedFor(store: Store, request: Request, clientAddress: string): string {
  const edges = Array.from({ length: store.options.proxyHops - 1 }, () => EDGE_ADDRESS);
  return [request.headers.get("x-forwarded-for"), clientAddress, ...edges].filter(Boolean).join(", ");
}

/**
 * Adds the app proxy's parameters and their signature to a query. Shopify may add parameters at any time, so one has a name that no app can know; it is
 * repeated, as parameters of Shopify's can be.
 */
export function signProxyQuery(store: Store, search: string, customerId = ""): URLSearchParams {
  const query = new URLSearchParams(search);
  query.delete("signature");
  query.append("shop", store.shop.domain);
  query.append("logged_in_customer_id", customerId);
  query.append("path_prefix", proxyPrefix(store));
  query.append("timestamp", String(Math.floor(nowMs() / 1000)));
  const added = `added_${randomBytes(4).toString("hex")}`;
  for (const value of ["1", "2"]) query.append(added, value);
  query.append("signature", proxySignature(query, store.options.apiSecret));
  return query;
}

/** Returns the page that Shopify sends instead of a 5xx of the app, without the app's body and headers. */
function errorPage(status: number): Response {
  return new Response(
    "<!doctype html><title>Error</title><p>There was an error in the third-party application.</p>\n",
    {
      status,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    },
  );
}

/** Forwards a signed storefront request to the app, and returns the app's response to the shopper. */
export async function appProxy(store: Store, context: StorefrontContext, request: Request): Promise<Response> {
  await store.faults.slowDown("proxy");
  if (!store.installation.installed) return new Response("Not Found", { status: 404 });
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > MAXIMUM_BODY_BYTES) return new Response("Payload Too Large", { status: 413 });

  const { appUrl, appProxy: route } = store.options;
  const path = route.path + context.url.pathname.slice(proxyPrefix(store).length);
  const headers = forwardableHeaders(request.headers, REQUEST_HEADERS_REMOVED);
  headers.set("host", new URL(appUrl).host);
  headers.set("x-forwarded-host", store.shop.domain);
  headers.set("x-forwarded-proto", "https");
  headers.set("x-forwarded-for", forwardedFor(store, request, context.clientAddress));
  for (const name of ["origin", "referer"]) {
    const value = headers.get(name);
    if (value !== null) headers.set(name, context.translation.toProduction(value));
  }

  try {
    if (store.faults.switches.proxy === "error") throw new Error("injected fault");
    const query = signProxyQuery(store, context.url.search, context.customer?.id);
    const response = await followRedirects(store, `${path}?${query.toString()}`, {
      method: request.method,
      headers,
      body,
    });
    store.journal.record({ kind: "proxy", summary: `${request.method} ${path}`, status: response.status });
    if (response.status >= 500) return errorPage(response.status);
    return await present(store, context, response);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no response";
    store.journal.record({ kind: "proxy", summary: `${request.method} ${path}: ${reason}` });
    return errorPage(502);
  }
}

/** Sends a request and follows the app's redirects, as Shopify does: the shopper stays at the storefront's address. */
async function followRedirects(
  { app, options: { appUrl } }: Store,
  path: string,
  request: { method: string; headers: Headers; body: Buffer },
): Promise<AppResponse> {
  let target = path;
  let { method, body } = request;
  for (let hop = 0; hop <= MAXIMUM_REDIRECTS; hop++) {
    const { headers } = request;
    const response = await app.send(target, { method, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    const next = new URL(location, appUrl + target);
    if (next.origin !== appUrl && next.origin !== app.address) throw new Error("redirected to another host");
    target = next.pathname + next.search;
    if (response.status !== 307 && response.status !== 308) {
      method = "GET";
      body = Buffer.alloc(0);
      headers.delete("content-type");
    }
  }
  throw new Error(`redirected more than ${MAXIMUM_REDIRECTS} times`);
}

/** Renders Liquid inside the theme and translates addresses for the shopper's browser. */
async function present(store: Store, context: StorefrontContext, response: AppResponse): Promise<Response> {
  const { translation } = context;
  for (const name of RESPONSE_HEADERS_REMOVED) response.headers.delete(name);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/liquid")) {
    const html = await renderProxyResponse(store, context, response.body.toString());
    response.headers.set("content-type", "text/html; charset=utf-8");
    return toResponse({ ...response, body: Buffer.from(translation.toLocal(html)) });
  }
  if (/^(?:text\/|application\/json)/.test(type)) {
    return toResponse({ ...response, body: Buffer.from(translation.toLocal(response.body.toString())) });
  }
  return toResponse(response);
}
