import { setTimeout as pause } from "node:timers/promises";
import { DataFolderInUseError } from "./errors.ts";
import { type Owner, type OwnerLock, readOwner, takeOwnerLock } from "./owner-lock.ts";

// Milliseconds to wait for a folder that another process holds. A command beside a server waits only until the server has
// started, which includes creating the database.
const defaultTimeouts = { server: 10_000, command: 30_000 };
const pollInterval = 50;

export type Acquisition<Joined> = { lock: OwnerLock } | { joined: Joined };

export interface AcquireOptions<Joined> {
  folder: string;
  role: Owner["role"];
  label: string;
  onProgress: (message: string) => void;
  /** tries to use the database of the server that holds the folder; undefined while it does not respond */
  join: () => Promise<Joined | undefined>;
  /** milliseconds to wait for a folder that another process holds */
  timeout?: number;
}

/**
 * Waits until this caller holds the folder or, for a command beside a server, until that server's database responds.
 * @throws DataFolderInUseError immediately for a server beside a server, otherwise after the timeout
 */
export async function acquireFolder<Joined>(options: AcquireOptions<Joined>): Promise<Acquisition<Joined>> {
  const { folder, role, label, onProgress, timeout: timeout = defaultTimeouts[role] } = options;
  const deadline = performance.now() + timeout;
  let announced: number | undefined;
  for (;;) {
    const lock = await takeOwnerLock(folder, { role, label });
    if (lock) return { lock };
    const owner = await readOwner(folder);
    if (owner?.role === "server") {
      if (role === "server") throw inUseError(folder, owner, "is in use by");
      const joined = await options.join();
      if (joined !== undefined) return { joined };
    }
    if (performance.now() > deadline) {
      if (owner?.role === "server") {
        throw new DataFolderInUseError(`The database in ${folder}, run by ${describe(owner)}, does not respond`);
      }
      throw inUseError(folder, owner, `is still in use after ${timeout / 1000} s by`);
    }
    if (owner && owner.pid !== announced) {
      announced = owner.pid;
      onProgress(`Waiting for ${describe(owner)}`);
    }
    await pause(pollInterval);
  }
}

function inUseError(folder: string, owner: Owner | undefined, how: string): DataFolderInUseError {
  const holder = owner ? describe(owner) : "another process";
  return new DataFolderInUseError(
    `The data folder ${folder} ${how} ${holder}; stop that process, or set DATA_DIR to another folder`,
  );
}

function describe(owner: Owner): string {
  return `"${owner.label}" (pid ${owner.pid})`;
}
