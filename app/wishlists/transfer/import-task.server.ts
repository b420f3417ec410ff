import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { run, runOne, shopStatement, statement, type Statement } from "../../platform/database/database.server.ts";
import { deleteInBatches } from "../../platform/jobs/retention.server.ts";
import { sendTask, task } from "../../platform/jobs/tasks.server.ts";
import { listLimit } from "./list-limit.server.ts";
import { readFile } from "./read-file.server.ts";

/** Owners whose lists are imported in a transaction, or lists in which an import is undone: few, because their shoppers wait for its locks. */
const LISTS = 200;

const statusStatement = statement<{ status: string }>(
  "import_status",
  "SELECT status FROM wishlist_import WHERE shop_id = $1 AND id = $2",
);

const importStatement = shopStatement<{ running: boolean }>(
  "import_run_batch",
  "SELECT running FROM import_run_batch(p_shop_id => $1, p_import_id => $2, p_owners => $3, p_at => $4, p_list_limit => $5)",
);

/** Declares the deletion of a batch of an import's rows. */
function deletionOf(table: "import_part" | "import_entry"): Statement<{ gone: number }> {
  return statement(
    `purge_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE shop_id = $1 AND import_id = $2
          AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE shop_id = $1 AND import_id = $2 LIMIT $3))
       RETURNING 1
     )
     SELECT count(*) AS gone FROM gone`,
  );
}
const deleteParts = deletionOf("import_part");
const deleteEntries = deletionOf("import_entry");

const undoStatement = statement<{ running: boolean }>(
  "import_undo_batch",
  "SELECT running FROM import_undo_batch(p_shop_id => $1, p_import_id => $2, p_lists => $3, p_at => $4)",
);

/** Removes unknown items before the first list is imported; a resumed import keeps the items that it has added. */
const leaveUnknownStatement = statement<{ gone: number }>(
  "import_leave_unknown",
  `WITH gone AS (
     DELETE FROM import_entry WHERE shop_id = $1 AND import_id = $2
        AND ctid = ANY (ARRAY(
          SELECT i.ctid FROM import_entry i
            JOIN wishlist_import f ON f.shop_id = $1 AND f.id = $2 AND f.status = 'running' AND f.leave_unknown AND f.last_kind = ''
            LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id AND p.deleted_at IS NULL
            LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
           WHERE i.shop_id = $1 AND i.import_id = $2 AND i.product_id <> '' AND (p.product_id IS NULL OR (v.variant_id IS NULL AND p.default_variant_id <> i.variant_id)) LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

async function statusOf(shopId: number, id: string): Promise<string | undefined> {
  const [row] = await run(statusStatement, [shopId, id]);
  return row?.status;
}

async function runImport(shopId: number, id: string, signal: AbortSignal): Promise<void> {
  await deleteInBatches(leaveUnknownStatement, [shopId, id]);
  const { limit } = await listLimit(shopId);
  for (;;) {
    signal.throwIfAborted();
    const { running } = await runOne(importStatement, [shopId, id, LISTS, now(), limit]);
    if (!running) return;
    // Also without an added item: the step may have created lists.
    wakeOutbox(shopId);
  }
}

async function undoImport(shopId: number, id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { running } = await runOne(undoStatement, [shopId, id, LISTS, now()]);
    if (!running) return;
    // Also without a removed item: the step may have deleted lists.
    wakeOutbox(shopId);
  }
}

/**
 * Performs the next steps of an import: reads its file, imports it, undoes it, or deletes data that is no longer needed. Each step is a transaction
 * that records its progress, so that a repeated task resumes there.
 */
async function performImportTask({ shopId, id }: { shopId: number; id: string }, signal: AbortSignal): Promise<void> {
  if ((await statusOf(shopId, id)) === "reading") await readFile(shopId, id, signal);
  if ((await statusOf(shopId, id)) === "running") await runImport(shopId, id, signal);
  if ((await statusOf(shopId, id)) === "undoing") await undoImport(shopId, id, signal);
  const status = await statusOf(shopId, id);
  if (status === "uploading" || status === "reading") return;
  await deleteInBatches(deleteParts, [shopId, id]);
  if (status !== "ready" && status !== "running") await deleteInBatches(deleteEntries, [shopId, id]);
}

export const importTask = task("wishlist-import", z.object({ shopId: z.int(), id: z.string() }), performImportTask, {
  exclusive: true,
  concurrency: 2,
});

/** Enqueues the task that does the next step of an import. */
export async function enqueueImportTask(shopId: number, id: string): Promise<void> {
  await sendTask(importTask, { shopId, id }, { key: id });
}
