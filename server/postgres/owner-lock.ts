import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { chownToFolderOwner, writeJsonAtomically } from "./data-folder.ts";
import { DataFolderError, errorLine } from "./errors.ts";
import { isAlive } from "./program.ts";

const ownerFile = "owner.json";
const sqliteBusy = 5;

const ownerShape = z.object({ pid: z.int(), role: z.enum(["server", "command"]), label: z.string() });

/** The process that owns a data folder. */
export type Owner = z.infer<typeof ownerShape>;

export interface OwnerLock {
  /** Releases the lock. Idempotent. */
  release(): Promise<void>;
}

// Keeps the handles referenced: the garbage collector closes an unreferenced handle, which releases its lock.
const heldHandles = new Set<DatabaseSync>();

/**
 * Takes the data folder's owner lock if it is free. The lock is SQLite's lock on the file `owner.lock`: the kernel holds it
 * for this process, child processes do not inherit it, and the kernel releases it when the process ends, even by a kill.
 * Do not open `owner.lock` in another way: closing any of its file descriptors releases the lock.
 * @returns undefined when another process, or another caller in this process, holds it
 * @throws DataFolderError when the file cannot be locked
 */
export async function takeOwnerLock(folder: string, owner: Omit<Owner, "pid">): Promise<OwnerLock | undefined> {
  const path = join(folder, "owner.lock");
  const handle = openLocked(path);
  if (!handle) return undefined;
  heldHandles.add(handle);
  const release = async (): Promise<void> => {
    if (!heldHandles.has(handle)) return;
    // Removed before the lock is released: afterwards the file may belong to the next owner.
    await rm(join(folder, ownerFile), { force: true });
    heldHandles.delete(handle);
    handle.close();
  };
  try {
    await chownToFolderOwner(folder, path);
    await writeJsonAtomically(folder, ownerFile, { pid: process.pid, ...owner });
  } catch (error) {
    heldHandles.delete(handle);
    handle.close();
    throw new DataFolderError(`The data folder ${folder} cannot be written to (${errorLine(error)})`);
  }
  return { release };
}

function openLocked(path: string): DatabaseSync | undefined {
  let handle: DatabaseSync | undefined;
  try {
    handle = new DatabaseSync(path, { timeout: 0 });
    // Nothing is written to this database, so it needs no journal file, which a kill would leave behind.
    handle.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return handle;
  } catch (error) {
    handle?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return undefined;
    throw new DataFolderError(`${path} cannot be locked (${errorLine(error)}); start as the owner of the folder`);
  }
}

/**
 * Returns the process that holds the folder's lock.
 * @returns undefined when the process has not yet written its file, or has ended
 */
export async function readOwner(folder: string): Promise<Owner | undefined> {
  try {
    const owner = ownerShape.parse(JSON.parse(await readFile(join(folder, ownerFile), "utf8")));
    // The file of a killed owner stays until the next owner replaces it.
    return isAlive(owner.pid) ? owner : undefined;
  } catch {
    return undefined;
  }
}
