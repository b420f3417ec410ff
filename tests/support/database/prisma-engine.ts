import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
// Prisma's engine behind `prisma migrate`, which shows what it would do with this schema and these migrations.
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { z } from "zod";

const require = createRequire(import.meta.url);
const callable = z.custom<(factory: object) => object>((value) => typeof value === "function");
const NO_FILTER = { externalTables: [], externalEnums: [] };

let loaded: Promise<void> | undefined;

// The package's entry imports the .wasm file as a module, which needs a bundler.
async function load(): Promise<void> {
  const glue = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const { instance } = await WebAssembly.instantiate(await readFile(glue.replace(/\.js$/, ".wasm")), {
    "./schema_engine_bg.js": { ...engine },
  });
  engine.__wbg_set_wasm(instance.exports);
  z.object({ __wbindgen_start: z.custom<() => void>() }).parse(instance.exports).__wbindgen_start();
}

/** The engine calls the adapter through a wrapper that turns exceptions into values. */
async function bind(adapter: object): Promise<object> {
  const location = createRequire(require.resolve("@prisma/adapter-pg")).resolve("@prisma/driver-adapter-utils");
  const utils = z.object({ bindMigrationAwareSqlAdapterFactory: callable }).parse(await import(location));
  return utils.bindMigrationAwareSqlAdapterFactory(adapter);
}

async function withEngine<T>(databaseUrl: string, use: (prisma: engine.SchemaEngine) => Promise<T>): Promise<T> {
  await (loaded ??= load());
  // An own pool, because the engine leaves its connections open with their advisory lock.
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    const adapter = await bind(new PrismaPg(pool));
    return await use(await engine.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter));
  } finally {
    await pool.end();
  }
}

/**
 * Returns the SQL that creates the tables of a Prisma schema.
 * @param databaseUrl any database, because the engine requires one
 */
export function sqlOfSchema(databaseUrl: string, schema: string): Promise<string> {
  return withEngine(databaseUrl, async (prisma) => {
    const { stdout } = await prisma.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: schema }] },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return stdout ?? "";
  });
}

/**
 * Applies migrations like `prisma migrate deploy`. The driver adapter splits at every semicolon, including those in
 * functions and comments, so the migrations must be plain statements.
 * @returns the names of the applied migrations
 */
export async function prismaDeploy(databaseUrl: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { path: name, migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } } };
    }),
  );
  const lockfile = await readFile(path.join(folder, "migration_lock.toml"), "utf8");
  const migrationsList = {
    baseDir: folder,
    lockfile: { path: "./migration_lock.toml", content: lockfile },
    shadowDbInitScript: "",
    migrationDirectories,
  };
  return withEngine(databaseUrl, async (prisma) => {
    const { appliedMigrationNames } = await prisma.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}
