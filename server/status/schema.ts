import { readdir } from "node:fs/promises";
import { executeSql } from "../../app/platform/database/database.server.ts";
import { SCHEMA } from "../migrations.ts";

/** How the migrations of the database compare with those of this release. */
export interface SchemaState {
  applied: number;
  /** of this release, not applied */
  missing: string[];
  /** applied, not of this release: a newer release has migrated the database */
  unknown: string[];
  /** started and not finished */
  failed: string[];
}

/** Compares the migrations without applying any. */
export async function readSchemaState(): Promise<SchemaState> {
  const entries = await readdir(SCHEMA.migrations, { withFileTypes: true });
  const own = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const { rows: tables } = await executeSql("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (tables[0]?.["exists"] !== true) return { applied: 0, missing: own.sort(), unknown: [], failed: [] };
  const { rows } = await executeSql(
    "SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const found = new Map(rows.map((row) => [String(row["name"]), row["finished"] === true]));
  return {
    applied: found.size,
    missing: own.filter((name) => !found.has(name)).sort(),
    unknown: [...found.keys()].filter((name) => !own.includes(name)).sort(),
    failed: [...found].filter(([, finished]) => !finished).map(([name]) => name),
  };
}
