import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { now } from "../../platform/clock.server.ts";
import { prisma, run, shopStatement, statement } from "../../platform/database.server.ts";
import { afterCommit, transaction } from "../../platform/transaction.server.ts";
import { Failure } from "../../platform/failure.ts";
import { randomBase62 } from "../../platform/ids.server.ts";
import { sendTask } from "../../platform/tasks.server.ts";
import { deleteInBatches } from "../../platform/retention.server.ts";
import { formatOf } from "./columns.ts";
import { FILE_BYTES, type ImportData, type ProblemData } from "./import-data.ts";
import { importTask } from "./import-task.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days after which a file that nobody goes on with is dropped, and a report that nobody needs any more. */
const ABANDONED_DAYS = 1;
const KEPT_DAYS = 30;
/** Milliseconds after which work that should have moved is asked for once more. */
const STALLED = 60_000;

/** Days for which an import can be undone. */
const UNDO_DAYS = 7;

const OPEN = ["uploading", "reading", "ready", "running"];
const UNDOABLE = ["done", "cancelled"];

const fileName = z
  .string()
  .trim()
  .min(1, "Choose a file.")
  .max(255, "Give the file a shorter name.")
  .regex(/^\P{Cc}*$/u, "Give the file another name.")
  .refine((name) => formatOf(name) !== undefined, "Choose a file whose name ends with .csv, .ndjson or .jsonl.");

export const beginImportForm = z.strictObject({
  fileName,
  size: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(
      z
        .int()
        .min(1, "The file is empty.")
        .max(
          FILE_BYTES,
          `The file has more than ${FILE_BYTES / 1024 / 1024} MB. Split it, and import one part after the other.`,
        ),
    ),
});

/** A button about an import. */
export const importForm = z.strictObject({ id: z.string().regex(/^imp_\w{22}$/) });

/** The start of an import: what becomes of items that the catalog does not have. */
export const startImportForm = importForm.extend({ unknown: z.enum(["import", "leave_out"]) });

/** Serializes what opens an import in a shop: a unique index allows one open import at a time. */
async function lockShop(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.$queryRaw`SELECT id AS shop_id FROM shop WHERE id = ${shopId} FOR NO KEY UPDATE`;
}

/** Creates an import that waits for its file. @returns `request_in_progress` while another import of the shop is open */
export async function beginImport(
  tx: Prisma.TransactionClient,
  shopId: number,
  file: z.output<typeof beginImportForm>,
): Promise<{ id: string } | Failure> {
  await lockShop(tx, shopId);
  const at = now();
  const id = "imp_" + randomBase62(22);
  const { count } = await tx.wishlistImport.createMany({
    data: [
      {
        shopId,
        id,
        status: "uploading",
        format: formatOf(file.fileName) ?? "csv",
        fileName: file.fileName,
        size: file.size,
        createdAt: at,
        updatedAt: at,
      },
    ],
    skipDuplicates: true,
  });
  if (count > 0) return { id };
  return new Failure("request_in_progress", "Another import is open. Finish or cancel it first.");
}

const partStatement = shopStatement<{ received: number; complete: boolean }>(
  "import_part",
  `WITH step AS (
     UPDATE wishlist_import SET received = received + length($4::bytea), updated_at = $5,
            status = CASE WHEN received + length($4::bytea) = size THEN 'reading' ELSE status END
      WHERE shop_id = $1 AND id = $2 AND status = 'uploading' AND received = $3 AND received + length($4::bytea) <= size
     RETURNING shop_id, id, received, received = size AS complete
   ), kept AS (
     INSERT INTO import_part (shop_id, import_id, at_byte, bytes) SELECT shop_id, id, $3, $4 FROM step
   )
   SELECT received, complete FROM step`,
);

/**
 * Takes a part of the file. The last one has it read.
 * @param at the place of its first byte in the file
 * @returns how much has come: a part that came before changes nothing, and one that is not next is not taken
 */
export async function takePart(
  shopId: number,
  part: { id: string; at: number; bytes: Uint8Array },
): Promise<{ received: number } | Failure> {
  const { id, at, bytes } = part;
  if (bytes.length === 0) return new Failure("invalid_request", "The part is empty.");
  const [taken] = await run(partStatement, [shopId, id, at, Buffer.from(bytes), now()]);
  if (taken?.complete === true) await enqueue(shopId, id);
  if (taken) return { received: taken.received };
  const known = await prisma().wishlistImport.findFirst({
    where: { shopId, id },
    select: { received: true, status: true },
  });
  if (known && (known.status === "uploading" || known.status === "reading"))
    return { received: Number(known.received) };
  return new Failure("not_found", "There is no such import any more. Choose the file again.");
}

/**
 * Starts the import of a file that the dry run has checked.
 * @param unknown whether items that the catalog does not have are imported
 * @returns how many items the dry run expects to add; undefined when the import is not ready
 */
