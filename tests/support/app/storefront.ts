import { createHmac, randomBytes } from "node:crypto";
import { client, type ApiResponse, type CallOptions, type Target } from "./client.ts";
import type { TestDatabase } from "../database/database.ts";
import type { TestShop } from "./shop.ts";
import { startService, type Service, type ServiceOptions } from "./service.ts";

/** The app's secret that Shopify signs with. */
const API_SECRET = "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";

export const SHOPIFY_ENV = {
  SHOPIFY_API_KEY: "0123456789abcdef0123456789abcdef",
  SHOPIFY_API_SECRET: API_SECRET,
  SHOPIFY_APP_URL: "https://wishlist.example.com",
};

/** A server that is connected to Shopify. */
export function startStorefront(options: ServiceOptions = {}): Promise<Service> {
  return startService({ ...options, env: { ...SHOPIFY_ENV, ...options.env } });
}

/** Gives products of a shop's mirror more variants, by product id. */
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

/** An id as a browser makes it. */
export function newGuest(): string {
  return randomBytes(18).toString("base64url");
}

export interface Visit {
  /** the store's domain */
  shop: string;
  /** who is logged in */
  customer?: string | undefined;
  /** where the store shows the app's pages */
  prefix?: string;
  /** the shopper's address, as Shopify saw it */
  address?: string;
  /** the app's secret, where it is not the one of these tests */
  secret?: string;
}

export interface VisitOptions extends CallOptions {
  query?: readonly (readonly [name: string, value: string])[];
  /** seconds by which the signature is older than now */
  age?: number;
}

/** Shopify's signature over the parameters of an app-proxy request. */
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

/** The query that Shopify makes of a request to a store's app proxy. */
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

/** Asks for a path below `/apps/wishlist` as somebody in the store, and gets it the way Shopify passes it on. */
export type Ask = (method: string, path: string, options?: VisitOptions) => Promise<ApiResponse>;

export function visitor(target: Target, visit: Visit): Ask {
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
