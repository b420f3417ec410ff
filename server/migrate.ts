import path from "node:path";
import { provideSettings } from "../app/platform/env.server.ts";
import { migrate } from "../app/platform/migrations.server.ts";
import { fail } from "./fail.ts";
import { openDatabase } from "./postgres/database.ts";
import { MIGRATIONS } from "./serve.ts";

/** `npm run db:migrate`: brings the database up to date without starting the service. A start does the same by itself. */
try {
  const env = provideSettings({});
  const embedded =
    env.databaseUrl === undefined
      ? await openDatabase({ dataDir: path.resolve(env.dataDir), role: "command", label: "npm run db:migrate" })
      : undefined;
  try {
    const applied = await migrate({ databaseUrl: env.databaseUrl ?? embedded?.url ?? "", folder: MIGRATIONS });
    process.stdout.write(
      applied.length === 0
        ? "The database is up to date.\n"
        : `Applied:\n${applied.map((name) => `  ${name}\n`).join("")}`,
    );
  } finally {
    await embedded?.close();
  }
} catch (error) {
  fail(error);
}
