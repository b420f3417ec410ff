import { env } from "../app/platform/process/env.server.ts";
import { migrate } from "../app/platform/database/migrations.server.ts";
import { withDatabase } from "./commands/run.ts";
import { fail } from "./fail.ts";
import { SCHEMA } from "./migrations.ts";
import { waitForDatabase } from "./wait-for-database.ts";

/** `npm run db:migrate`: migrates the database without starting the service. Every start migrates it as well. */
try {
  const { migrations, functions } = await withDatabase("npm run db:migrate", async (databaseUrl) => {
    const { databaseWaitSeconds } = env();
    await waitForDatabase(databaseUrl, databaseWaitSeconds, (message) => process.stderr.write(`${message}\n`));
    return migrate({ databaseUrl, ...SCHEMA });
  });
  const applied = [...migrations, ...functions.map((name) => `functions/${name}.sql`)];
  process.stdout.write(
    applied.length === 0
      ? "The database is up to date.\n"
      : `Applied:\n${applied.map((name) => `  ${name}\n`).join("")}`,
  );
} catch (error) {
  await fail(error);
}
