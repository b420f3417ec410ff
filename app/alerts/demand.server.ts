import { run, shopStatement } from "../platform/database/database.server.ts";
import { DEMAND_PERCENTS, type DemandPoint, type PriceDropDemand, type VariantDemand } from "./demand.ts";
import { readAlertSettings } from "./settings.server.ts";

/** Maximum variants of a product. */
const VARIANTS = 50;

/** Maximum items of a product that are counted; each variant gets an equal share. */
const ITEMS = 20_000;

interface Row extends Omit<VariantDemand, "points"> {
  /** by percent, in the order of `DEMAND_PERCENTS` */
  prices: string[];
  customers: number[];
  consented: number[];
}

/** SQL for the price of a variant `v` that is so many percent lower. */
function loweredPrice(percent: number): string {
  return `round(v.price * ${100 - percent} / 100, amount_decimals(v.currency))`;
}

/** Returns SQL for an array with a value for each percentage. */
function eachPercent(value: (percent: number) => string): string {
  return `ARRAY[${DEMAND_PERCENTS.map(value).join(",\n            ")}]`;
}

/** SQL for whether the request `r` waits for a lower price. */
const IS_OPEN = "r.kind = 'price_dropped' AND r.confirmed_at IS NOT NULL AND r.alerted_at IS NULL";

// The reference price is the one of alert_fan_out(), as is that who has asked for the variant gets what was asked for.
const demandStatement = shopStatement<Row>(
  "alert_demand",
  `WITH variants AS MATERIALIZED (
     SELECT v.variant_id, v.title, v.price, coalesce(s.wishlist_count, 0) AS wishlist_count, count(*) OVER () AS variants,
            (SELECT currency FROM shop WHERE id = $1) AS currency
       FROM variant v
       JOIN product p ON p.shop_id = $1 AND p.product_id = v.product_id AND p.deleted_at IS NULL
                     AND product_is_published(p.status, p.published_at, now())
       LEFT JOIN variant_stats s ON s.shop_id = $1 AND s.variant_id = v.variant_id AND s.product_id = $2
      WHERE v.shop_id = $1 AND v.product_id = $2 AND v.deleted_at IS NULL AND v.price > 0 AND v.available
        AND (s.wishlist_count > 0 OR EXISTS (SELECT 1 FROM alert_request r WHERE r.shop_id = $1 AND r.variant_id = v.variant_id AND ${IS_OPEN}))
      ORDER BY s.wishlist_count DESC NULLS LAST, v.variant_id LIMIT ${VARIANTS}
   ), page AS MATERIALIZED (
     SELECT v.variant_id, v.price, i.wishlist_id, i.saved_price, i.added_at, i.ordinal, $4::integer / least(v.variants, ${VARIANTS}) AS share
       FROM variants v
      CROSS JOIN LATERAL (
        SELECT n.*, row_number() OVER (ORDER BY n.wishlist_id) AS ordinal
          FROM (SELECT wishlist_id, saved_price, added_at FROM wishlist_item
                 WHERE shop_id = $1 AND product_id = $2 AND variant_id = v.variant_id
                 ORDER BY wishlist_id LIMIT $4::integer / least(v.variants, ${VARIANTS}) + 1) AS n) AS i
   ), owned AS (
     SELECT g.variant_id, g.price, w.owner_id AS customer_id,
            least(CASE WHEN s.currency_changed_at IS NULL OR g.added_at > s.currency_changed_at THEN coalesce(g.saved_price, g.price) ELSE g.price END,
                  (SELECT min(t.price) FROM alert t
                    WHERE t.shop_id = $1 AND t.customer_id = w.owner_id AND t.variant_id = g.variant_id AND t.kind = 'price_dropped'
                      AND t.status = 'sent' AND t.created_at >= g.added_at
                      AND (s.currency_changed_at IS NULL OR t.created_at > s.currency_changed_at))) AS reference
       FROM page g
       JOIN wishlist w ON w.shop_id = $1 AND w.id = g.wishlist_id AND w.owner_kind = 'customer' AND w.deleted_at IS NULL
       JOIN shop s ON s.id = $1
      WHERE g.ordinal <= g.share
   ), requested AS MATERIALIZED (
     SELECT v.variant_id, v.price, n.customer_id,
            coalesce(n.target_price,
                     CASE WHEN s.currency_changed_at IS NULL OR n.created_at > s.currency_changed_at THEN coalesce(n.reference_price, v.price) ELSE v.price END
                       * (100 - $3::integer) / 100) AS threshold
       FROM variants v
       JOIN shop s ON s.id = $1
      CROSS JOIN LATERAL (
        SELECT r.customer_id, r.target_price, r.reference_price, r.created_at FROM alert_request r
         WHERE r.shop_id = $1 AND r.variant_id = v.variant_id AND ${IS_OPEN}
         ORDER BY r.id LIMIT $4::integer / least(v.variants, ${VARIANTS})) AS n
   ), customers AS MATERIALIZED (
     SELECT r.variant_id, r.price, r.threshold, true AS consented FROM requested r
      UNION ALL
     -- A customer who saved the variant in several lists counts once, by the reference that is dropped below first.
     SELECT o.variant_id, o.price, max(o.reference) * (100 - $3::integer) / 100 AS threshold,
            coalesce((SELECT c.given FROM alert_consent c
                       WHERE c.shop_id = $1 AND c.customer_id = o.customer_id AND c.kind = 'price_dropped' ORDER BY c.id DESC LIMIT 1), false) AS consented
       FROM owned o
      WHERE NOT EXISTS (SELECT 1 FROM requested r WHERE r.variant_id = o.variant_id AND r.customer_id = o.customer_id)
      GROUP BY o.variant_id, o.price, o.customer_id
   )
   SELECT v.variant_id AS "variantId", v.title, amount_text(v.price, v.currency) AS price,
          EXISTS (SELECT 1 FROM page g WHERE g.variant_id = v.variant_id AND g.ordinal > g.share) AS more,
          ${eachPercent((percent) => `amount_text(${loweredPrice(percent)}, v.currency)`)} AS prices,
          ${eachPercent((percent) => `(count(c.consented) FILTER (WHERE ${loweredPrice(percent)} <= c.threshold))::integer`)} AS customers,
          ${eachPercent((percent) => `(count(c.consented) FILTER (WHERE ${loweredPrice(percent)} <= c.threshold AND c.consented))::integer`)} AS consented
     FROM variants v LEFT JOIN customers c ON c.variant_id = v.variant_id
    GROUP BY v.variant_id, v.title, v.price, v.currency, v.wishlist_count
    ORDER BY v.wishlist_count DESC, v.variant_id`,
);

