import { now } from "../../platform/clock.server.ts";
import { run, shopStatement } from "../../platform/database/database.server.ts";
import { DEFAULT_LIST } from "../owner.ts";
import {
  DIRECTIONS,
  INDEX_EXPORT_LISTS,
  INDEX_PAGE,
  SORTS,
  type Cursor,
  type ListFilters,
  type ListQuery,
  type ListSelection,
  type Sort,
} from "./list-filters.ts";
import type { IndexedList, ListIndexPage } from "./view.ts";

const DAY_MS = 24 * 3_600_000;

/** The flags of a summary, as its column `flags` sums them. */
const FLAGS = { guest: 1, named: 2, outOfStock: 4, priceDropped: 8, alerts: 16, shared: 32 } as const;
const ALL_FLAGS = Array.from({ length: 64 }, (_, flags) => flags);

/** Returns the combinations of flags that lists have under the filters. */
function flagsOf({ owner, kind, stock, price, alerts, shared }: ListFilters): number[] {
  const wanted: [flag: number, is: boolean | undefined][] = [
    [FLAGS.guest, owner && owner === "guest"],
    [FLAGS.named, kind && kind === "named"],
    [FLAGS.outOfStock, stock && true],
    [FLAGS.priceDropped, price && true],
    [FLAGS.alerts, alerts && true],
    [FLAGS.shared, shared && true],
  ];
  return ALL_FLAGS.filter((flags) => wanted.every(([flag, is]) => is === undefined || (flags & flag) > 0 === is));
}

/** Returns the bounds of the last activity. */
function activityOf({ activity }: ListFilters): { since: Date | string; before: Date | string } {
  const daysAgo = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  switch (activity) {
    case undefined:
      return { since: "-infinity", before: "infinity" };
    case "before-90d":
      return { since: "-infinity", before: daysAgo(90) };
    case "7d":
      return { since: daysAgo(7), before: "infinity" };
    case "30d":
      return { since: daysAgo(30), before: "infinity" };
    case "90d":
      return { since: daysAgo(90), before: "infinity" };
  }
}

/** What a statement of lists takes for the filters, from its first parameter on. */
function filterValues(shopId: number, filters: ListFilters): unknown[] {
  const { since, before } = activityOf(filters);
  const { min = "0", max = "Infinity", shared } = filters;
  // A share link can have expired since the list was summarized.
  return [shopId, flagsOf(filters), since, before, min, max, shared === undefined ? "-infinity" : now()];
}

/** The columns by which lists are sorted, their types, and SQL for their values as a cursor has them. */
export const ORDERS: Record<Sort, { column: string; type: string; key: string }> = {
  activity: {
    column: "active_at",
    type: "timestamptz",
    key: "(date_part('epoch', active_at) * 1000)::bigint::text",
  },
  value: { column: "value", type: "numeric", key: "value::text" },
  items: { column: "item_count", type: "integer", key: "item_count::text" },
  stock: { column: "out_of_stock", type: "integer", key: "out_of_stock::text" },
};

/** At least as great as every count of items. */
const MOST = "2147483647";

/** Greater than the number of every list. */
const LAST_ID = "9223372036854775807";

/**
 * SQL for the filters behind the flags. Only the order's own column may bound the scan of the order's index: by a bound of another one, PostgreSQL would
 * choose the index of that one, read all that is within the bound, and sort it.
 */
function filterSql(sorted?: string): string {
  const bound = (column: string, condition: string): string =>
    column === sorted ? condition : `(${condition}) IS TRUE`;
  return [
    bound("active_at", "active_at >= $3::timestamptz"),
    bound("active_at", "active_at < $4::timestamptz"),
    bound("value", "value >= $5::numeric"),
    bound("value", "value <= $6::numeric"),
    "($7::timestamptz = '-infinity' OR shared_until > $7::timestamptz)",
  ].join(" AND ");
}

/**
 * SQL for the lists of a selection, in the order of the index, at most as many as an export takes.
 * Its parameters: those of `filterValues`, then the numbers of the selected lists; null for all that match.
 */
export function selectionSql({ sort, direction }: Pick<ListQuery, "sort" | "direction">): string {
  return `SELECT wishlist_id, active_at, value, item_count, out_of_stock FROM wishlist_summary
           WHERE shop_id = $1::bigint AND flags = ANY ($2::smallint[]) AND ${filterSql()}
             AND ($8::bigint[] IS NULL OR wishlist_id = ANY ($8::bigint[]))
           ORDER BY ${ORDERS[sort].column} ${direction}, wishlist_id ${direction} LIMIT ${INDEX_EXPORT_LISTS}`;
}

/** The values of a selection's parameters. Selected lists count even if they no longer match the filters. */
export function selectionValues(shopId: number, { query, lists }: ListSelection): unknown[] {
  return [...filterValues(shopId, lists.length > 0 ? {} : query.filters), lists.length > 0 ? lists : null];
}

