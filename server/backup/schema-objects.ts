import pg from "pg";
import type { Migration } from "../../app/platform/database/migrations.server.ts";
import { BOOKKEEPING, readTables, tableExists } from "./source-tables.ts";

/** The functions that the runner of migrations has created, those of triggers last: they depend on tables, and tables on these. */
const FUNCTIONS = `
  SELECT p.oid::regprocedure::text AS signature, p.prorettype = 'trigger'::regtype AS "ofTriggers"
    FROM pg_proc p JOIN _sql_functions f ON f.name = p.proname
   WHERE p.pronamespace = current_schema()::regnamespace`;

/** Returns the names of all tables that migrations have ever created. */
export function tablesOf(migrations: readonly Migration[]): Set<string> {
  const created = migrations.flatMap(({ sql }) => [
    ...sql.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/gi),
  ]);
  return new Set(created.flatMap(([, name]) => (name === undefined ? [] : [name])));
}

const TYPES = `
  SELECT t.oid::regtype::text AS name FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c'
   WHERE t.typnamespace = current_schema()::regnamespace AND t.typname = ANY ($1)`;

/** Returns the names of all types that migrations have ever created. */
function typesOf(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/\bCREATE\s+TYPE\s+"?(\w+)"?/gi)].flatMap(([, name]) => name ?? []),
  );
}

async function drop(client: pg.Client, kind: "TABLE" | "FUNCTION" | "TYPE", names: readonly string[]): Promise<void> {
  if (names.length > 0) await client.query(`DROP ${kind} ${names.join(", ")}`);
}

/** Drops the service's tables, functions and types in the caller's transaction. @param migrations those that may have created the types */
export async function dropSchema(
  client: pg.Client,
  tables: readonly string[],
  migrations: readonly Migration[],
): Promise<void> {
  const hasFunctions = await tableExists(client, "_sql_functions");
  const functions = hasFunctions
    ? (await client.query<{ signature: string; ofTriggers: boolean }>(FUNCTIONS)).rows
    : [];
  const signatures = (ofTriggers: boolean): string[] =>
    functions.filter((one) => one.ofTriggers === ofTriggers).map(({ signature }) => signature);
  await drop(client, "FUNCTION", signatures(false));
  const existing = [...tables];
  for (const table of BOOKKEEPING) if (await tableExists(client, table)) existing.push(table);
  await drop(
    client,
    "TABLE",
    existing.map((name) => pg.escapeIdentifier(name)),
  );
  await drop(client, "FUNCTION", signatures(true));
  const types = await client.query<{ name: string }>(TYPES, [typesOf(migrations)]);
  await drop(
    client,
    "TYPE",
    types.rows.map(({ name }) => name),
  );
}

/** Constraints other than checks, which cost little: foreign keys first, because the others can't be dropped before. */
const CONSTRAINTS = `
  SELECT c.conname AS name, r.relname AS "table", pg_get_constraintdef(c.oid) AS definition
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
   WHERE c.connamespace = current_schema()::regnamespace AND r.relname = ANY ($1) AND c.contype IN ('f', 'p', 'u', 'x')
   ORDER BY c.contype = 'f' DESC, r.relname, c.conname`;
const INDEXES = `
  SELECT x.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class r ON r.oid = i.indrelid
   WHERE x.relnamespace = current_schema()::regnamespace AND r.relname = ANY ($1)
     AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
   ORDER BY r.relname, x.relname`;

/**
 * Drops indexes and constraints for the load, because building them afterwards is several times as fast.
 * @returns creates them again, and so checks the rows
 */
export async function dropIndexes(
  client: pg.Client,
  tables: readonly string[],
): Promise<(onStep: (name: string) => void) => Promise<void>> {
  const constraints = (await client.query<{ name: string; table: string; definition: string }>(CONSTRAINTS, [tables]))
    .rows;
  const indexes = (await client.query<{ name: string; definition: string }>(INDEXES, [tables])).rows;
  const { escapeIdentifier } = pg;
  for (const { name, table } of constraints)
    await client.query(`ALTER TABLE ${escapeIdentifier(table)} DROP CONSTRAINT ${escapeIdentifier(name)}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${escapeIdentifier(name)}`);
  return async (onStep) => {
    for (const { name, definition } of indexes) {
      onStep(name);
      await client.query(definition);
    }
    for (const { name, table, definition } of [...constraints].reverse()) {
      onStep(name);
      await client.query(
        `ALTER TABLE ${escapeIdentifier(table)} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`,
      );
    }
  };
}

/** Returns the tables of the schema that hold rows, apart from those that each start fills. */
export async function tablesWithRows(client: pg.Client): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await readTables(client)) {
    if (name === "sealing_key") continue;
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${pg.escapeIdentifier(name)}) AS found`,
    );
    if (rows[0]?.found === true) filled.push(name);
  }
  return filled;
}
