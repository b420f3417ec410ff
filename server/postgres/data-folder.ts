import { access, chown, constants, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { DataFolderError, errorLine, ignoreCodes } from "./errors.ts";
import { isRoot } from "./system-user.ts";

const recordFile = "postgres.json";

const recordShape = z.object({
  /** path of the cluster, relative if it is inside the data folder, so that the folder can be moved or copied */
  cluster: z.string().min(1),
  /** the port that the server last listened on */
  port: z.int().min(1).max(65535),
  /** the superuser's password */
  password: z.string().min(1),
  /** the password of the application's role */
  appPassword: z.string().min(1),
  /** PostgreSQL's major version */
  version: z.string(),
  /** folder of the programs that last ran the cluster */
  binaries: z.string(),
});

/** The content of `<dataDir>/postgres.json`, with an absolute path in `cluster`. */
export type DatabaseRecord = z.infer<typeof recordShape>;

/**
 * Creates the data folder, private to its owner, unless it exists.
 * @returns its real path
 * @throws DataFolderError when it cannot be created or written to
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch(ignoreCodes("EEXIST"));
    if (!(await stat(path)).isDirectory()) throw new DataFolderError("it is not a folder");
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be used (${errorLine(error)}); make it writable, set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

/**
 * Requires a data folder with a database, without creating anything.
 * @throws DataFolderError when the folder is absent or has no database
 */
export async function requireDatabase(dataDir: string): Promise<void> {
  const path = resolve(dataDir);
  if (await readDatabaseRecord(path)) return;
  throw new DataFolderError(
    `The data folder ${path} has no database (no ${recordFile}); set DATA_DIR to the folder of the service's database, or DATABASE_URL to its PostgreSQL server`,
  );
}

/**
 * Reads `<folder>/postgres.json`.
 * @returns undefined when the file is absent
 * @throws DataFolderError when the file cannot be read or is damaged
 */
export async function readDatabaseRecord(folder: string): Promise<DatabaseRecord | undefined> {
  const path = join(folder, recordFile);
  let text: string | undefined;
  try {
    text = await readFile(path, "utf8").catch(ignoreCodes("ENOENT", "ENOTDIR"));
  } catch (error) {
    throw new DataFolderError(`${path} cannot be read (${errorLine(error)}); start as its owner`);
  }
  if (text === undefined) return undefined;
  try {
    const record = recordShape.parse(JSON.parse(text));
    return { ...record, cluster: resolve(folder, record.cluster) };
  } catch {
    throw new DataFolderError(`${path} is damaged; restore it, or delete ${folder} to start with an empty database`);
  }
}

/** Replaces `<folder>/postgres.json` atomically, readable by its owner only. */
export async function writeDatabaseRecord(folder: string, record: DatabaseRecord): Promise<void> {
  const inside = relative(folder, record.cluster);
  const cluster = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? record.cluster : inside;
  await writeJsonAtomically(folder, recordFile, { ...record, cluster });
}

/**
 * Replaces `<folder>/<name>` atomically by `content` as JSON, mode 0600.
 * @param draftName name of the file until it is complete. Only the process that owns the folder may leave it out
 */
export async function writeJsonAtomically(
  folder: string,
  name: string,
  content: object,
  draftName = `${name}.new`,
): Promise<void> {
  const draft = join(folder, draftName);
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await chownToFolderOwner(folder, draft);
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Gives a file that root created to the owner of `folder`, so that an ordinary user can use it later. */
export async function chownToFolderOwner(folder: string, path: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

/** Compares two folders by device and inode, because links and mounts give one folder several paths. False if one is absent. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  try {
    const [a, b] = await Promise.all([stat(one), stat(other)]);
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
