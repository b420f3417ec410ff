import { appendFile, chown, mkdtemp, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { databaseName } from "./connection.ts";
import { complaintIn, DatabaseServerError, DataFolderError, errorCode } from "./errors.ts";
import type { Place } from "./place.ts";
import { run } from "./program.ts";
import { settingsFile } from "./settings.ts";

const draftMark = ".init-";

/**
 * Makes a cluster whose superuser has this password: UTF-8, and an order of texts that is the same on every machine.
 * It appears at its place whole or not at all; what a start that was killed halfway has left is removed.
 * @param durable false spares the wait for the disk, for a cluster that may be lost
 * @throws DatabaseServerError, with what initdb wrote
 */
export async function createCluster(
  { cluster, user }: Place,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> {
  const home = dirname(cluster);
  await removeDrafts(cluster);
  const draft = await mkdtemp(`${cluster}${draftMark}`);
  try {
    const passwordFile = join(draft, "password");
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user) for (const path of [passwordFile, draft]) await chown(path, user.uid, user.gid);
    const made = join(draft, "cluster");
    const { code, signal, output } = await run(
      binaries.initdb,
      [
        `--pgdata=${made}`,
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
    if (code !== 0) throw failure(cluster, signal, output);
    await appendFile(join(made, "postgresql.conf"), `\ninclude_if_exists = '${settingsFile}'\n`);
    await moveInto(made, cluster);
    const folder = await open(home);
    await folder.sync().finally(() => folder.close());
  } finally {
    await removeFolder(draft);
  }
}

async function moveInto(made: string, cluster: string): Promise<void> {
  try {
    await rename(made, cluster);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY" && errorCode(error) !== "ENOTDIR") throw error;
    throw new DataFolderError(
      `${cluster} holds something that is no database; move it away, or choose another with DATA_DIR`,
    );
  }
}

function failure(cluster: string, signal: NodeJS.Signals | null, output: string): DatabaseServerError {
  if (signal ?? output.includes("caught signal")) {
    return new DatabaseServerError(`The making of the database ${cluster} was interrupted`, output);
  }
  return new DatabaseServerError(
    `PostgreSQL could not make the database ${cluster}: ${complaintIn(output) ?? "initdb failed"}`,
    output,
  );
}

async function removeDrafts(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}${draftMark}`;
  for (const name of await readdir(dirname(cluster))) {
    if (name.startsWith(prefix)) await removeFolder(join(dirname(cluster), name));
  }
}

// The initdb of a start that was killed may still be writing into its draft; it gives up when its files go.
async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