/** Returns the lower prices of a variant that differ from its price and from each other, as few yen do not for every percentage. */
function pointsOf({ price, prices, customers, consented }: Row): DemandPoint[] {
  const points = DEMAND_PERCENTS.map((percent, index) => ({
    percent,
    price: prices[index] ?? "",
    customers: customers[index] ?? 0,
    consented: consented[index] ?? 0,
  }));
  // A price of zero is no price drop: see alert_detect().
  return points.filter(
    (point, index) => point.price !== (points[index - 1]?.price ?? price) && Number(point.price) > 0,
  );
}

/**
 * Counts the customers for whom lower prices of a product's variants would be price drops, and the shoppers who have asked for one. Alerts about sold-out variants are not sent, so they are left out.
 * @param items maximum items to count
 */
export async function priceDropDemand(shopId: number, productId: string, items = ITEMS): Promise<PriceDropDemand> {
  const { kinds, mode, priceDropPercent } = await readAlertSettings(shopId);
  const rows = await run(demandStatement, [shopId, productId, priceDropPercent, items]);
  return {
    variants: rows.map((row) => ({
      variantId: row.variantId,
      title: row.title,
      price: row.price,
      points: pointsOf(row),
      more: row.more,
    })),
    needsConsent: mode === "consent",
    isOn: kinds.includes("price_dropped"),
  };
}
