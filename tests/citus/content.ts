import type { Database } from "../support/database/database.ts";

const TABLES = `
  SELECT tablename AS name FROM pg_tables
   WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%' AND tablename NOT IN ('citus_tables', 'citus_schemas') ORDER BY 1`;

/** Returns every row of the service's tables as text, by table. */
export async function allRows(database: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of await database.rows<{ name: string }>(TABLES)) {
    const rows = await database.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    content[name] = rows.map(({ row }) => row).sort();
  }
  return content;
}
