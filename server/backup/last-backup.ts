import { randomUUID } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { writeJsonAtomically } from "../postgres/data-folder.ts";
import { ignoreCodes } from "../postgres/errors.ts";

const FILE = "last-backup.json";

const shape = z.object({
  /** the moment whose data the backup holds */
  at: z.iso.datetime().transform((text) => new Date(text)),
  file: z.string(),
});

/** Records a backup of the embedded database in its data folder, so that a missing one is noticed. */
export async function recordBackup(dataDir: string, backup: z.input<typeof shape>): Promise<void> {
  // Backups do not own the data folder, so two of them may write at the same time.
  await writeJsonAtomically(await realpath(dataDir), FILE, backup, `${FILE}.${randomUUID()}.new`);
}

/**
 * Returns the last backup of the embedded database, or undefined when there is none.
 * @throws Error with one line when the record cannot be read or is damaged
 */
export async function readLastBackup(dataDir: string): Promise<z.output<typeof shape> | undefined> {
  const file = path.join(dataDir, FILE);
  const text = await readFile(file, "utf8").catch(ignoreCodes("ENOENT"));
  if (text === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is damaged`, { cause });
  }
}
