import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { productIdSchema, variantIdSchema } from "../identifiers.ts";
import type { Owner } from "../owner.ts";
import { refusal } from "../refusals.server.ts";

/** The most items of one cart event. */
const CART_ITEMS = 100;

const cartEventId = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .meta({
    description: "A unique id of the press on the button, such as a UUID; the same when the report is repeated",
    example: "5f0c0d8e-6d0b-4b0e-9a44-2f7d1c5e8b13",
  });

export const cartBody = z
  .strictObject({
    event_id: cartEventId,
    items: z
      .array(z.strictObject({ product_id: productIdSchema, variant_id: variantIdSchema }))
      .min(1)
      .max(CART_ITEMS)
      .meta({ description: "What was put into the cart, saved or not" }),
  })
  .meta({ id: "CartReport" });

export const recordedCartSchema = z
  .strictObject({
    recorded: z
      .int()
      .meta({ description: "Items that were saved, and not recorded with this `event_id` before", example: 1 }),
  })
  .meta({ id: "RecordedCart" });

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
