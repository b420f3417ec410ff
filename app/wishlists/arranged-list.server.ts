import { run, statement, type Statement } from "../platform/database.server.ts";
import { isKnownToShoppersSql, isPublishedSql } from "../catalog/index.server.ts";
import { ITEM_TEXT } from "./items.ts";
import type { ListQuery, ListSort } from "./page.ts";
import { guestUseThreshold, guestUseOutdated, type Owner } from "./read.server.ts";

interface ArrangedRow {
  item_count: number;
  match_count: number;
  use_outdated: boolean;
  /** as `itemsText` gives them */
  items: string;
}

const NEWEST = "i.added_at DESC, i.seq DESC";

// The database's own collation is often "C", in which "Zelt" comes before "apron".
const ORDER: Record<ListSort, string> = {
  newest: NEWEST,
  oldest: "i.added_at, i.seq",
  price_asc: `v.price NULLS LAST, ${NEWEST}`,
  price_desc: `v.price DESC NULLS LAST, ${NEWEST}`,
  title: `p.title COLLATE "und-x-icu" NULLS LAST, ${NEWEST}`,
};

/**
 * Returns the statement for an order. It sorts by the values that the shopper's page shows: the title of a product that has ever been
 * published, and the price and stock of a variant that is visible in the store now.
 */
function arrangedStatement(sort: ListSort): Statement<ArrangedRow> {
  return statement(
    `wishlist_by_${sort}`,
    `SELECT w.item_count, ${guestUseOutdated("$7")} AS use_outdated, m.match_count, m.items
       FROM wishlist w
      CROSS JOIN LATERAL
            (SELECT count(*) AS match_count,
                    coalesce(string_agg(${ITEM_TEXT}, ' ' ORDER BY i.place) FILTER (WHERE i.place > $5 AND i.place <= $5 + $4), '') AS items
               FROM (SELECT i.product_id, i.variant_id, i.added_at, row_number() OVER (ORDER BY ${ORDER[sort]}) AS place
                       FROM wishlist_item i
                       -- LIMIT 1 makes the planner look up each product by its key, however large the catalog.
                       LEFT JOIN LATERAL (SELECT p.title, p.deleted_at IS NULL AND ${isPublishedSql("p")} AS visible
                                            FROM product p
                                           WHERE p.shop_id = i.shop_id AND p.product_id = i.product_id AND p.handle <> ''
                                             AND ${isKnownToShoppersSql("p")} LIMIT 1) AS p ON true
                       LEFT JOIN LATERAL (SELECT v.price, v.available FROM variant v
                                           WHERE p.visible AND v.shop_id = i.shop_id AND v.variant_id = i.variant_id
                                             AND v.product_id = i.product_id AND v.deleted_at IS NULL LIMIT 1) AS v ON true
                      WHERE i.shop_id = w.shop_id AND i.wishlist_id = w.id AND (v.available OR NOT $6::boolean)) AS i) AS m
      WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = 'default'`,
  );
}

const STATEMENTS: Record<ListSort, Statement<ArrangedRow>> = {
  newest: arrangedStatement("newest"),
  oldest: arrangedStatement("oldest"),
  price_asc: arrangedStatement("price_asc"),
  price_desc: arrangedStatement("price_desc"),
  title: arrangedStatement("title"),
};

/**
 * Reads a slice of a wishlist, sorted and filtered by the data of the catalog cache.
 * @returns undefined when the owner has no wishlist
 */
export async function readArranged(
  owner: Owner,
  { limit, offset, sort, available }: Required<ListQuery>,
): Promise<ArrangedRow | undefined> {
  const values = [owner.shopId, owner.kind, owner.id, limit, offset, available, guestUseThreshold()];
  const [row] = await run(STATEMENTS[sort], values);
  return row;
}
