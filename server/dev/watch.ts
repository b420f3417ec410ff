import path from "node:path";
import { fileURLToPath } from "node:url";
import { createServer as createVite, type ViteDevServer } from "vite";
import packageJson from "../../package.json" with { type: "json" };
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { asAppBuild, type AppBuild } from "../build.ts";
import { fail } from "../fail.ts";
import type { Middleware } from "../http-server.ts";
import { findFreePort } from "../postgres/server.ts";
import { checkPorts } from "../port.ts";
import { prepare } from "../prepare.ts";
import { serve } from "../serve.ts";
import { localSecrets } from "./local-secrets.ts";

/** `npm run dev`: runs the app from its sources; the next request sees a change. */

const LOCAL = { HOST: "127.0.0.1", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };
const LABEL = "npm run dev";

/** Changes of other folders (databases, builds, tests) do not reload the app. */
const APP = fileURLToPath(new URL("../../app/", import.meta.url));

function isSource(file: string): boolean {
  return path.resolve(file).startsWith(APP);
}

function print(message: string): void {
  process.stdout.write(`${message}\n`);
}

async function load(vite: ViteDevServer): Promise<AppBuild> {
  return asAppBuild(await vite.ssrLoadModule("virtual:remix/server-build"));
}

/**
 * Keeps a build of the current sources. A change of any source file reloads everything (modules, pool, log), because old and new modules
 * would not share their state.
 */
async function liveBuild(vite: ViteDevServer, defaults: Readonly<Record<string, string>>) {
  let current = await load(vite);
  let stale = false;
  let reloading: Promise<void> | undefined;
  vite.watcher.on("all", (_event, file) => {
    if (isSource(file)) stale = true;
  });

  async function reload(): Promise<void> {
    stale = false;
    vite.moduleGraph.invalidateAll();
    try {
      // Vite itself reports in the terminal why a source does not load.
      const build = await load(vite);
      await build.entry.module.service.start(defaults, packageJson.version);
      const replaced = current.entry.module.service;
      current = build;
      await replaced.stopAll();
    } catch (error) {
      // Until another change repairs the source, every request reports the error.
      stale = true;
      throw error;
    } finally {
      reloading = undefined;
    }
  }

  /** Vite responds to the browser's requests for sources; other requests wait until the app is reloaded. */
  const middleware: Middleware = (incoming, outgoing, next) => {
    vite.middlewares(incoming, outgoing, () => {
      if (!stale && !reloading) {
        next();
        return;
      }
      (reloading ??= reload()).then(next, (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        outgoing.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(`${message}\n`);
      });
    });
  };
  return { build: current, currentBuild: () => current, middleware };
}

try {
  const settings = provideSettings(LOCAL);
  await checkPorts(settings);
  const secrets = await localSecrets(path.resolve(settings.dataDir));
  const prepared = await prepare(LABEL, { ...LOCAL, ...secrets }, print);
  // Vite sends its updates to the browser over a separate port.
  const updates = { host: "127.0.0.1", port: await findFreePort() };
  const watch = {
    ignored: ["build", "tests", "bench", settings.dataDir].map((folder) => `${path.resolve(folder)}/**`),
  };
  // `cors: false`: the app itself responds to preflight requests.
  const server = { middlewareMode: true, hmr: updates, watch, cors: false };
  const vite = await createVite({ server, appType: "custom" });
  try {
    const running = await serve({ ...(await liveBuild(vite, prepared.defaults)), prepared });
    print(`Listening on ${running.url}`);
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
