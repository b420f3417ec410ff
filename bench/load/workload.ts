import { createHmac } from "node:crypto";

export const CONNECTIONS = 16;
export const PAGE_LIMIT = 20;
/** From a product's id to its variant's: 13 and 14 digits, as Shopify's are. */
export const VARIANT_OFFSET = 36_000_000_000_000;

/** A store's app proxy, as requests reach the service. */
export interface AppProxy {
  shop: string;
  /** Shopify's secret of the app */
  secret: string;
}

/** What a load sends: request n is `steps[n % steps.length]`. */
export interface Workload {
  steps: readonly Step[];
  /** whose pages are read */
  readers: readonly string[];
  /** whose wishlists are written to; they take turns */
  writers: readonly string[];
  /** what is added or removed by the nth request is product `firstProduct + n` */
  firstProduct: number;
  /** after so many it begins again with the first */
  products?: number;
  /** what signs the `proxied` steps */
  proxy?: AppProxy;
}

export interface Step {
  kind: "page" | "proxied" | "add" | "remove";
  /** counts n as this much less: a removal takes what an earlier request added */
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

/** What is asked of the app proxy: as many items as a page has. */
export const PROXIED_BODY = `{"limit":${PAGE_LIMIT}}`;

/** The address that Shopify makes of a customer's request for their list: signed now, so good for a minute and a half. */
export function proxiedPath(proxy: AppProxy | undefined, customerId: string): string {
  if (!proxy) throw new Error("nothing to sign with");
  const parameters = [
    `logged_in_customer_id=${customerId}`,
    "path_prefix=/apps/wishlist",
    `shop=${proxy.shop}`,
    `timestamp=${Math.floor(Date.now() / 1000)}`,
  ];
  const signature = createHmac("sha256", proxy.secret).update(parameters.join("")).digest("hex");
  return `/proxy/api/list?${parameters.join("&")}&signature=${signature}`;
}

/** The nth request of a workload. `wrk.ts` has the same in Lua. */
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
    case "remove":
      return { method: "DELETE", path: `/v1/wishlists/${writer}/items/${product}` };
    case "proxied":
      return { method: "POST", path: proxiedPath(proxy, readers[turn % readers.length] ?? ""), body: PROXIED_BODY };
    case "page":
    case undefined:
      return { method: "GET", path: `/v1/wishlists/${readers[turn % readers.length] ?? ""}?limit=${PAGE_LIMIT}` };
  }
}

export interface LoadResult {
  /** answered */
  requests: number;
  seconds: number;
  /** received, with headers */
  bytes: number;
  /** answers other than 2xx, and requests that got none */
  failed: number;
  /** milliseconds */
  p99: number;
}

/** Sends a workload over 16 connections for so many seconds. */
export interface LoadGenerator {
  /** with version */
  name: string;
  run: (target: Target, workload: Workload, seconds: number) => Promise<LoadResult>;
}
