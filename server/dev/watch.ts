import path from "node:path";
import { fileURLToPath } from "node:url";
import { createServer as createVite, type ViteDevServer } from "vite";
import { provideSettings } from "../../app/platform/env.server.ts";
import { asAppBuild, type AppBuild } from "../build.ts";
import { fail } from "../fail.ts";
import type { Middleware } from "../http-server.ts";
import { localSecrets } from "./local-secrets.ts";
import { findFreePort } from "../postgres/server.ts";
import { checkPort } from "../port.ts";
import { prepare } from "../prepare.ts";
import { serve } from "../serve.ts";

/** `npm run dev`: the app from its sources; a change is seen at the next request. */

const LOCAL = { HOST: "127.0.0.1", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };
const LABEL = "npm run dev";

/** The app's sources. (The project's folder holds databases, builds and tests, too.) */
const APP = fileURLToPath(new URL("../../app/", import.meta.url));

function isSource(file: string): boolean {
  return path.resolve(file).startsWith(APP);
}

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

async function load(vite: ViteDevServer): Promise<AppBuild> {
  return asAppBuild(await vite.ssrLoadModule("virtual:remix/server-build"));
}

/**
 * The app as the sources have it now. A change of any server file makes everything anew (modules, pool, log), because modules of before
 * and after the change would not know each other's.
 */
async function liveBuild(vite: ViteDevServer, defaults: Readonly<Record<string, string>>) {
  let current = await load(vite);
  let stale = false;
  let renewing: Promise<void> | undefined;
  vite.watcher.on("all", (_event, file) => {
    if (isSource(file)) stale = true;
  });

  async function renew(): Promise<void> {
    stale = false;
    vite.moduleGraph.invalidateAll();
    try {
      // What keeps it from loading, Vite itself shows in the terminal.
      const build = await load(vite);
      await build.entry.module.service.start(defaults);
      const replaced = current.entry.module.service;
      current = build;
      await replaced.stopAll();
    } catch (error) {
      // Only another change can mend it; until then every request says so.
      stale = true;
      throw error;
    } finally {
      renewing = undefined;
    }
  }

  /** Vite answers for what a browser loads; anything else waits until the app is up to date. */
  const middleware: Middleware = (incoming, outgoing, next) => {
    vite.middlewares(incoming, outgoing, () => {
      if (!stale && !renewing) {
        next();
        return;
      }
      (renewing ??= renew()).then(next, (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        outgoing.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(`${message}\n`);
      });
    });
  };
  return { build: current, currentBuild: () => current, middleware };
}

try {
  const settings = provideSettings(LOCAL);
  await checkPort(settings);
  const secrets = await localSecrets(path.resolve(settings.dataDir));
  const prepared = await prepare(LABEL, { ...LOCAL, ...secrets }, say);
  // Updates for the browser come over a port of their own.
  const updates = { host: "127.0.0.1", port: await findFreePort() };
  const watch = {
    ignored: ["build", "tests", "bench", settings.dataDir].map((folder) => `${path.resolve(folder)}/**`),
  };
  // Preflights are the app's to answer.
  const server = { middlewareMode: true, hmr: updates, watch, cors: false };
  const vite = await createVite({ server, appType: "custom" });
  try {
    const running = await serve({ ...(await liveBuild(vite, prepared.defaults)), prepared });
    say(`Listening on ${running.url}`);
    await running.stopped;
    await vite.close();
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
