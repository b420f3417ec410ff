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

// What the outbox processor counts for reports: changes that a shopper made.
const BY_SHOPPERS = "source IN ('api', 'storefront', 'cart', 'merge')";

// The days on which each shopper of shop $1 was active, and whether the shopper saved an item on them. A guest is the first customer that the guest's list was merged into.
const ACTIVE_DAYS = `
  SELECT true AS found, CASE WHEN m.owner_id IS NULL THEN a.owner_kind ELSE 'customer' END AS owner_kind,
         coalesce(m.owner_id, a.owner_id) AS owner_id, a.day, bool_or(a.kind = 'added' AND a.${BY_SHOPPERS}) AS saves
    FROM activity a
    LEFT JOIN (SELECT DISTINCT ON (merged_guest_id) merged_guest_id, owner_id FROM activity
                WHERE shop_id = $1 AND kind = 'merged' ORDER BY merged_guest_id, id) m
      ON a.owner_kind = 'guest' AND m.merged_guest_id = a.owner_id
   WHERE a.shop_id = $1 AND (a.${BY_SHOPPERS} OR a.source IN ('move', 'restore'))
   GROUP BY 2, 3, 4`;

// The rows of shopper_count of shop $1, as each shopper's active days and saves tell. Orders are no activity: those who bought are taken as they are.
const SHOPPER_COUNTS = `
  WITH days AS MATERIALIZED (
    SELECT owner_kind, owner_id, day, min(day) FILTER (WHERE saves) OVER of_shopper AS saved, lag(day) OVER in_order AS before,
           max(day) OVER of_shopper AS last
      FROM (${ACTIVE_DAYS}) d
    WINDOW of_shopper AS (PARTITION BY owner_kind, owner_id), in_order AS (PARTITION BY owner_kind, owner_id ORDER BY day)
  ), first_days AS (
    SELECT * FROM days WHERE day = saved
  )
  SELECT kind, day, other_day, count(*) AS n
    FROM (SELECT 'active' AS kind, day, coalesce(before, day) AS other_day FROM days
          UNION ALL
          SELECT DISTINCT ON (d.owner_kind, d.owner_id, u.unit, date_trunc(u.unit, d.day::timestamp)) u.unit, d.saved, date_trunc(u.unit, d.day::timestamp)::date
            FROM days d CROSS JOIN (VALUES ('week'), ('month')) AS u (unit) WHERE d.day >= d.saved
          UNION ALL
          SELECT 'saved', day, day FROM first_days
          UNION ALL
          SELECT 'customer', day, day FROM first_days WHERE owner_kind = 'customer'
          UNION ALL
          SELECT 'returned', day, day FROM first_days WHERE last > day) AS counted
   GROUP BY kind, day, other_day`;

