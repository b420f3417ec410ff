import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { People, Savers } from "./view.ts";

/** The most lists that are counted: a count of all would read every list of the shop. */
const COUNTED = 10_000;

const peopleStatement = shopStatement<{ people: number; more: boolean }>(
  "wishlist_people",
  `SELECT (count(DISTINCT (l.owner_kind, l.owner_id)) FILTER (WHERE l.item_count > 0 AND l.deleted_at IS NULL))::integer AS people,
          count(*) > $2::integer AS more
     FROM (SELECT owner_kind, owner_id, item_count, deleted_at FROM wishlist
            WHERE shop_id = $1 ORDER BY owner_kind, owner_id, handle LIMIT $2::integer + 1) AS l`,
);

/** Counts the customers and guests who have something saved. @param counted maximum lists */
export async function countPeople(shopId: number, counted = COUNTED): Promise<People> {
  return runOne(peopleStatement, [shopId, counted]);
}

const saversStatement = shopStatement<Savers>(
  "wishlist_savers",
  `SELECT count(DISTINCT (w.owner_kind, w.owner_id))::integer AS people,
          (count(DISTINCT w.owner_id) FILTER (WHERE w.owner_kind = 'customer'))::integer AS customers,
          count(*) > $4::integer AS more
     FROM (SELECT i.wishlist_id FROM wishlist_item i
            WHERE i.shop_id = $1 AND i.product_id = $2 AND i.variant_id = $3 LIMIT $4::integer + 1) AS i
    CROSS JOIN LATERAL (SELECT l.owner_kind, l.owner_id FROM wishlist l WHERE l.shop_id = $1 AND l.id = i.wishlist_id OFFSET 0) AS w`,
);

/** Counts the customers and guests who have saved a variant. @param counted maximum lists */
export async function countSavers(
  shopId: number,
  { productId, variantId }: { productId: string; variantId: string },
  counted = COUNTED,
): Promise<Savers> {
  return runOne(saversStatement, [shopId, productId, variantId, counted]);
}
