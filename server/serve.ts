import { createServer, isIPv6, type Server } from "node:net";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { provideEnv, type Env } from "../app/platform/env.server.ts";
import { migrate } from "../app/platform/migrations.server.ts";
import type { AppBuild } from "./build.ts";
import { closeOnSignal, END_SIGNALS, outliveTerminal, StartError } from "./fail.ts";
import { createFront, type Middleware } from "./front.ts";
import { SCHEMA } from "./migrations.ts";
import { openDatabase, type OpenDatabase } from "./postgres/database.ts";
import { errorCode } from "./postgres/errors.ts";
import { readOwner } from "./postgres/owner-lock.ts";
import { checkSealingKeys } from "./sealing-keys.ts";

/** Milliseconds that database, Redis and the like may take to let go, once the last request has been answered or given up. */
const LET_GO = 5_000;

/** Milliseconds that the last lines of the log may take. */
const FLUSH = 1_000;

/** The embedded database of the data folder, unless DATABASE_URL names another one. */
async function provideDatabase(
  { databaseUrl, dataDir }: Env,
  label: string,
  onProgress: (message: string) => void,
): Promise<OpenDatabase | undefined> {
  if (databaseUrl !== undefined) return undefined;
  return openDatabase({ dataDir: path.resolve(dataDir), role: "server", label, onProgress });
}

/** @throws StartError when another program has the port */
export async function checkPort(env: Env): Promise<void> {
  const probe = createServer();
  await listen(probe, env);
  await new Promise((resolve) => probe.close(resolve));
}

/** @throws StartError when the port can't be had */
async function listen(server: Server, { host, port, ...env }: Env): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    switch (errorCode(error)) {
      case "EADDRINUSE": {
        const owner = env.databaseUrl === undefined ? await readOwner(path.resolve(env.dataDir)) : undefined;
        const by = owner?.role === "server" ? ` (by "${owner.label}", pid ${owner.pid}?)` : "";
        throw new StartError(`Port ${port} is in use${by}; stop that program, or set PORT to another port`);
      }
      case "EACCES":
        throw new StartError(`Port ${port} needs more rights; set PORT to one above 1023`);
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
        throw new StartError(`HOST ${host} is no address of this machine`);
      default:
        throw error;
    }
  }
}

export interface Running {
  env: Env;
  /** where the server listens on this machine, such as http://127.0.0.1:3000 */
  url: string;
  /** Resolves when the process has been told to stop and has stopped everything. */
  stopped: Promise<void>;
}

/**
 * Starts serving a build and stops in order when the process is told to: not ready → accept no more → answer what was accepted → close
 * the rest → stop the embedded database last.
 */
export async function serve(options: {
  build: AppBuild;
  /** asked for each request and at the end instead, when the build can be replaced */
  currentBuild?: () => AppBuild;
  middleware?: Middleware;
  prepared: Prepared;
}): Promise<Running> {
  const {
    build,
    prepared: { defaults, embedded, release },
  } = options;
  const { currentBuild = () => build } = options;
  const env = await build.entry.module.service.start(defaults);
  const front = createFront(env, currentBuild, options.middleware);

  await listen(front.server, env);
  const address = front.server.address();
  const port = typeof address === "object" && address !== null ? address.port : env.port;
  build.entry.module.service.log.info({ host: env.host, port }, "listening");

  const stopped = new Promise<void>((resolve) => {
    const stop = async (signal: NodeJS.Signals): Promise<void> => {
      outliveTerminal(signal);
      try {
        const { service } = currentBuild().entry.module;
        service.log.info({ signal }, "stopping");
        service.beginStopping();
        if (env.shutdownDelaySeconds > 0) await after(env.shutdownDelaySeconds * 1000);
        await front.close(env.shutdownGraceSeconds * 1000);
        // The pool waits for its statements, and one that waits for a lock can do so for ever.
        const inOrder = await Promise.race([service.stopAll().then(() => true), after(LET_GO, false)]);
        service.log.info({}, inOrder ? "stopped" : "stopped, with statements still under way");
        // A reader that stands still, or is gone, takes no more.
        await Promise.race([service.flushLog(), after(FLUSH)]);
      } finally {
        await embedded?.close();
      }
      resolve();
    };
    let stopping: Promise<void> | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to npm and to us, and npm passes its own on: the second is the same wish.
      stopping ??= stop(signal);
    };
    for (const signal of END_SIGNALS) process.on(signal, onSignal);
    release();
  });
  return { env, url: `http://${reachable(env.host)}:${port}`, stopped };
}

/** The host under which this machine reaches what listens on `host`. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}

export interface Prepared {
  defaults: Readonly<Record<string, string>>;
  embedded: OpenDatabase | undefined;
  databaseUrl: string;
  /** To be called when `serve` has taken over the signals. */
  release: () => void;
}

/**
 * Settings, database, migrations: what every start does before it serves. From here until `release`, a signal stops the database that was
 * started and ends the process.
 */
export async function prepare(
  label: string,
  defaults: Readonly<Record<string, string>>,
  onProgress: (message: string) => void,
): Promise<Prepared> {
  const env = provideEnv(defaults);
  await checkPort(env);
  const opening = provideDatabase(env, label, onProgress);
  const release = closeOnSignal(path.resolve(env.dataDir), opening);
  const embedded = await opening;
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    const applied = await migrate({ databaseUrl: url, ...SCHEMA });
    await checkSealingKeys(url);
    const { length } = applied.migrations;
    if (length > 0) onProgress(`Applied ${length} migration${length === 1 ? "" : "s"}`);
    else if (applied.functions.length > 0) onProgress("Updated SQL functions");
  } catch (error) {
    await embedded?.close();
    throw error;
  }
  return { defaults: { ...defaults, DATABASE_URL: url }, embedded, databaseUrl: url, release };
}
