import { setTimeout as pause } from "node:timers/promises";
import { DataFolderInUseError } from "./errors.ts";
import { type Owner, type OwnerLock, readOwner, takeOwnerLock } from "./owner-lock.ts";

// How long a caller waits for a folder that another one holds, in milliseconds. A command beside a server waits only
// while that server is still coming up, which includes making the database.
const usualPatience = { server: 10_000, command: 30_000 };
const pollEvery = 50;

export type Turn<Joined> = { lock: OwnerLock } | { joined: Joined };

export interface TurnOptions<Joined> {
  folder: string;
  role: Owner["role"];
  label: string;
  onProgress: (message: string) => void;
  /** Tries to use the database of the server that holds the folder; undefined when it does not answer (yet). */
  join: () => Promise<Joined | undefined>;
  /** Milliseconds to wait for a folder that another one holds. */
  patience?: number;
}

/**
 * Waits until this caller holds the folder, or, for a command beside a server, until that server's database answers.
 * @throws DataFolderInUseError at once for a server beside a server, else when patience ends
 */
export async function awaitTurn<Joined>(options: TurnOptions<Joined>): Promise<Turn<Joined>> {
  const { folder, role, label, onProgress, patience = usualPatience[role] } = options;
  const deadline = performance.now() + patience;
  let announced: number | undefined;
  for (;;) {
    const lock = await takeOwnerLock(folder, { role, label });
    if (lock) return { lock };
    const owner = await readOwner(folder);
    if (owner?.role === "server") {
      if (role === "server") throw inUse(folder, owner, "is in use by");
      const joined = await options.join();
      if (joined !== undefined) return { joined };
    }
    if (performance.now() > deadline) {
      if (owner?.role === "server") {
        throw new DataFolderInUseError(`The database in ${folder}, which ${describe(owner)} runs, does not answer`);
      }
      throw inUse(folder, owner, `is, after ${patience / 1000} s of waiting, still in use by`);
    }
    if (owner && owner.pid !== announced) {
      announced = owner.pid;
      onProgress(`Waiting for ${describe(owner)}`);
    }
    await pause(pollEvery);
  }
}

function inUse(folder: string, owner: Owner | undefined, how: string): DataFolderInUseError {
  const who = owner ? describe(owner) : "another process";
  return new DataFolderInUseError(
    `The data folder ${folder} ${how} ${who}; stop that one, or choose another with DATA_DIR`,
  );
}

function describe(owner: Owner): string {
  return `"${owner.label}" (pid ${owner.pid})`;
}
