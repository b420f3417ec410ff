import { z } from "zod";
import { ORDER_DAYS } from "../orders/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import { containsPattern } from "../platform/text/contains-pattern.ts";
import { alertKindSchema } from "./kinds.ts";
import type { AlertLogQuery } from "./log-query.ts";
import type { AlertFilters, AlertLogPage, AlertMoment } from "./report.ts";
import { revenueOf } from "./revenue-sql.ts";

// A moment of the log: the occurrences of one kind, product and time, such as the lower prices of a product's variants, or the reminders of a day.

/** Moments on a page. */
const PAGE = 25;

/** Occurrences that a page looks at. A page with filters that finds few among them ends there, and the next one goes on. */
const SCANNED = 5_000;

/** Alerts of a moment and status that are counted. */
const COUNTED = 10_000;

const rowSchema = z.object({
  id: z.number(),
  kind: alertKindSchema,
  at: z.date(),
  productId: z.string().nullable(),
  productTitle: z.string().nullable(),
  imageUrl: z.string().nullable(),
  low: z.string().nullable(),
  high: z.string().nullable(),
  lowBefore: z.string().nullable(),
  highBefore: z.string().nullable(),
  sent: z.number(),
  waiting: z.number(),
  notSent: z.number(),
  bought: z.number(),
  more: z.boolean(),
  revenue: z.string(),
});

/** Columns of a moment from its occurrences, grouped by `at`, `kind` and `product_id`; a price drop that waited for the return to stock has no fall. */
const GROUPED = `min(o.id) AS id, o.at, o.kind, o.product_id, array_agg(o.id) AS ids,
          min(o.price) FILTER (WHERE o.kind = 'price_dropped') AS low, max(o.price) FILTER (WHERE o.kind = 'price_dropped') AS high,
          min(o.old_price) FILTER (WHERE o.kind = 'price_dropped' AND o.old_price > o.price) AS low_before,
          max(o.old_price) FILTER (WHERE o.kind = 'price_dropped' AND o.old_price > o.price) AS high_before`;

/** Counts the customers of moments, which are the rows of `moment`: a customer to whom one of the alerts was sent counts as sent. */
const COUNTS = `
   SELECT m.id, m.at, m.kind, nullif(m.product_id, '') AS "productId", nullif(p.title, '') AS "productTitle", p.image_url AS "imageUrl",
          m.low::text, m.high::text, m.low_before::text AS "lowBefore", m.high_before::text AS "highBefore",
          c.sent, c.waiting, c.not_sent AS "notSent", c.more, b.bought, b.revenue
     FROM moment m
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = m.product_id
    CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE c.sent))::integer AS sent, (count(*) FILTER (WHERE NOT c.sent AND c.pending))::integer AS waiting,
             (count(*) FILTER (WHERE NOT c.sent AND NOT c.pending AND c.suppressed))::integer AS not_sent, coalesce(bool_or(c.more), false) AS more
        FROM (SELECT bool_or(t.status = 'sent' AND t.ordinal <= ${COUNTED}) AS sent, bool_or(t.status = 'pending' AND t.ordinal <= ${COUNTED}) AS pending,
                     bool_or(t.status = 'suppressed' AND t.ordinal <= ${COUNTED}) AS suppressed, bool_or(t.ordinal > ${COUNTED}) AS more
                FROM unnest(ARRAY['sent', 'pending', 'suppressed']) AS s (status)
               CROSS JOIN LATERAL (
                 SELECT a.customer_id, a.status, row_number() OVER () AS ordinal
                   FROM unnest(m.ids) AS o (id) JOIN alert a ON a.shop_id = $1 AND a.occurrence_id = o.id AND a.status = s.status
                  LIMIT ${COUNTED} + 1) AS t
               GROUP BY t.customer_id) AS c) AS c
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT a.customer_id)::integer AS bought, amount_text(coalesce(sum(r.revenue), 0), (SELECT currency FROM shop WHERE id = $1)) AS revenue
        FROM (SELECT a.id, a.customer_id, a.variant_id, a.sent_at
                FROM unnest(m.ids) AS o (id) JOIN alert a ON a.shop_id = $1 AND a.occurrence_id = o.id AND a.bought_at IS NOT NULL
               LIMIT ${COUNTED}) AS a
       CROSS JOIN LATERAL (${revenueOf("a")}) AS r) AS b`;

