import { now } from "../../platform/clock.server.ts";
import { prisma, statement } from "../../platform/database/database.server.ts";
import { deleteInBatches } from "../../platform/jobs/retention.server.ts";
import { transaction } from "../../platform/database/transaction.server.ts";
import { UNDO_DAYS } from "./import-data.ts";
import { enqueueImportTask } from "./import-task.server.ts";
import { cancelImport } from "./import.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days without progress after which an unfinished import is cancelled. */
const ABANDONED_DAYS = 1;
/** Days after which an ended import is deleted. */
const RETENTION_DAYS = 30;

/** Deletes the record of added items of imports that can no longer be undone. */
const addedStatement = statement<{ gone: number }>(
  "purge_import_added",
  `WITH gone AS (
     DELETE FROM import_added WHERE shop_id = $1 AND ctid = ANY (ARRAY(
       SELECT a.ctid FROM import_added a
         JOIN wishlist_import f ON f.shop_id = $1 AND f.id = a.import_id
        WHERE a.shop_id = $1 AND f.finished_at < $2 AND f.status <> 'undoing' LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Cancels abandoned imports, enqueues the tasks of stalled ones and deletes old ones. */
export async function runImportMaintenance(shopId: number): Promise<void> {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  const abandoned = await prisma().wishlistImport.findMany({
    where: { shopId, status: { in: ["uploading", "ready"] }, updatedAt: { lt: before(ABANDONED_DAYS) } },
    select: { id: true },
  });
  for (const { id } of abandoned) await transaction(shopId, (tx) => cancelImport(tx, shopId, id));
  const stalled = await prisma().wishlistImport.findMany({
    where: { shopId, status: { in: ["reading", "running", "undoing"] } },
    select: { id: true },
  });
  for (const { id } of stalled) await enqueueImportTask(shopId, id);
  await deleteInBatches(addedStatement, [shopId, before(UNDO_DAYS)]);
  await prisma().wishlistImport.deleteMany({ where: { shopId, finishedAt: { lt: before(RETENTION_DAYS) } } });
}
