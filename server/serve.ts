import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import packageJson from "../package.json" with { type: "json" };
import type { Env } from "../app/platform/process/env.server.ts";
import { createApp } from "./app.ts";
import type { AppBuild } from "./build.ts";
import { END_SIGNALS, surviveTerminalClose } from "./fail.ts";
import { createHttpServer, type Middleware } from "./http-server.ts";
import { createMetricsServer } from "./metrics-server.ts";
import { listen } from "./port.ts";
import type { Prepared } from "./prepare.ts";
import { readDataFolder } from "./status/data-folder.ts";

/** Limit for closing the database and Redis after the last request. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Limit for writing the last lines of the log. */
const FLUSH_TIMEOUT_MS = 1_000;

export interface Running {
  env: Env;
  /** the server's URL on this machine, such as http://127.0.0.1:3000 */
  url: string;
  /** resolves when a signal has stopped the service */
  stopped: Promise<void>;
}

/**
 * Starts serving a build. After a signal it reports not ready, accepts no more connections, responds to the accepted requests, closes
 * everything else, and stops the embedded database last.
 */
export async function serve(options: {
  build: AppBuild;
  /** returns the current build, if it can be replaced while serving */
  currentBuild?: () => AppBuild;
  middleware?: Middleware;
  prepared: Prepared;
}): Promise<Running> {
  const { build, prepared } = options;
  const { currentBuild = () => build } = options;
  const env = await build.entry.module.service.start(prepared.defaults, packageJson.version);
  if (prepared.embedded) build.entry.module.service.measureDataFolder(() => readDataFolder(path.resolve(env.dataDir)));
  const http = createHttpServer(createApp(env, currentBuild), options.middleware);
  const { url, port } = await listen(http.server, env);
  const closeMetrics = await serveMetrics(env, currentBuild);
  build.entry.module.service.log.info({ host: env.host, port }, "listening");

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    surviveTerminalClose(signal);
    try {
      const { service } = currentBuild().entry.module;
      service.log.info({ signal }, "stopping");
      service.beginStopping();
      http.closeAfterResponses();
      if (env.shutdownDelaySeconds > 0) await after(env.shutdownDelaySeconds * 1000);
      await http.close(env.shutdownGraceSeconds * 1000);
      await closeMetrics();
      // The pool waits for its statements, and a statement can wait for a lock indefinitely.
      const closed = await Promise.race([service.stopAll().then(() => true), after(CLOSE_TIMEOUT_MS, false)]);
      service.log.info({}, closed ? "stopped" : "stopped while statements were still running");
      // A reader of the log that is suspended or gone accepts no more lines.
      await Promise.race([service.flushLog(), after(FLUSH_TIMEOUT_MS)]);
    } finally {
      await prepared.embedded?.close();
    }
  };
  const stopped = new Promise<void>((resolve, reject) => {
    let stopping: Promise<void> | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to npm and to this process, and npm forwards its own: ignore the second.
      if (stopping) return;
      stopping = stop(signal);
      stopping.then(resolve, reject);
    };
    for (const signal of END_SIGNALS) process.on(signal, onSignal);
    prepared.release();
  });
  return { env, url, stopped };
}

/**
 * Serves the metrics on their own port, if there is one, until the returned function is called: before the database is closed, because
 * a scrape would open it again.
 */
async function serveMetrics(env: Env, currentBuild: () => AppBuild): Promise<() => Promise<void>> {
  if (env.metricsPort === undefined) return () => Promise.resolve();
  const server = createMetricsServer(currentBuild);
  const { port } = await listen(server, env, "METRICS_PORT");
  currentBuild().entry.module.service.log.info({ host: env.host, port }, "serving metrics");
  return () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
}
