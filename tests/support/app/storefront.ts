import { createHash, createHmac, randomBytes } from "node:crypto";
import { client, type ApiResponse, type CallOptions, type Target } from "./client.ts";
import type { TestDatabase } from "../database/database.ts";
import type { TestShop } from "./shop.ts";
import { startService, type Service, type ServiceOptions } from "./service.ts";

/** The app's secret, with which Shopify signs: the same in every process of the tests, and no literal that looks like a leaked secret. */
const API_SECRET = `shpss_${createHash("md5").update("the tests' app").digest("hex")}`;

export const SHOPIFY_ENV = {
  SHOPIFY_API_KEY: "0123456789abcdef0123456789abcdef",
  SHOPIFY_API_SECRET: API_SECRET,
  SHOPIFY_APP_URL: "https://wishlist.example.com",
};

/** Starts a server that is connected to Shopify. */
export function startStorefront(options: ServiceOptions = {}): Promise<Service> {
  return startService({ ...options, env: { ...SHOPIFY_ENV, ...options.env } });
}

/** Adds variants to products of a shop's catalog cache, by product id. */
export async function addVariants(
  service: { database: TestDatabase },
  shop: TestShop,
  variants: Record<string, string[]>,
): Promise<void> {
  const rows = Object.entries(variants).flatMap(([product, ids]) => ids.map((id) => [product, id] as const));
  await service.database.rows(
    `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
     SELECT $1, v, p, 'Variant ' || v, 10, true, n FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (p, v, n)`,
    [shop.id, rows.map(([product]) => product), rows.map(([, id]) => id)],
  );
}

/** Returns a guest id like those that browsers create. */
export function newGuest(): string {
  return randomBytes(18).toString("base64url");
}

export interface Visit {
  /** the store's domain */
  shop: string;
  /** the logged-in customer's id */
  customer?: string | undefined;
  /** path prefix of the app proxy in the store */
  prefix?: string;
  /** the shopper's IP address as Shopify reports it */
  address?: string;
  /** the app's secret, when it differs from that of the tests */
  secret?: string;
}

export interface VisitOptions extends CallOptions {
  query?: readonly (readonly [name: string, value: string])[];
  /** age of the signature in seconds */
  age?: number;
}

/** Computes Shopify's signature of the parameters of an app-proxy request. */
export function sign(parameters: readonly (readonly [string, string])[], secret = API_SECRET): string {
  const names = [...new Set(parameters.map(([name]) => name))];
  const text = names
    .map((name) => `${name}=${parameters.flatMap(([of, value]) => (of === name ? [value] : [])).join(",")}`)
    .sort()
    .join("");
  return createHmac("sha256", secret).update(text).digest("hex");
}

function encode(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

/** Returns the signed query of a request to a store's app proxy. */
export function signedQuery(visit: Visit, { query = [], age = 0 }: VisitOptions = {}): string {
  const parameters = [
    ...query,
    ["shop", visit.shop],
    ["logged_in_customer_id", visit.customer ?? ""],
    ["path_prefix", visit.prefix ?? "/apps/wishlist"],
    ["timestamp", String(Math.floor(Date.now() / 1000) - age)],
  ] as const;
  return encode([...parameters, ["signature", sign(parameters, visit.secret)]]);
}

/** Requests a path below `/apps/wishlist` like Shopify's app proxy. */
export type ProxyCall = (method: string, path: string, options?: VisitOptions) => Promise<ApiResponse>;

export function visitor(target: Target, visit: Visit): ProxyCall {
  const call = client(target);
  return (method, path, options = {}) =>
    call(method, `/proxy${path}?${signedQuery(visit, options)}`, {
      ...options,
      headers: {
        "x-forwarded-for": visit.address ?? "203.0.113.7",
        "x-forwarded-host": visit.shop,
        ...(method === "GET" ? {} : { origin: `https://${visit.shop}` }),
        ...options.headers,
      },
    });
}

export interface Saved {
  saved: { productId: string; handle?: string; variantIds: string[] }[];
  itemCount: number;
  owner: string;
}
