import path from "node:path";
import { Command } from "commander";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { env } from "../../app/platform/process/env.server.ts";
import { problemsOf } from "../status/problems.ts";
import { readStatus } from "../status/read.ts";
import { statusText } from "../status/text.ts";
import { jsonOption } from "./arguments.ts";
import { AttentionNeeded } from "./refusal.ts";
import { printOutput, provideDatabaseSettings, withDatabase } from "./run.ts";

/** Shows the state of the service from its database and Redis. Unlike other commands it does not migrate, so that it never changes what it shows. */
export function statusCommand(): Command {
  return new Command("status")
    .description(
      "show the state of the service: lag, deliveries, jobs, processes; exit code 1 when something needs attention",
    )
    .addOption(jsonOption())
    .action(async function (this: Command) {
      const problems = await withDatabase(
        "wishlist status",
        async (databaseUrl) => {
          const dataDir = env().databaseUrl === undefined ? path.resolve(env().dataDir) : undefined;
          provideDatabaseSettings(databaseUrl);
          try {
            const status = await readStatus({ dataDir, redisUrl: env().redisUrl });
            const found = problemsOf(status);
            printOutput(this, { json: { ...status, problems: found }, text: statusText(status, found) });
            return found;
          } finally {
            await closeDatabase();
          }
        },
        { existing: true },
      );
      if (problems.length > 0) throw new AttentionNeeded();
    });
}
