import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DatabaseRecord, readDatabaseRecord, sameFolder } from "./data-folder.ts";
import { DataFolderError, errorCode } from "./errors.ts";
import { findPostmaster } from "./postmaster.ts";
import { run, type SystemUser } from "./program.ts";
import { closedPath, databaseUser, isRoot, letPass, makeSystemFolder, ownerOf } from "./system-user.ts";

/** Where root's clusters and copies of PostgreSQL live when the data folder or the clone is closed to other users. */
export const systemFolder = "/var/lib/wishlist-headless";

// In each cluster's home under the system folder: the path of the data folder that it belongs to.
const claimFile = "data-folder";

/** Where a data folder's cluster is, or is to be made, and whom its server runs as (undefined: as ourselves). */
export interface Place {
  cluster: string;
  user: SystemUser | undefined;
}

/** A cluster that exists. */
export interface FoundCluster {
  place: Place;
  record: DatabaseRecord;
  /** the major version of the PostgreSQL that made it */
  major: string;
}

/**
 * Finds the data folder's cluster.
 * @param record the data folder's, when it has one
 * @returns undefined when there is none yet
 * @throws DataFolderError when there is one that cannot be used
 */
export async function findCluster(
  folder: string,
  record: DatabaseRecord | undefined,
): Promise<FoundCluster | undefined> {
  const cluster = record?.cluster ?? join(folder, "postgres");
  const major = await readFile(join(cluster, "PG_VERSION"), "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new DataFolderError(`${cluster} cannot be read (${errorCode(error)}); start as the user who owns it`);
  });
  if (major === undefined) return undefined;
  if (!record) {
    throw new DataFolderError(
      `${folder}/postgres.json, which holds the password of the database in ${cluster}, is missing; restore it, or delete ${cluster} to start with an empty database`,
    );
  }
  await claim(folder, cluster);
  const user = isRoot() ? await clusterUser(folder, cluster) : undefined;
  return { place: { cluster, user }, record, major: major.trim() };
}

// A data folder may have been moved, and its cluster goes with it; a copy must not run the original's cluster.
async function claim(folder: string, cluster: string): Promise<void> {
  const claimPath = join(dirname(cluster), claimFile);
  const claimant = await readFile(claimPath, "utf8").catch(() => undefined);
  if (claimant === undefined || claimant === folder) return;
  if ((await pointsAt(claimant, cluster)) && !(await sameFolder(claimant, folder))) {
    throw new DataFolderError(
      `The data folder ${folder} is a copy of ${claimant}, which still uses the database in ${cluster}; delete ${folder}/postgres.json to start with an empty database`,
    );
  }
  await writeFile(claimPath, folder);
}

async function clusterUser(folder: string, cluster: string): Promise<SystemUser> {
  let user = await ownerOf(cluster);
  if (!user) {
    // Restored from a copy that root made.
    user = await databaseUser();
    await run("chown", ["-R", `${user.uid}:${user.gid}`, cluster]);
  }
  await letPass(user, folder);
  const closed = await closedPath(user, cluster, 7);
  if (closed === undefined) return user;
  throw new DataFolderError(
    `${closed} is closed to user ${user.name}, as whom PostgreSQL runs the database in ${cluster}; open it with chmod o+x, or move the data folder`,
  );
}

/** Chooses where a new cluster goes: into the data folder, or, where that is closed to root's database user, elsewhere. */
export async function choosePlace(folder: string, elsewhere: string): Promise<Place> {
  const inside = join(folder, "postgres");
  if (!isRoot()) return { cluster: inside, user: undefined };
  const user = await databaseUser();
  await letPass(user, folder);
  if ((await closedPath(user, folder, 1)) === undefined) return { cluster: inside, user };
  return { cluster: join(elsewhere, randomBytes(8).toString("hex"), "cluster"), user };
}

/** Makes the home of a cluster that lives outside the data folder, once the data folder's record points there. */
export async function makeHome(folder: string, cluster: string): Promise<void> {
  const home = dirname(cluster);
  if (home === folder) return;
  await makeSystemFolder(dirname(home));
  await makeSystemFolder(home);
  await writeFile(join(home, claimFile), folder);
}

/** Milliseconds for which a cluster without a data folder is kept: the folder may have been moved, and come back with it. */
const GRACE = 30 * 24 * 60 * 60 * 1000;

/**
 * Removes the clusters under `elsewhere` whose data folder is gone or points to another cluster, whose server is not
 * running, and which nobody has used for `grace` milliseconds. Where there is doubt, a cluster stays.
 */
export async function removeOrphans(elsewhere: string, grace = GRACE): Promise<void> {
  for (const name of await readdir(elsewhere).catch(() => [])) {
    const home = join(elsewhere, name);
    const claimant = await readFile(join(home, claimFile), "utf8").catch(() => undefined);
    if (claimant === undefined) continue;
    const cluster = join(home, "cluster");
    if (await pointsAt(claimant, cluster)) continue;
    if (await findPostmaster(cluster)) continue;
    // A server leaves its mark here when it starts and when it stops.
    const lastUsed = await stat(cluster).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Date.now() - lastUsed < grace) continue;
    await rm(home, { recursive: true, force: true });
  }
}

async function pointsAt(folder: string, cluster: string): Promise<boolean> {
  try {
    const record = await readDatabaseRecord(folder);
    return record?.cluster === cluster;
  } catch {
    return true;
  }
}
