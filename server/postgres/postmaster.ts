import { readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isSameFolder } from "./data-folder.ts";
import { ignoreCodes } from "./errors.ts";
import { isAlive, run } from "./program.ts";

/** The main process of a running server. */
export interface Postmaster {
  pid: number;
  /** undefined until the server has chosen its port */
  port: number | undefined;
}

const pidFile = "postmaster.pid";

/**
 * Finds the server that runs a cluster.
 * @returns undefined when the pid file is absent, or names no process or an unrelated one: after a crash the pid can be
 *   reused, and the pid file of a copied cluster names the original's server
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const recorded = parsePidFile((await read(join(cluster, pidFile))) ?? "");
  return recorded && isAlive(recorded.pid) && (await isPostmasterOf(recorded.pid, cluster)) ? recorded : undefined;
}

/**
 * Removes a pid file that would prevent PostgreSQL from starting, because it is empty or its pid now belongs to an unrelated
 * process. PostgreSQL itself handles the file of a dead server. Only the data folder's owner may call it.
 */
export async function removeStalePidFile(cluster: string): Promise<void> {
  const path = join(cluster, pidFile);
  let text = await read(path);
  if (text !== undefined && !parsePidFile(text)) {
    // A full disk leaves an empty file; but a server that an earlier owner started may be writing it right now.
    await pause(200);
    text = await read(path);
  }
  if (text === undefined) return;
  const recorded = parsePidFile(text);
  if (recorded && (!isAlive(recorded.pid) || (await isPostmasterOf(recorded.pid, cluster)))) return;
  await rm(path, { force: true });
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(ignoreCodes("ENOENT"));
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
  // Empty for a zombie; unreadable if the system hides other users' processes.
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  if (basename(args[0] ?? "") !== "postgres") return false;
  const workingFolder = `/proc/${pid}/cwd`;
  // Root in a container may lack the right to inspect another user's process.
  if (await stat(workingFolder).catch(() => undefined)) return isSameFolder(workingFolder, cluster);
  return args.includes("-D") && args[args.indexOf("-D") + 1] === cluster;
}
