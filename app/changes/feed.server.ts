import { z } from "zod";
import { processOutbox } from "../activity/index.server.ts";
import {
  cursorSchema,
  decodeCursor,
  encodeCursor,
  foreignCursor,
  type CursorScope,
} from "../platform/text/cursor.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { integerParameter } from "../platform/text/integer-parameter.ts";
import { PAGE_BYTES } from "../platform/text/page-size.ts";
import { shopGate } from "../platform/database/shop-gate.server.ts";
import { itemDetails } from "../wishlists/items/details.ts";
import { CHANGE_TEXT, changesOf, LINE_BREAK, type Change } from "./change-text.ts";
import { CHANGE_TYPES, kindsOf, type ChangeType } from "./change-types.ts";
import { CHANGE_FAILURES } from "./failures.ts";
import { changesSent } from "./metrics.server.ts";

const LIMIT = { default: 100, max: 1_000 } as const;
/** The most rows of activity that a statement reads for a page. A filter may match few of them. */
const WINDOW = 20_000;
/** The most statements for a page that stays empty. */
const MAX_WINDOWS = 5;
/** Bytes that JSON needs for a change beyond its text in the database. */
const JSON_BYTES = 200;
/** `since` for the end of the feed. */
const NOW = "now";

const typeText = `(?:${CHANGE_TYPES.map((type) => type.replaceAll(".", String.raw`\.`)).join("|")})`;

const typesParameter = z
  .array(
    z
      .string()
      .regex(new RegExp(`^${typeText}(?:,${typeText})*$`), `has an unknown type; there are ${CHANGE_TYPES.join(", ")}`),
  )
  .max(CHANGE_TYPES.length)
  .optional()
  .meta({
    description: "Only changes of these types, separated by commas or as a repeated parameter; all types when left out",
    example: ["wishlist.item.added,wishlist.item.removed"],
  });

export const changesQuery = z.strictObject({
  since: cursorSchema.optional().meta({
    description:
      "Where to continue: `nextCursor` of an earlier response with the same `types`, or `now` for the end of the feed. When left out, the page begins with the oldest change that is kept.",
  }),
  limit: integerParameter({
    min: 1,
    max: LIMIT.max,
    fallback: LIMIT.default,
    description: "Changes in the page",
    example: 100,
  }),
  types: typesParameter,
});

export const streamQuery = z.strictObject({
  since: cursorSchema.optional().meta({
    description:
      "Where to continue when the request has no `Last-Event-ID`: a cursor of the same `types`, or `now`, which is the default",
  }),
  types: typesParameter,
});

const changeSchema = z
  .strictObject({
    type: z.enum(CHANGE_TYPES).meta({ example: "wishlist.item.added" }),
    at: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-21T17:05:40.120Z" }),
    customerId: z.string().meta({ example: "6940094103687" }),
    listId: z.string().meta({ description: "`default` for the default list", example: "default" }),
    version: z.int().meta({ description: "The list's version after the change", example: 4 }),
    itemCount: z.int().meta({ description: "Items in the list after the version", example: 3 }),
    source: z.string().meta({ description: "Where the change came from, as in a list's history", example: "api" }),
    item: z
      .strictObject({
        productId: z.string().meta({ example: "8401930311165" }),
        variantId: z.string().meta({ example: "44003118551387" }),
        addedAt: z.iso
          .datetime({ precision: 3 })
          .optional()
          .meta({ description: "Not of a removed item", example: "2026-11-21T17:05:40.120Z" }),
        sequence: z.int().optional().meta({
          description:
            "Of two items of a list with the same `addedAt`, the one with the higher number comes first in the list. Not of a removed item",
          example: 48213,
        }),
        ...itemDetails,
      })
      .optional()
      .meta({ description: "The item as it is after the change; of a removed item its ids" }),
    list: z
      .strictObject({
        name: z.string().optional().meta({ example: "Birthday" }),
        position: z.number().meta({ example: 1 }),
      })
      .optional()
      .meta({
        description: "The list as it is after its creation, renaming or move, or as it was when it was deleted",
      }),
    movedTo: z
      .string()
      .optional()
      .meta({ description: "Of an item that was removed by a move: the list that has it now", example: "default" }),
  })
  .meta({ id: "Change" });

export const changesSchema = z
  .strictObject({
    changes: z.array(changeSchema).meta({ description: "Oldest first" }),
    nextCursor: z.string().meta({
      description: "Where the next page begins. Keep it when there are no more changes, and continue from it later.",
      example: "MTA0.q1v0Rr8pXq1LwT9u",
    }),
    hasMore: z.boolean().meta({
      description:
        "Whether to read on at once. A page ends at about 1 MB, and with `types` can have no change at all, so that more can follow a page with fewer changes than `limit`.",
      example: false,
    }),
  })
  .meta({ id: "Changes" });

