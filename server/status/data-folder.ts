import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import { readLastBackup } from "../backup/last-backup.ts";
import { readDatabaseRecord } from "../postgres/data-folder.ts";

/** What an operator has to watch of the embedded database besides PostgreSQL itself. */
export interface DataFolderState {
  /** the file of the last backup; undefined when there is none */
  backup: string | undefined;
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
  const last = await readLastBackup(dataDir);
  const since = last?.at ?? (await stat(path.join(record.cluster, "PG_VERSION"))).mtime;
  const { blocks, bfree, bavail, bsize } = await statfs(record.cluster);
  const used = blocks - bfree;
  return {
    backup: last?.file,
    backupSeconds: (Date.now() - since.getTime()) / 1_000,
    usedRatio: used / (used + bavail),
    freeBytes: bavail * bsize,
  };
}
