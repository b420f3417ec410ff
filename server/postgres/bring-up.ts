import { randomBytes } from "node:crypto";
import { findBinaries } from "./binaries.ts";
import { createCluster } from "./cluster.ts";
import { acceptsApp, type Address, appUrl, ask, makeDatabase, provideAppRole } from "./connection.ts";
import { type DatabaseRecord, readDatabaseRecord, writeDatabaseRecord } from "./data-folder.ts";
import { DatabaseServerError, DataFolderError } from "./errors.ts";
import { choosePlace, findCluster, makeHome, removeOrphans, systemFolder } from "./place.ts";
import { findFreePort, findRunning, type Server, startServer, stopServer } from "./server.ts";

type Settings = Readonly<Record<string, string>>;
type Progress = (message: string) => void;

/** A server that answers, with the application's database in it. */
export interface RunningServer {
  server: Server;
  /** the application's database for the application, and for the superuser */
  url: string;
  address: Address;
  /** false when it was running already */
  started: boolean;
}

/**
 * Makes, starts or adopts the server of a data folder. Only the folder's owner may call it.
 * @throws DataFolderError, DatabaseServerError; nothing that it started is left running then
 */
export async function bringUp(folder: string, settings: Settings, onProgress: Progress): Promise<RunningServer> {
  const { server, ...prepared } =
    (await useCluster(folder, settings)) ?? (await makeCluster(folder, settings, onProgress));
  const record = { ...prepared.record, appPassword: prepared.record.appPassword ?? newPassword() };
  if (record.appPassword !== prepared.record.appPassword) await writeDatabaseRecord(folder, record);
  const running = await findRunning(server);
  if (running !== undefined) return adopt(folder, server, record, running, onProgress);
  let wanted: number | undefined = record.port;
  const choosePort = async (): Promise<number> => {
    const port = await findFreePort(wanted);
    wanted = undefined;
    // Before the start: whoever waits to join looks there.
    if (port !== record.port) await writeDatabaseRecord(folder, { ...record, port });
    return port;
  };
  onProgress("Starting the database");
  let port: number;
  try {
    port = await startServer(server, choosePort);
  } catch (error) {
    // An earlier owner was killed while it was starting the server, and that start came first.
    const other = await findRunning(server);
    if (other === undefined) throw error;
    return adopt(folder, server, record, other, onProgress);
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

interface Prepared {
  server: Server;
  record: DatabaseRecord;
}

async function useCluster(folder: string, settings: Settings): Promise<Prepared | undefined> {
  const found = await findCluster(folder, await readDatabaseRecord(folder));
  if (!found) return undefined;
  const { place, record, major } = found;
  const binaries = await findBinaries(place.user, systemFolder);
  if (major !== binaries.major) {
    throw new DataFolderError(
      `The database in ${place.cluster} was made by PostgreSQL ${major} and cannot be run by PostgreSQL ${binaries.major}; bring its content over with pg_dump, or choose another data folder`,
    );
  }
  refuseAwkwardPaths(place.cluster, binaries.home);
  return { server: { ...place, binaries, password: record.password, settings }, record };
}

async function makeCluster(folder: string, settings: Settings, onProgress: Progress): Promise<Prepared> {
  const place = await choosePlace(folder, systemFolder);
  const binaries = await findBinaries(place.user, systemFolder);
  refuseAwkwardPaths(place.cluster, binaries.home);
  const record: DatabaseRecord = {
    cluster: place.cluster,
    port: await findFreePort(),
    password: newPassword(),
    version: binaries.major,
    binaries: binaries.home,
  };
  onProgress("Making the database");
  // First the record: a cluster that no record points to counts as an orphan.
  await writeDatabaseRecord(folder, record);
  await makeHome(folder, place.cluster);
  await removeOrphans(systemFolder);
  await createCluster(place, binaries, record.password, settings["fsync"] !== "off");
  return { server: { ...place, binaries, password: record.password, settings }, record };
}

// initdb and pg_ctl hand these paths to a shell in double quotes.
function refuseAwkwardPaths(...paths: readonly string[]): void {
  const awkward = paths.find((path) => /["$`\\\n]/.test(path));
  if (awkward === undefined) return;
  throw new DataFolderError(`PostgreSQL cannot run in ${awkward}; choose a path without " $ \` \\ in it`);
}

async function adopt(
  folder: string,
  server: Server,
  record: DatabaseRecord & { appPassword: string },
  port: number,
  onProgress: Progress,
): Promise<RunningServer> {
  onProgress("The database is running already; going on with it");
  await writeDatabaseRecord(folder, { ...record, port });
  const address = { port, password: record.password };
  await completeDatabase(server, address, record.appPassword);
  return { server, url: appUrl(port, record.appPassword), address, started: false };
}

async function completeDatabase({ cluster }: Server, address: Address, appPassword: string): Promise<void> {
  const answer = await ask(address, cluster);
  if (answer === "no database") await makeDatabase(address);
  if (answer === "no") {
    throw new DatabaseServerError(
      `PostgreSQL in ${cluster} does not accept the password in postgres.json, or does not answer on port ${address.port}`,
    );
  }
  if (!(await acceptsApp(address.port, appPassword))) await provideAppRole(address, appPassword);
}
