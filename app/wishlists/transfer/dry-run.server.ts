import { now } from "../../platform/clock.server.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import { COLUMNS, type Format } from "./columns.ts";
import { listLimit } from "./list-limit.server.ts";
import { MAX_PROBLEMS, type ImportKey } from "./import-data.ts";

/** Reports items that are not in the catalog cache, unless the cache is still incomplete. The merchant decides whether they are imported. */
const unknownStatement = statement<Record<string, never>>(
  "import_unknown",
  `WITH unknown AS MATERIALIZED (
     SELECT i.line, p.product_id IS NULL AS no_product
       FROM import_entry i
       JOIN shop s ON s.id = $1 AND s.catalog = 'ready'
       LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id AND p.deleted_at IS NULL
       LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
      WHERE i.shop_id = $1 AND i.import_id = $2 AND i.product_id <> '' AND (p.product_id IS NULL OR (v.variant_id IS NULL AND p.default_variant_id <> i.variant_id))
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, u.line, CASE WHEN u.no_product THEN $4 ELSE $5 END, 'is not in your catalog'
       FROM unknown u ORDER BY u.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import SET items_unknown = (SELECT count(*) FROM unknown)
    WHERE shop_id = $1 AND id = $2 AND status = 'reading'`,
);

/**
 * Counts the items that an import would add to each list or refuse, without changing any list. New lists of an owner are created in the order of the
 * file, up to the limit $5, which the default list counts for: see import_create_lists.
 */
const forecastStatement = statement<Record<string, never>>(
  "import_forecast",
  `WITH per AS MATERIALIZED (
     SELECT owner_kind, owner_id, list_key, min(line) AS line, count(*) FILTER (WHERE product_id <> '') AS given
       FROM import_entry WHERE shop_id = $1 AND import_id = $2
      GROUP BY owner_kind, owner_id, list_key
   ), found AS MATERIALIZED (
     SELECT p.*, w.id, coalesce(w.item_count, 0) AS held, f.guest_id IS NOT NULL AS merged,
            p.list_key <> '' AND w.id IS NULL AND p.given <= s.item_cap AS creatable, s.item_cap
       FROM per p
       JOIN shop s ON s.id = $1
       LEFT JOIN LATERAL (SELECT l.id, l.item_count FROM wishlist l
                           WHERE l.shop_id = $1 AND l.owner_kind = p.owner_kind AND l.owner_id = p.owner_id AND l.deleted_at IS NULL
                             AND ((p.list_key = '' AND l.handle = 'default') OR l.name_key = p.list_key) LIMIT 1) AS w ON true
       LEFT JOIN merged_guest f ON f.shop_id = $1 AND p.owner_kind = 'guest' AND f.guest_id = p.owner_id
   ), counted AS MATERIALIZED (
     SELECT f.*,
            (SELECT count(*) FROM import_entry i
               JOIN wishlist_item k ON k.shop_id = $1 AND k.wishlist_id = f.id AND k.product_id = i.product_id AND k.variant_id = i.variant_id
              WHERE i.shop_id = $1 AND i.import_id = $2 AND i.owner_kind = f.owner_kind AND i.owner_id = f.owner_id
                AND i.list_key = f.list_key AND f.id IS NOT NULL) AS present,
            CASE WHEN f.creatable THEN
              sum(f.creatable::integer) OVER (PARTITION BY f.owner_kind, f.owner_id ORDER BY f.line)
              + (SELECT greatest(count(*), 1) FROM wishlist l
                  WHERE l.shop_id = $1 AND l.owner_kind = f.owner_kind AND l.owner_id = f.owner_id AND l.deleted_at IS NULL)
            END AS ordinal
       FROM found f
   ), judged AS MATERIALIZED (
     SELECT c.line, c.given, c.present, c.held + c.given - c.present AS wanted, c.item_cap, c.merged, c.creatable,
            coalesce(c.ordinal > $5::integer, false) AS exceeding,
            c.held + c.given - c.present > c.item_cap AND c.given > c.present AS overflowing
       FROM counted c
   ), refusing AS MATERIALIZED (
     SELECT j.*, j.merged OR j.exceeding OR j.overflowing AS refused FROM judged j
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, j.line, '',
            CASE WHEN j.merged THEN 'begins a list whose guest has logged in since; the list is part of the customer''s now, so none of its items is imported'
                 WHEN j.overflowing THEN 'begins a list that would have ' || j.wanted || ' items, and lists hold at most ' || j.item_cap
                      || '; none of its items is imported'
                 ELSE $6 || '; none of its items is imported' END
       FROM refusing j WHERE j.refused
      ORDER BY j.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import f
      SET status = 'ready', updated_at = $4, items = t.items, lists = t.lists, lists_new = t.lists_new, items_new = t.new, items_refused = t.refused
     FROM (SELECT coalesce(sum(given), 0) AS items, count(*) FILTER (WHERE given > present AND NOT refused) AS lists,
                  count(*) FILTER (WHERE creatable AND NOT refused) AS lists_new,
                  coalesce(sum(given - present) FILTER (WHERE NOT refused), 0) AS new,
                  coalesce(sum(given - present) FILTER (WHERE refused), 0) AS refused FROM refusing) AS t
    WHERE f.shop_id = $1 AND f.id = $2 AND f.status = 'reading'`,
);

/**
 * Performs the dry run of a file that was read, after which the import is ready.
 * @param reported problems that are in the report already
 */
export async function dryRun({ shopId, id }: ImportKey, format: Format, reported: number): Promise<void> {
  const [productField, variantField] =
    format === "csv" ? ["product_id", "variant_id"] : [COLUMNS.product_id, COLUMNS.variant_id];
  await run(unknownStatement, [shopId, id, Math.max(0, MAX_PROBLEMS - reported), productField, variantField]);
  const { limit, exceeded } = await listLimit(shopId);
  await run(forecastStatement, [shopId, id, MAX_PROBLEMS, now(), limit, exceeded]);
}