interface Key {
  at: Date | string;
  kind: string;
  product: string;
}

const NO_KEY: Readonly<Record<"<" | ">", Key>> = {
  "<": { at: "infinity", kind: "", product: "" },
  ">": { at: "-infinity", kind: "", product: "" },
};

/**
 * Reads a page of moments. The looked-at occurrences end amid a moment where there are more: this moment, `edge`, is left to the next page, which begins
 * behind the moment before it. The first row's `searchedId` is that moment, where there are more.
 */
function pageStatement(name: string, comparison: "<" | ">", order: "ASC" | "DESC") {
  const by = (alias: string): string =>
    ["at", "kind", "product_id"].map((column) => `${alias}.${column} ${order}`).join(", ");
  return shopStatement<Record<string, unknown>>(
    name,
    `WITH scanned AS MATERIALIZED (
       SELECT o.id, o.at, o.kind, coalesce(o.product_id, '') AS product_id, o.price, o.old_price
         FROM alert_occurrence o
        WHERE o.shop_id = $1 AND o.alerts > 0 AND o.at >= $2::timestamptz AND o.at < $3::timestamptz
          AND (o.at, o.kind, coalesce(o.product_id, '')) ${comparison} ($4::timestamptz, $5::text, $6::text)
        ORDER BY o.at ${order}, o.kind ${order}, coalesce(o.product_id, '') ${order}, o.id ${order} LIMIT $10::integer
     ), edge AS MATERIALIZED (
       SELECT s.at, s.kind, s.product_id FROM scanned s ORDER BY ${by("s")} OFFSET $10::integer - 1 LIMIT 1
     ), complete AS MATERIALIZED (
       SELECT s.* FROM scanned s WHERE NOT EXISTS (SELECT 1 FROM edge e WHERE (e.at, e.kind, e.product_id) = (s.at, s.kind, s.product_id))
     ), moment AS MATERIALIZED (
       SELECT ${GROUPED}
         FROM complete o
        WHERE ($7::text IS NULL OR o.kind = $7)
          -- Subqueries with one row each: an EXISTS may read all products or alerts of the shop at once.
          AND ($8::text IS NULL OR (SELECT lower(p.title) LIKE $8 FROM product p WHERE p.shop_id = $1 AND p.product_id = o.product_id))
        GROUP BY o.at, o.kind, o.product_id
       HAVING $9::text IS NULL
           OR bool_or(CASE $9 WHEN 'bought' THEN (SELECT true FROM alert a WHERE a.shop_id = $1 AND a.occurrence_id = o.id AND a.bought_at IS NOT NULL LIMIT 1)
                              ELSE (SELECT true FROM alert a WHERE a.shop_id = $1 AND a.occurrence_id = o.id AND a.status = $9 LIMIT 1) END)
        ORDER BY ${by("o")} LIMIT ${PAGE + 1}
     ), searched AS (
       SELECT s.id, s.at FROM complete s WHERE EXISTS (SELECT 1 FROM edge) ORDER BY s.at ${order === "ASC" ? "DESC" : "ASC"},
              s.kind ${order === "ASC" ? "DESC" : "ASC"}, s.product_id ${order === "ASC" ? "DESC" : "ASC"} LIMIT 1
     ), counted AS (${COUNTS})
     SELECT c.*, s.id AS "searchedId", s.at AS "searchedAt"
       FROM (SELECT 1) AS one LEFT JOIN searched s ON true LEFT JOIN counted c ON true
      ORDER BY c.at ${order}, c.kind ${order}, coalesce(c."productId", '') ${order}`,
  );
}

const olderStatement = pageStatement("alert_moments_older", "<", "DESC");
const newerStatement = pageStatement("alert_moments_newer", ">", "ASC");

const keyStatement = shopStatement<Key>(
  "alert_moment_key",
  `SELECT o.at, o.kind, coalesce(o.product_id, '') AS product FROM alert_occurrence o WHERE o.shop_id = $1 AND o.id = $2`,
);

