import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { giveToFolderOwner, writeWhole } from "./data-folder.ts";
import { DataFolderError, errorLine } from "./errors.ts";
import { isAlive } from "./program.ts";

const ownerFile = "owner.json";
const sqliteBusy = 5;

const ownerShape = z.object({ pid: z.int(), role: z.enum(["server", "command"]), label: z.string() });

/** The process that holds a data folder. */
export type Owner = z.infer<typeof ownerShape>;

export interface OwnerLock {
  /** Lets the next one in. Idempotent. */
  release(): Promise<void>;
}

// A handle that nothing refers to is closed by the garbage collector, and its lock with it.
const held = new Set<DatabaseSync>();

/**
 * Takes the data folder's owner lock if it is free. The lock is SQLite's lock on the file `owner.lock`: the kernel holds it
 * for this process, child processes do not inherit it, and it ends with the process however that ends.
 * Do not open `owner.lock` by other means: closing any descriptor of it would drop the lock.
 * @returns undefined when another one (another caller in this process included) holds it
 * @throws DataFolderError when the folder cannot hold a lock
 */
export async function takeOwnerLock(folder: string, owner: Omit<Owner, "pid">): Promise<OwnerLock | undefined> {
  const path = join(folder, "owner.lock");
  const handle = lockFile(path);
  if (!handle) return undefined;
  held.add(handle);
  const release = async (): Promise<void> => {
    if (!held.has(handle)) return;
    // First: once the lock is free, the file may be the next owner's.
    await rm(join(folder, ownerFile), { force: true });
    held.delete(handle);
    handle.close();
  };
  try {
    await giveToFolderOwner(folder, path);
    await writeWhole(folder, ownerFile, { pid: process.pid, ...owner });
  } catch (error) {
    held.delete(handle);
    handle.close();
    throw new DataFolderError(`The data folder ${folder} cannot be written to (${errorLine(error)})`);
  }
  return { release };
}

function lockFile(path: string): DatabaseSync | undefined {
  let handle: DatabaseSync | undefined;
  try {
    handle = new DatabaseSync(path, { timeout: 0 });
    // A journal on disk would be one more file to leave behind; nothing is ever written to this database.
    handle.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return handle;
  } catch (error) {
    handle?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return undefined;
    throw new DataFolderError(`${path} cannot be locked (${errorLine(error)}); start as the user who owns the folder`);
  }
}

/**
 * Who holds the folder whose lock is taken?
 * @returns undefined when it has not said so yet, or has just gone
 */
export async function readOwner(folder: string): Promise<Owner | undefined> {
  try {
    const owner = ownerShape.parse(JSON.parse(await readFile(join(folder, ownerFile), "utf8")));
    // A killed owner's note stays until the next one writes its own.
    return isAlive(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}
