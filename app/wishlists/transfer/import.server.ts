import type { Prisma } from "@prisma/client";
import { z } from "zod";
import { serializeInShop } from "../../platform/database/advisory-locks.server.ts";
import { now } from "../../platform/clock.server.ts";
import { prisma, run, shopStatement } from "../../platform/database/database.server.ts";
import { afterCommit } from "../../platform/database/transaction.server.ts";
import { Failure } from "../../platform/failure.ts";
import { randomBase62 } from "../../platform/ids.server.ts";
import { formatOf } from "./columns.ts";
import { FILE_BYTES, UNDO_DAYS, UNDOABLE } from "./import-data.ts";
import { enqueueImportTask } from "./import-task.server.ts";

const DAY_MS = 24 * 3_600_000;
const OPEN = ["uploading", "reading", "ready", "running"];

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

/** The form of a button that acts on an import. */
export const importForm = z.strictObject({ id: z.string().regex(/^imp_\w{22}$/) });

/** Starts an import. `unknown` decides whether items that are not in the catalog are imported. */
export const startImportForm = importForm.extend({ unknown: z.enum(["import", "leave_out"]) });

/** Creates an import that waits for its file. @returns `request_in_progress` while another import of the shop is open */
export async function beginImport(
  tx: Prisma.TransactionClient,
  shopId: number,
  file: z.output<typeof beginImportForm>,
): Promise<{ id: string } | Failure> {
  await serializeInShop(tx, shopId, "wishlist_import");
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
 * Stores a part of an uploaded file. The last part enqueues the task that reads the file.
 * @param part.at position of its first byte in the file
 * @returns the bytes that were received so far: a repeated part, or a part that is not the next one, changes nothing
 */
export async function takePart(
  shopId: number,
  part: { id: string; at: number; bytes: Uint8Array },
): Promise<{ received: number } | Failure> {
  const { id, at, bytes } = part;
  if (bytes.length === 0) return new Failure("invalid_request", "The part is empty.");
  const [taken] = await run(partStatement, [shopId, id, at, Buffer.from(bytes), now()]);
  if (taken?.complete === true) await enqueueImportTask(shopId, id);
  if (taken) return { received: taken.received };
  const known = await prisma().wishlistImport.findFirst({
    where: { shopId, id },
    select: { received: true, status: true },
  });
  if (known && (known.status === "uploading" || known.status === "reading"))
    return { received: Number(known.received) };
  return new Failure("not_found", "This import no longer exists. Choose the file again.");
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
  afterCommit(tx, () => enqueueImportTask(shopId, id));
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
  if (count > 0) afterCommit(tx, () => enqueueImportTask(shopId, id));
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
  await serializeInShop(tx, shopId, "wishlist_import");
  if ((await tx.wishlistImport.count({ where: { shopId, status: { in: [...OPEN, "undoing"] } } })) > 0)
    return undefined;
  const [undoing] = await tx.wishlistImport.updateManyAndReturn({
    where: {
      shopId,
      id,
      status: { in: [...UNDOABLE] },
      OR: [{ itemsAdded: { gt: 0 } }, { listsCreated: { gt: 0 } }],
      finishedAt: { gt: new Date(at.getTime() - UNDO_DAYS * DAY_MS) },
    },
    data: { status: "undoing", updatedAt: at },
    select: { itemsAdded: true },
  });
  if (!undoing) return undefined;
  afterCommit(tx, () => enqueueImportTask(shopId, id));
  return { items: undoing.itemsAdded };
}
