import { LRUCache } from "lru-cache";
import { countCache } from "../platform/metrics/caches.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { env, secrets } from "../platform/process/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { log } from "../platform/log/log.server.ts";
import { CUSTOMER_SCOPES, type BoundCaller, type Caller } from "../access/index.server.ts";
import { planSchema } from "../billing/index.server.ts";
import { recordStorePath } from "../shops/index.server.ts";
import { guestOwner } from "../wishlists/index.server.ts";
import { verifyAnySignature, type SignedQuery } from "./signature.ts";

/** Seconds for which a signature is valid, before and after its timestamp. */
const SIGNATURE_WINDOW = 90;
/** Milliseconds for which a shop is cached, so that requests fail within a second after an uninstall. */
const SHOP_TTL = 1_000;

/** A caller through a store's app proxy, as Shopify's signature names them. A guest is named by the body. */
export type Shopper = Caller & { storePath: string; address: string };

/** A shopper who has lists. */
export type ListOwner = Shopper & BoundCaller;

/** A shopper who is logged in. */
export function isCustomer(shopper: Shopper): shopper is ListOwner {
  return shopper.owner?.kind === "customer";
}

interface KnownShop extends Pick<Caller, "shopId" | "plan" | "guestLists" | "namedLists"> {
  /** as it is stored, or being stored */
  storePath: string;
}

const shopStatement = statement<{
  id: number;
  plan: string;
  guest_lists: boolean;
  named_lists: boolean;
  store_path: string;
}>(
  "storefront_shop",
  "SELECT id, plan, guest_lists, named_lists, store_path FROM shop WHERE domain = $1 AND uninstalled_at IS NULL",
);

// Concurrent requests share a look-up. Only signed requests get here, so that others can't fill the cache.
const shops = new LRUCache<string, Promise<KnownShop | undefined>>({ max: 10_000, ttl: SHOP_TTL });

const cacheUse = countCache("storefront_shops", () => shops.size);

function installedShop(domain: string): Promise<KnownShop | undefined> {
  const known = shops.get(domain);
  if (known) {
    cacheUse.hits++;
    return known;
  }
  cacheUse.misses++;
  const found = run(shopStatement, [domain]).then(
    ([row]) =>
      row && {
        shopId: row.id,
        plan: planSchema.parse(row.plan),
        guestLists: row.guest_lists,
        namedLists: row.named_lists,
        storePath: row.store_path,
      },
  );
  shops.set(domain, found);
  found.catch(() => shops.delete(domain));
  return found;
}

/** A path that merchants can give the app proxy, without the language that a store's address can begin with. */
const PROXY_PATH = /\/(?:a|apps|community|tools)\/[\w-]+$/;

/** Stores another path of the app proxy, so that links in events and shares lead there. The request does not wait for it. */
function noticePath(shop: KnownShop, pathPrefix: string): void {
  const [path] = PROXY_PATH.exec(pathPrefix) ?? [];
  if (path === undefined || path === shop.storePath) return;
  const before = shop.storePath;
  shop.storePath = path;
  recordStorePath(shop.shopId, path).catch((error: unknown) => {
    shop.storePath = before;
    log.warn({ err: error, shopId: shop.shopId }, "could not store the path of the app proxy");
  });
}

/** One wording for every reason. */
const REFUSED = new Failure(
  "invalid_signature",
  "This request does not come through a store's app proxy. Open the page in the store.",
);

/**
 * Returns what Shopify has signed of a request.
 * @param query as it was sent, without `?`
 * @returns `not_found` when the service is not connected to Shopify; `invalid_signature`
 */
export function readSignedQuery(query: string): SignedQuery | Failure {
  const { shopifyApiSecrets } = secrets();
  if (!env().shopify || shopifyApiSecrets === undefined) {
    return new Failure("not_found", "This service is not connected to Shopify, so it serves no store's pages.");
  }
  const signed = verifyAnySignature(query, shopifyApiSecrets);
  return signed && Math.abs(nowMs() / 1000 - signed.timestamp) <= SIGNATURE_WINDOW ? signed : REFUSED;
}

const CLIENT = { id: "app_proxy", kind: "app_proxy" } as const;
const SCOPES = new Set(CUSTOMER_SCOPES);

/**
 * Returns the shopper of a request. A store's pages must not wait for a session or for Shopify, so neither is loaded.
 * @returns `invalid_signature` for a shop that has not installed the app
 */
export async function identifyShopper(signed: SignedQuery): Promise<Omit<Shopper, "address"> | Failure> {
  const shop = await installedShop(signed.shop);
  if (!shop) return REFUSED;
  noticePath(shop, signed.pathPrefix);
  const { customerId } = signed;
  return {
    ...shop,
    shop: signed.shop,
    storePath: signed.pathPrefix,
    scopes: SCOPES,
    owner: customerId === "" ? undefined : { shopId: shop.shopId, kind: "customer", id: customerId },
    client: CLIENT,
    source: "storefront",
    expiresAt: Infinity,
  };
}

/** Returns the shopper as the guest whom the body names. A customer stays one, whatever guest id is sent. */
export function withGuest(shopper: Shopper, body: unknown): Shopper {
  const guestId = typeof body === "object" && body !== null && "guestId" in body ? body.guestId : undefined;
  if (shopper.owner || typeof guestId !== "string") return shopper;
  const { shopId, address } = shopper;
  return { ...shopper, owner: { ...guestOwner(shopId, guestId), address } };
}

/** Tells whether the shopper can have a list. */
export function mayKeepList(shopper: Shopper): boolean {
  return shopper.guestLists || isCustomer(shopper);
}
