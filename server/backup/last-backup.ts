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
  await writeJsonAtomically(await realpath(dataDir), FILE, backup);
}

/** Returns the last backup of the embedded database, or undefined when there is none. */
export async function readLastBackup(dataDir: string): Promise<z.output<typeof shape> | undefined> {
  const text = await readFile(path.join(dataDir, FILE), "utf8").catch(ignoreCodes("ENOENT"));
  return text === undefined ? undefined : shape.parse(JSON.parse(text));
}