export async function startImport(
  tx: Prisma.TransactionClient,
  shopId: number,
  id: string,
  unknown: z.output<typeof startImportForm>["unknown"] = "import",
): Promise<{ items: number } | undefined> {
  const [started] = await tx.wishlistImport.updateManyAndReturn({
    where: { shopId, id, status: "ready" },
    data: { status: "running", leaveUnknown: unknown === "leave_out", updatedAt: now() },
    select: { itemsNew: true },
  });
  if (!started) return undefined;
  afterCommit(tx, () => enqueue(shopId, id));
  return { items: started.itemsNew };
}

/** Cancels an import; items that it has added stay. @returns false when it has ended already */
export async function cancelImport(tx: Prisma.TransactionClient, shopId: number, id: string): Promise<boolean> {
  const at = now();
  const { count } = await tx.wishlistImport.updateMany({
    where: { shopId, id, status: { in: OPEN } },
    data: { status: "cancelled", updatedAt: at, finishedAt: at },
  });
  // The task deletes the file.
  if (count > 0) afterCommit(tx, () => enqueue(shopId, id));
  return count > 0;
}

/**
 * Starts to remove the items that an import has added, except for items that have changed since.
 * @returns how many items the import added; undefined when it can't be undone or another import is open
 */
export async function undoImport(
  tx: Prisma.TransactionClient,
  shopId: number,
  id: string,
): Promise<{ items: number } | undefined> {
  const at = now();
  await lockShop(tx, shopId);
  if ((await tx.wishlistImport.count({ where: { shopId, status: { in: [...OPEN, "undoing"] } } })) > 0)
    return undefined;
  const [undoing] = await tx.wishlistImport.updateManyAndReturn({
    where: {
      shopId,
      id,
      status: { in: UNDOABLE },
      itemsAdded: { gt: 0 },
      finishedAt: { gt: new Date(at.getTime() - UNDO_DAYS * DAY_MS) },
    },
    data: { status: "undoing", updatedAt: at },
    select: { itemsAdded: true },
  });
  if (!undoing) return undefined;
  afterCommit(tx, () => enqueue(shopId, id));
  return { items: undoing.itemsAdded };
}

const statusSchema = z.enum([
  "uploading",
  "reading",
  "ready",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
]);

function undoUntil(row: { status: string; itemsAdded: number; finishedAt: Date | null }): Date | null {
  if (!UNDOABLE.includes(row.status) || row.itemsAdded === 0 || row.finishedAt === null) return null;
  const until = new Date(row.finishedAt.getTime() + UNDO_DAYS * DAY_MS);
  return until > now() ? until : null;
}

/** The shop's open import, or the one before. */
export async function latestImport(shopId: number): Promise<ImportData | undefined> {
  const row = await prisma().wishlistImport.findFirst({ where: { shopId }, orderBy: { createdAt: "desc" } });
  if (!row) return undefined;
  const status = statusSchema.parse(row.status);
  const atWork = status === "reading" || status === "running" || status === "undoing";
  // Its process may have ended between the two steps, of which the other one is to ask for the work.
  if (atWork && now().getTime() - row.updatedAt.getTime() > STALLED) await enqueue(shopId, row.id);
  const { id, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused, itemsDone, itemsAdded } = row;
  return {
    ...{ id, status, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused, itemsDone, itemsAdded },
    listsRefused: row.listsRefused,
    itemsUnknown: row.itemsUnknown,
    itemsUndone: row.itemsUndone,
    undoUntil: undoUntil(row),
    size: Number(row.size),
    received: Number(row.received),
    readBytes: Number(row.readBytes),
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    failedReason: row.failedReason,
  };
}

/** Enqueues the task that does the next step of an import. */
async function enqueue(shopId: number, id: string): Promise<void> {
  await sendTask(importTask, { shopId, id }, { key: id });
}

/** What is wrong with a file, in the order of its lines. */
export async function importProblems(shopId: number, importId: string, limit: number): Promise<ProblemData[]> {
  return prisma().importProblem.findMany({
    where: { shopId, importId },
    orderBy: [{ line: "asc" }, { field: "asc" }],
    take: limit,
    select: { line: true, field: true, problem: true },
  });
}

/** What imports have added that can be undone no more. */
const addedStatement = statement<{ gone: number }>(
  "drop_import_added",
  `WITH gone AS (
     DELETE FROM import_added WHERE shop_id = $1 AND ctid = ANY (ARRAY(
       SELECT a.ctid FROM import_added a
         JOIN wishlist_import f ON f.shop_id = $1 AND f.id = a.import_id
        WHERE a.shop_id = $1 AND f.finished_at < $2 AND f.status <> 'undoing' LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Drops files that nobody goes on with and reports that are old, and has gone on with what should have been done. */
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
  for (const { id } of stalled) await enqueue(shopId, id);
  await deleteInBatches(addedStatement, [shopId, before(UNDO_DAYS)]);
  await prisma().wishlistImport.deleteMany({ where: { shopId, finishedAt: { lt: before(KEPT_DAYS) } } });
}