const momentStatement = shopStatement<Record<string, unknown>>(
  "alert_moment",
  `WITH moment AS MATERIALIZED (
     SELECT ${GROUPED}
       FROM (SELECT o.id, o.at, o.kind, coalesce(o.product_id, '') AS product_id, o.price, o.old_price FROM alert_occurrence o
              WHERE o.shop_id = $1 AND o.alerts > 0 AND o.at = $2::timestamptz AND o.kind = $3 AND coalesce(o.product_id, '') = $4) AS o
      GROUP BY o.at, o.kind, o.product_id
   )
   SELECT c.*, (SELECT m.ids FROM moment m) AS ids FROM (${COUNTS}) AS c`,
);

const daysStatement = shopStatement<{ from: Date | null; until: Date | null }>(
  "alert_log_days",
  `SELECT $2::date::timestamp AT TIME ZONE s.time_zone AS from, ($3::date + 1)::timestamp AT TIME ZONE s.time_zone AS until FROM shop s WHERE s.id = $1`,
);

function toMoment(row: unknown): AlertMoment {
  const { low, high, lowBefore, highBefore, revenue, ...moment } = rowSchema.parse(row);
  const known = moment.at.getTime() >= now().getTime() - ORDER_DAYS * 86_400_000;
  return {
    ...moment,
    prices:
      low === null || high === null ? null : { low, high, lowBefore: lowBefore ?? low, highBefore: highBefore ?? high },
    revenue: known ? revenue : null,
  };
}

async function readKey(shopId: number, id: number | undefined): Promise<Key | undefined> {
  const [key] = id === undefined ? [] : await run(keyStatement, [shopId, id]);
  return key;
}

/** What the pages of a log have in common. */
export interface LogRange {
  from: Date | string;
  until: Date | string;
}

/** Returns the times of the filters' days in the shop's time zone. */
export async function logRange(shopId: number, { from, to }: AlertFilters): Promise<LogRange> {
  if (from === undefined && to === undefined) return { from: "-infinity", until: "infinity" };
  const days = await runOne(daysStatement, [shopId, from ?? null, to ?? null]);
  return { from: days.from ?? "-infinity", until: days.until ?? "infinity" };
}

/**
 * Returns a page of a shop's moments with alerts, newest first.
 * @param options.range of the query's days, where it is known
 * @param options.scanned occurrences to look at
 */
export async function listMoments(
  shopId: number,
  query: AlertLogQuery,
  { range, scanned = SCANNED }: { range?: LogRange; scanned?: number } = {},
): Promise<AlertLogPage> {
  const { kind, status, q, before, after } = query;
  const isBack = before === undefined && after !== undefined;
  const [{ from, until }, position] = await Promise.all([
    range ?? logRange(shopId, query),
    readKey(shopId, before ?? after),
  ]);
  const { at, kind: kindAt, product } = position ?? NO_KEY[isBack ? ">" : "<"];
  const rows = await run(isBack ? newerStatement : olderStatement, [
    ...[shopId, from, until, at, kindAt, product],
    ...[kind ?? null, q === undefined ? null : containsPattern(q), status ?? null, scanned],
  ]);
  const searched = z
    .object({ searchedId: z.number().nullable(), searchedAt: z.date().nullable() })
    .parse(rows[0] ?? { searchedId: null, searchedAt: null });
  const found = rows.filter(({ id }) => id !== null);
  const moments = found.slice(0, PAGE).map(toMoment);
  const isFull = found.length > PAGE;
  const beyond = isFull ? moments.at(-1)?.id : (searched.searchedId ?? undefined);
  const searchedTo = isFull ? undefined : (searched.searchedAt ?? undefined);
  const nearest = position && moments[0]?.id;
  return isBack
    ? { moments: moments.reverse(), newer: beyond, older: nearest, searchedTo }
    : { moments, newer: nearest, older: beyond, searchedTo };
}

/** Returns a moment and the ids of its occurrences; undefined for an unknown id, such as one that was purged. */
export async function readMoment(
  shopId: number,
  id: number,
): Promise<{ moment: AlertMoment; occurrences: number[] } | undefined> {
  const key = await readKey(shopId, id);
  if (!key) return undefined;
  const [row] = await run(momentStatement, [shopId, key.at, key.kind, key.product]);
  if (!row) return undefined;
  return { moment: toMoment(row), occurrences: z.array(z.coerce.number()).parse(row["ids"]) };
}
