import { randomBytes } from "node:crypto";
import path from "node:path";
import { provideEnv, provideSettings } from "../../app/platform/process/env.server.ts";
import { loadBuild } from "../build.ts";
import { fail } from "../fail.ts";
import { findFreePort } from "../postgres/server.ts";
import { checkPorts } from "../port.ts";
import { prepare, type Prepared } from "../prepare.ts";
import { freshBuild } from "./fresh-build.ts";
import { localSecrets } from "./local-secrets.ts";

/** `npm run demo`: the service, its database and a Shopify store with sample data, all on this machine. */

const started = performance.now();

function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function printProgress(message: string): void {
  print(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${message}`);
}

/** Preferred port of the demo's store. */
const STORE_PORT = 4000;
/** Preferred port of the demo's mail server. */
const MAIL_PORT = 2525;

// The demo prints its API key and keeps its secrets in a file, so it listens on this machine only. Webhooks may go to local receivers.
const LOCAL = { HOST: "127.0.0.1", LOG_LEVEL: "warn", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };

/** Generates the settings that connect the service with the devstore, which keeps nothing between runs. */
async function appSettings(): Promise<Record<string, string>> {
  return {
    SHOPIFY_API_KEY: randomBytes(16).toString("hex"),
    SHOPIFY_API_SECRET: randomBytes(16).toString("hex"),
    SHOPIFY_APP_URL: "https://wishlist.example.com",
    DEVSTORE_URL: `http://127.0.0.1:${await findFreePort(STORE_PORT)}`,
    SMTP_URL: `smtp://127.0.0.1:${await findFreePort(MAIL_PORT)}?tls=none`,
    MAIL_FROM: "hello@larkfell.example",
  };
}

/** Shortens a path below the working folder to a relative one. */
function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}

/** Fills the database with the demo shop as soon as it is ready. */
async function prepareShop(preparing: Promise<Prepared>, dataDir: string) {
  const prepared = await preparing;
  provideEnv(prepared.defaults);
  // Loaded late, so that the build starts earlier.
  const services = await import("./demo-services.ts");
  return { prepared, services, ...(await services.provideShop(prepared.databaseUrl, dataDir, printProgress)) };
}

try {
  const settings = provideSettings(LOCAL);
  await checkPorts(settings);
  const dataDir = path.resolve(settings.dataDir);
  const defaults = { ...LOCAL, ...(await localSecrets(dataDir)), ...(await appSettings()) };
  print("Wishlist Headless demo");
  const owned = Promise.withResolvers<undefined>();
  const preparing = prepare("npm run demo", defaults, printProgress, () => {
    owned.resolve(undefined);
  });
  // Side by side with the database. A second demo on the same data never owns the folder, so it does not touch the build of the first.
  const building = owned.promise.then(() => freshBuild(printProgress)).then(loadBuild);
  try {
    const [build, { prepared, services, shop, access }] = await Promise.all([
      building,
      prepareShop(preparing, dataDir),
    ]);
    const { running, store, file } = await services.startServices({ build, prepared, dataDir, shop, access });
    printProgress("Ready");
    print(`
  Storefront   ${store.storefrontUrl}
  Admin        ${store.adminUrl}
  API          ${running.url}/v1
  Docs         ${running.url}/v1/docs
  Shop         ${shop.domain}
  API key      ${access.apiKey}
  API secret   ${access.apiSecret}
  A customer   ${shop.customers[0] ?? ""}
  Shop front   ${access.publishableKey} works in pages of ${services.SHOP_FRONT_ORIGINS.join(" and ")}

  All of this is also in ${shortPath(file)}. Ctrl-C stops everything; the data stays in ${shortPath(dataDir)}.`);
    await running.stopped;
    await store.close();
    process.exit(0);
  } catch (error) {
    // When the build fails, this ends a start of the database or its filling, which the next start repeats.
    const prepared = await preparing.catch(() => undefined);
    await prepared?.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
