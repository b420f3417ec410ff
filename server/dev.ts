import path from "node:path";
import { createServer as createVite } from "vite";
import { provideSettings } from "../app/platform/env.server.ts";
import { asAppBuild, type AppBuild } from "./build.ts";
import { fail } from "./fail.ts";
import { localSecrets } from "./local-secrets.ts";
import { prepare, serve } from "./serve.ts";

/** `npm run dev`: the app from its sources; a change is seen at the next request. */

const LOCAL = { HOST: "127.0.0.1", NODE_ENV: "development" };

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

try {
  const dataDir = path.resolve(provideSettings(LOCAL).dataDir);
  const prepared = await prepare("npm run dev", { ...LOCAL, ...(await localSecrets(dataDir)) }, say);
  const vite = await createVite({ server: { middlewareMode: true }, appType: "custom" });
  try {
    const load = async (): Promise<AppBuild> => asAppBuild(await vite.ssrLoadModule("virtual:remix/server-build"));
    const first = await load();
    let current = first.entry.module.service;
    const currentBuild = async (): Promise<AppBuild> => {
      const build = await load();
      const { service } = build.entry.module;
      if (service !== current) {
        // A change below has made new modules, with a pool and a log of their own.
        const replaced = current;
        current = service;
        await service.start(prepared.defaults);
        await replaced.stopAll();
      }
      return build;
    };
    const running = await serve({ build: first, currentBuild, middleware: vite.middlewares, prepared });
    say(`Listening on ${running.url}`);
    await running.stopped;
    await vite.close();
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  fail(error);
}
