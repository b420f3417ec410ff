import path from "node:path";
import type { Command } from "commander";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { provideSettings } from "../../app/platform/env.server.ts";
import { migrate } from "../../app/platform/migrations.server.ts";
import { openDatabase } from "../postgres/database.ts";
import { MIGRATIONS } from "../serve.ts";

/** A refusal in words for the operator. */
export class Refusal extends Error {}

export interface Output {
  /** printed with --json */
  json: unknown;
  text: string;
}

/** Runs an action on the database: the one of DATABASE_URL, that of a running demo or server, or one that it starts and stops. */
async function withDatabase(label: string, action: () => Promise<Output>): Promise<Output> {
  const settings = provideSettings({ DATABASE_POOL_SIZE: "2" });
  const embedded =
    settings.databaseUrl === undefined
      ? await openDatabase({ dataDir: path.resolve(settings.dataDir), role: "command", label })
      : undefined;
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  provideSettings({ DATABASE_POOL_SIZE: "2", DATABASE_URL: databaseUrl });
  try {
    await migrate({ databaseUrl, folder: MIGRATIONS });
    return await action();
  } finally {
    await closeDatabase();
    await embedded?.close();
  }
}

/** An action of a command: its result goes to standard output, as JSON or for a person. */
export function runs<Args extends unknown[]>(label: string, action: (...args: Args) => Promise<Output>) {
  return async function (this: Command, ...args: Args): Promise<void> {
    const output = await withDatabase(label, () => action(...args));
    const asJson = this.opts<{ json?: boolean }>().json === true;
    process.stdout.write((asJson ? JSON.stringify(output.json, null, 2) : output.text) + "\n");
  };
}
