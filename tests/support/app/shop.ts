import { randomBytes } from "node:crypto";
import type { Scope } from "../../../app/access/index.server.ts";
import { transaction } from "../../../app/platform/database/transaction.server.ts";
import { ALL_SCOPES, createKey, createPublishableKey } from "../../../app/access/index.server.ts";
import { provideSettings } from "../../../app/platform/process/env.server.ts";
import { Failure } from "../../../app/platform/failure.ts";
import { createShop } from "../../../app/shops/index.server.ts";
import type { Plan } from "../../../app/billing/index.server.ts";
import type { Call } from "./client.ts";
import type { TestDatabase } from "../database/database.ts";

export interface TestShop {
  id: number;
  domain: string;
  keyId: string;
  secret: string;
  /** an access token with all scopes of the key */
  token: string;
}

export interface ShopOptions {
  plan?: Plan;
  timeZone?: string;
  scopes?: readonly Scope[];
  /** default variant ids by product id; when given, the shop has a complete catalog of these products */
  products?: Record<string, string>;
}

/** Exchanges a key for a token. */
export async function exchange(
  call: Call,
  key: { keyId: string; secret: string },
  more: { scope?: string; customer_id?: string } = {},
): Promise<string> {
  const response = await call("POST", "/v1/auth/token", {
    json: { api_key: key.keyId, api_secret: key.secret, ...more },
  });
  return response.data<{ token: string }>().token;
}

/** Creates an API key. */
export async function issueKey(
  shopId: number,
  scopes: readonly Scope[] = ALL_SCOPES,
): Promise<{ keyId: string; secret: string }> {
  const key = await transaction(shopId, (tx) => createKey(tx, { shopId, name: "test", scopes }));
  if (key instanceof Failure) throw new Error(key.message);
  return key;
}

/** Creates an API key and exchanges it for a token. */
export async function issueToken(call: Call, shopId: number, scopes?: readonly Scope[]): Promise<string> {
  return exchange(call, await issueKey(shopId, scopes));
}

/** The origin that the keys of `publishKey` allow. */
export const ORIGIN = "https://www.shop.example";

/** Creates a publishable key. @returns its id */
export async function publishKey(shop: { id: number }, allowedOrigins: readonly string[] = [ORIGIN]): Promise<string> {
  const key = await transaction(shop.id, (tx) =>
    createPublishableKey(tx, { shopId: shop.id, name: "storefront", allowedOrigins }),
  );
  if (key instanceof Failure) throw new Error(key.message);
  return key.keyId;
}

/** Returns an id as a browser makes it for a guest. */
export function newGuestId(): string {
  return randomBytes(16).toString("base64url");
}

/** Exchanges a publishable key for a guest's token. */
export async function guestToken(
  call: Call,
  shop: { id: number },
  { guestId = newGuestId(), key }: { guestId?: string; key?: string } = {},
): Promise<string> {
  const json = { publishable_key: key ?? (await publishKey(shop)), guest_id: guestId };
  const response = await call("POST", "/v1/auth/storefront-token", { json, headers: { origin: ORIGIN } });
  return response.data<{ token: string }>().token;
}

/** Creates a shop with an API key and a token. */
export async function makeShop(
  service: { database: TestDatabase },
  call: Call,
  options: ShopOptions = {},
): Promise<TestShop> {
  provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "5" });
  const shop = await createShop({
    domain: `shop-${randomBytes(5).toString("hex")}.myshopify.com`,
    plan: options.plan ?? "starter",
    timeZone: options.timeZone ?? "UTC",
  });
  if (!shop) throw new Error("the shop exists already");
  const { products } = options;
  if (products) {
    await service.database.rows("UPDATE shop SET catalog = 'ready' WHERE id = $1", [shop.id]);
    await service.database.rows(
      `INSERT INTO product (shop_id, product_id, handle, title, default_variant_id, updated_at, status, published_at, ever_published)
       SELECT $1, p, p, p, v, now(), 'ACTIVE', now(), true FROM unnest($2::text[], $3::text[]) AS t (p, v)`,
      [shop.id, Object.keys(products), Object.values(products)],
    );
  }
  const key = await issueKey(shop.id, options.scopes);
  return { id: shop.id, domain: shop.domain, ...key, token: await exchange(call, key) };
}