/** The changes that a caller reads. */
export interface Filter {
  shopId: number;
  /** sorted; undefined for all types */
  types: readonly ChangeType[] | undefined;
  /** set for a token that is bound to a customer */
  customerId: string | undefined;
}

/** Returns the filter of a request. @param types the parameter as it was given */
export function toFilter(
  caller: { shopId: number; customerId: string | undefined },
  types: readonly string[] | undefined,
): Filter {
  const given = new Set(types?.flatMap((text) => text.split(",")));
  const wanted = CHANGE_TYPES.filter((type) => given.has(type)).sort();
  const isAll = wanted.length === 0 || wanted.length === CHANGE_TYPES.length;
  return { shopId: caller.shopId, customerId: caller.customerId, types: isAll ? undefined : wanted };
}

/** Returns a text that is the same for equal filters of a shop. */
export function filterKey({ types, customerId }: Filter): string {
  return `${types?.join(",") ?? "*"} ${customerId ?? ""}`;
}

function scopeOf(filter: Filter): CursorScope {
  return { of: "changes", shopId: filter.shopId, filter: filterKey(filter) };
}

/** Returns the cursor after a change. */
export function cursorAfter(filter: Filter, number: number): string {
  return encodeCursor(scopeOf(filter), String(number));
}

/**
 * Parses where a caller continues.
 * @param parameter names the query parameter or header in the failure
 * @returns the number of the last change that the caller has, `now`, or `invalid_request` for a cursor of another shop or filter
 */
export function parseCursor(filter: Filter, cursor: string, parameter = "query.since"): number | typeof NOW | Failure {
  if (cursor === NOW) return NOW;
  const position = decodeCursor(scopeOf(filter), cursor);
  return position === undefined ? foreignCursor(parameter) : Number(position);
}

export function cursorExpired(): Failure {
  return new Failure("cursor_expired", CHANGE_FAILURES.cursor_expired.message);
}

interface PageRow {
  last_number: number;
  purged_to: number;
  pending: boolean;
  changes: string | null;
  found: number;
  /** whether the page ends before its limit, because of its bytes */
  cut: boolean;
  last: number | null;
}

/** Returns SQL for a page after $2, or after what was purged without $2. $3 are the kinds, $4 is the limit, $5 are the bytes at which it ends. */
function pageSql(matching: string, by: string): string {
  return `SELECT c.last_number, c.purged_to, EXISTS (SELECT 1 FROM activity u WHERE u.shop_id = $1 AND u.processed_at IS NULL) AS pending,
          x.changes, x.found, x.cut, x.last
     FROM shop_change c
    CROSS JOIN LATERAL
          (SELECT string_agg(m.change, ${LINE_BREAK} ORDER BY m.number) FILTER (WHERE m.fits) AS changes, count(*) FILTER (WHERE m.fits) AS found,
                  coalesce(NOT bool_and(m.fits), false) AS cut, max(m.number) FILTER (WHERE m.fits) AS last
             FROM (SELECT p.change, p.number,
                          sum(octet_length(p.change) + ${JSON_BYTES}) OVER w <= $5 OR row_number() OVER w = 1 AS fits
                     FROM (SELECT ${CHANGE_TEXT} AS change, ${by} AS number FROM activity a
                            WHERE a.shop_id = $1 AND a.kind = ANY ($3::text[]) AND ${by} > coalesce($2::bigint, c.purged_to) AND ${matching}
                            ORDER BY ${by} LIMIT $4) AS p
                   WINDOW w AS (ORDER BY p.number)) AS m) AS x
    WHERE c.shop_id = $1`;
}

const pageStatement = statement<PageRow>(
  "changes",
  pageSql(
    `a.owner_kind = 'customer' AND a.change_number <= coalesce($2::bigint, c.purged_to) + ${WINDOW}`,
    "a.change_number",
  ),
);

/** The activity of a customer's lists, found by the lists: the sum keeps the planner from reading the changes of all customers in their order. */
const customerPageStatement = statement<PageRow>(
  "customer_changes",
  pageSql(
    `a.wishlist_id = ANY (ARRAY(SELECT w.id FROM wishlist w WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = $6))`,
    "(a.change_number + 0)",
  ),
);

/** A part of the feed. */
export interface FeedPage {
  text: string | null;
  /** number of the last change that was considered */
  position: number;
  /** number of the shop's last change */
  head: number;
  /** highest number that was deleted by age */
  purgedTo: number;
  /** whether some activity has no number yet */
  pending: boolean;
  found: number;
  /** whether the page ends at its limit or size, so that matching changes can follow */
  full: boolean;
}

