import { run, statement, type Statement } from "../../platform/database/database.server.ts";
import { containsPattern } from "../../platform/text/contains-pattern.ts";
import { guestUseOutdated, guestUseThreshold } from "../guests/guests.server.ts";
import { idOf, type ListRef } from "../owner.ts";
import {
  DETAIL_COLUMNS,
  DETAILS_TEXT,
  fitsSql,
  ITEM_TEXT,
  LINE_BREAK,
  PRODUCT_TEXT,
  productJoins,
} from "./item-text.ts";
import type { ItemsQuery, ListSort } from "./page.ts";

interface ArrangedRow {
  item_count: number;
  match_count: number;
  use_outdated: boolean;
  /** as `itemsText` gives them */
  items: string;
  /** as `detailsText` gives them; null for a page without items */
  details: string | null;
}

const NEWEST = "i.added_at DESC, i.seq DESC";

// The database's own collation is often "C", in which "Zelt" comes before "apron".
const TITLE = `p.title COLLATE "und-x-icu"`;

const ORDER: Record<ListSort, string> = {
  newest: NEWEST,
  oldest: "i.added_at, i.seq",
  price_asc: `v.price NULLS LAST, ${NEWEST}`,
  price_desc: `v.price DESC NULLS LAST, ${NEWEST}`,
  title: `${TITLE} NULLS LAST, ${NEWEST}`,
  title_desc: `${TITLE} DESC NULLS LAST, ${NEWEST}`,
  position: `i.position NULLS LAST, ${NEWEST}`,
  position_desc: `i.position DESC NULLS LAST, ${NEWEST}`,
};

/**
 * Returns the statement for an order. It sorts by the values that shoppers see: the title of a product that has ever been published, and the price and
 * stock of a variant that is visible in the store now. Only the items of the page get the data of their products.
 */
function arrangedStatement(sort: ListSort, expanded: boolean): Statement<ArrangedRow> {
  const product = expanded ? ` || ${PRODUCT_TEXT}` : "";
  // The first item of the list is read for the number of items, also for another page.
  const onPage = (text: string): string => `CASE WHEN i.ordinal > $5 THEN ${text} ELSE '' END`;
  return statement(
    `wishlist_by_${sort}${expanded ? "_expanded" : ""}`,
    `SELECT w.item_count, ${guestUseOutdated("$7")} AS use_outdated, m.match_count, m.items, m.details
       FROM wishlist w
       JOIN shop s ON s.id = w.shop_id
      CROSS JOIN LATERAL
            (SELECT coalesce(max(f.match_count), 0) AS match_count, coalesce(string_agg(f.item, ' ' ORDER BY f.ordinal) FILTER (WHERE f.fits), '') AS items,
                    string_agg(f.details, ${LINE_BREAK} ORDER BY f.ordinal) FILTER (WHERE f.fits) AS details
               FROM (SELECT t.*, t.ordinal > $5 AND ${fitsSql("t.ordinal")} AS fits
                       FROM (SELECT i.match_count, i.ordinal, ${onPage(ITEM_TEXT)} AS item, ${onPage(`${DETAILS_TEXT}${product}`)} AS details
                               FROM (SELECT *
                                       FROM (SELECT i.product_id, i.variant_id, i.added_at, ${DETAIL_COLUMNS}, row_number() OVER (ORDER BY ${ORDER[sort]}) AS ordinal,
                                                    count(*) OVER () AS match_count
                                               FROM wishlist_item i
                                               ${productJoins("$1")}
                                              WHERE i.shop_id = $1 AND i.wishlist_id = w.id AND (v.available OR NOT $6::boolean)
                                                AND ($9::text IS NULL OR lower(${TITLE}) LIKE $9
                                                     OR $10::boolean AND (lower(v.title COLLATE "und-x-icu") LIKE $9 OR lower(i.note COLLATE "und-x-icu") LIKE $9))) AS a
                                      WHERE (ordinal > $5 AND ordinal <= $5 + $4) OR ordinal = 1) AS i
                               ${expanded ? productJoins("$1") : ""} OFFSET 0) AS t) AS f) AS m
      WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = $8 AND w.deleted_at IS NULL`,
  );
}

const ALL = Object.keys(ORDER).filter((sort): sort is ListSort => sort in ORDER);

function statements(expanded: boolean): ReadonlyMap<ListSort, Statement<ArrangedRow>> {
  return new Map(ALL.map((sort) => [sort, arrangedStatement(sort, expanded)]));
}

const PLAIN = statements(false);
const EXPANDED = statements(true);

/**
 * Reads a slice of a list, sorted and filtered by the data of the catalog cache.
 * @returns undefined when the owner has no such list
 */
export async function readArranged(
  list: ListRef,
  { limit, offset, sort = "newest", available = false, q, searchesDetails = false, expanded = false }: ItemsQuery,
): Promise<ArrangedRow | undefined> {
  const of = (expanded ? EXPANDED : PLAIN).get(sort);
  if (!of) throw new Error(`there is no statement for the order ${sort}`);
  const [row] = await run(of, [
    list.shopId,
    list.kind,
    list.id,
    limit,
    offset,
    available,
    guestUseThreshold(),
    idOf(list),
    q === undefined ? null : containsPattern(q),
    searchesDetails,
  ]);
  return row;
}
