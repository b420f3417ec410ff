import { run, shopStatement } from "../platform/database/database.server.ts";
import type { ProductRevenue } from "./findings.ts";
import type { Range } from "./range.server.ts";
import { TODAY } from "./reports.server.ts";

const productStatement = shopStatement<Omit<ProductRevenue, "productId">>(
  "revenue_product",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(r.orders), 0)::integer AS orders, coalesce(sum(r.units), 0)::integer AS units,
          amount_text(coalesce(sum(r.revenue), 0), max(s.currency)) AS revenue
     FROM today CROSS JOIN shop s
     LEFT JOIN product_revenue r ON r.shop_id = $1 AND r.product_id = $4 AND r.currency = s.currency AND r.day > today.day - $5::integer - $3::integer
                                AND r.day <= today.day - $5::integer
    WHERE s.id = $1 AND EXISTS (SELECT 1 FROM revenue_daily d WHERE d.shop_id = $1 AND d.currency = s.currency)`,
);

/** Returns what a product earned in a period; undefined while no order has been counted in the shop's currency. */
export async function readProductRevenue(
  shopId: number,
  { at, days, ago }: Range,
  productId: string,
): Promise<Omit<ProductRevenue, "productId"> | undefined> {
  const [row] = await run(productStatement, [shopId, at, days, productId, ago]);
  return row;
}
