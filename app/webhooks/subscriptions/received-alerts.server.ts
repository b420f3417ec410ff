import { run, statement } from "../../platform/database/database.server.ts";
import { alertKindSchema, type AlertKind } from "../../alerts/kinds.ts";

const receivedStatement = statement<{ kind: string }>(
  "webhook_received_alerts",
  `SELECT DISTINCT replace(event, 'wishlist.alert.', '') AS kind
     FROM webhook_endpoint, unnest(events) AS event
    WHERE shop_id = $1 AND disabled_at IS NULL AND event LIKE 'wishlist.alert.%'`,
);

/** Returns the kinds of alerts to which an active webhook of the shop subscribes. */
export async function readReceivedAlertKinds(shopId: number): Promise<AlertKind[]> {
  const rows = await run(receivedStatement, [shopId]);
  return rows.map(({ kind }) => alertKindSchema.parse(kind));
}
