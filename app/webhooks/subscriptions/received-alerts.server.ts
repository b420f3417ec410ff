import { run, statement } from "../../platform/database/database.server.ts";
import { alertKindSchema, type AlertKind } from "../../alerts/kinds.ts";
import { isChannel, type ChannelId } from "../delivery/endpoint-key.ts";

const receivedStatement = statement<{ id: string; kinds: string[] }>(
  "webhook_received_alerts",
  `SELECT id, array_agg(replace(event, 'wishlist.alert.', '')) AS kinds
     FROM webhook_endpoint, unnest(events) AS event
    WHERE shop_id = $1 AND disabled_at IS NULL AND event LIKE 'wishlist.alert.%'
    GROUP BY id`,
);

/** Returns the kinds of alerts to which each channel and the active webhooks of the shop subscribe. */
export async function readReceivedAlertKinds(shopId: number): Promise<Record<ChannelId | "webhooks", AlertKind[]>> {
  const received: Record<ChannelId | "webhooks", AlertKind[]> = { flow: [], email: [], webhooks: [] };
  for (const { id, kinds } of await run(receivedStatement, [shopId]))
    received[isChannel(id) ? id : "webhooks"].push(...alertKindSchema.array().parse(kinds));
  return received;
}
