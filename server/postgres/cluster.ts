import { appendFile, chown, mkdtemp, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { databaseName } from "./connection.ts";
import { findFailureLine, DatabaseServerError, DataFolderError, errorCode } from "./errors.ts";
import type { ClusterLocation } from "./cluster-location.ts";
import { run } from "./program.ts";
import { settingsFile } from "./settings.ts";

const draftInfix = ".init-";

/**
 * Creates a cluster whose superuser has this password, in UTF-8 and with a collation that is the same on every machine.
 * The cluster is moved to its location when it is complete. Drafts of starts that were killed are removed.
 * @param durable false skips syncing to disk, for a cluster that may be lost
 * @throws DatabaseServerError with the output of initdb
 */
export async function createCluster(
  { cluster, user }: ClusterLocation,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> {
  const home = dirname(cluster);
  await removeDrafts(cluster);
  const draft = await mkdtemp(`${cluster}${draftInfix}`);
  try {
    const passwordFile = join(draft, "password");
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user) for (const path of [passwordFile, draft]) await chown(path, user.uid, user.gid);
    const newCluster = join(draft, "cluster");
    const { code, signal, output } = await run(
      binaries.initdb,
      [
        `--pgdata=${newCluster}`,
        `--username=${databaseName}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        ...(durable ? [] : ["--no-sync"]),
      ],
      user,
    );
    if (code !== 0) throw initdbError(cluster, signal, output);
    await appendFile(join(newCluster, "postgresql.conf"), `\ninclude_if_exists = '${settingsFile}'\n`);
    await moveIntoPlace(newCluster, cluster);
    const folder = await open(home);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } finally {
    await removeFolder(draft);
  }
}

async function moveIntoPlace(newCluster: string, cluster: string): Promise<void> {
  try {
    await rename(newCluster, cluster);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY" && errorCode(error) !== "ENOTDIR") throw error;
    throw new DataFolderError(
      `${cluster} exists but is not a database; move it away, or set DATA_DIR to another folder`,
    );
  }
}

/** What initdb writes when a signal ends it, and when the signal reaches the PostgreSQL in it first: between statements, and in one. */
const INTERRUPTED = [
  "caught signal",
  "child process was terminated by signal",
  "canceling statement due to user request",
];

function initdbError(cluster: string, signal: NodeJS.Signals | null, output: string): DatabaseServerError {
  if (signal ?? INTERRUPTED.some((text) => output.includes(text))) {
    return new DatabaseServerError(`Creating the database ${cluster} was interrupted`, output);
  }
  return new DatabaseServerError(
    `PostgreSQL could not create the database ${cluster}: ${findFailureLine(output) ?? "initdb failed"}`,
    output,
  );
}

async function removeDrafts(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}${draftInfix}`;
  for (const name of await readdir(dirname(cluster))) {
    if (name.startsWith(prefix)) await removeFolder(join(dirname(cluster), name));
  }
}

// Retries, because the initdb of a start that was killed may still write into its draft until its files are gone.
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
