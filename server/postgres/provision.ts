import { randomBytes } from "node:crypto";
import { findBinaries } from "./binaries.ts";
import { createCluster } from "./cluster.ts";
import { canAppConnect, type Address, appUrl, createAppDatabase, ensureAppRole } from "./connection.ts";
import { type DatabaseRecord, readDatabaseRecord, writeDatabaseRecord } from "./data-folder.ts";
import { DatabaseServerError, DataFolderError } from "./errors.ts";
import { otherMajorMessage } from "./other-major.ts";
import { chooseLocation, findCluster, createHome, removeOrphans, systemFolder } from "./cluster-location.ts";
import {
  findFreePort,
  findRunning,
  passwordRefused,
  type Server,
  startServer,
  stopServer,
  waitForServer,
} from "./server.ts";

/** What may differ from the defaults. */
interface Choices {
  settings?: Readonly<Record<string, string>>;
  /** fails instead of creating a cluster */
  existing?: boolean;
  /** folder of another PostgreSQL than the installed one */
  postgres?: string;
}
type Progress = (message: string) => void;

/** A server that accepts connections and has the application's database. */
export interface RunningServer {
  server: Server;
  /** connects to the application's database as the application's role */
  url: string;
  /** connects as the superuser */
  address: Address;
  /** false when it was already running */
  started: boolean;
}

/**
 * Creates, starts or adopts the server of a data folder. Only the folder's owner may call it.
 * @throws DataFolderError, DatabaseServerError; a server that this call started is stopped first
 */
export async function provisionServer(folder: string, choices: Choices, onProgress: Progress): Promise<RunningServer> {
  const { server, record } =
    (await prepareExistingCluster(folder, choices)) ?? (await prepareNewCluster(folder, choices, onProgress));
  const running = await findRunning(server);
  if (running !== undefined) return adoptServer(folder, server, record, running, onProgress);
  let preferredPort: number | undefined = record.port;
  const choosePort = async (): Promise<number> => {
    const port = await findFreePort(preferredPort);
    preferredPort = undefined;
    // Recorded before the start, because commands that wait to join read the port there.
    if (port !== record.port) await writeDatabaseRecord(folder, { ...record, port });
    return port;
  };
  onProgress("Starting the database");
  let port: number;
  try {
    port = await startServer(server, choosePort);
  } catch (error) {
    // An earlier owner was killed while starting the server, and its start completed before this one.
    const adoptable = await findRunning(server);
    if (adoptable === undefined) throw error;
    return adoptServer(folder, server, record, adoptable, onProgress);
  }
  const address = { port, password: record.password };
  try {
    await completeDatabase(server, address, record.appPassword);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  return { server, url: appUrl(port, record.appPassword), address, started: true };
}

function newPassword(): string {
  return randomBytes(24).toString("hex");
}

interface PreparedServer {
  server: Server;
  record: DatabaseRecord;
}

async function prepareExistingCluster(
  folder: string,
  { settings = {}, existing, postgres }: Choices,
): Promise<PreparedServer | undefined> {
  const recorded = await readDatabaseRecord(folder);
  const found = await findCluster(folder, recorded);
  if (!found && existing === true) {
    throw new DataFolderError(
      `The database ${recorded?.cluster ?? folder} is missing; move it back, or set DATA_DIR to another folder`,
    );
  }
  if (!found) return undefined;
  const { location, record, major } = found;
  const binaries = await findBinaries(location.user, systemFolder, postgres);
  if (major !== binaries.major) throw new DataFolderError(otherMajorMessage(location.cluster, major, binaries.major));
  rejectUnquotablePaths(location.cluster, binaries.home);
  return { server: { ...location, binaries, password: record.password, settings }, record };
}

async function prepareNewCluster(
  folder: string,
  { settings = {}, postgres }: Choices,
  onProgress: Progress,
): Promise<PreparedServer> {
  const location = await chooseLocation(folder, systemFolder);
  const binaries = await findBinaries(location.user, systemFolder, postgres);
  rejectUnquotablePaths(location.cluster, binaries.home);
  const record: DatabaseRecord = {
    cluster: location.cluster,
    port: await findFreePort(),
    password: newPassword(),
    appPassword: newPassword(),
    version: binaries.major,
    binaries: binaries.home,
  };
  onProgress("Creating the database");
  // The record comes first: a cluster without a record that points to it counts as an orphan.
  await writeDatabaseRecord(folder, record);
  await createHome(folder, location.cluster);
  await removeOrphans(systemFolder);
  await createCluster(location, binaries, record.password, settings["fsync"] !== "off");
  return { server: { ...location, binaries, password: record.password, settings }, record };
}

// initdb and pg_ctl pass these paths to a shell in double quotes.
function rejectUnquotablePaths(...paths: readonly string[]): void {
  const unquotable = paths.find((path) => /["$`\\\n]/.test(path));
  if (unquotable === undefined) return;
  throw new DataFolderError(`PostgreSQL cannot run in ${unquotable}; choose a path without the characters " $ \` \\`);
}

async function adoptServer(
  folder: string,
  server: Server,
  record: DatabaseRecord,
  port: number,
  onProgress: Progress,
): Promise<RunningServer> {
  onProgress("Using the database server that is already running");
  await writeDatabaseRecord(folder, { ...record, port });
  const address = { port, password: record.password };
  await completeDatabase(server, address, record.appPassword);
  return { server, url: appUrl(port, record.appPassword), address, started: false };
}

async function completeDatabase({ cluster }: Server, address: Address, appPassword: string): Promise<void> {
  const state = await waitForServer(address, cluster);
  if (state === "no database") await createAppDatabase(address);
  if (state === "refused") throw passwordRefused(cluster);
  if (state === "other cluster") {
    throw new DatabaseServerError(
      `Port ${address.port} has another server than PostgreSQL in ${cluster}; stop that server, or start again`,
    );
  }
  if (state === "unreachable") {
    throw new DatabaseServerError(`PostgreSQL in ${cluster} does not respond on port ${address.port}`);
  }
  if (!(await canAppConnect(address.port, appPassword))) await ensureAppRole(address, appPassword);
}
