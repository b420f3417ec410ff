import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { sqlStateOf } from "./errors.server.ts";
import { MigrationError, migrationTransaction, naming } from "./migration-transaction.server.ts";

/** SQLSTATE with which CREATE OR REPLACE refuses another return type or other parameter names. */
const INVALID_FUNCTION_DEFINITION = "42P13";

// The checksum of each function as it was last applied.
const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS _sql_functions (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL
  )`;

/** Checksums of the functions that exist: one that was dropped by hand or by a migration is applied again. */
const APPLIED = `
  SELECT f.name, f.checksum FROM _sql_functions f
   WHERE EXISTS (SELECT 1 FROM pg_proc p WHERE p.proname = f.name AND p.pronamespace = current_schema()::regnamespace)`;

const SIGNATURES = `
  SELECT oid::regprocedure::text AS signature FROM pg_proc WHERE proname = $1 AND pronamespace = current_schema()::regnamespace`;

const RECORD = `
  INSERT INTO _sql_functions (name, checksum, applied_at) VALUES ($1, $2, clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET checksum = EXCLUDED.checksum, applied_at = EXCLUDED.applied_at`;

export interface SqlFunction {
  /** of the file, without `.sql`, and of the function in it */
  name: string;
  sql: string;
  checksum: string;
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, "");
}

function parse(name: string, sql: string): SqlFunction {
  const defined = [...withoutComments(sql).matchAll(/\bCREATE\s+(OR\s+REPLACE\s+)?FUNCTION\s+(\w+)/gi)];
  const [only] = defined;
  if (defined.length !== 1 || only?.[1] === undefined || only[2] !== name) {
    throw new MigrationError(`functions/${name}.sql must contain one CREATE OR REPLACE FUNCTION ${name}`);
  }
  return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/** Sorts functions so that each follows those that it calls. @throws MigrationError when two call each other */
function inDependencyOrder(functions: readonly SqlFunction[]): SqlFunction[] {
  const byName = new Map(functions.map((one) => [one.name, one]));
  const ordered = new Set<SqlFunction>();
  const visit = (one: SqlFunction, callers: readonly SqlFunction[]): void => {
    if (ordered.has(one)) return;
    if (callers.includes(one)) {
      const cycle = [...callers.slice(callers.indexOf(one)), one].map(({ name }) => `functions/${name}.sql`);
      throw new MigrationError(`SQL functions must not call each other in a circle: ${cycle.join(" → ")}`);
    }
    // One pass over the text for all names, because each start of the service sorts them.
    for (const [, name = ""] of withoutComments(one.sql).matchAll(/\b(\w+)\s*\(/g)) {
      const called = byName.get(name);
      if (called && called !== one) visit(called, [...callers, one]);
    }
    ordered.add(one);
  };
  for (const one of functions) visit(one, []);
  return [...ordered];
}

/**
 * Reads a folder with one file per SQL function, in dependency order.
 * @throws MigrationError when a file does not define the function that it is named after
 */
export async function readFunctions(folder: string): Promise<SqlFunction[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const read = async (file: string): Promise<SqlFunction> =>
    parse(file.slice(0, -".sql".length), await readFile(path.join(folder, file), "utf8"));
  return inDependencyOrder(await Promise.all(names.map(read)));
}

async function signaturesOf(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(SIGNATURES, [name]);
  return rows.map(({ signature }) => signature);
}

async function drop(client: pg.Client, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await client.query(`DROP FUNCTION ${signature}`);
}

/** Replaces a function, with its signature if that has changed: an earlier version beside it would make calls ambiguous. */
async function replace(client: pg.Client, { name, sql, checksum }: SqlFunction): Promise<void> {
  const earlier = await signaturesOf(client, name);
  await client.query("SAVEPOINT before");
  try {
    await client.query(sql);
  } catch (error) {
    if (sqlStateOf(error) !== INVALID_FUNCTION_DEFINITION) throw error;
    await client.query("ROLLBACK TO SAVEPOINT before");
    await drop(client, earlier);
    await client.query(sql);
  }
  const now = await signaturesOf(client, name);
  if (now.some((signature) => !earlier.includes(signature))) {
    await drop(
      client,
      earlier.filter((signature) => now.includes(signature)),
    );
  }
  await client.query(RECORD, [name, checksum]);
}

/**
 * Applies the functions whose checksum differs from the applied one, in one transaction. A function whose file is gone stays, because
 * processes of the release before may still call it; a later migration drops it.
 * @returns the names of those applied now
 * @throws MigrationError when one fails; then none is changed
 */
export async function applyFunctions(client: pg.Client, functions: readonly SqlFunction[]): Promise<string[]> {
  await client.query(BOOKKEEPING);
  const { rows } = await client.query<{ name: string; checksum: string }>(APPLIED);
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
  if (changed.length === 0) return [];
  await migrationTransaction(client, async () => {
    for (const one of changed) await naming(`functions/${one.name}.sql`, () => replace(client, one));
  });
  return changed.map(({ name }) => name);
}
