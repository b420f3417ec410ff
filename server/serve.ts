import { setTimeout as after } from "node:timers/promises";
import type { Env } from "../app/platform/env.server.ts";
import { createApp } from "./app.ts";
import type { AppBuild } from "./build.ts";
import { END_SIGNALS, outliveTerminal } from "./fail.ts";
import { createHttpServer, type Middleware } from "./http-server.ts";
import { listen } from "./port.ts";
import type { Prepared } from "./prepare.ts";

/** Milliseconds that database, Redis and the like may take to close, once the last request has its response or was given up. */
const CLOSE_WITHIN = 5_000;

/** Milliseconds that the last lines of the log may take. */
const FLUSH_WITHIN = 1_000;

export interface Running {
  env: Env;
  /** where the server listens on this machine, such as http://127.0.0.1:3000 */
  url: string;
  /** Resolves when the process has been told to stop and has stopped everything. */
  stopped: Promise<void>;
}

/**
 * Starts serving a build. When the process is told to stop, it stops in order: report not ready → accept no more connections → answer the
 * accepted requests → close the rest → stop the embedded database last.
 */
export async function serve(options: {
  build: AppBuild;
  /** called for each request and at the end instead, when the build can be replaced */
  currentBuild?: () => AppBuild;
  middleware?: Middleware;
  prepared: Prepared;
}): Promise<Running> {
  const { build, prepared } = options;
  const { currentBuild = () => build } = options;
  const env = await build.entry.module.service.start(prepared.defaults);
  const http = createHttpServer(createApp(env, currentBuild), options.middleware);
  const { url, port } = await listen(http.server, env);
  build.entry.module.service.log.info({ host: env.host, port }, "listening");

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    outliveTerminal(signal);
    try {
      const { service } = currentBuild().entry.module;
      service.log.info({ signal }, "stopping");
      service.beginStopping();
      if (env.shutdownDelaySeconds > 0) await after(env.shutdownDelaySeconds * 1000);
      await http.close(env.shutdownGraceSeconds * 1000);
      // The pool waits for its statements, and a statement can wait for a lock without end.
      const inOrder = await Promise.race([service.stopAll().then(() => true), after(CLOSE_WITHIN, false)]);
      service.log.info({}, inOrder ? "stopped" : "stopped, with statements still under way");
      // A reader that is stopped or gone accepts no more lines.
      await Promise.race([service.flushLog(), after(FLUSH_WITHIN)]);
    } finally {
      await prepared.embedded?.close();
    }
  };
  const stopped = new Promise<void>((resolve, reject) => {
    let stopping: Promise<void> | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to npm and to this process, and npm passes its own on: both are one request to stop.
      if (stopping) return;
      stopping = stop(signal);
      stopping.then(resolve, reject);
    };
    for (const signal of END_SIGNALS) process.on(signal, onSignal);
    prepared.release();
  });
  return { env, url, stopped };
}
