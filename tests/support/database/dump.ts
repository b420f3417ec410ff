import type { Database } from "./database.ts";

/** Returns the content of all tables of a database as text, including the jobs' tables. */
export async function dump(database: Database): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('public', 'pgboss') AND c.relkind = 'r'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      return rows.map(({ row }) => `${name} ${row}`).join("\n");
    }),
  );
  return texts.join("\n");
}
