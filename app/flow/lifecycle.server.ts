import { z } from "zod";
import { transaction } from "../platform/transaction.server.ts";
import { findShop } from "../shops/index.server.ts";
import { subscribeFlow } from "../webhooks/index.server.ts";
import { TRIGGERS } from "./triggers.ts";

/** The body of Shopify's lifecycle callback (shopify.dev, "Flow trigger lifecycle events"). */
export const lifecycleSchema = z.object({
  flow_trigger_definition_id: z.string().max(100),
  has_enabled_flow: z.boolean(),
  shopify_domain: z.string(),
  timestamp: z.iso.datetime({ offset: true }),
});

/**
 * Records whether a shop's workflows use a trigger. Callbacks that arrive late change nothing.
 * @returns false for an unknown trigger. The callback of an unknown shop is ignored
 */
export async function recordLifecycle(callback: z.output<typeof lifecycleSchema>): Promise<boolean> {
  const trigger = TRIGGERS.find(({ handle }) => handle === callback.flow_trigger_definition_id);
  if (!trigger) return false;
  const shop = await findShop(callback.shopify_domain);
  if (!shop) return true;
  const { handle } = trigger;
  const enabled = callback.has_enabled_flow;
  await transaction(shop.id, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO flow_trigger AS t (shop_id, handle, enabled, changed_at)
      VALUES (${shop.id}, ${handle}, ${enabled}, ${callback.timestamp}::timestamptz)
          ON CONFLICT (shop_id, handle) DO UPDATE SET enabled = EXCLUDED.enabled, changed_at = EXCLUDED.changed_at
       WHERE t.changed_at <= EXCLUDED.changed_at`;
    const rows = await tx.flowTrigger.findMany({ where: { shopId: shop.id, enabled: true } });
    const used = new Set(rows.map((row) => row.handle));
    await subscribeFlow(
      tx,
      shop.id,
      TRIGGERS.filter((one) => used.has(one.handle)).map(({ event }) => event),
    );
  });
  return true;
}
