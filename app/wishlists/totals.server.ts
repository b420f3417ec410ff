import { batched, SMALL_READS } from "../platform/database/batch.server.ts";
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
 * The statement selects the owner's lists as `w`; its first parameter is the shop.
 * @param over a window clause, without which the expression is an aggregate
 * @param kind SQL of the owner's kind
 * @param id SQL of the owner's id
 */
export function savedCountSql({ over = "", kind = "$2", id = "$3" } = {}): string {
  return `CASE WHEN count(*) FILTER (WHERE w.item_count > 0) ${over} > 1
               THEN (SELECT count(*)
                       FROM (SELECT DISTINCT i.product_id, i.variant_id FROM wishlist o
                               JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = o.id
                              WHERE o.shop_id = $1 AND o.owner_kind = ${kind} AND o.owner_id = ${id} AND o.deleted_at IS NULL) AS v)
               ELSE coalesce(sum(w.item_count) ${over}, 0) END::integer`;
}

const totalsStatement = statement<{ ordinal: number; item_count: number; has_named_lists: boolean }>(
  "owner_totals",
  `SELECT r.ordinal, t.item_count, t.has_named_lists
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS r (owner_kind, owner_id, ordinal)
    CROSS JOIN LATERAL
          (SELECT ${savedCountSql({ kind: "r.owner_kind", id: "r.owner_id" })} AS item_count,
                  coalesce(bool_or(w.handle <> '${DEFAULT_LIST}'), false) AS has_named_lists
             FROM wishlist w
            WHERE w.shop_id = $1 AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.deleted_at IS NULL) AS t`,
);

async function findTotals(owners: readonly Owner[]): Promise<Totals[]> {
  const rows = await run(totalsStatement, [
    owners[0]?.shopId,
    owners.map(({ kind }) => kind),
    owners.map(({ id }) => id),
  ]);
  const found = owners.map((): Totals => ({ itemCount: 0, hasNamedLists: false }));
  for (const row of rows) found[row.ordinal - 1] = { itemCount: row.item_count, hasNamedLists: row.has_named_lists };
  return found;
}

/** Returns how many variants an owner has saved, and whether there are named lists. */
export const readTotals = batched(findTotals, { ...SMALL_READS, group: ({ shopId }: Owner) => shopId });
