import { run, statement } from "../platform/database.server.ts";
import { DEFAULT_LIST, type Owner } from "./owner.ts";

/** What an owner has over all lists. */
export interface Totals {
  itemCount: number;
  hasNamedLists: boolean;
}

const totalsStatement = statement<{ item_count: number; has_named_lists: boolean }>(
  "owner_totals",
  `SELECT coalesce(sum(w.item_count), 0)::integer AS item_count, coalesce(bool_or(w.handle <> '${DEFAULT_LIST}'), false) AS has_named_lists
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL`,
);

/** Returns how many items the owner's lists have together, and whether there are named lists. */
export async function readTotals({ shopId, kind, id }: Owner): Promise<Totals> {
  const [row] = await run(totalsStatement, [shopId, kind, id]);
  return { itemCount: row?.item_count ?? 0, hasNamedLists: row?.has_named_lists ?? false };
}
