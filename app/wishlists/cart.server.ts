import { wakeOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { runOne, shopStatement } from "../platform/database.server.ts";
import type { Failure } from "../platform/failure.ts";
import type { Owner } from "./owner.ts";
import { refusal } from "./refusals.server.ts";

const cartStatement = shopStatement<{ recorded: number }>(
  "wishlist_record_cart_items",
  "SELECT wishlist_record_cart_items(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_ids => $4, p_variant_ids => $5, p_event_id => $6, p_source => $7, p_at => $8) AS recorded",
);

/**
 * Records that a shopper put variants into the cart. Each variant is recorded once per event, and only when it is in one of the lists.
 * @param event.eventId the client's id of the event, 1 to 255 characters; the same when the client repeats its report
 * @returns the number of recorded variants; `guest_merged` for a merged guest
 */
export async function recordCart(
  owner: Owner,
  event: { eventId: string; items: readonly { productId: string; variantId: string }[] },
  source: "api" | "storefront",
): Promise<number | Failure> {
  try {
    const { recorded } = await runOne(cartStatement, [
      owner.shopId,
      owner.kind,
      owner.id,
      event.items.map(({ productId }) => productId),
      event.items.map(({ variantId }) => variantId),
      event.eventId,
      source,
      now(),
    ]);
    if (recorded > 0) wakeOutbox(owner.shopId);
    return recorded;
  } catch (error) {
    return refusal(error);
  }
}
