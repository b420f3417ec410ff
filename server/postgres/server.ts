import { readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { type Address, checkServer, type ServerState } from "./connection.ts";
import { findFailureLine, DatabaseServerError } from "./errors.ts";
import type { ClusterLocation } from "./cluster-location.ts";
import { findPostmaster, removeStalePidFile } from "./postmaster.ts";
import { run } from "./program.ts";
import { writeSettings } from "./settings.ts";

/** A cluster with the programs and settings that run it. */
export interface Server extends ClusterLocation {
  binaries: Binaries;
  password: string;
  settings: Readonly<Record<string, string>>;
}

const startTimeoutSeconds = 120;
const stopTimeoutSeconds = 60;
const responseTimeoutMs = 60_000;
const maxStartAttempts = 5;
const maxLogBytes = 1_000_000;

/**
 * Finds a server that an earlier owner left running, and waits while it starts or stops.
 * @returns its port, or undefined when no server runs
 * @throws DatabaseServerError when the server refuses the password, or does not respond within a minute
 */
export async function findRunning({ cluster, password }: Server): Promise<number | undefined> {
  const deadline = performance.now() + responseTimeoutMs;
  for (;;) {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster) return undefined;
    const { pid, port } = postmaster;
    const state = port === undefined ? "unreachable" : await checkServer({ port, password }, cluster);
    if (state === "ready" || state === "no database") return port;
    // The port is that of this cluster's server: no later one accepts the password, either.
    if (state === "refused") throw passwordRefused(cluster);
    if (performance.now() > deadline) {
      throw new DatabaseServerError(
        `PostgreSQL (pid ${pid}) runs the database in ${cluster} but does not respond; stop it with: kill -INT ${pid}`,
      );
    }
    await pause(50);
  }
}

export function passwordRefused(cluster: string): DatabaseServerError {
  return new DatabaseServerError(
    `PostgreSQL in ${cluster} does not accept the password in postgres.json; restore that file from a backup`,
  );
}

/** Waits until the server of `cluster` responds, for a minute at most, because a busy machine lets a connection wait. */
export async function waitForServer(address: Address, cluster: string): Promise<ServerState> {
  const deadline = performance.now() + responseTimeoutMs;
  for (;;) {
    const state = await checkServer(address, cluster);
    if (state !== "unreachable" || performance.now() > deadline) return state;
    await pause(50);
  }
}

/**
 * Starts the server in a separate session, so that signals from the terminal do not reach it.
 * @param choosePort called before each attempt; another process may take the port before the server does
 * @returns the port
 * @throws DatabaseServerError with the end of the server's log
 */
export async function startServer(server: Server, choosePort: () => Promise<number>): Promise<number> {
  const { cluster, binaries, settings, user } = server;
  await removeStalePidFile(cluster);
  const logFile = join(cluster, "server.log");
  let log = "";
  for (let attempt = 0; attempt < maxStartAttempts; attempt += 1) {
    const port = await choosePort();
    await writeSettings(server, port, settings);
    const offset = await openLog(logFile);
    const args = ["start", "-D", cluster, "-l", logFile, "-w", "-t", String(startTimeoutSeconds), "-s"];
    const { code, signal, output } = await run(binaries.pgCtl, args, user);
    if (code === 0) return port;
    log = (await readLog(logFile, offset)) + output;
    if (signal) throw new DatabaseServerError(`Starting PostgreSQL in ${cluster} was interrupted`, log);
    // Another process took the port, or processes of a killed server are still ending.
    if (!/Address already in use|is still in use/.test(log)) break;
    await pause(attempt * 100);
  }
  throw new DatabaseServerError(
    `PostgreSQL did not start in ${cluster}: ${findFailureLine(log) ?? `see ${logFile}`}`,
    log,
  );
}

async function openLog(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size < maxLogBytes) return size;
  await rename(logFile, `${logFile}.old`);
  return 0;
}

async function readLog(logFile: string, offset: number): Promise<string> {
  const log = await readFile(logFile).catch(() => Buffer.alloc(0));
  return log.subarray(offset).toString();
}

/**
 * Stops the cluster's server, if it runs. Open transactions are rolled back.
 * @throws DatabaseServerError when the server does not stop
 */
export async function stopServer({ cluster, binaries, user }: Server): Promise<void> {
  for (const mode of ["fast", "immediate"]) {
    // Checked first, because pg_ctl trusts the pid file, which may name an unrelated process by now.
    if (!(await findPostmaster(cluster))) return;
    await run(binaries.pgCtl, ["stop", "-D", cluster, "-m", mode, "-w", "-t", String(stopTimeoutSeconds), "-s"], user);
  }
  const postmaster = await findPostmaster(cluster);
  if (postmaster) throw new DatabaseServerError(`PostgreSQL (pid ${postmaster.pid}) in ${cluster} does not stop`);
}

/** Returns a free port on 127.0.0.1: `preferred` if it is free. */
export async function findFreePort(preferred?: number): Promise<number> {
  const port = (preferred === undefined ? undefined : await tryPort(preferred)) ?? (await tryPort(0));
  if (port === undefined) throw new DatabaseServerError("127.0.0.1 has no free port");
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
