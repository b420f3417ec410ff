import type { Prisma } from "@prisma/client";
import { isShopifyId } from "../../admin-api/gid.ts";
import { audit } from "../../audit/index.server.ts";
import { createDraftOrder } from "../../orders/index.server.ts";
import type { DraftOrderOutcome } from "../../orders/draft-order.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { auditEntryOf, changeAsStaff, type StaffTarget } from "./change.server.ts";
import { toListedItem, type ItemRow } from "./read.server.ts";
import type { ListedItem } from "./view.ts";

/** A saved item of one of the customer's lists, by the list's internal number. */
export interface SelectedItem {
  wishlistId: string;
  productId: string;
  variantId: string;
}

const selectedStatement = statement<ItemRow & { wishlist_id: number }>(
  "wishlist_selected_items",
  `SELECT w.id AS wishlist_id, i.product_id, i.variant_id, i.added_at, item_row_snapshot(i) AS details, nullif(p.title, '') AS title,
          p.image_url, p.deleted_at IS NOT NULL AS product_gone, v.title AS variant_title, v.available, v.deleted_at IS NOT NULL AS variant_gone
     FROM unnest($3::bigint[], $4::text[], $5::text[]) AS s (wishlist_id, product_id, variant_id)
     JOIN wishlist w ON w.shop_id = $1 AND w.id = s.wishlist_id AND w.owner_kind = 'customer' AND w.owner_id = $2 AND w.deleted_at IS NULL
     JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = w.id AND i.product_id = s.product_id AND i.variant_id = s.variant_id
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id`,
);

const keyOf = ({ wishlistId, productId, variantId }: SelectedItem): string => `${wishlistId} ${productId} ${variantId}`;

/** Reads selected items as they are now. @returns by key; without those that are no longer saved */
async function readSelected(
  shopId: number,
  customerId: string,
  items: readonly SelectedItem[],
): Promise<Map<string, ListedItem>> {
  const rows = await run(selectedStatement, [
    shopId,
    customerId,
    items.map(({ wishlistId }) => wishlistId),
    items.map(({ productId }) => productId),
    items.map(({ variantId }) => variantId),
  ]);
  return new Map(
    rows.map((row) => {
      const item = toListedItem(row);
      return [keyOf({ ...item, wishlistId: String(row.wishlist_id) }), item];
    }),
  );
}

/**
 * Creates a draft order of saved items for their customer, and writes the audit entry. Nothing else of it is stored.
 * @param target.wishlistId a list of the customer
 * @param selected of any of the customer's lists
 * @returns `rate_limited` while Shopify throttles
 */
export async function createDraftOrderByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget & { shop: string },
  selected: readonly SelectedItem[],
): Promise<DraftOrderOutcome | Failure> {
  const items = [...new Map(selected.map((item) => [keyOf(item), item])).values()];
  return changeAsStaff(target, async (list) => {
    if (list.kind === "guest" || !isShopifyId(list.id))
      return { state: "refused", problem: "Only a customer of Shopify can have a draft order.", items: [] };
    const saved = await readSelected(list.shopId, list.id, items);
    const missing = items.filter((item) => !saved.has(keyOf(item)));
    if (missing.length > 0)
      return {
        state: "refused",
        problem: "Some items are no longer in the customer's lists.",
        items: missing.map(keyOf),
      };
    const lines = items.flatMap((item) => {
      const found = saved.get(keyOf(item));
      return found ? [{ key: keyOf(item), item: found }] : [];
    });
    const gone = lines.filter(({ item }) => item.stock === "gone" || !isShopifyId(item.variantId));
    if (gone.length > 0)
      return {
        state: "refused",
        problem: "Some items are no longer sold in your store.",
        items: gone.map(({ key }) => key),
      };
    const outcome = await createDraftOrder(
      target.shop,
      list.id,
      lines.map(({ item: { variantId, details } }) => ({
        variantId,
        quantity: details.quantity ?? 1,
        properties: details.properties ?? {},
      })),
    );
    if (outcome instanceof Failure || outcome.state !== "created") return outcome;
    await audit(tx, {
      ...auditEntryOf(target, list),
      action: "wishlist.draft_order_created",
      details: {
        name: outcome.name,
        items: lines.map(({ item: { productId, variantId } }) => ({ productId, variantId })),
      },
    });
    return { ...outcome, soldOut: lines.filter(({ item }) => item.stock === "out").length };
  });
}
