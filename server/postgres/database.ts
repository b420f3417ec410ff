import { provisionServer } from "./provision.ts";
import { canAppConnect, appUrl, checkServer, databaseUrl } from "./connection.ts";
import { prepareDataFolder, readDatabaseRecord, requireDatabase } from "./data-folder.ts";
import { stopServer } from "./server.ts";
import { acquireFolder } from "./acquire-folder.ts";

export { DatabaseServerError, DataFolderError, DataFolderInUseError } from "./errors.ts";

export interface OpenDatabase {
  /** URL of the application's database on 127.0.0.1 for the application's role, password included */
  url: string;
  /** the same for the superuser: for maintenance and tests, not for the application */
  adminUrl: string;
  /** true when this call started the server, false when it adopted or joined a running one */
  started: boolean;
  /**
   * Releases the database. A server stops PostgreSQL and releases the data folder, a command stops only a server that it
   * started, and a command that joined a server does nothing. Idempotent. Close all connections first.
   */
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** created when absent; relative to the working folder */
  dataDir: string;
  /** "server" owns the data folder while it runs; "command" is short and works beside a server or alone */
  role: "server" | "command";
  /** names this process in messages of other processes, such as "npm run demo" or "wishlist keys create" */
  label: string;
  /** PostgreSQL settings that override the defaults, such as `{ fsync: "off" }` for a cluster that may be lost */
  settings?: Readonly<Record<string, string>>;
  /** fails for a data folder without a database, instead of creating one */
  existing?: boolean;
  /** folder of another PostgreSQL than the installed one, for a cluster of its major version */
  postgres?: string;
  /** receives one line per slow step */
  onProgress?: (message: string) => void;
  /** called when this process owns the data folder, before it creates or starts anything */
  onOwned?: () => void;
}

/**
 * Opens the embedded PostgreSQL of a data folder: creates it (unless `existing`), starts it, or uses the server that is running.
 * At most one process owns a data folder; see `role`.
 * @throws DataFolderInUseError when another process owns the folder and does not release it in time
 * @throws DataFolderError when the folder cannot be used
 * @throws DatabaseServerError when PostgreSQL cannot be run; its `log` has the details
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { role, label, onProgress = () => undefined } = options;
  if (options.existing === true) await requireDatabase(options.dataDir);
  const folder = await prepareDataFolder(options.dataDir);
  const acquisition = await acquireFolder({ folder, role, label, onProgress, join: () => joinRunning(folder) });
  if ("joined" in acquisition) return { ...acquisition.joined, started: false, close: () => Promise.resolve() };
  const { lock } = acquisition;
  try {
    options.onOwned?.();
    const { server, url, address, started } = await provisionServer(folder, options, onProgress);
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

// Returns undefined at any doubt, because the owner may still be creating its cluster or already be stopping the server.
async function joinRunning(folder: string): Promise<Pick<OpenDatabase, "url" | "adminUrl"> | undefined> {
  const record = await readDatabaseRecord(folder);
  if (!record || (await checkServer(record, record.cluster)) !== "ready") return undefined;
  const { port, appPassword } = record;
  if (!(await canAppConnect(port, appPassword))) return undefined;
  return { url: appUrl(port, appPassword), adminUrl: databaseUrl(record) };
}