// By name of a rollup: one row for each of its rows that differs from a recount of shop $1.
const RECOUNTS: Record<string, string> = {
  "items of a wishlist": `SELECT 1 FROM wishlist w WHERE w.shop_id = $1
     AND w.item_count <> (SELECT count(*) FROM wishlist_item i WHERE i.shop_id = $1 AND i.wishlist_id = w.id)`,
  "saved items of a product": `SELECT 1 FROM (SELECT product_id, count(*) AS n FROM wishlist_item WHERE shop_id = $1 GROUP BY 1) i
     FULL JOIN (SELECT product_id, wishlist_count AS n FROM product_stats WHERE shop_id = $1) s USING (product_id)
     WHERE coalesce(i.n, 0) <> coalesce(s.n, 0)`,
  "saved items of a variant": `SELECT 1 FROM (SELECT product_id, variant_id, count(*) AS n FROM wishlist_item WHERE shop_id = $1 GROUP BY 1, 2) i
     FULL JOIN (SELECT product_id, variant_id, wishlist_count AS n FROM variant_stats WHERE shop_id = $1) s USING (product_id, variant_id)
     WHERE coalesce(i.n, 0) <> coalesce(s.n, 0)`,
  "changes of a day": `SELECT 1 FROM (SELECT day, count(*) FILTER (WHERE kind = 'added') AS added,
       count(*) FILTER (WHERE kind = 'removed') AS removed, count(*) FILTER (WHERE kind = 'carted') AS carted
       FROM activity WHERE shop_id = $1 AND ${BY_SHOPPERS} GROUP BY 1) a
     FULL JOIN (SELECT * FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.added, 0) <> coalesce(s.items_added, 0) OR coalesce(a.removed, 0) <> coalesce(s.items_removed, 0)
        OR coalesce(a.carted, 0) <> coalesce(s.carted, 0)`,
  "changes of a day's hours": `SELECT 1 FROM (SELECT day, owner_kind, source, count(*) FILTER (WHERE kind = 'added') AS added,
       count(*) FILTER (WHERE kind = 'removed') AS removed, count(*) FILTER (WHERE kind = 'carted') AS carted,
       count(*) FILTER (WHERE kind = 'shared') AS shared
       FROM activity WHERE shop_id = $1 AND ${BY_SHOPPERS} GROUP BY 1, 2, 3) a
     FULL JOIN (SELECT day, owner_kind, source, sum(items_added) AS added, sum(items_removed) AS removed, sum(carted) AS carted, sum(shared) AS shared
                  FROM activity_hourly WHERE shop_id = $1 GROUP BY 1, 2, 3) s USING (day, owner_kind, source)
     WHERE coalesce(a.added, 0) <> coalesce(s.added, 0) OR coalesce(a.removed, 0) <> coalesce(s.removed, 0)
        OR coalesce(a.carted, 0) <> coalesce(s.carted, 0) OR coalesce(a.shared, 0) <> coalesce(s.shared, 0)`,
  "carted items by the day of their save": `SELECT 1 FROM (SELECT saved_on AS day, count(*) AS n FROM activity
       WHERE shop_id = $1 AND kind = 'carted' AND saved_on IS NOT NULL AND ${BY_SHOPPERS} GROUP BY 1) a
     FULL JOIN (SELECT day, cohort_carted AS n FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.n, 0) <> coalesce(s.n, 0)`,
  "changes of a product and day": `SELECT 1 FROM (SELECT product_id, day, count(*) FILTER (WHERE kind = 'added') AS added,
       count(*) FILTER (WHERE kind = 'removed') AS removed, count(*) FILTER (WHERE kind = 'carted') AS carted
       FROM activity WHERE shop_id = $1 AND product_id IS NOT NULL AND ${BY_SHOPPERS} GROUP BY 1, 2) a
     FULL JOIN (SELECT * FROM product_daily WHERE shop_id = $1) s USING (product_id, day)
     WHERE coalesce(a.added, 0) <> coalesce(s.items_added, 0) OR coalesce(a.removed, 0) <> coalesce(s.items_removed, 0)
        OR coalesce(a.carted, 0) <> coalesce(s.carted, 0)`,
  "active days of a shopper": `SELECT 1 FROM (${ACTIVE_DAYS}) a
     FULL JOIN (SELECT true AS found, p.owner_kind, p.owner_id, d.day FROM shopper_day d
                  JOIN shopper p ON p.shop_id = d.shop_id AND p.id = d.shopper_id WHERE d.shop_id = $1) s USING (owner_kind, owner_id, day)
     WHERE a.found IS DISTINCT FROM s.found`,
  "active shoppers of a day": `SELECT 1 FROM (SELECT day, count(*) AS n FROM (${ACTIVE_DAYS}) d GROUP BY 1) a
     FULL JOIN (SELECT day, unique_shoppers AS n FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.n, 0) <> coalesce(s.n, 0)`,
  "shoppers by their last active day": `SELECT 1 FROM (SELECT day, count(*) AS n
       FROM (SELECT max(day) AS day FROM (${ACTIVE_DAYS}) d GROUP BY owner_kind, owner_id) l GROUP BY 1) a
     FULL JOIN (SELECT day, last_seen AS n FROM daily_stats WHERE shop_id = $1) s USING (day)
     WHERE coalesce(a.n, 0) <> coalesce(s.n, 0)`,
  "shoppers by two days": `SELECT 1 FROM (${SHOPPER_COUNTS}) a
     FULL JOIN (SELECT kind, day, other_day, shoppers AS n FROM shopper_count WHERE shop_id = $1 AND kind <> 'bought') s USING (kind, day, other_day)
     WHERE coalesce(a.n, 0) <> coalesce(s.n, 0)`,
};

/** Runs SQL and returns its rows. */
export type RunSql = (sql: string, values?: unknown[]) => Promise<unknown[]>;

/**
 * Recounts the rollups of a shop from its activity and its items. The outbox must be empty, and no activity may have been deleted.
 * @returns the rollups that differ, each with the number of wrong rows
 */
export async function wrongRollups(rows: RunSql, shopId: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const [rollup, sql] of Object.entries(RECOUNTS)) {
    const found = await rows(sql, [shopId]);
    if (found.length > 0) wrong.push(`${rollup} (${found.length})`);
  }
  return wrong;
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
