import path from "node:path";
import type { Command } from "commander";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { setLogRole } from "../../app/platform/log/log.server.ts";
import { migrate } from "../../app/platform/database/migrations.server.ts";
import { closeOnSignal } from "../fail.ts";
import { SCHEMA } from "../migrations.ts";
import { openDatabase, type OpenDatabase } from "../postgres/database.ts";

export interface Output {
  /** printed with --json */
  json: unknown;
  text: string;
}

// Standard output is for the result only, and a command needs few connections.
const QUIET = { LOG_LEVEL: "silent", DATABASE_POOL_SIZE: "2" };

export interface DatabaseUse {
  /** refuses to use the embedded database of a running demo or server */
  exclusive?: boolean;
  /** refuses a data folder without a database, instead of creating one */
  existing?: boolean;
  /** folder of another PostgreSQL than the installed one, for the embedded database */
  postgres?: string;
}

/**
 * Runs an action on the database: that of DATABASE_URL, that of a running demo or server, or one that it starts and stops. A signal
 * also stops a database that it has started.
 */
export async function withDatabase<T>(
  label: string,
  action: (databaseUrl: string) => Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  const settings = provideSettings(QUIET);
  setLogRole("command");
  const dataDir = path.resolve(settings.dataDir);
  const opening = settings.databaseUrl === undefined ? openEmbedded(dataDir, label, use) : Promise.resolve(undefined);
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
function openEmbedded(dataDir: string, label: string, { exclusive, ...use }: DatabaseUse): Promise<OpenDatabase> {
  const onProgress = (message: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
  };
  const role = exclusive === true ? "server" : "command";
  return openDatabase({ dataDir, role, label, onProgress, ...use });
}

/** Provides the settings of a command that works on this database. */
export function provideDatabaseSettings(databaseUrl: string): void {
  provideSettings({ ...QUIET, DATABASE_URL: databaseUrl });
}

/** Makes a command's action: runs it on a migrated database and prints its result as text or JSON. */
export function databaseCommand<Args extends unknown[]>(label: string, action: (...args: Args) => Promise<Output>) {
  return async function (this: Command, ...args: Args): Promise<void> {
    const output = await withDatabase(`wishlist ${label}`, async (databaseUrl) => {
      provideDatabaseSettings(databaseUrl);
      await migrate({ databaseUrl, ...SCHEMA });
      try {
        return await action(...args);
      } finally {
        await closeDatabase();
      }
    });
    printOutput(this, output);
  };
}

/** Prints a command's result as text, or as JSON with --json. */
export function printOutput(command: Command, output: Output): void {
  const asJson = command.opts<{ json?: boolean }>().json === true;
  command.configureOutput().writeOut?.((asJson ? JSON.stringify(output.json, null, 2) : output.text) + "\n");
}
