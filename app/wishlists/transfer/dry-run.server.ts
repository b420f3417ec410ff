import { now } from "../../platform/clock.server.ts";
import { run, statement } from "../../platform/database.server.ts";
import { COLUMNS, type Format } from "./columns.ts";
import { MAX_PROBLEMS, type ImportKey } from "./import-data.ts";

/** Reports items that are not in the catalog cache, unless the cache is still incomplete. The merchant decides whether they are imported. */
const unknownStatement = statement<Record<string, never>>(
  "import_unknown",
  `WITH unknown AS MATERIALIZED (
     SELECT i.line, p.product_id IS NULL AS no_product
       FROM import_item i
       JOIN shop s ON s.id = $1 AND s.catalog = 'ready'
       LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id AND p.deleted_at IS NULL
       LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
      WHERE i.shop_id = $1 AND i.import_id = $2 AND (p.product_id IS NULL OR (v.variant_id IS NULL AND p.default_variant_id <> i.variant_id))
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, u.line, CASE WHEN u.no_product THEN $4 ELSE $5 END, 'is not in your catalog'
       FROM unknown u ORDER BY u.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import SET items_unknown = (SELECT count(*) FROM unknown)
    WHERE shop_id = $1 AND id = $2 AND status = 'reading'`,
);

/** Counts the items that an import would add to each list or refuse, without changing any list. */
const forecastStatement = statement<Record<string, never>>(
  "import_forecast",
  `WITH per AS MATERIALIZED (
     SELECT i.owner_kind, i.owner_id, min(i.line) AS line, count(*) AS given, count(k.variant_id) AS present,
            coalesce(max(w.item_count), 0) AS held, bool_or(f.guest_id IS NOT NULL) AS merged
       FROM import_item i
       LEFT JOIN wishlist w ON w.shop_id = $1 AND w.owner_kind = i.owner_kind AND w.owner_id = i.owner_id AND w.handle = 'default'
       LEFT JOIN wishlist_item k ON k.shop_id = $1 AND k.wishlist_id = w.id AND k.product_id = i.product_id
            AND k.variant_id = i.variant_id
       LEFT JOIN merged_guest f ON f.shop_id = $1 AND i.owner_kind = 'guest' AND f.guest_id = i.owner_id
      WHERE i.shop_id = $1 AND i.import_id = $2
      GROUP BY i.owner_kind, i.owner_id
   ), judged AS MATERIALIZED (
     SELECT p.line, p.given, p.present, p.held + p.given - p.present AS wanted, s.item_cap, p.merged,
            p.merged OR (p.held + p.given - p.present > s.item_cap AND p.given > p.present) AS refused
       FROM per p JOIN shop s ON s.id = $1
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, j.line, '',
            CASE WHEN j.merged THEN 'begins a list whose guest has logged in since; the list is part of the customer''s now, so none of its items is imported'
                 ELSE 'begins a list that would have ' || j.wanted || ' items, and lists hold at most ' || j.item_cap
                      || '; none of its items is imported' END
       FROM judged j WHERE j.refused
      ORDER BY j.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import f
      SET status = 'ready', updated_at = $4, items = t.items, lists = t.lists, items_new = t.new, items_refused = t.refused
     FROM (SELECT coalesce(sum(given), 0) AS items, count(*) AS lists,
                  coalesce(sum(given - present) FILTER (WHERE NOT refused), 0) AS new,
                  coalesce(sum(given - present) FILTER (WHERE refused), 0) AS refused FROM judged) AS t
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
  await run(forecastStatement, [shopId, id, MAX_PROBLEMS, now()]);
}
