import type pg from "pg";
import type { Migration } from "../../app/platform/database/migrations.server.ts";
import { Refusal } from "../commands/refusal.ts";
import { serviceConnections } from "../database-connection.ts";
import { errorCode } from "../postgres/errors.ts";
import type { Manifest } from "./manifest.ts";
import { readApplied, readTables, tableExists } from "./source-tables.ts";
import { tablesOf, tablesWithRows } from "./schema-objects.ts";

const MINIMUM_POSTGRES = 150_000;

/** @throws Refusal when the server is too old, or processes of the service are connected */
export async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version",
  );
  const [server] = rows;
  if (server && server.number < MINIMUM_POSTGRES)
    throw new Refusal(`The database runs PostgreSQL ${server.version}. The service needs PostgreSQL 15 or later.`);
  const names = await serviceConnections(client);
  if (names.length > 0) {
    throw new Refusal(
      `The database is in use by the service (connections named ${names.join(", ")}). Stop every web and worker process with SIGTERM, and restore again.`,
    );
  }
}

/**
 * Returns the migrations that the backup's database had, in the order of this release.
 * @throws Refusal when the backup is of a newer release, or one of its migrations was changed
 */
export function migrationsOf(manifest: Manifest, known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  const unknown = manifest.migrations.filter(({ name }) => !byName.has(name));
  if (unknown.length > 0) {
    throw new Refusal(
      `The backup was written by release ${manifest.release}, whose migrations this release lacks: ${unknown.map(({ name }) => name).join(", ")}. Restore it with that release or a later one.`,
    );
  }
  const changed = manifest.migrations.filter(({ name, checksum }) => byName.get(name)?.checksum !== checksum);
  if (changed.length > 0) {
    throw new Refusal(
      `The backup's migration ${changed.map(({ name }) => name).join(", ")} differs from that of this release.`,
    );
  }
  const applied = new Set(manifest.migrations.map(({ name }) => name));
  return known.filter(({ name }) => applied.has(name));
}

/** @throws Refusal when a sealed value of the backup can't be unsealed with these keys */
export function checkKeys({ sealingKeys }: Manifest, keyIds: readonly string[]): void {
  const missing = sealingKeys.filter((id) => !keyIds.includes(id));
  if (missing.length === 0) return;
  throw new Refusal(
    `ENCRYPTION_KEYS lacks keys that have sealed values of the backup: ${missing.join(", ")}. Set ENCRYPTION_KEYS as for the service that was backed up. If a key is lost, --without-keys restores all the same; \`secrets abandon\` then lets the service start without the values that it has sealed.`,
  );
}

/**
 * Returns the tables that the restore replaces.
 * @param replace whether tables with rows, and those of a newer release, may be replaced
 * @throws Refusal when they may not
 */
export async function tablesToReplace(
  client: pg.Client,
  known: readonly Migration[],
  replace: boolean,
): Promise<string[]> {
  const existing = (await readTables(client)).map(({ name }) => name);
  const ours = tablesOf(known);
  const knownNames = new Set(known.map(({ name }) => name));
  const newer = (await readApplied(client)).filter(({ name }) => !knownNames.has(name)).map(({ name }) => name);
  // Without its migrations, a newer release's tables can't be told from others.
  const replaced = newer.length > 0 ? existing : existing.filter((name) => ours.has(name));
  if (replace) return replaced;
  if (newer.length > 0) {
    throw new Refusal(
      `The database belongs to a newer release (migration ${newer.join(", ")}). Restore into an empty database, or replace all of its tables with --force: ${existing.join(", ")}.`,
    );
  }
  const filled = (await tablesWithRows(client)).filter((name) => ours.has(name));
  if (filled.length > 0) {
    throw new Refusal(
      `The database holds data (${await describeData(client, filled)}). Restore into an empty database, or replace its data with --force.`,
    );
  }
  return replaced;
}

async function describeData(client: pg.Client, filled: readonly string[]): Promise<string> {
  if (!(await tableExists(client, "shop"))) return filled.join(", ");
  const { rows } = await client.query<{ shops: number }>("SELECT count(*)::int AS shops FROM shop");
  const shops = rows[0]?.shops ?? 0;
  return shops > 0 ? `${shops} ${shops === 1 ? "shop" : "shops"}` : filled.join(", ");
}

/** What to do about errors of PostgreSQL that an operator can solve, by SQLSTATE. */
const SOLUTIONS: Readonly<Record<string, string>> = {
  "2BP01": "Drop what depends on the service's tables, and restore again.",
  "42501": "Restore as the role that owns the service's tables and may create schemas in the database.",
  "53100": "Make room on the disk of PostgreSQL, and restore again.",
  "55P03": "End the session that holds the lock, and restore again.",
};

/** Turns an error of PostgreSQL that an operator can solve into a Refusal. The database is as before. */
export function explainRestoreError(error: unknown): unknown {
  const solution = SOLUTIONS[errorCode(error)];
  if (solution === undefined || !(error instanceof Error)) return error;
  const detail = "detail" in error && typeof error.detail === "string" ? ` (${error.detail})` : "";
  return new Refusal(`PostgreSQL refuses the restore: ${error.message}${detail}. ${solution}`);
}
