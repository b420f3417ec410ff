import { statement } from "../platform/database/database.server.ts";
import { deleteInBatches, purge } from "../platform/jobs/retention.server.ts";

const purgeSent = purge("alert", { key: "id", type: "uuid", before: "uuid_v7_min($2)" });

/** Declares the deletion of a shop's rows whose work ended before a time. Rows whose work goes on stay, however old they are. */
function deleteEnded(
  table: "alert_occurrence" | "variant_change",
  endedAt: "finished_at" | "processed_at",
): (shopId: number, before: Date) => Promise<unknown> {
  const deletion = statement<{ gone: number }>(
    `purge_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE shop_id = $1
          AND id = ANY (ARRAY(SELECT id FROM ${table} WHERE shop_id = $1 AND ${endedAt} < $2 ORDER BY id LIMIT $3))
       RETURNING 1
     )
     SELECT count(*) AS gone FROM gone`,
  );
  return (shopId, before) => deleteInBatches(deletion, [shopId, before]);
}

const deleteOccurrences = deleteEnded("alert_occurrence", "finished_at");
const deleteChanges = deleteEnded("variant_change", "processed_at");

/** Purges a shop's alerts and changes of the catalog from before a time each. Occurrences go with their alerts. */
export async function purgeAlerts(shopId: number, before: { alerts: Date; changes: Date }): Promise<void> {
  await purgeSent(shopId, before.alerts);
  await deleteOccurrences(shopId, before.alerts);
  await deleteChanges(shopId, before.changes);
}
