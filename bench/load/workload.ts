import { createHmac } from "node:crypto";

export const CONNECTIONS = 16;
export const PAGE_LIMIT = 20;
/** Difference between the ids of a variant and its product: 14 and 13 digits, as at Shopify. */
export const VARIANT_OFFSET = 36_000_000_000_000;

/** Signs requests like a store's app proxy. */
export interface AppProxy {
  shop: string;
  /** the app's client secret */
  secret: string;
}

/** The requests of a load: request n is `steps[n % steps.length]`. */
export interface Workload {
  steps: readonly Step[];
  /** customers whose pages are read, in turn; one with a query, such as "7?offset=10", is read with it instead of `?limit=20` */
  readers: readonly string[];
  /** customers whose wishlists are changed, in turn */
  writers: readonly string[];
  /** request n adds or removes product `firstProduct + n` */
  firstProduct: number;
  /** number of products, after which the first one is used again */
  products?: number;
  /** signs the `proxied` steps */
  proxy?: AppProxy;
}

export interface Step {
  kind: "page" | "proxied" | "add" | "batch" | "remove";
  /** subtracted from n, so that a removal removes the product of an earlier request */
  lag: number;
}

export interface Target {
  url: string;
  /** bearer token; bare servers have none */
  token: string | undefined;
  pid: number;
}

export interface LoadRequest {
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: string;
}

/** Body of a request through the app proxy: one page of items. */
export const PROXIED_BODY = `{"limit":${PAGE_LIMIT}}`;

/**
 * Returns the path of a customer's request as Shopify's app proxy forwards it. The signature is valid for 90 seconds.
 * @param customerId empty for a guest
 */
export function proxiedPath(proxy: AppProxy | undefined, customerId: string, operation = "list"): string {
  if (!proxy) throw new Error("the workload has no app proxy");
  const parameters = [
    `logged_in_customer_id=${customerId}`,
    "path_prefix=/apps/wishlist",
    `shop=${proxy.shop}`,
    `timestamp=${Math.floor(Date.now() / 1000)}`,
  ];
  const signature = createHmac("sha256", proxy.secret).update(parameters.join("")).digest("hex");
  return `/proxy/api/${operation}?${parameters.join("&")}&signature=${signature}`;
}

/** Items of a batch. */
export const BATCH = 250;

function batchBody(first: number): string {
  const operations = Array.from(
    { length: BATCH },
    (_, n) => `{"op":"add","productId":"${first + n}","variantId":"${first + n + VARIANT_OFFSET}"}`,
  );
  return `{"operations":[${operations.join(",")}]}`;
}

/** Returns a reader with its query, or that of a page. */
export function withQuery(reader: string): string {
  return reader.includes("?") ? reader : `${reader}?limit=${PAGE_LIMIT}`;
}

/** Returns the nth request of a workload. `wrk.ts` has the same in Lua. */
export function requestAt(
  { steps, readers, writers, firstProduct, products = Infinity, proxy }: Workload,
  n: number,
): LoadRequest {
  const step = steps[n % steps.length];
  const turn = n - (step?.lag ?? 0);
  const writer = writers[turn % writers.length] ?? "";
  const product = firstProduct + (turn % products);
  switch (step?.kind) {
    case "add":
      return {
        method: "POST",
        path: `/v1/wishlists/${writer}/items`,
        body: `{"product_id":"${product}","variant_id":"${product + VARIANT_OFFSET}"}`,
      };
    case "batch":
      return {
        method: "POST",
        path: `/v1/wishlists/${writer}/lists/default/items/batch`,
        body: batchBody(firstProduct + turn * BATCH),
      };
    case "remove":
      return { method: "DELETE", path: `/v1/wishlists/${writer}/items/${product}` };
    case "proxied":
      return { method: "POST", path: proxiedPath(proxy, readers[turn % readers.length] ?? ""), body: PROXIED_BODY };
    case "page":
    case undefined:
      return { method: "GET", path: `/v1/wishlists/${withQuery(readers[turn % readers.length] ?? "")}` };
  }
}

export interface LoadResult {
  /** requests that got a response */
  requests: number;
  seconds: number;
  /** received bytes, including headers */
  bytes: number;
  /** responses other than 2xx, and requests without a response */
  failed: number;
  /** latency in milliseconds */
  p99: number;
}

/** Sends a workload over 16 connections for a number of seconds. */
export interface LoadGenerator {
  /** name and version */
  name: string;
  run: (target: Target, workload: Workload, seconds: number) => Promise<LoadResult>;
}
