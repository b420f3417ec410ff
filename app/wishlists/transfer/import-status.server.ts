import type { WishlistImport } from "@prisma/client";
import { z } from "zod";
import { now } from "../../platform/clock.server.ts";
import { prisma } from "../../platform/database/database.server.ts";
import { csvRecord } from "../../platform/text/csv.ts";
import { type ImportData, MAX_PROBLEMS, type ProblemData, UNDO_DAYS, UNDOABLE } from "./import-data.ts";
import { enqueueImportTask } from "./import-task.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Milliseconds without progress after which the task of an import is enqueued again. */
const STALLED = 60_000;

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

function undoUntil(
  row: Pick<ImportData, "itemsAdded" | "listsCreated" | "finishedAt"> & { status: string },
): Date | null {
  if (!UNDOABLE.includes(row.status) || row.itemsAdded + row.listsCreated === 0 || row.finishedAt === null) return null;
  const until = new Date(row.finishedAt.getTime() + UNDO_DAYS * DAY_MS);
  return until > now() ? until : null;
}

async function toImportData(row: WishlistImport): Promise<ImportData> {
  const status = statusSchema.parse(row.status);
  const isWorking = status === "reading" || status === "running" || status === "undoing";
  // The process may have ended after it changed the status and before it enqueued the task.
  if (isWorking && now().getTime() - row.updatedAt.getTime() > STALLED) {
    await enqueueImportTask(Number(row.shopId), row.id);
  }
  const { id, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused, itemsDone, itemsAdded } = row;
  return {
    ...{ id, status, fileName, rowsRead, rowsInvalid, items, lists, itemsNew, itemsRefused, itemsDone, itemsAdded },
    listsNew: row.listsNew,
    listsRefused: row.listsRefused,
    listsCreated: row.listsCreated,
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

/** Returns the shop's newest imports, the newest first. */
export async function recentImports(shopId: number, limit: number): Promise<ImportData[]> {
  const rows = await prisma().wishlistImport.findMany({
    where: { shopId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
  });
  return Promise.all(rows.map(toImportData));
}

/** Returns the problems of a file in the order of its lines. */
export async function importProblems(shopId: number, importId: string, limit: number): Promise<ProblemData[]> {
  return prisma().importProblem.findMany({
    where: { shopId, importId },
    orderBy: [{ line: "asc" }, { field: "asc" }],
    take: limit,
    select: { line: true, field: true, problem: true },
  });
}

/** More than an import has: the file's own problems, those of unknown items and those of the dry run. */
const ALL = 10 * MAX_PROBLEMS;

/** Returns the problems of a file as CSV; without problems, or for another shop's import, only the names of the columns. */
export async function problemReport(shopId: number, importId: string): Promise<string> {
  const problems = await importProblems(shopId, importId, ALL);
  const records = problems.map(({ line, field, problem }) => csvRecord([String(line), field, problem]));
  return csvRecord(["line", "field", "problem"]) + records.join("");
}
