import { LRUCache } from "lru-cache";
import { z } from "zod";
import { nowMs } from "../platform/clock.server.ts";
import { sha256 } from "../platform/encryption/crypto.server.ts";
import { durations } from "../platform/metrics/durations.server.ts";
import { log } from "../platform/log/log.server.ts";
import { counter } from "../platform/metrics/metrics.server.ts";
import { traced } from "../platform/tracing/tracing.server.ts";

/** Milliseconds that a request to Shopify may take. */
const TIMEOUT = 3_000;
/** Milliseconds for which Shopify's verdict on a token is kept, so that a token is checked at most once a minute. */
const VERDICT_TTL = 60_000;
/** Milliseconds for which the address of a shop's API is kept. */
const ENDPOINT_TTL = 3_600_000;
/** Milliseconds for which tokens of a shop are not checked after Shopify could not be reached. */
const BACK_OFF = 2_000;
/** The most tokens of a shop, and of all shops, that are checked at the same time. */
const MAX_CHECKS = { shop: 20, all: 200 };
/** The most bytes of a response. */
const MAX_BYTES = 65_536;
/** The most redirects from a shop's domain, such as one to its primary domain. */
const MAX_REDIRECTS = 3;
/** Statuses for a token that is not valid or not even well-formed. They concern this token alone, so that the shop's other tokens are still checked. */
const REJECTIONS = new Set([400, 401, 403, 413, 422, 431]);

/** `rejected`: Shopify does not know the token, or it has expired; `unavailable`: Shopify can't be asked now. */
export type Verdict = { customerId: string } | "rejected" | "unavailable";

const requests = counter("customer_account_requests_total", "Checks of customers' access tokens by outcome", {
  outcome: ["accepted", "rejected", "unavailable"],
});
const requestDurations = durations(
  "customer_account_request_duration_seconds",
  "Duration of checks of customers' access tokens",
);

/** The part of a request and of its response that is used here, of the runtime's `fetch` and of undici's. */
interface StoreRequest {
  method?: "POST";
  headers: Record<string, string>;
  body?: string;
  redirect: "manual" | "error";
  signal: AbortSignal;
}
interface StoreResponse {
  ok: boolean;
  status: number;
  headers: { get: (name: string) => string | null };
  body: {
    cancel: () => Promise<void>;
    getReader: () => {
      read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel: () => Promise<void>;
    };
  } | null;
}
export type StoreFetch = (address: URL, request: StoreRequest) => Promise<StoreResponse>;

let send: StoreFetch = (address, request) => fetch(address, request);

/** Sets the function that sends requests to stores, and to the public addresses that their domains name. */
export function connectCustomerAccounts(to: StoreFetch): void {
  send = to;
}

const discoverySchema = z.object({ graphql_api: z.url({ protocol: /^https$/ }) });

const responseSchema = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }).optional().catch(undefined) })).optional(),
  data: z
    .object({ customer: z.object({ id: z.string().regex(/^gid:\/\/shopify\/Customer\/\d{1,20}$/) }).nullable() })
    .nullish(),
});

/** Addresses of the shops' Customer Account APIs, by the shop's domain. */
const endpoints = new LRUCache<string, URL>({ max: 10_000, ttl: ENDPOINT_TTL });
/** Verdicts by the hash of shop and token, in milliseconds of `nowMs`: the tokens themselves are not kept. */
const verdicts = new LRUCache<string, { verdict: Verdict; until: number }>({ max: 20_000 });
/** Checks in progress, which requests with the same token share. */
const checks = new Map<string, Promise<Verdict>>();
const checksOfShop = new Map<string, number>();
const unavailableUntil = new LRUCache<string, number>({ max: 10_000 });

class Unavailable extends Error {}

/** The API throttles each customer: it says nothing about others. */
class Throttled extends Unavailable {}

/** @throws Unavailable for any status but 2xx and `accepted`, and for a response that is not JSON or too long */
async function readJson(response: StoreResponse): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Unavailable(`Shopify responded with ${response.status}`);
  }
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new Unavailable("the response is too long");
    }
    chunks.push(part.value);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    // The parser's message quotes the response, which may repeat the token.
    throw new Unavailable("the response is not JSON");
  }
}

