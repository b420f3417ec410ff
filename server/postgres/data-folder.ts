import { access, chown, constants, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { DataFolderError, errorLine, unless } from "./errors.ts";
import { isRoot } from "./system-user.ts";

const recordFile = "postgres.json";

const recordShape = z.object({
  /** where the cluster is: relative to the data folder when inside it, so that the folder may be moved or copied */
  cluster: z.string().min(1),
  /** the port it listened on last */
  port: z.int().min(1).max(65535),
  /** the superuser's */
  password: z.string().min(1),
  /** the application's; absent until the first start of a version that has a role for it */
  appPassword: z.string().min(1).optional(),
  /** PostgreSQL's major version, and where the programs were that ran it last */
  version: z.string(),
  binaries: z.string(),
});

/** What `<dataDir>/postgres.json` says of the data folder's database; `cluster` is an absolute path here. */
export type DatabaseRecord = z.infer<typeof recordShape>;

/**
 * Makes the data folder when it is absent, closed to other users.
 * @returns its real path
 * @throws DataFolderError when it cannot be made or written to
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch(unless("EEXIST"));
    if (!(await stat(path)).isDirectory()) throw new DataFolderError("it is not a folder");
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be used (${errorLine(error)}); make it writable, or choose another with DATA_DIR`,
    );
  }
}

/**
 * Reads `<folder>/postgres.json`.
 * @returns undefined when there is none
 * @throws DataFolderError when it cannot be read or is not what this program writes
 */
export async function readDatabaseRecord(folder: string): Promise<DatabaseRecord | undefined> {
  const path = join(folder, recordFile);
  let text: string | undefined;
  try {
    text = await readFile(path, "utf8").catch(unless("ENOENT", "ENOTDIR"));
  } catch (error) {
    throw new DataFolderError(`${path} cannot be read (${errorLine(error)}); start as the user who owns it`);
  }
  if (text === undefined) return undefined;
  try {
    const record = recordShape.parse(JSON.parse(text));
    return { ...record, cluster: resolve(folder, record.cluster) };
  } catch {
    throw new DataFolderError(`${path} is damaged; restore it, or delete ${folder} to start with an empty database`);
  }
}

/** Writes `<folder>/postgres.json`, readable by its owner alone; whoever reads meanwhile sees the old or the new one. */
export async function writeDatabaseRecord(folder: string, record: DatabaseRecord): Promise<void> {
  const inside = relative(folder, record.cluster);
  const cluster = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? record.cluster : inside;
  await writeWhole(folder, recordFile, { ...record, cluster });
}

/**
 * Replaces `<folder>/<name>` by `content` as JSON, whole or not at all, mode 0600. Only the folder's owner process may
 * call it.
 */
export async function writeWhole(folder: string, name: string, content: object): Promise<void> {
  const path = join(folder, name);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToFolderOwner(folder, draft);
  await rename(draft, path);
}

/** Lets the ordinary user who owns `folder` go on using `path` after root made it. */
export async function giveToFolderOwner(folder: string, path: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

/** Are both the same folder, whatever their paths (links, mounts)? False when one of them is absent. */
export async function sameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  try {
    const [a, b] = await Promise.all([stat(one), stat(other)]);
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
