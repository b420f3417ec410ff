import type { AlertKind, SuppressionReason } from "../../../app/alerts/kinds.ts";
import type { TestDatabase } from "../database/database.ts";

/** An alert of a moment, as a test describes it. */
export interface MomentAlert {
  customerId: string;
  /** suppressed when there is a reason */
  status?: "sent" | "pending" | "suppressed";
  reason?: SuppressionReason;
  variantId?: string;
  /** what the customer did after it */
  did?: readonly ("opened" | "returned" | "carted" | "bought")[];
}

/** A moment of the alert log, as a test describes it. */
export interface TestMoment {
  kind?: AlertKind;
  /** null for reminders */
  productId?: string | null;
  at?: Date;
  price?: string;
  oldPrice?: string;
  alerts: readonly MomentAlert[];
}

/**
 * Stores a moment with its alerts, as the service does: an occurrence for each variant.
 * @returns the id of the moment
 */
export async function storeMoment(
  database: Pick<TestDatabase, "rows">,
  shopId: number,
  moment: TestMoment,
): Promise<number> {
  const { kind = "price_dropped", productId = "1", at = new Date(), price = "80.00", oldPrice = "100.00" } = moment;
  const rows = moment.alerts.map(
    ({ customerId, reason, status = reason === undefined ? "sent" : "suppressed", variantId = "11", did = [] }) => ({
      ...{ customer_id: customerId, status, variant_id: variantId, reason: reason ?? null },
      ...{ opened: did.includes("opened"), returned: did.includes("returned") },
      ...{ carted: did.includes("carted"), bought: did.includes("bought") },
    }),
  );
  const [stored] = await database.rows<{ id: number }>(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($7) AS g (customer_id text, status text, variant_id text, reason text, opened boolean, returned boolean,
                                                   carted boolean, bought boolean)
     ), occurrence AS (
       INSERT INTO alert_occurrence (shop_id, kind, product_id, variant_id, day, at, due_at, price, old_price, alerts, status, finished_at)
       SELECT $1::bigint, $2::text, $3::text, CASE WHEN $3::text IS NOT NULL THEN v.variant_id END, CASE WHEN $3::text IS NULL THEN $4::timestamptz::date END,
              $4::timestamptz, $4::timestamptz, CASE WHEN $2 = 'price_dropped' THEN $5::numeric END, CASE WHEN $2 = 'price_dropped' THEN $6::numeric END,
              count(*), 'done', $4::timestamptz
         FROM (SELECT CASE WHEN $3::text IS NOT NULL THEN variant_id END AS variant_id FROM given) AS v GROUP BY v.variant_id
       RETURNING id, variant_id
     ), stored AS (
       INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, reference_price, price, status,
                          reason, created_at, due_at, sent_at, opened_at, returned_at, carted_at, bought_at)
       SELECT $1::bigint,
              CASE WHEN $4::timestamptz < now() - interval '1 day'
                   THEN (left(uuid_v7_min($4)::text, 19) || right(gen_random_uuid()::text, 17))::uuid ELSE uuid_v7() END,
              o.id, $2::text, g.customer_id, 1, coalesce($3::text, '1'), g.variant_id, $4::timestamptz - interval '1 day', $6::numeric, $5::numeric,
              g.status, g.reason, $4, $4, CASE WHEN g.status = 'sent' THEN $4::timestamptz END, CASE WHEN g.opened THEN $4::timestamptz END,
              CASE WHEN g.opened OR g.returned THEN $4::timestamptz END, CASE WHEN g.carted THEN $4::timestamptz END,
              CASE WHEN g.bought THEN $4::timestamptz END
         FROM given g JOIN occurrence o ON o.variant_id = g.variant_id OR o.variant_id IS NULL
     )
     SELECT min(id) AS id FROM occurrence`,
    [shopId, kind, productId, at, price, oldPrice, JSON.stringify(rows)],
  );
  return stored?.id ?? 0;
}
