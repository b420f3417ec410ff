import { processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { runOne, shopStatement } from "../platform/database/database.server.ts";
import { readPart } from "../platform/log/read-part.server.ts";
import type { Earned, HomeFigures, SavedValue } from "./findings.ts";
import { MOST_SAVED, readOutOfStock } from "./products.server.ts";
import { readDays } from "./reports.server.ts";
import { readStart, readSums } from "./revenue.server.ts";

/** Days of the home page's figures. */
const DAYS = 30;

const beganStatement = shopStatement<{ began: boolean }>(
  "analytics_began",
  "SELECT EXISTS (SELECT 1 FROM daily_stats WHERE shop_id = $1) AS began",
);

// Each step looks rows up by key, as in analytics_out_of_stock. A variant that the catalog does not have has no price.
const savedStatement = shopStatement<{ searched: number; items: number; value: string }>(
  "analytics_saved_value",
  `WITH top AS MATERIALIZED (
     SELECT product_id FROM product_stats WHERE shop_id = $1 AND wishlist_count > 0
      ORDER BY wishlist_count DESC, product_id LIMIT ${MOST_SAVED}
   )
   SELECT (SELECT count(*) FROM top)::integer AS searched, coalesce(sum(s.wishlist_count), 0)::integer AS items,
          amount_text(coalesce(sum(s.wishlist_count * v.price), 0), (SELECT currency FROM shop WHERE id = $1)) AS value
     FROM top
    CROSS JOIN LATERAL (SELECT s.variant_id, s.wishlist_count FROM variant_stats s
                         WHERE s.shop_id = $1 AND s.product_id = top.product_id AND s.wishlist_count > 0 OFFSET 0) AS s
     LEFT JOIN LATERAL (SELECT v.price FROM variant v
                         WHERE v.shop_id = $1 AND v.product_id = top.product_id AND v.variant_id = s.variant_id
                           AND v.deleted_at IS NULL OFFSET 0) AS v ON true`,
);

async function readSaved(shopId: number): Promise<SavedValue> {
  const { searched, items, value } = await runOne(savedStatement, [shopId]);
  return { items, value, among: searched < MOST_SAVED ? undefined : MOST_SAVED };
}

async function readEarned(shopId: number): Promise<Earned> {
  const [{ first }, sums] = await Promise.all([readStart(shopId), readSums(shopId, now(), { days: DAYS, ago: 0 })]);
  return { first, sums };
}

/** Returns the figures of the home page. @param listed maximum rows of the short list */
export async function homeFigures(
  { id, domain }: { id: number; domain: string },
  listed: number,
): Promise<HomeFigures> {
  await readPart(domain, processOutbox(id));
  const [began, days, earned, saved, wanted] = await Promise.all([
    readPart(domain, runOne(beganStatement, [id])),
    readPart(domain, readDays(id, now(), { days: DAYS, ago: 0 })),
    readPart(domain, readEarned(id)),
    readPart(domain, readSaved(id)),
    readPart(domain, readOutOfStock(id, listed)),
  ]);
  return { began: began?.began, days, earned, saved, wanted };
}
