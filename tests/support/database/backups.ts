import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { openArchive, verifyArchive } from "../../../server/backup/archive-reader.ts";
import { backUp, type Backup } from "../../../server/backup/backup.ts";
import { restore, type Restored, type RestoreOptions } from "../../../server/backup/restore.ts";
import { dumpSchema } from "../../../prisma/schema-dump.ts";
import type { Database, TestDatabase } from "./database.ts";

/** Returns the path of a file that does not exist yet. */
export function newBackupFile(): string {
  return path.join(tmpdir(), `wishlist-backup-${randomUUID()}.zip`);
}

export function backUpTo(file: string, database: Pick<TestDatabase, "url">): Promise<Backup> {
  return backUp(database.url, file, { replace: false, onProgress: () => undefined });
}

/** Verifies a file and restores it, like the command. */
export async function restoreFrom(
  file: string,
  database: Pick<TestDatabase, "url">,
  options: Partial<RestoreOptions> = {},
): Promise<Restored> {
  const archive = await openArchive(file);
  try {
    await verifyArchive(archive, () => undefined);
    return await restore(database.url, archive, {
      replace: false,
      keys: undefined,
      onProgress: () => undefined,
      ...options,
    });
  } finally {
    archive.close();
  }
}

const TABLES =
  "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%' ORDER BY 1";

/** Returns every row of the service's tables as text, by table. */
export async function allRows(database: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of await database.rows<{ name: string }>(TABLES)) {
    const rows = await database.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    content[name] = rows.map(({ row }) => row).sort();
  }
  return content;
}

/** Returns every row of the service's tables as text, the sequences, the unfinished tasks and the schema. */
export async function wholeContent(database: Database): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = { schema: await dumpSchema(database.pool), ...(await allRows(database)) };
  content["sequences"] = await database.rows(
    "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
  );
  const hasJobs = await database.rows("SELECT 1 WHERE to_regclass('pgboss.job') IS NOT NULL");
  content["tasks"] =
    hasJobs.length === 0
      ? []
      : await database.rows(
          "SELECT id, name, data, singleton_key FROM pgboss.job WHERE state < 'completed' AND name NOT LIKE '\\_\\_%' ORDER BY id",
        );
  return content;
}
