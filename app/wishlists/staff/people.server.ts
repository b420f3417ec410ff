import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { People } from "./view.ts";

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
