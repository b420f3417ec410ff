import { wakeRelay } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { runOne, statement } from "../platform/database.server.ts";
import type { Owner } from "./read.server.ts";

/** `repeated`: this event of this item is recorded already; `not_saved`: the variant is not in the wishlist now. */
export type CartOutcome = "recorded" | "repeated" | "not_saved";

const cartStatement = statement<{ outcome: CartOutcome }>(
  "wishlist_cart",
  "SELECT outcome FROM wishlist_cart(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_event_id => $6, p_source => $7, p_at => $8)",
);

/**
 * Records that a shopper put a saved variant into the cart. Once per item and event; only what is in the wishlist at this moment.
 * @param item.eventId the client's: the same when it reports the same event again, 1 to 255 characters
 */
export async function recordCart(
  owner: Owner,
  item: { productId: string; variantId: string; eventId: string },
  source: "api" | "storefront",
): Promise<CartOutcome> {
  const { outcome } = await runOne(cartStatement, [
    owner.shopId,
    owner.kind,
    owner.id,
    item.productId,
    item.variantId,
    item.eventId,
    source,
    now(),
  ]);
  if (outcome === "recorded") wakeRelay(owner.shopId);
  return outcome;
}
