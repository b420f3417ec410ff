import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DatabaseRecord, readDatabaseRecord, isSameFolder } from "./data-folder.ts";
import { DataFolderError, errorCode } from "./errors.ts";
import { findPostmaster } from "./postmaster.ts";
import { run, type SystemUser } from "./program.ts";
import {
  findInaccessiblePath,
  databaseUser,
  isRoot,
  grantTraversal,
  makeSystemFolder,
  ownerOf,
} from "./system-user.ts";

/** Folder for root's clusters and copies of PostgreSQL when the data folder or the clone is inaccessible to other users. */
export const systemFolder = "/var/lib/wishlist-headless";

// File beside each cluster under the system folder, with the path of the data folder that owns the cluster.
const claimFile = "data-folder";

/** Path of an existing or future cluster, and the user that runs its server (undefined: the user of this process). */
export interface ClusterLocation {
  cluster: string;
  user: SystemUser | undefined;
}

/** An existing cluster. */
export interface FoundCluster {
  location: ClusterLocation;
  record: DatabaseRecord;
  /** the major version of the PostgreSQL that created it */
  major: string;
}

/**
 * Finds the data folder's cluster.
 * @param record the data folder's record, if it has one
 * @returns undefined when the cluster does not exist yet
 * @throws DataFolderError when the cluster cannot be used
 */
export async function findCluster(
  folder: string,
  record: DatabaseRecord | undefined,
): Promise<FoundCluster | undefined> {
  const cluster = record?.cluster ?? join(folder, "postgres");
  const major = await readFile(join(cluster, "PG_VERSION"), "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new DataFolderError(`${cluster} cannot be read (${errorCode(error)}); start as its owner`);
  });
  if (major === undefined) return undefined;
  if (!record) {
    throw new DataFolderError(
      `${folder}/postgres.json, which holds the password of the database in ${cluster}, is missing; restore it, or delete ${cluster} to start with an empty database`,
    );
  }
  await claimCluster(folder, cluster);
  const user = isRoot() ? await clusterUser(folder, cluster) : undefined;
  return { location: { cluster, user }, record, major: major.trim() };
}

// A moved data folder keeps its cluster; a copied data folder must not run the cluster of the original.
async function claimCluster(folder: string, cluster: string): Promise<void> {
  const claimPath = join(dirname(cluster), claimFile);
  const claimant = await readFile(claimPath, "utf8").catch(() => undefined);
  if (claimant === undefined || claimant === folder) return;
  if ((await recordPointsTo(claimant, cluster)) && !(await isSameFolder(claimant, folder))) {
    throw new DataFolderError(
      `The data folder ${folder} is a copy of ${claimant}, which still uses the database in ${cluster}; delete ${folder}/postgres.json to start with an empty database`,
    );
  }
  await writeFile(claimPath, folder);
}

async function clusterUser(folder: string, cluster: string): Promise<SystemUser> {
  let user = await ownerOf(cluster);
  if (!user) {
    // Root owns the cluster when root restored it from a copy.
    user = await databaseUser();
    await run("chown", ["-R", `${user.uid}:${user.gid}`, cluster]);
  }
  await grantTraversal(user, folder);
  const inaccessible = await findInaccessiblePath(user, cluster, 7);
  if (inaccessible === undefined) return user;
  throw new DataFolderError(
    `User ${user.name}, who runs PostgreSQL for ${cluster}, has no access to ${inaccessible}; grant it with chmod o+x, or move the data folder`,
  );
}

/** Chooses the location of a new cluster: the data folder, or `systemRoot` if root's database user has no access to that. */
export async function chooseLocation(folder: string, systemRoot: string): Promise<ClusterLocation> {
  const inside = join(folder, "postgres");
  if (!isRoot()) return { cluster: inside, user: undefined };
  const user = await databaseUser();
  await grantTraversal(user, folder);
  if ((await findInaccessiblePath(user, folder, 1)) === undefined) return { cluster: inside, user };
  return { cluster: join(systemRoot, randomBytes(8).toString("hex"), "cluster"), user };
}

/** Creates the home of a cluster outside the data folder. Call it after the data folder's record points there. */
export async function createHome(folder: string, cluster: string): Promise<void> {
  const home = dirname(cluster);
  if (home === folder) return;
  await makeSystemFolder(dirname(home));
  await makeSystemFolder(home);
  await writeFile(join(home, claimFile), folder);
}

/** A cluster without a data folder is kept for this long, because the data folder may have been moved and may return. */
const ORPHAN_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Removes the clusters under `systemRoot` whose data folder is gone or points to another cluster, whose server is not
 * running, and which were last used more than `retentionMs` ago. In doubt a cluster is kept.
 */
export async function removeOrphans(systemRoot: string, retentionMs = ORPHAN_RETENTION_MS): Promise<void> {
  for (const name of await readdir(systemRoot).catch(() => [])) {
    const home = join(systemRoot, name);
    const claimant = await readFile(join(home, claimFile), "utf8").catch(() => undefined);
    if (claimant === undefined) continue;
    const cluster = join(home, "cluster");
    if (await recordPointsTo(claimant, cluster)) continue;
    // A cluster of another user may be unreadable.
    const mayRun = await findPostmaster(cluster).then(Boolean, () => true);
    if (mayRun) continue;
    // Starting and stopping a server changes the folder's modification time.
    const lastUsed = await stat(cluster).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Date.now() - lastUsed < retentionMs) continue;
    await rm(home, { recursive: true, force: true });
  }
}

async function recordPointsTo(folder: string, cluster: string): Promise<boolean> {
  try {
    const record = await readDatabaseRecord(folder);
    return record?.cluster === cluster;
  } catch {
    return true;
  }
}
