import type { FlowTrigger } from "@prisma/client";
import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { log } from "../platform/log/log.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { findShop } from "../shops/index.server.ts";
import { subscribeFlow } from "../webhooks/index.server.ts";
import { findTrigger, TRIGGERS, type Trigger } from "./triggers.ts";

/**
 * The body of Shopify's lifecycle callback (shopify.dev, "Flow trigger lifecycle events"). A use that can't be read counts as use: a call too many costs
 * a request, a call too few costs a merchant's workflow its trigger.
 */
export const lifecycleSchema = z.object({
  flow_trigger_definition_id: z.string().max(255),
  has_enabled_flow: z.boolean().catch(true),
  shopify_domain: z.string(),
  timestamp: z.iso.datetime({ offset: true }).catch(() => now().toISOString()),
});

/** Returns the triggers in use. While a trigger is in use that the app can't name, that may be any whose own use was not reported since. */
function usedTriggers(reports: readonly FlowTrigger[]): Trigger[] {
  const byHandle = new Map(reports.map((report) => [report.handle, report]));
  const unnamed = reports.filter(({ handle, enabled }) => enabled && !findTrigger(handle));
  const since = Math.max(...unnamed.map(({ changedAt }) => changedAt.getTime()));
  return TRIGGERS.filter(({ handle }) => {
    const own = byHandle.get(handle);
    return own?.enabled === true || (own?.changedAt.getTime() ?? 0) < since;
  });
}

/** Records whether a shop's workflows use a trigger. Callbacks that arrive late change nothing; the callback of an unknown shop is ignored. */
export async function recordLifecycle(callback: z.output<typeof lifecycleSchema>): Promise<void> {
  const shop = await findShop(callback.shopify_domain);
  if (!shop) return;
  const given = callback.flow_trigger_definition_id;
  const trigger = findTrigger(given);
  if (!trigger) log.warn({ shop: callback.shopify_domain, reason: given }, "Shopify Flow reports an unknown trigger");
  const handle = trigger?.handle ?? given;
  const enabled = callback.has_enabled_flow;
  await transaction(shop.id, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO flow_trigger AS t (shop_id, handle, enabled, changed_at)
      VALUES (${shop.id}, ${handle}, ${enabled}, ${callback.timestamp}::timestamptz)
          ON CONFLICT (shop_id, handle) DO UPDATE SET enabled = EXCLUDED.enabled, changed_at = EXCLUDED.changed_at
       WHERE t.changed_at <= EXCLUDED.changed_at`;
    const reports = await tx.flowTrigger.findMany({ where: { shopId: shop.id } });
    await subscribeFlow(
      tx,
      shop.id,
      usedTriggers(reports).map(({ event }) => event),
    );
  });
}
