import { statement } from "../platform/database/database.server.ts";
import { deleteInBatches, purge } from "../platform/jobs/retention.server.ts";

const purgeSent = purge("alert", { key: "id", type: "uuid", before: "uuid_v7_min($2)" });

const occurrencesStatement = statement<{ gone: number }>(
  "purge_alert_occurrence",
  `WITH gone AS (
     DELETE FROM alert_occurrence WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM alert_occurrence WHERE shop_id = $1 AND finished_at < $2 ORDER BY id LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

const changesStatement = statement<{ gone: number }>(
  "purge_variant_change",
  `WITH gone AS (
     DELETE FROM variant_change WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM variant_change WHERE shop_id = $1 AND processed_at < $2 ORDER BY id LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Purges a shop's alerts and changes of the catalog from before a time each. Occurrences go with their alerts. */
export async function purgeAlerts(shopId: number, before: { alerts: Date; changes: Date }): Promise<void> {
  await purgeSent(shopId, before.alerts);
  await deleteInBatches(occurrencesStatement, [shopId, before.alerts]);
  await deleteInBatches(changesStatement, [shopId, before.changes]);
}
