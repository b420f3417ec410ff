import pg from "pg";
import type { BackedUpTable, Manifest } from "./manifest.ts";

/** Tables of the migration runner, which the manifest describes. */
export const BOOKKEEPING = ["_prisma_migrations", "_sql_functions"];

/** A table as it is read: without what is measured. */
export type SourceTable = Pick<BackedUpTable, "name" | "columns">;

/** Tables of the schema except those of extensions, and the bookkeeping ($1). Generated columns can't be restored. */
const TABLES = `
  SELECT c.relname AS name,
         ARRAY(SELECT a.attname::text FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                ORDER BY a.attnum) AS columns
    FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
     AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY c.relname COLLATE "C"`;

const SEQUENCES = `
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
     AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   ORDER BY c.relname COLLATE "C"`;

export async function readTables(client: pg.Client): Promise<SourceTable[]> {
  return (await client.query<SourceTable>(TABLES, [BOOKKEEPING])).rows;
}

/** Reads the sequences. They are not part of a snapshot, and so at least as far as the rows of an earlier one. */
export async function readSequences(client: pg.Client): Promise<Manifest["sequences"]> {
  const names = (await client.query<{ name: string }>(SEQUENCES)).rows;
  const sequences: Manifest["sequences"] = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${pg.escapeIdentifier(name)}`,
    );
    for (const row of rows) sequences.push({ name, ...row });
  }
  return sequences;
}

export async function tableExists(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [name]);
  return rows[0]?.found === true;
}

/** Returns the migrations that were applied to a database, none for one that was never migrated. */
export async function readApplied(client: pg.Client): Promise<Manifest["migrations"]> {
  if (!(await tableExists(client, "_prisma_migrations"))) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

/** Returns the list of columns for COPY. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(", ");
}
