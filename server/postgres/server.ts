import { readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { ask } from "./connection.ts";
import { complaintIn, DatabaseServerError } from "./errors.ts";
import type { Place } from "./place.ts";
import { findPostmaster, removeStalePidFile } from "./postmaster.ts";
import { run } from "./program.ts";
import { writeSettings } from "./settings.ts";

/** A cluster together with what it takes to run it. */
export interface Server extends Place {
  binaries: Binaries;
  password: string;
  settings: Readonly<Record<string, string>>;
}

const startWithin = 120;
const stopWithin = 60;
const settleWithin = 60_000;
const attempts = 5;
const logKept = 1_000_000;

/**
 * Finds out whether a server left by an earlier owner runs the cluster, and waits for it while it comes up or goes down.
 * @returns its port, undefined when there is none (any more)
 * @throws DatabaseServerError when it runs but does not answer within a minute
 */
export async function findRunning({ cluster, password }: Server): Promise<number | undefined> {
  const deadline = performance.now() + settleWithin;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster) return undefined;
    const { pid, port } = postmaster;
    if (port !== undefined && (await ask({ port, password }, cluster)) !== "no") return port;
    if (performance.now() > deadline) {
      throw new DatabaseServerError(
        `PostgreSQL (pid ${pid}) runs the database in ${cluster} but does not answer; stop it with: kill -INT ${pid}`,
      );
    }
    await pause(50);
  }
}

/**
 * Starts the server in a session of its own, so that no signal from the terminal reaches it.
 * @param choosePort called before each attempt; another process may take the port before the server does
 * @returns the port
 * @throws DatabaseServerError with the end of the server's log
 */
export async function startServer(server: Server, choosePort: () => Promise<number>): Promise<number> {
  const { cluster, binaries, settings, user } = server;
  await removeStalePidFile(cluster);
  const logFile = join(cluster, "server.log");
  let said = "";
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = await choosePort();
    await writeSettings(server, port, settings);
    const offset = await openLog(logFile);
    const args = ["start", "-D", cluster, "-l", logFile, "-w", "-t", String(startWithin), "-s"];
    const { code, signal, output } = await run(binaries.pgCtl, args, user);
    if (code === 0) return port;
    said = (await readLog(logFile, offset)) + output;
    if (signal) throw new DatabaseServerError(`The start of PostgreSQL in ${cluster} was interrupted`, said);
    // The port went to someone else, or processes of a server that was killed are just ending.
    if (!/Address already in use|is still in use/.test(said)) break;
    await pause(attempt * 100);
  }
  throw new DatabaseServerError(
    `PostgreSQL did not start in ${cluster}: ${complaintIn(said) ?? `see ${logFile}`}`,
    said,
  );
}

async function openLog(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size < logKept) return size;
  await rename(logFile, `${logFile}.old`);
  return 0;
}

async function readLog(logFile: string, offset: number): Promise<string> {
  const log = await readFile(logFile).catch(() => Buffer.alloc(0));
  return log.subarray(offset).toString();
}

/**
 * Stops the cluster's server; open transactions are rolled back. Nothing happens when none is running.
 * @throws DatabaseServerError when it goes on running
 */
export async function stopServer({ cluster, binaries, user }: Server): Promise<void> {
  for (const mode of ["fast", "immediate"]) {
    // pg_ctl believes the pid file, which may name a stranger by now.
    if (!(await findPostmaster(cluster))) return;
    await run(binaries.pgCtl, ["stop", "-D", cluster, "-m", mode, "-w", "-t", String(stopWithin), "-s"], user);
  }
  const postmaster = await findPostmaster(cluster);
  if (postmaster) throw new DatabaseServerError(`PostgreSQL (pid ${postmaster.pid}) in ${cluster} does not stop`);
}

/** @returns a port on 127.0.0.1 that nobody listens on now: `preferred` if it can be had */
export async function findFreePort(preferred?: number): Promise<number> {
  const port = (preferred === undefined ? undefined : await tryPort(preferred)) ?? (await tryPort(0));
  if (port === undefined) throw new DatabaseServerError("No port is free on 127.0.0.1");
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => {
      resolve(undefined);
    });
    probe.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === "object" && address ? address.port : undefined;
      probe.close(() => {
        resolve(found);
      });
    });
  });
}
