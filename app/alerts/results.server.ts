import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement } from "../platform/database/database.server.ts";
import { ALERT_KINDS, SUPPRESSION_REASONS } from "./kinds.ts";
import { NEWEST_FIRST, newestAlerts } from "./newest-sql.ts";
import { RESULTS_DAYS, RESULTS_LIMIT, type AlertFunnel, type AlertResults } from "./report.ts";
import { revenueOf } from "./revenue-sql.ts";

const rowSchema = z.object({
  kind: z.enum(["all", ...ALERT_KINDS]),
  sent: z.number(),
  visited: z.number(),
  opened: z.number(),
  addedToCart: z.number(),
  bought: z.number(),
  revenue: z.string(),
  waiting: z.number(),
  notSent: z.number(),
  // A process of the next release may give further reasons during an update.
  reasons: z.array(z.object({ reason: z.enum(SUPPRESSION_REASONS).nullable().catch(null), customers: z.number() })),
  moreSent: z.boolean(),
  moreNotSent: z.boolean(),
});

// One more than are counted shows that there are more.
const newest = (status: string, columns: string): string =>
  newestAlerts(status, `${columns}, row_number() OVER (ORDER BY ${NEWEST_FIRST}) AS ordinal`, "$4::integer + 1");

const resultsStatement = shopStatement<Record<string, unknown>>(
  "alert_results",
  `WITH sent AS MATERIALIZED (
     SELECT k.kind, t.*
       FROM unnest($2::text[]) AS k (kind)
      CROSS JOIN LATERAL (
        ${newest("'sent'", "a.id, a.customer_id, a.variant_id, a.sent_at, a.opened_at, a.returned_at, a.carted_at, a.bought_at")}) AS t
   ), person AS MATERIALIZED (
     SELECT s.kind, s.customer_id, bool_or(s.opened_at IS NOT NULL) AS opened, bool_or(s.bought_at IS NOT NULL) AS bought,
            bool_or(coalesce(s.carted_at, s.bought_at) IS NOT NULL) AS carted,
            bool_or(coalesce(s.opened_at, s.returned_at, s.carted_at, s.bought_at) IS NOT NULL) AS visited
       FROM sent s WHERE s.ordinal <= $4 GROUP BY s.kind, s.customer_id
   ), reached AS MATERIALIZED (
     SELECT kind, customer_id, opened, visited, carted, bought FROM person
      UNION ALL
     SELECT 'all', customer_id, bool_or(opened), bool_or(visited), bool_or(carted), bool_or(bought) FROM person GROUP BY customer_id
   ), funnel AS (
     SELECT kind, count(*)::integer AS sent, (count(*) FILTER (WHERE visited))::integer AS visited, (count(*) FILTER (WHERE opened))::integer AS opened,
            (count(*) FILTER (WHERE carted))::integer AS carted, (count(*) FILTER (WHERE bought))::integer AS bought
       FROM reached GROUP BY kind
   ), unsent AS MATERIALIZED (
     SELECT k.kind, t.*
       FROM unnest($2::text[]) AS k (kind) CROSS JOIN unnest(ARRAY['pending', 'suppressed']) AS u (status)
      CROSS JOIN LATERAL (${newest("u.status", "a.id, a.customer_id, a.status, a.reason")}) AS t
   ), missed_kind AS MATERIALIZED (
     -- Of a customer to whom none was sent, an alert that waits, or else the newest one.
     SELECT DISTINCT ON (u.kind, u.customer_id) u.kind, u.customer_id, u.status, u.reason, u.id
       FROM unsent u
      WHERE u.ordinal <= $4 AND NOT EXISTS (SELECT 1 FROM reached r WHERE r.kind = u.kind AND r.customer_id = u.customer_id)
      ORDER BY u.kind, u.customer_id, u.status, u.id DESC
   ), missed AS (
     SELECT kind, status, reason FROM missed_kind
      UNION ALL
     (SELECT DISTINCT ON (m.customer_id) 'all', m.status, m.reason
        FROM missed_kind m
       WHERE NOT EXISTS (SELECT 1 FROM reached r WHERE r.kind = 'all' AND r.customer_id = m.customer_id)
       ORDER BY m.customer_id, m.status, m.id DESC)
   ), reason AS (
     SELECT kind, status, reason, count(*)::integer AS customers FROM missed GROUP BY kind, status, reason
   ), reasons AS (
     SELECT kind, (coalesce(sum(customers) FILTER (WHERE status = 'pending'), 0))::integer AS waiting,
            (coalesce(sum(customers) FILTER (WHERE status = 'suppressed'), 0))::integer AS not_sent,
            json_agg(json_build_object('reason', reason, 'customers', customers) ORDER BY customers DESC, reason) FILTER (WHERE status = 'suppressed') AS list
       FROM reason GROUP BY kind
   ), earned AS (
     SELECT coalesce(s.kind, 'all') AS kind, sum(r.revenue) AS revenue
       FROM sent s CROSS JOIN LATERAL (${revenueOf("s")}) AS r
      WHERE s.ordinal <= $4 AND s.bought_at IS NOT NULL GROUP BY GROUPING SETS ((s.kind), ())
   ), cut AS (
     SELECT coalesce(c.kind, 'all') AS kind, bool_or(c.is_sent) AS sent, bool_or(NOT c.is_sent) AS unsent
       FROM (SELECT kind, ordinal, true AS is_sent FROM sent UNION ALL SELECT kind, ordinal, false FROM unsent) AS c
      WHERE c.ordinal > $4 GROUP BY GROUPING SETS ((c.kind), ())
   )
   SELECT k.kind, coalesce(f.sent, 0) AS sent, coalesce(f.visited, 0) AS visited, coalesce(f.opened, 0) AS opened, coalesce(f.carted, 0) AS "addedToCart",
          coalesce(f.bought, 0) AS bought, amount_text(coalesce(e.revenue, 0), (SELECT currency FROM shop WHERE id = $1)) AS revenue, coalesce(r.waiting, 0) AS waiting, coalesce(r.not_sent, 0) AS "notSent",
          coalesce(r.list, '[]') AS reasons, coalesce(c.sent, false) AS "moreSent",
          coalesce(c.unsent, false) AS "moreNotSent"
     FROM unnest($2::text[] || 'all'::text) AS k (kind)
     LEFT JOIN funnel f ON f.kind = k.kind
     LEFT JOIN reasons r ON r.kind = k.kind
     LEFT JOIN earned e ON e.kind = k.kind
     LEFT JOIN cut c ON c.kind = k.kind`,
);

const NONE: AlertFunnel = {
  ...{ sent: 0, visited: 0, opened: 0, addedToCart: 0, bought: 0, revenue: "0.00" },
  ...{ waiting: 0, notSent: 0, reasons: [], moreSent: false, moreNotSent: false },
};

/** Returns the first time that the results cover. */
export function resultsSince(): Date {
  return new Date(now().getTime() - RESULTS_DAYS * 86_400_000);
}

/**
 * Returns what became of the alerts of the last 30 days, in customers.
 * @param limit counted alerts of each kind and status, the newest first
 */
export async function alertResults(shopId: number, limit = RESULTS_LIMIT): Promise<AlertResults> {
  const results = { all: NONE, price_dropped: NONE, back_in_stock: NONE, low_stock: NONE, reminder_due: NONE };
  const rows = await run(resultsStatement, [shopId, ALERT_KINDS, resultsSince(), limit]);
  for (const { kind, ...funnel } of rowSchema.array().parse(rows)) results[kind] = funnel;
  return results;
}
