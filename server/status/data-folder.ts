import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import { readLastBackup } from "../backup/last-backup.ts";
import { readDatabaseRecord } from "../postgres/data-folder.ts";
import { errorLine } from "../postgres/errors.ts";

/** What an operator has to watch of the embedded database besides PostgreSQL itself. */
export interface DataFolderState {
  /** the file of the last backup; undefined when there is none */
  backup: string | undefined;
  /** why the record of the last backup cannot be read; it then counts as no backup */
  backupUnreadable: string | undefined;
  /** seconds since that backup, or since the database was created */
  backupSeconds: number;
  /** share of the disk that is used, of what ordinary users may use */
  usedRatio: number;
  freeBytes: number;
}

/** @returns undefined when the data folder has no database */
export async function readDataFolder(dataDir: string): Promise<DataFolderState | undefined> {
  const record = await readDatabaseRecord(dataDir);
  if (!record) return undefined;
  const { last, unreadable } = await readLastBackup(dataDir).then(
    (found) => ({ last: found, unreadable: undefined }),
    (error: unknown) => ({ last: undefined, unreadable: errorLine(error) }),
  );
  const since = last?.at ?? (await stat(path.join(record.cluster, "PG_VERSION"))).mtime;
  const { blocks, bfree, bavail, bsize } = await statfs(record.cluster);
  const used = blocks - bfree;
  return {
    backup: last?.file,
    backupUnreadable: unreadable,
    backupSeconds: (Date.now() - since.getTime()) / 1_000,
    usedRatio: used / (used + bavail),
    freeBytes: bavail * bsize,
  };
}
