import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement } from "../platform/database/database.server.ts";
import { ALERT_KINDS, alertKindSchema, SUPPRESSION_REASONS, type AlertKind } from "./kinds.ts";
import { ALERT_STATUSES, TOTALS_DAYS, TOTALS_LIMIT, type AlertLogPage, type AlertTotals } from "./report.ts";

/** Alerts on a page. */
const PAGE = 50;

/** Filters in the query of the alert log. Invalid filters are ignored. */
export const alertLogQuery = z.object({
  kind: alertKindSchema.optional().catch(undefined),
  status: z.enum(ALERT_STATUSES).optional().catch(undefined),
  /** alerts before or after this one */
  before: z.uuid().optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
});

export type AlertLogQuery = z.infer<typeof alertLogQuery>;

const rowSchema = z.object({
  id: z.string(),
  kind: alertKindSchema,
  status: z.enum(ALERT_STATUSES),
  // A process of the next release may give further reasons during an update.
  reason: z.enum(SUPPRESSION_REASONS).nullable().catch(null),
  customerId: z.string(),
  productId: z.string(),
  variantId: z.string(),
  productTitle: z.string().nullable(),
  variantTitle: z.string().nullable(),
  referencePrice: z.string().nullable(),
  price: z.string().nullable(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
  openedAt: z.date().nullable(),
  returnedAt: z.date().nullable(),
  cartedAt: z.date().nullable(),
  boughtAt: z.date().nullable(),
});

/** Reads one page from the index for each kind and status, so that the cost does not depend on how rare a combination is. */
function logStatement(name: string, comparison: "<" | ">", order: "ASC" | "DESC") {
  return shopStatement<Record<string, unknown>>(
    name,
    `SELECT a.id, a.kind, a.status, a.reason, a.customer_id AS "customerId", a.product_id AS "productId", a.variant_id AS "variantId",
            nullif(p.title, '') AS "productTitle", v.title AS "variantTitle",
            a.reference_price::text AS "referencePrice", a.price::text AS price, a.created_at AS "createdAt", a.sent_at AS "sentAt",
            a.opened_at AS "openedAt", a.returned_at AS "returnedAt", a.carted_at AS "cartedAt", a.bought_at AS "boughtAt"
       FROM (SELECT t.* FROM unnest($2::text[]) AS k(kind) CROSS JOIN unnest($3::text[]) AS s(status)
              CROSS JOIN LATERAL (
                SELECT * FROM alert
                 WHERE shop_id = $1 AND kind = k.kind AND status = s.status AND ($4::uuid IS NULL OR id ${comparison} $4)
                 ORDER BY id ${order} LIMIT ${PAGE + 1}) AS t
              ORDER BY t.id ${order} LIMIT ${PAGE + 1}) AS a
       LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = a.product_id
       LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = a.variant_id AND v.product_id = a.product_id
      ORDER BY a.id ${order}`,
  );
}

const olderStatement = logStatement("alert_log_older", "<", "DESC");
const newerStatement = logStatement("alert_log_newer", ">", "ASC");

/** Returns a page of a shop's alerts, newest first. */
export async function listAlerts(shopId: number, query: AlertLogQuery): Promise<AlertLogPage> {
  const { kind, status, before, after } = query;
  const back = before === undefined && after !== undefined;
  const rows = await run(back ? newerStatement : olderStatement, [
    shopId,
    kind === undefined ? ALERT_KINDS : [kind],
    status === undefined ? ALERT_STATUSES : [status],
    before ?? after ?? null,
  ]);
  const alerts = rowSchema.array().parse(rows.slice(0, PAGE));
  const more = rows.length > PAGE;
  return back
    ? { alerts: alerts.reverse(), hasNewer: more, hasOlder: true }
    : { alerts, hasNewer: before !== undefined, hasOlder: more };
}

// The ids contain the time of creation, which is the index's last column.
const totalsStatement = shopStatement<AlertTotals & { kind: AlertKind }>(
  "alert_totals",
  `SELECT k.kind, least(t.found, $4::integer)::integer AS sent, t.found > $4::integer AS more,
          t.opened::integer, t.returned::integer, t.carted::integer, t.bought::integer
     FROM unnest($2::text[]) AS k(kind)
    CROSS JOIN LATERAL (
      SELECT count(*) AS found, count(*) FILTER (WHERE place <= $4::integer AND opened_at IS NOT NULL) AS opened,
             count(*) FILTER (WHERE place <= $4::integer AND returned_at IS NOT NULL) AS returned,
             count(*) FILTER (WHERE place <= $4::integer AND carted_at IS NOT NULL) AS carted,
             count(*) FILTER (WHERE place <= $4::integer AND bought_at IS NOT NULL) AS bought
        FROM (SELECT row_number() OVER (ORDER BY id DESC) AS place, opened_at, returned_at, carted_at, bought_at FROM alert
               WHERE shop_id = $1 AND kind = k.kind AND status = 'sent' AND id >= uuid_v7_min($3)
               ORDER BY id DESC LIMIT $4::integer + 1) AS newest) AS t`,
);

/** Returns what became of the alerts of the last 30 days, by kind. @param limit counted alerts of each kind, the newest first */
export async function alertTotals(shopId: number, limit = TOTALS_LIMIT): Promise<Record<AlertKind, AlertTotals>> {
  const none: AlertTotals = { sent: 0, opened: 0, returned: 0, carted: 0, bought: 0, more: false };
  const totals = { price_dropped: none, back_in_stock: none, low_stock: none, reminder_due: none };
  const since = new Date(now().getTime() - TOTALS_DAYS * 86_400_000);
  for (const { kind, ...counts } of await run(totalsStatement, [shopId, ALERT_KINDS, since, limit])) {
    totals[kind] = counts;
  }
  return totals;
}
