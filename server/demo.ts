import path from "node:path";
import { provideEnv, provideSettings } from "../app/platform/env.server.ts";
import { closeDatabase } from "../app/platform/database.server.ts";
import { seedDemoShop } from "../prisma/seed.ts";
import { loadBuild } from "./build.ts";
import { demoAccess, writeDemoFile } from "./demo-access.ts";
import { fail } from "./fail.ts";
import { freshBuild } from "./fresh-build.ts";
import { localSecrets } from "./local-secrets.ts";
import { checkPort, prepare, serve } from "./serve.ts";

/** `npm run demo`: everything on this machine, from nothing, with data to look at. */

const started = performance.now();

function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function progress(message: string): void {
  say(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${message}`);
}

// The demo's key is printed and its secrets lie in a file: it is for this machine alone, and so are its webhooks' receivers.
const LOCAL = { HOST: "127.0.0.1", LOG_LEVEL: "warn", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };

/** A path as one would type it here. */
function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}

try {
  const settings = provideSettings(LOCAL);
  await checkPort(settings);
  const dataDir = path.resolve(settings.dataDir);
  const secrets = await localSecrets(dataDir);
  say("Wishlist Headless demo");
  const prepared = await prepare("npm run demo", { ...LOCAL, ...secrets }, progress);
  try {
    provideEnv(prepared.defaults);
    await freshBuild(progress);
    const shop = await seedDemoShop(prepared.databaseUrl, progress);
    const access = await demoAccess(dataDir, shop.domain);
    await closeDatabase();

    const running = await serve({ build: await loadBuild(), prepared });
    const { domain, customers, products } = shop;
    const file = await writeDemoFile(dataDir, { apiUrl: running.url, shop: domain, ...access, customers, products });
    progress("Ready");
    say(`
  API          ${running.url}/v1
  Docs         ${running.url}/v1/docs
  Shop         ${shop.domain}
  API key      ${access.apiKey}
  API secret   ${access.apiSecret}
  A customer   ${shop.customers[0] ?? ""}

  The same is in ${shortPath(file)}. Ctrl-C stops everything; the data stays in ${shortPath(dataDir)}.`);
    await running.stopped;
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
