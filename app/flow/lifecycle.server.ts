import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { log } from "../platform/log/log.server.ts";
import { serializeInShop } from "../platform/database/advisory-locks.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { readScopes } from "../shopify-sessions/index.server.ts";
import { findShop } from "../shops/index.server.ts";
import { FLOW, subscribeChannel } from "../webhooks/index.server.ts";
import { findTrigger } from "./triggers.ts";
import { mayNameCustomers, readUsedEvents } from "./permission.server.ts";

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
    await serializeInShop(tx, shop.id, "flow_trigger");
    await tx.$executeRaw`
      INSERT INTO flow_trigger AS t (shop_id, handle, enabled, changed_at)
      VALUES (${shop.id}, ${handle}, ${enabled}, ${callback.timestamp}::timestamptz)
          ON CONFLICT (shop_id, handle) DO UPDATE SET enabled = EXCLUDED.enabled, changed_at = EXCLUDED.changed_at
       WHERE t.changed_at <= EXCLUDED.changed_at`;
    const scopes = await readScopes(tx, shop.domain);
    await subscribeChannel(tx, shop.id, FLOW, mayNameCustomers(scopes) ? await readUsedEvents(tx, shop.id) : []);
  });
}
