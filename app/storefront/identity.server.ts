import { LRUCache } from "lru-cache";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { env, secrets } from "../platform/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { planSchema, type Plan } from "../billing/index.server.ts";
import { guestOwner, type Owner } from "../wishlists/index.server.ts";
import { verifySignature } from "./signature.ts";

/** Seconds that a signature is valid before and after its time. */
const SIGNATURE_WINDOW = 90;
/** Milliseconds that a store is remembered: an uninstalled one is nobody's within a second. */
const SHOP_TTL = 1_000;

/** Who calls through a store's app proxy, as far as Shopify's signature says. */
export interface Shopper {
  shopId: number;
  /** the store's domain */
  shop: string;
  plan: Plan;
  /** may those who are not logged in have a list? */
  guestLists: boolean;
  /** undefined when nobody is logged in */
  customerId: string | undefined;
  /** where the store shows what the app answers, such as `/apps/wishlist` */
  storePath: string;
  /** the visitor's address, or its network */
  address: string;
}

/** A shopper who is logged in. */
export type Customer = Shopper & { customerId: string };

export function isCustomer(who: Shopper): who is Customer {
  return who.customerId !== undefined;
}

interface InstalledShop {
  id: number;
  plan: Plan;
  guestLists: boolean;
}

const shopStatement = statement<{ id: number; plan: string; guest_lists: boolean }>(
  "storefront_shop",
  "SELECT id, plan, guest_lists FROM shop WHERE domain = $1 AND uninstalled_at IS NULL",
);

// Requests that come at once share a look-up. Only a signed request gets here, so nobody can fill it.
const shops = new LRUCache<string, Promise<InstalledShop | undefined>>({ max: 10_000, ttl: SHOP_TTL });

function installedShop(domain: string): Promise<InstalledShop | undefined> {
  const known = shops.get(domain);
  if (known) return known;
  const found = run(shopStatement, [domain]).then(
    ([row]) => row && { id: row.id, plan: planSchema.parse(row.plan), guestLists: row.guest_lists },
  );
  shops.set(domain, found);
  found.catch(() => shops.delete(domain));
  return found;
}

/**
 * The shopper behind a request. No session is loaded and Shopify is not asked: a store's pages must not wait for either.
 * @param query as it was sent, without `?`
 * @returns `not_found` when the service is not connected to Shopify; `invalid_signature`, with one wording for every reason
 */
export async function identifyShopper(query: string): Promise<Omit<Shopper, "address"> | Failure> {
  const { shopifyApiSecret } = secrets();
  if (!env().shopify || shopifyApiSecret === undefined) {
    return new Failure("not_found", "This service is not connected to Shopify, so it answers no store's pages.");
  }
  const refused = new Failure(
    "invalid_signature",
    "This request does not come through a store's app proxy. Open the page in the store.",
  );
  const signed = verifySignature(query, shopifyApiSecret);
  if (!signed || Math.abs(nowMs() / 1000 - signed.timestamp) > SIGNATURE_WINDOW) return refused;
  const shop = await installedShop(signed.shop);
  if (!shop) return refused;
  return {
    shopId: shop.id,
    shop: signed.shop,
    plan: shop.plan,
    guestLists: shop.guestLists,
    customerId: signed.customerId === "" ? undefined : signed.customerId,
    storePath: signed.pathPrefix,
  };
}

/** Whose budget of look-ups at the store a visitor uses: guest ids can be made at will, addresses can't. */
export function callerOf({ customerId, address }: Shopper): string {
  return customerId === undefined ? `address ${address}` : `customer ${customerId}`;
}

/** Can whoever asks have a list of their own? */
export function mayKeepList(who: Shopper): boolean {
  return who.guestLists || isCustomer(who);
}

/** Whose list a shopper's request is about: the customer's, whatever guest id comes along, or the guest's; undefined with neither. */
export function ownerOf({ shopId, customerId }: Shopper, guestId: string | undefined): Owner | undefined {
  if (customerId !== undefined) return { shopId, kind: "customer", id: customerId };
  return guestId === undefined ? undefined : guestOwner(shopId, guestId);
}
