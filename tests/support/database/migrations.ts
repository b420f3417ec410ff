import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SchemaFolders } from "../../../app/platform/database/migrations.server.ts";

/** A folder like `prisma/` with migrations and SQL functions of a test. */
export interface SchemaFixture extends SchemaFolders {
  writeMigration: (name: string, sql: string) => Promise<void>;
  writeFunction: (name: string, sql: string) => Promise<void>;
  removeFunction: (name: string) => Promise<void>;
  dispose: () => Promise<void>;
}

/** Creates a schema folder in the temporary folder. Both records are by name, without `.sql`. */
export async function schemaFixture(
  migrations: Record<string, string> = {},
  functions: Record<string, string> = {},
): Promise<SchemaFixture> {
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-schema-"));
  const fixture: SchemaFixture = {
    migrations: path.join(folder, "migrations"),
    functions: path.join(folder, "functions"),
    async writeMigration(name, sql) {
      await mkdir(path.join(fixture.migrations, name), { recursive: true });
      await writeFile(path.join(fixture.migrations, name, "migration.sql"), sql);
    },
    writeFunction: (name, sql) => writeFile(path.join(fixture.functions, `${name}.sql`), sql),
    removeFunction: (name) => rm(path.join(fixture.functions, `${name}.sql`)),
    dispose: () => rm(folder, { recursive: true }),
  };
  await mkdir(fixture.migrations);
  await mkdir(fixture.functions);
  await writeFile(path.join(fixture.migrations, "migration_lock.toml"), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(migrations)) await fixture.writeMigration(name, sql);
  for (const [name, sql] of Object.entries(functions)) await fixture.writeFunction(name, sql);
  return fixture;
}

/** Returns the error of a promise that must reject. */
export async function failure(of: Promise<unknown>): Promise<Error> {
  const error: unknown = await of.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error("it should have failed");
}
