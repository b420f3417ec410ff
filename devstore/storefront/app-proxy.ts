import { nowMs } from "../../app/platform/clock.server.ts";
import { forward, passableHeaders, toResponse, type Forwarded } from "../http/forward.ts";
import { slowDown } from "../store/faults.ts";
import type { Store } from "../store/store.ts";
import { proxyPrefix } from "./app-proxy-prefix.ts";
import { renderProxyAnswer } from "./page.ts";
import { proxySignature } from "./proxy-signature.ts";
import type { Visit } from "./visitor.ts";

const MOST_BODY = 1024 * 1024;
const MOST_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

/** Of the shopper's own, which is not the app's business. */
const KEPT_FROM_APP = ["cookie", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "forwarded", "host"];
const KEPT_FROM_SHOPPER = ["set-cookie", "server", "x-powered-by", "strict-transport-security"];

/** An address of Shopify's own, as it stands in the chain when a request passes several of its proxies. */
const EDGE = "23.227.38.32";

/** Each proxy appends whom it heard the request from, and drops nothing of what was there. */
function forwardedFor(store: Store, request: Request, clientAddress: string): string {
  const edges = Array.from({ length: store.options.proxyHops - 1 }, () => EDGE);
  return [request.headers.get("x-forwarded-for"), clientAddress, ...edges].filter(Boolean).join(", ");
}

function signedQuery(store: Store, visit: Visit): string {
  const query = new URLSearchParams(visit.url.search);
  query.delete("signature");
  query.append("shop", store.shop.domain);
  query.append("logged_in_customer_id", visit.customer?.id ?? "");
  query.append("path_prefix", proxyPrefix(store));
  query.append("timestamp", String(Math.floor(nowMs() / 1000)));
  query.append("signature", proxySignature(query, store.options.apiSecret));
  return query.toString();
}

/** Passes a storefront request under the app's prefix on to the app, signed, and shows its answer to the shopper. */
export async function appProxy(store: Store, visit: Visit, request: Request): Promise<Response> {
  await slowDown(store.faults, "proxy");
  if (!store.installation.installed) return new Response("Not Found", { status: 404 });
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > MOST_BODY) return new Response("Payload Too Large", { status: 413 });

  const { appAddress, appUrl, appProxy: route } = store.options;
  const rest = visit.url.pathname.slice(proxyPrefix(store).length);
  const headers = passableHeaders(request.headers, KEPT_FROM_APP);
  headers.set("host", new URL(appUrl).host);
  headers.set("x-forwarded-host", store.shop.domain);
  headers.set("x-forwarded-proto", "https");
  headers.set("x-forwarded-for", forwardedFor(store, request, visit.arrival.clientAddress));
  for (const name of ["origin", "referer"]) {
    const value = headers.get(name);
    if (value !== null) headers.set(name, visit.arrival.translation.toProduction(value));
  }

  try {
    if (store.faults.proxy === "error") throw new Error("told to fail");
    const answer = await follow(
      `${appAddress}${route.path}${rest}?${signedQuery(store, visit)}`,
      { method: request.method, headers, body },
      store,
    );
    store.journal.add({ kind: "proxy", what: `${request.method} ${route.path}${rest}`, status: answer.status });
    return await show(store, visit, answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no answer";
    store.journal.add({ kind: "proxy", what: `${request.method} ${route.path}${rest}: ${reason}` });
    return new Response("There was an error in the third-party application.\n", {
      status: 502,
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  }
}

/** Shopify follows redirects itself: the shopper stays at the storefront's address. */
async function follow(
  url: string,
  request: { method: string; headers: Headers; body: Buffer },
  { options: { appUrl, appAddress } }: Store,
): Promise<Forwarded> {
  let target = url;
  let { method, body } = request;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const answer = await forward(target, { method, headers: request.headers, body, timeoutMs: TIMEOUT_MS });
    const location = answer.headers.get("location");
    if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
    target = new URL(location, target).href.replace(appUrl, appAddress);
    if (!target.startsWith(`${appAddress}/`)) throw new Error("redirected to another host");
    if (answer.status !== 307 && answer.status !== 308) {
      method = "GET";
      body = Buffer.alloc(0);
      request.headers.delete("content-type");
    }
  }
  throw new Error(`redirected more than ${MOST_REDIRECTS} times`);
}

async function show(store: Store, visit: Visit, answer: Forwarded): Promise<Response> {
  const { translation } = visit.arrival;
  for (const name of KEPT_FROM_SHOPPER) answer.headers.delete(name);
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("application/liquid")) {
    const html = await renderProxyAnswer(store, visit, answer.body.toString());
    answer.headers.set("content-type", "text/html; charset=utf-8");
    return toResponse({ ...answer, body: Buffer.from(translation.toLocal(html)) });
  }
  if (/^(?:text\/|application\/json)/.test(type)) {
    return toResponse({ ...answer, body: Buffer.from(translation.toLocal(answer.body.toString())) });
  }
  return toResponse(answer);
}
