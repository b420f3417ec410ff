import { z } from "zod";
import { run, shopStatement } from "../platform/database/database.server.ts";
import { alertKindSchema, SUPPRESSION_REASONS } from "./kinds.ts";
import type { MomentQuery } from "./log-query.ts";
import { ALERT_STATUSES, type LoggedAlert, type MomentPage } from "./report.ts";
import { revenueOf } from "./revenue-sql.ts";

/** Alerts on a page. */
const PAGE = 50;

const rowSchema = z.object({
  id: z.string(),
  kind: alertKindSchema,
  status: z.enum(ALERT_STATUSES),
  // A process of the next release may give further reasons during an update.
  reason: z.enum(SUPPRESSION_REASONS).nullable().catch(null),
  customerId: z.string(),
  productId: z.string(),
  variantId: z.string(),
  wishlistId: z.string().nullable(),
  productTitle: z.string().nullable(),
  variantTitle: z.string().nullable(),
  referencePrice: z.string().nullable(),
  price: z.string().nullable(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
  openedAt: z.date().nullable(),
  returnedAt: z.date().nullable(),
  addedToCartAt: z.date().nullable(),
  boughtAt: z.date().nullable(),
  revenue: z.string().nullable(),
  deliveries: z.array(z.object({ channel: z.string(), status: z.string(), error: z.string().nullable() })),
});

/**
 * Reads one page from the index for each occurrence and status, so that the cost does not depend on how rare an outcome is.
 * @param found the condition of the alerts of an occurrence
 */
function alertsStatement(name: string, comparison: "<" | ">", found: string) {
  const order = comparison === "<" ? "DESC" : "ASC";
  return shopStatement<Record<string, unknown>>(
    name,
    `SELECT a.id, a.kind, a.status, a.reason, a.customer_id AS "customerId", a.product_id AS "productId", a.variant_id AS "variantId",
            nullif(p.title, '') AS "productTitle", v.title AS "variantTitle",
            amount_text(a.reference_price, m.currency) AS "referencePrice", amount_text(a.price, m.currency) AS price, a.created_at AS "createdAt", a.sent_at AS "sentAt",
            (SELECT w.id::text FROM wishlist w WHERE w.shop_id = $1 AND w.id = a.wishlist_id) AS "wishlistId",
            a.opened_at AS "openedAt", a.returned_at AS "returnedAt", a.carted_at AS "addedToCartAt", a.bought_at AS "boughtAt",
            CASE WHEN a.bought_at IS NOT NULL THEN amount_text(coalesce((${revenueOf("a")}), 0), m.currency) END AS revenue,
            (SELECT coalesce(json_agg(json_build_object('channel', d.endpoint_id, 'status', d.status, 'error', t.error) ORDER BY d.id), '[]')
               FROM webhook_delivery d
               LEFT JOIN webhook_attempt t ON t.shop_id = $1 AND t.delivery_id = d.id AND t.number = d.attempts
              WHERE d.shop_id = $1 AND d.event_id = a.event_id AND d.endpoint_id IN ('flow', 'email', 'klaviyo')) AS deliveries
       FROM (SELECT t.* FROM unnest($2::bigint[]) AS o(id) CROSS JOIN unnest($3::text[]) AS s(status)
              CROSS JOIN LATERAL (
                SELECT * FROM alert n
                 WHERE n.shop_id = $1 AND n.occurrence_id = o.id AND ${found} AND ($4::uuid IS NULL OR n.id ${comparison} $4)
                 ORDER BY n.id ${order} LIMIT $5::integer) AS t
              ORDER BY t.id ${order} LIMIT $5::integer) AS a
       JOIN shop m ON m.id = $1
       LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = a.product_id
       LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = a.variant_id AND v.product_id = a.product_id
      ORDER BY a.id ${order}`,
  );
}

const HAS_STATUS = "n.status = s.status";
const IS_BOUGHT = "n.bought_at IS NOT NULL AND s.status = 'bought'";

const statements = {
  older: alertsStatement("alert_log_older", "<", HAS_STATUS),
  newer: alertsStatement("alert_log_newer", ">", HAS_STATUS),
  olderBought: alertsStatement("alert_log_bought_older", "<", IS_BOUGHT),
  newerBought: alertsStatement("alert_log_bought_newer", ">", IS_BOUGHT),
};

/**
 * Returns a page of the alerts of a moment, newest first.
 * @param occurrences ids of the moment's occurrences
 * @param hasRevenue whether the orders of that time are known
 */
export async function listMomentAlerts(
  shopId: number,
  { occurrences, hasRevenue }: { occurrences: readonly number[]; hasRevenue: boolean },
  { status, before, after }: Pick<MomentQuery, "status" | "before" | "after">,
  size = PAGE,
): Promise<MomentPage> {
  const isBack = before === undefined && after !== undefined;
  const [older, newer] =
    status === "bought" ? [statements.olderBought, statements.newerBought] : [statements.older, statements.newer];
  const rows = await run(isBack ? newer : older, [
    ...[shopId, occurrences, status === undefined ? ALERT_STATUSES : [status]],
    ...[before ?? after ?? null, size + 1],
  ]);
  const alerts: LoggedAlert[] = rowSchema.array().parse(rows.slice(0, size));
  if (!hasRevenue) for (const alert of alerts) alert.revenue = null;
  const hasMore = rows.length > size;
  return isBack
    ? { alerts: alerts.reverse(), hasNewer: hasMore, hasOlder: true }
    : { alerts, hasNewer: before !== undefined, hasOlder: hasMore };
}
