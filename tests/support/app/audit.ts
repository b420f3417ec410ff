import type { TestDatabase } from "../database/database.ts";

// One row for each disagreement between rows, counts, versions and the log of a wishlist.
const DISAGREEMENTS = `
  WITH rows_of AS (
    SELECT shop_id, wishlist_id, count(*) AS n FROM wishlist_item GROUP BY shop_id, wishlist_id
  ), log AS (
    SELECT * FROM activity WHERE kind IN ('added', 'removed')
  ), calls AS (
    SELECT shop_id, wishlist_id, version, min(item_count) AS item_count, max(item_count) AS other_count,
           count(DISTINCT kind) AS kinds, sum(CASE kind WHEN 'added' THEN 1 ELSE -1 END) AS net
      FROM log GROUP BY shop_id, wishlist_id, version
  ), chain AS (
    SELECT *, lag(item_count, 1, 0) OVER before AS count_before, lag(version, 1, 0) OVER before AS version_before
      FROM calls WINDOW before AS (PARTITION BY shop_id, wishlist_id ORDER BY version)
  ), last_said AS (
    SELECT DISTINCT ON (shop_id, wishlist_id, product_id, variant_id) *
      FROM log ORDER BY shop_id, wishlist_id, product_id, variant_id, version DESC
  )
  SELECT w.id AS wishlist, 'item_count ' || w.item_count || ', rows ' || coalesce(r.n, 0) AS disagreement
    FROM wishlist w LEFT JOIN rows_of r ON r.shop_id = w.shop_id AND r.wishlist_id = w.id
   WHERE w.item_count <> coalesce(r.n, 0)
  UNION ALL
  SELECT w.id, 'version ' || w.version || ', calls in the log ' || count(c.version) || ', the last ' || max(c.version)
    FROM wishlist w LEFT JOIN calls c ON c.shop_id = w.shop_id AND c.wishlist_id = w.id
   GROUP BY w.id, w.version
  HAVING w.version <> count(c.version) OR w.version <> coalesce(max(c.version), 0)
  UNION ALL
  SELECT wishlist_id, 'version ' || version || ' follows ' || version_before || ', ' || count_before || ' items and '
         || net || ' make ' || item_count || '..' || other_count
    FROM chain
   WHERE version <> version_before + 1 OR item_count <> other_count OR kinds <> 1 OR item_count <> count_before + net
  UNION ALL
  SELECT coalesce(l.wishlist_id, i.wishlist_id), 'the log says ' || coalesce(l.kind, 'nothing') || ' of '
         || coalesce(l.product_id, i.product_id) || '/' || coalesce(l.variant_id, i.variant_id)
    FROM last_said l
    FULL JOIN wishlist_item i USING (shop_id, wishlist_id, product_id, variant_id)
   WHERE (l.kind IS NOT DISTINCT FROM 'added') <> (i.seq IS NOT NULL)
  UNION ALL
  SELECT a.wishlist_id, a.kind || ' by an owner who is not the wishlist''s'
    FROM activity a LEFT JOIN wishlist w ON w.shop_id = a.shop_id AND w.id = a.wishlist_id
   WHERE (w.owner_kind, w.owner_id) IS DISTINCT FROM (a.owner_kind, a.owner_id)
     -- A guest's list is gone once it was folded or purged.
     AND NOT (w.id IS NULL AND a.owner_kind = 'guest')`;

/**
 * Replays the activity of every wishlist of a database and compares it with rows, `item_count` and `version`.
 * @returns the disagreements
 */
export async function disagreements(database: Pick<TestDatabase, "rows">): Promise<string[]> {
  const found = await database.rows<{ wishlist: string; disagreement: string }>(DISAGREEMENTS);
  return found.map(({ wishlist, disagreement }) => `wishlist ${wishlist}: ${disagreement}`);
}

export interface Account {
  rows: number;
  itemCount: number;
  version: number;
  added: number;
  removed: number;
  shared: number;
}

/** Returns count and version of a customer's wishlist, or undefined when there is none. */
export async function accountOf(
  database: Pick<TestDatabase, "rows">,
  shopId: number,
  customerId: string,
): Promise<Account | undefined> {
  const [account] = await database.rows<Account>(
    `SELECT (SELECT count(*) FROM wishlist_item i WHERE i.shop_id = w.shop_id AND i.wishlist_id = w.id)::integer AS rows,
            w.item_count AS "itemCount", w.version::integer AS version,
            (count(*) FILTER (WHERE a.kind = 'added'))::integer AS added,
            (count(*) FILTER (WHERE a.kind = 'removed'))::integer AS removed,
            (count(*) FILTER (WHERE a.kind = 'shared'))::integer AS shared
       FROM wishlist w LEFT JOIN activity a ON a.shop_id = w.shop_id AND a.wishlist_id = w.id
      WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = $2
      GROUP BY w.shop_id, w.id`,
    [shopId, customerId],
  );
  return account;
}
