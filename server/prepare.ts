import path from "node:path";
import { provideEnv, type Env } from "../app/platform/process/env.server.ts";
import { migrate } from "../app/platform/database/migrations.server.ts";
import { closeOnSignal } from "./fail.ts";
import { SCHEMA } from "./migrations.ts";
import { checkPorts } from "./port.ts";
import { openDatabase, type OpenDatabase } from "./postgres/database.ts";
import { checkSealingKeys } from "./sealing-keys.ts";
import { waitForDatabase } from "./wait-for-database.ts";

export interface Prepared {
  defaults: Readonly<Record<string, string>>;
  embedded: OpenDatabase | undefined;
  databaseUrl: string;
  /** Removes the signal handlers. Called when `serve` has installed its own. */
  release: () => void;
}

/** Opens the embedded database of the data folder, unless DATABASE_URL names another database. */
async function provideDatabase(
  { databaseUrl, dataDir }: Env,
  label: string,
  onProgress: (message: string) => void,
  onOwned: () => void,
): Promise<OpenDatabase | undefined> {
  if (databaseUrl === undefined) {
    return openDatabase({ dataDir: path.resolve(dataDir), role: "server", label, onProgress, onOwned });
  }
  onOwned();
  return undefined;
}

/**
 * Prepares a start: reads the settings, opens the database and applies migrations. Until `release` is called, a signal stops the
 * embedded database and ends the process.
 * @param onOwned called when no other process uses the data folder: work that needs no database may begin
 */
export async function prepare(
  label: string,
  defaults: Readonly<Record<string, string>>,
  onProgress: (message: string) => void,
  onOwned: () => void = () => undefined,
): Promise<Prepared> {
  const env = provideEnv(defaults);
  await checkPorts(env);
  const opening = provideDatabase(env, label, onProgress, onOwned);
  const release = closeOnSignal(path.resolve(env.dataDir), opening);
  const embedded = await opening;
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    if (!embedded) await waitForDatabase(url, env.databaseWaitSeconds, onProgress);
    const applied = await migrate({ databaseUrl: url, ...SCHEMA });
    await checkSealingKeys(url);
    const { length } = applied.migrations;
    if (length > 0) onProgress(`Applied ${length} migration${length === 1 ? "" : "s"}`);
    else if (applied.functions.length > 0) onProgress("Updated SQL functions");
  } catch (error) {
    await embedded?.close();
    throw error;
  }
  return { defaults: { ...defaults, DATABASE_URL: url }, embedded, databaseUrl: url, release };
}
