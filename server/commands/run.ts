import path from "node:path";
import type { Command } from "commander";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { provideSettings } from "../../app/platform/env.server.ts";
import { migrate } from "../../app/platform/migrations.server.ts";
import { closeOnSignal } from "../fail.ts";
import { SCHEMA } from "../migrations.ts";
import { openDatabase, type OpenDatabase } from "../postgres/database.ts";

/** The beginning of every command line, for messages. */
export const PROGRAM = "npm run -s wishlist --";

/** An expected failure with a message for the operator. */
export class Refusal extends Error {}

export interface Output {
  /** printed with --json */
  json: unknown;
  text: string;
}

// Standard output is for the result only, and a command needs few connections.
const QUIET = { LOG_LEVEL: "silent", DATABASE_POOL_SIZE: "2" };

/**
 * Runs an action on the database: that of DATABASE_URL, that of a running demo or server, or one that it starts and stops. A signal
 * also stops a database that it has started.
 */
export async function withDatabase<T>(label: string, action: (databaseUrl: string) => Promise<T>): Promise<T> {
  const settings = provideSettings(QUIET);
  const dataDir = path.resolve(settings.dataDir);
  const opening = settings.databaseUrl === undefined ? openEmbedded(dataDir, label) : Promise.resolve(undefined);
  const release = closeOnSignal(dataDir, opening);
  const embedded = await opening;
  try {
    return await action(settings.databaseUrl ?? embedded?.url ?? "");
  } finally {
    await embedded?.close();
    release();
  }
}

/** Opens the embedded database. Reports that it waits for another process on a terminal only, not to scripts. */
function openEmbedded(dataDir: string, label: string): Promise<OpenDatabase> {
  const onProgress = (message: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
  };
  return openDatabase({ dataDir, role: "command", label, onProgress });
}

/** Makes a command's action: runs it on a migrated database and prints its result as text or JSON. */
export function databaseCommand<Args extends unknown[]>(label: string, action: (...args: Args) => Promise<Output>) {
  return async function (this: Command, ...args: Args): Promise<void> {
    const output = await withDatabase(`wishlist ${label}`, async (databaseUrl) => {
      provideSettings({ ...QUIET, DATABASE_URL: databaseUrl });
      await migrate({ databaseUrl, ...SCHEMA });
      try {
        return await action(...args);
      } finally {
        await closeDatabase();
      }
    });
    const asJson = this.opts<{ json?: boolean }>().json === true;
    process.stdout.write((asJson ? JSON.stringify(output.json, null, 2) : output.text) + "\n");
  };
}