/** Where a page ends: changes, and bytes of JSON, which only a single change can exceed. */
export interface PageSize {
  limit: number;
  bytes: number;
}

/**
 * Reads numbered changes of a filter. With few matching changes, the page ends before the end of the feed.
 * @param after number of the last change before the page; undefined for the beginning of what is kept
 */
export async function readNumbered(
  filter: Filter,
  after: number | undefined,
  { limit, bytes }: PageSize,
): Promise<FeedPage> {
  const { shopId, customerId, types } = filter;
  const values = [shopId, after ?? null, kindsOf(types), limit, bytes];
  const [row] = await (customerId === undefined
    ? run(pageStatement, values)
    : run(customerPageStatement, [...values, customerId]));
  // Without a row no activity of the shop was processed since the feed exists, so that some may wait.
  if (!row) return { text: null, position: after ?? 0, head: 0, purgedTo: 0, pending: true, found: 0, full: false };
  const from = after ?? row.purged_to;
  const end = customerId === undefined ? Math.min(from + WINDOW, row.last_number) : row.last_number;
  const full = row.cut || row.found === limit;
  return {
    text: row.changes,
    position: full ? (row.last ?? from) : Math.max(end, from),
    head: row.last_number,
    purgedTo: row.purged_to,
    pending: row.pending,
    found: row.found,
    full,
  };
}

/** Limits the pages that are read and built at a time: connections, and the processor time between two requests of other shops. */
const pageGate = shopGate({ total: 4, perShop: 2, queue: 500, wait: 3_000 });

/** A page of a response, its changes as the elements of a JSON array. */
interface BuiltPage extends Omit<FeedPage, "text"> {
  json: string;
}

/** Reads a page of a filter that includes every change that was committed before. */
async function readPage(filter: Filter, after: number | undefined, limit: number): Promise<BuiltPage> {
  // Only a page that reaches the end of the feed can lack a change.
  const lacksChanges = ({ pending, position, head, full }: FeedPage): boolean => pending && position >= head && !full;
  const read = (isComplete: boolean): Promise<BuiltPage | undefined> =>
    pageGate(filter.shopId, async () => {
      const { text, ...page } = await readNumbered(filter, after, { limit, bytes: PAGE_BYTES });
      if (isComplete) page.pending = false;
      return lacksChanges({ text, ...page }) ? undefined : { ...page, json: elementsOf(changesOf(text)) };
    });
  const page = await read(false);
  if (page) return page;
  await processOutbox(filter.shopId);
  const complete = await read(true);
  if (!complete) throw new Error("a page of the feed lacks changes after its activity was processed");
  return complete;
}

/** Tells whether the feed can't continue at a position: changes after it were deleted by age, or a backup from before it was restored. */
export function isExpired(after: number, { purgedTo, head }: Pick<FeedPage, "purgedTo" | "head">): boolean {
  return after < purgedTo || after > head;
}

/**
 * Returns a page of the feed as JSON.
 * @returns `cursor_expired`, or `invalid_request` for a cursor of another shop or filter
 */
export async function readChanges(
  filter: Filter,
  { since, limit }: { since: string | undefined; limit: number },
): Promise<string | Failure> {
  const from = since === undefined ? undefined : parseCursor(filter, since);
  if (from instanceof Failure) return from;
  if (from === NOW) return pageJson("", cursorAfter(filter, await readHead(filter)), false);

  let page = await readPage(filter, from, limit);
  if (from !== undefined && isExpired(from, page)) return cursorExpired();
  for (let n = 1; n < MAX_WINDOWS && page.found === 0 && page.position < page.head; n++) {
    page = await readPage(filter, page.position, limit);
  }
  changesSent.inc({ to: "page" }, page.found);
  return pageJson(page.json, cursorAfter(filter, page.position), page.position < page.head || page.pending);
}

/** Returns the number of the last change that was committed before. */
async function readHead({ shopId }: Filter): Promise<number> {
  await processOutbox(shopId);
  const [row] = await run(headStatement, [shopId]);
  return row?.last_number ?? 0;
}

const headStatement = statement<{ last_number: number }>(
  "changes_head",
  "SELECT last_number FROM shop_change WHERE shop_id = $1",
);

function elementsOf(changes: readonly Change[]): string {
  let json = "";
  for (const change of changes) json += `${json === "" ? "" : ","}${change.json}`;
  return json;
}

function pageJson(changes: string, nextCursor: string, hasMore: boolean): string {
  return `{"changes":[${changes}],"nextCursor":"${nextCursor}","hasMore":${hasMore}}`;
}