async function endpointOf(shop: string, signal: AbortSignal): Promise<URL> {
  const known = endpoints.get(shop);
  if (known !== undefined) return known;
  const response = await discover(new URL(`https://${shop}/.well-known/customer-account-api`), signal, MAX_REDIRECTS);
  const { graphql_api: found } = discoverySchema.parse(await readJson(response));
  const address = new URL(found);
  endpoints.set(shop, address);
  return address;
}

/** Follows redirects by `send`, which decides about each address: the merchant controls the primary domain's server. */
async function discover(address: URL, signal: AbortSignal, redirects: number): Promise<StoreResponse> {
  const response = await send(address, { headers: { accept: "application/json" }, redirect: "manual", signal });
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null) return response;
  await response.body?.cancel();
  const target = new URL(location, address);
  if (redirects === 0 || target.protocol !== "https:") throw new Unavailable("the redirect can't be followed");
  return discover(target, signal, redirects - 1);
}

async function ask(shop: string, accessToken: string): Promise<Verdict> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await send(await endpointOf(shop, signal), {
    method: "POST",
    // The API takes the token without a scheme.
    headers: { "content-type": "application/json", accept: "application/json", authorization: accessToken },
    body: JSON.stringify({ query: "{ customer { id } }" }),
    // A redirect would send the token to another host.
    redirect: "error",
    signal,
  });
  if (REJECTIONS.has(response.status)) {
    await response.body?.cancel();
    return "rejected";
  }
  if (response.status === 429) {
    await response.body?.cancel();
    throw new Throttled("Shopify responded with 429");
  }
  const { data, errors } = responseSchema.parse(await readJson(response));
  if (errors?.some(({ extensions }) => extensions?.code === "THROTTLED")) throw new Throttled("Shopify throttles");
  if (!data) throw new Unavailable("the response has no data");
  return data.customer === null
    ? "rejected"
    : { customerId: data.customer.id.slice(data.customer.id.lastIndexOf("/") + 1) };
}

async function check(shop: string, accessToken: string): Promise<Verdict> {
  const started = performance.now();
  let verdict: Verdict = "unavailable";
  try {
    verdict = await traced("Shopify Customer Account API", { kind: "client", attributes: {} }, () =>
      ask(shop, accessToken),
    );
  } catch (error) {
    if (!(error instanceof Throttled)) {
      endpoints.delete(shop);
      unavailableUntil.set(shop, nowMs() + BACK_OFF);
    }
    // The message alone: the error of a failed request can hold its headers.
    log.warn(
      { shop, reason: error instanceof Error ? error.message : "" },
      "could not check a customer's access token",
    );
  }
  requests.inc({ outcome: typeof verdict === "string" ? verdict : "accepted" });
  requestDurations.observe({}, (performance.now() - started) / 1000);
  return verdict;
}

/**
 * Asks a shop's Customer Account API whose token this is. The API is asked about one token at most once a minute, or after a back-off.
 * @param shop the shop's domain, from a verified key
 * @param accessToken of the Customer Account API, as a login at the shop issues it; unverified
 */
export async function identifyCustomer(shop: string, accessToken: string): Promise<Verdict> {
  const key = sha256(`${shop}\0${accessToken}`).toString("base64url");
  const known = verdicts.get(key);
  if (known && nowMs() < known.until) return known.verdict;
  const pending = checks.get(key);
  if (pending) return pending;
  const ofShop = checksOfShop.get(shop) ?? 0;
  if (ofShop >= MAX_CHECKS.shop || checks.size >= MAX_CHECKS.all) return "unavailable";
  if (nowMs() < (unavailableUntil.get(shop) ?? 0)) return "unavailable";

  const checking = check(shop, accessToken);
  checks.set(key, checking);
  checksOfShop.set(shop, ofShop + 1);
  try {
    const verdict = await checking;
    verdicts.set(key, { verdict, until: nowMs() + (verdict === "unavailable" ? BACK_OFF : VERDICT_TTL) });
    return verdict;
  } finally {
    checks.delete(key);
    const left = (checksOfShop.get(shop) ?? 1) - 1;
    if (left > 0) checksOfShop.set(shop, left);
    else checksOfShop.delete(shop);
  }
}
