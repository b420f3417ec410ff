import { migrate } from "../app/platform/migrations.server.ts";
import { withDatabase } from "./commands/run.ts";
import { fail } from "./fail.ts";
import { MIGRATIONS } from "./migrations.ts";

/** `npm run db:migrate`: brings the database up to date without starting the service. A start does the same by itself. */
try {
  const applied = await withDatabase("npm run db:migrate", (databaseUrl) =>
    migrate({ databaseUrl, folder: MIGRATIONS }),
  );
  process.stdout.write(
    applied.length === 0
      ? "The database is up to date.\n"
      : `Applied:\n${applied.map((name) => `  ${name}\n`).join("")}`,
  );
} catch (error) {
  await fail(error);
}
