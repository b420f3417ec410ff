import { LRUCache } from "lru-cache";
import { z } from "zod";
import { nowMs } from "../platform/clock.server.ts";
import { sha256 } from "../platform/crypto.server.ts";
import { durations } from "../platform/duration-metrics.server.ts";
import { log } from "../platform/log.server.ts";
import { counter } from "../platform/metrics.server.ts";
import { traced } from "../platform/tracing.server.ts";

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

/** `rejected`: Shopify does not know the token, or it has expired; `unavailable`: Shopify can't be asked now. */
export type Verdict = { customerId: string } | "rejected" | "unavailable";

const requests = counter("customer_account_requests_total", "Checks of customers' access tokens by outcome", {
  outcome: ["accepted", "rejected", "unavailable"],
});
const requestDurations = durations(
  "customer_account_request_duration_seconds",
  "Duration of checks of customers' access tokens",
);

let send: typeof fetch = (input, init) => fetch(input, init);

/** Sets the function that sends requests to stores. */
export function connectCustomerAccounts(to: typeof fetch): void {
  send = to;
}

const discoverySchema = z.object({ graphql_api: z.url({ protocol: /^https$/ }) });

const responseSchema = z.object({
  data: z
    .object({ customer: z.object({ id: z.string().regex(/^gid:\/\/shopify\/Customer\/\d{1,20}$/) }).nullable() })
    .nullish(),
});

/** Addresses of the shops' Customer Account APIs, by the shop's domain. */
const endpoints = new LRUCache<string, string>({ max: 10_000, ttl: ENDPOINT_TTL });
/** Verdicts by the hash of shop and token, in milliseconds of `nowMs`: the tokens themselves are not kept. */
const verdicts = new LRUCache<string, { verdict: Verdict; until: number }>({ max: 20_000 });
/** Checks in progress, which requests with the same token share. */
const checks = new Map<string, Promise<Verdict>>();
const checksOfShop = new Map<string, number>();
const unavailableUntil = new LRUCache<string, number>({ max: 10_000 });

class Unavailable extends Error {}

/** @throws Unavailable for any status but 2xx and `accepted`, and for a response that is not JSON or too long */
async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Unavailable(`Shopify responded with ${response.status}`);
  }
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new Unavailable("the response is too long");
    }
    chunks.push(part.value);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

async function endpointOf(shop: string, signal: AbortSignal): Promise<string> {
  const known = endpoints.get(shop);
  if (known !== undefined) return known;
  const response = await send(`https://${shop}/.well-known/customer-account-api`, {
    headers: { accept: "application/json" },
    signal,
  });
  const { graphql_api: found } = discoverySchema.parse(await readJson(response));
  endpoints.set(shop, found);
  return found;
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
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return "rejected";
  }
  const { data } = responseSchema.parse(await readJson(response));
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
    endpoints.delete(shop);
    unavailableUntil.set(shop, nowMs() + BACK_OFF);
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
 * Asks a shop's Customer Account API whose token this is. The API is asked about one token at most once a minute.
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
    if (verdict !== "unavailable") verdicts.set(key, { verdict, until: nowMs() + VERDICT_TTL });
    return verdict;
  } finally {
    checks.delete(key);
    const left = (checksOfShop.get(shop) ?? 1) - 1;
    if (left > 0) checksOfShop.set(shop, left);
    else checksOfShop.delete(shop);
  }
}