/** Makes a statement of a selection for each order. */
export function ofEachOrder<Made>(
  make: (order: Pick<ListQuery, "sort" | "direction">) => Made,
): (query: ListQuery) => Made {
  const made = new Map(
    SORTS.flatMap((sort) =>
      DIRECTIONS.map((direction) => [`${sort} ${direction}`, make({ sort, direction })] as const),
    ),
  );
  return ({ sort, direction }) => made.get(`${sort} ${direction}`) ?? make({ sort, direction });
}

interface Row {
  wishlist_id: number;
  key: string;
  flags: number;
  active_at: Date;
  item_count: number;
  value: string;
  out_of_stock: number;
  price_dropped: number;
  shared_until: Date | null;
  owner_kind: "customer" | "guest";
  owner_id: string;
  handle: string;
  name: string | null;
}

function pageStatement(sort: Sort, direction: ListQuery["direction"]) {
  const { column, type, key } = ORDERS[sort];
  const order = `${column} ${direction}, wishlist_id ${direction}`;
  return shopStatement<Row>(
    `wishlist_index_${sort}_${direction}`,
    `SELECT s.*, amount_text(s.value, (SELECT currency FROM shop WHERE id = $1)) AS value, w.owner_kind, w.owner_id, w.handle, w.name
       FROM (SELECT x.* FROM unnest($2::smallint[]) AS f(flags)
              CROSS JOIN LATERAL (
                SELECT wishlist_id, ${column} FROM wishlist_summary
                 WHERE shop_id = $1 AND flags = f.flags AND (${column}, wishlist_id) ${direction === "desc" ? "<" : ">"} ($8::${type}, $9::bigint)
                   AND ${filterSql(column)}
                 ORDER BY ${order} LIMIT ${INDEX_PAGE + 1}) AS x
              ORDER BY ${order} LIMIT ${INDEX_PAGE + 1}) AS p
      CROSS JOIN LATERAL (SELECT wishlist_id, ${key} AS key, flags, active_at, item_count, value, out_of_stock, price_dropped, shared_until
                            FROM wishlist_summary WHERE shop_id = $1 AND wishlist_id = p.wishlist_id LIMIT 1) AS s
      CROSS JOIN LATERAL (SELECT owner_kind, owner_id, handle, name FROM wishlist WHERE shop_id = $1 AND id = p.wishlist_id LIMIT 1) AS w
      ORDER BY p.${order.replace(", ", ", p.")}`,
  );
}

const STATEMENTS = {
  activity: { desc: pageStatement("activity", "desc"), asc: pageStatement("activity", "asc") },
  value: { desc: pageStatement("value", "desc"), asc: pageStatement("value", "asc") },
  items: { desc: pageStatement("items", "desc"), asc: pageStatement("items", "asc") },
  stock: { desc: pageStatement("stock", "desc"), asc: pageStatement("stock", "asc") },
};

function toIndexed(row: Row): IndexedList {
  return {
    wishlistId: String(row.wishlist_id),
    owner: row.owner_kind === "customer" ? { kind: "customer", customerId: row.owner_id } : { kind: "guest" },
    name: { name: row.name ?? undefined, isDefault: row.handle === DEFAULT_LIST },
    itemCount: row.item_count,
    value: row.value,
    outOfStock: row.out_of_stock,
    priceDropped: row.price_dropped,
    hasAlerts: (row.flags & FLAGS.alerts) > 0,
    isShared: row.shared_until !== null && row.shared_until > now(),
    activeAt: row.active_at,
  };
}

/** Returns what is before all lists of an order: the bound of a filter, so that the scan begins there. */
function startOf(filters: ListFilters, sort: Sort, along: ListQuery["direction"]): [key: Date | string, id: string] {
  const { since, before } = activityOf(filters);
  const { min = "0", max = "Infinity" } = filters;
  if (along === "desc") return [{ activity: before, value: max, items: MOST, stock: MOST }[sort], LAST_ID];
  return [{ activity: since, value: min, items: "0", stock: "0" }[sort], "0"];
}

/** Returns a page of a shop's lists by filters and order, from their summaries. */
export async function listIndex(
  shopId: number,
  { filters, sort, direction }: ListQuery,
  cursor: Cursor | undefined,
): Promise<ListIndexPage> {
  const back = cursor?.back === true;
  const along: ListQuery["direction"] = (direction === "desc") === back ? "asc" : "desc";
  const rows = await run(STATEMENTS[sort][along], [
    ...filterValues(shopId, filters),
    ...(cursor
      ? [sort === "activity" ? new Date(Number(cursor.key)) : cursor.key, cursor.id]
      : startOf(filters, sort, along)),
  ]);
  const hasMore = rows.length > INDEX_PAGE;
  const page = rows.slice(0, INDEX_PAGE);
  if (back) page.reverse();
  const cursorOf = (row: Row | undefined): string | undefined => row && `${row.key}_${row.wishlist_id}`;
  return {
    lists: page.map(toIndexed),
    previous: (back ? hasMore : cursor !== undefined) ? cursorOf(page[0]) : undefined,
    next: back || hasMore ? cursorOf(page.at(-1)) : undefined,
  };
}
