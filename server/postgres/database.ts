import { bringUp } from "./bring-up.ts";
import { acceptsApp, appUrl, ask, databaseUrl } from "./connection.ts";
import { prepareDataFolder, readDatabaseRecord } from "./data-folder.ts";
import { stopServer } from "./server.ts";
import { awaitTurn } from "./turn.ts";

export { DatabaseServerError, DataFolderError, DataFolderInUseError } from "./errors.ts";

export interface OpenDatabase {
  /** `postgres://` URL of the application's database on 127.0.0.1 for its owner, password included. */
  url: string;
  /** The same for the superuser: for maintenance and tests, not for the application. */
  adminUrl: string;
  /** Did this call start the server, as opposed to adopting or joining a running one? */
  started: boolean;
  /**
   * Lets go of the database: a server stops PostgreSQL and frees the data folder, a command stops only what it started,
   * and a command that joined a server does nothing. Idempotent. To be called last, when no connection is needed any more.
   */
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** Made when absent; relative paths count from the working folder. */
  dataDir: string;
  /** "server": owns the data folder as long as it runs. "command": short; works beside a server, or on its own. */
  role: "server" | "command";
  /** What others are told who holds the data folder: "demo", "wishlist keys create". */
  label: string;
  /** PostgreSQL settings over the defaults, such as `{ fsync: "off" }` for a cluster that may be lost. */
  settings?: Readonly<Record<string, string>>;
  /** Told, in one line each, of steps that take their time. */
  onProgress?: (message: string) => void;
}

/**
 * Opens the embedded PostgreSQL of a data folder: makes it the first time, starts it, or goes on with one that is running.
 * At most one process owns a data folder; see `role`.
 * @throws DataFolderInUseError when another process owns it and does not let go
 * @throws DataFolderError when the folder cannot be used
 * @throws DatabaseServerError when PostgreSQL cannot be run; its `log` has the details
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { role, label, onProgress = () => undefined } = options;
  const folder = await prepareDataFolder(options.dataDir);
  const turn = await awaitTurn({ folder, role, label, onProgress, join: () => joinRunning(folder) });
  if ("joined" in turn) return { ...turn.joined, started: false, close: () => Promise.resolve() };
  const { lock } = turn;
  try {
    const { server, url, address, started } = await bringUp(folder, options.settings ?? {}, onProgress);
    const stops = role === "server" || started;
    const close = async (): Promise<void> => {
      try {
        if (stops) await stopServer(server);
      } finally {
        await lock.release();
      }
    };
    let closing: Promise<void> | undefined;
    return { url, adminUrl: databaseUrl(address), started, close: () => (closing ??= close()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

// The owner may be anywhere between making its first cluster and stopping the server for good.
async function joinRunning(folder: string): Promise<Pick<OpenDatabase, "url" | "adminUrl"> | undefined> {
  const record = await readDatabaseRecord(folder);
  if (!record || (await ask(record, record.cluster)) !== "ready") return undefined;
  const { port, appPassword } = record;
  const adminUrl = databaseUrl(record);
  // A server of a version that had no role for the application.
  if (appPassword === undefined) return { url: adminUrl, adminUrl };
  return (await acceptsApp(port, appPassword)) ? { url: appUrl(port, appPassword), adminUrl } : undefined;
}
