import { LRUCache } from "lru-cache";
import { countCache } from "../platform/metrics/caches.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { env, secrets } from "../platform/process/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { log } from "../platform/log/log.server.ts";
import { planSchema, type Plan } from "../billing/index.server.ts";
import { recordStorePath } from "../shops/index.server.ts";
import { guestOwner, type ListRef } from "../wishlists/index.server.ts";
import { verifyAnySignature, type SignedQuery } from "./signature.ts";

/** Seconds for which a signature is valid, before and after its timestamp. */
const SIGNATURE_WINDOW = 90;
/** Milliseconds for which a shop is cached, so that requests fail within a second after an uninstall. */
const SHOP_TTL = 1_000;

/** The caller through a store's app proxy, as Shopify's signature names them. */
export interface Shopper {
  shopId: number;
  /** the store's domain */
  shop: string;
  plan: Plan;
  /** whether the shop keeps lists for guests */
  guestLists: boolean;
  /** whether the shop's setting allows named lists; the plan has a say, too */
  namedLists: boolean;
  /** undefined for a guest */
  customerId: string | undefined;
  /** the app proxy's path in the store, such as `/apps/wishlist` */
  storePath: string;
  /** the visitor's address, or its network */
  address: string;
}

/** A shopper who is logged in. */
export type Customer = Shopper & { customerId: string };

export function isCustomer(shopper: Shopper): shopper is Customer {
  return shopper.customerId !== undefined;
}

type InstalledShop = Pick<Shopper, "shopId" | "plan" | "guestLists" | "namedLists">;

interface KnownShop extends InstalledShop {
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

/**
 * Returns the shopper of a request. A store's pages must not wait for a session or for Shopify, so neither is loaded.
 * @returns `invalid_signature` for a shop that has not installed the app
 */
export async function identifyShopper(signed: SignedQuery): Promise<Omit<Shopper, "address"> | Failure> {
  const shop = await installedShop(signed.shop);
  if (!shop) return REFUSED;
  noticePath(shop, signed.pathPrefix);
  return {
    ...shop,
    shop: signed.shop,
    customerId: signed.customerId === "" ? undefined : signed.customerId,
    storePath: signed.pathPrefix,
  };
}

/** Returns the key of the caller's budget of look-ups in the store. Guests share their address's: guest ids can be invented. */
export function callerOf({ customerId, address }: Shopper): string {
  return customerId === undefined ? `address ${address}` : `customer ${customerId}`;
}

/** Tells whether the shopper can have a list. */
export function mayKeepList(shopper: Shopper): boolean {
  return shopper.guestLists || isCustomer(shopper);
}

/** Returns the owner of the list: the customer, whatever guest id is sent, or the guest; undefined without either. */
export function ownerOf({ shopId, customerId, address }: Shopper, guestId: string | undefined): ListRef | undefined {
  if (customerId !== undefined) return { shopId, kind: "customer", id: customerId };
  return guestId === undefined ? undefined : { ...guestOwner(shopId, guestId), address };
}

/** Returns the list that a request names: the owner's default list, unless it names another one; undefined without an owner. */
export function listOf(
  shopper: Shopper,
  { guestId, listId }: { guestId?: string | undefined; listId?: string | undefined },
): ListRef | undefined {
  const owner = ownerOf(shopper, guestId);
  return owner && { ...owner, listId };
}
