import { run, statement } from "../platform/database/database.server.ts";
import { DEFAULT_LIST, type Owner } from "./owner.ts";

/** What an owner has over all lists. */
export interface Totals {
  /** saved variants, each once, however many lists have it */
  itemCount: number;
  hasNamedLists: boolean;
}

/**
 * Returns SQL that counts an owner's saved variants, each once, however many lists have it. The items are read only where several lists have some.
 * The statement selects the owner's lists as `w`; its first parameters are those of the owner.
 * @param over a window clause, without which the expression is an aggregate
 */
export function savedCountSql(over = ""): string {
  return `CASE WHEN count(*) FILTER (WHERE w.item_count > 0) ${over} > 1
               THEN (SELECT count(*)
                       FROM (SELECT DISTINCT i.product_id, i.variant_id FROM wishlist o
                               JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = o.id
                              WHERE o.shop_id = $1 AND o.owner_kind = $2 AND o.owner_id = $3 AND o.deleted_at IS NULL) AS v)
               ELSE coalesce(sum(w.item_count) ${over}, 0) END::integer`;
}

const totalsStatement = statement<{ item_count: number; has_named_lists: boolean }>(
  "owner_totals",
  `SELECT ${savedCountSql()} AS item_count, coalesce(bool_or(w.handle <> '${DEFAULT_LIST}'), false) AS has_named_lists
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL`,
);

/** Returns how many variants the owner has saved, and whether there are named lists. */
export async function readTotals({ shopId, kind, id }: Owner): Promise<Totals> {
  const [row] = await run(totalsStatement, [shopId, kind, id]);
  return { itemCount: row?.item_count ?? 0, hasNamedLists: row?.has_named_lists ?? false };
}
