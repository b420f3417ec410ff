import { readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sameFolder } from "./data-folder.ts";
import { unless } from "./errors.ts";
import { isAlive, run } from "./program.ts";

/** The main process of a running server. */
export interface Postmaster {
  pid: number;
  /** undefined while it has not chosen to listen yet */
  port: number | undefined;
}

const pidFile = "postmaster.pid";

/**
 * Finds the server that runs a cluster.
 * @returns undefined when none does: no pid file, or one whose process is gone or is something else (after a crash the
 *   number may have been given to another process, and a copied cluster names the original's server)
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const noted = parsePidFile((await read(join(cluster, pidFile))) ?? "");
  return noted && isAlive(noted.pid) && (await isPostmasterOf(noted.pid, cluster)) ? noted : undefined;
}

/**
 * Removes a pid file that would keep PostgreSQL from starting: its number belongs to another process by now, or it is
 * empty. A dead server's file is left to PostgreSQL, which looks closer. Only the data folder's owner may call it.
 */
export async function removeStalePidFile(cluster: string): Promise<void> {
  const path = join(cluster, pidFile);
  let text = await read(path);
  if (text !== undefined && !parsePidFile(text)) {
    // A full disk's leftover, unless a server that an earlier owner started is just writing it.
    await pause(200);
    text = await read(path);
  }
  if (text === undefined) return;
  const noted = parsePidFile(text);
  if (noted && (!isAlive(noted.pid) || (await isPostmasterOf(noted.pid, cluster)))) return;
  await rm(path, { force: true });
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unless("ENOENT"));
}

function parsePidFile(text: string): Postmaster | undefined {
  // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : undefined };
}

async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== "linux") {
    const { code, output } = await run("ps", ["-ww", "-o", "args=", "-p", String(pid)]);
    return code === 0 && output.includes("postgres") && output.includes(` -D ${cluster}`);
  }
  // Empty for a zombie, absent for a process that another user hides.
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  if (basename(args[0] ?? "") !== "postgres") return false;
  const workingFolder = `/proc/${pid}/cwd`;
  // Root in a container may lack the right to look into another user's process.
  if (await stat(workingFolder).catch(() => undefined)) return sameFolder(workingFolder, cluster);
  return args.includes("-D") && args[args.indexOf("-D") + 1] === cluster;
}
