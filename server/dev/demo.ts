import { randomBytes } from "node:crypto";
import path from "node:path";
import { provideEnv, provideSettings, secrets, type Env } from "../../app/platform/env.server.ts";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { deleteSessions } from "../../app/shopify-sessions/index.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { createDevstore, type Devstore } from "../../devstore/devstore.ts";
import { transaction } from "../../app/platform/transaction.server.ts";
import { seedDemoShop } from "../../prisma/seed.ts";
import { loadBuild } from "../build.ts";
import { demoAccess, writeDemoFile } from "./demo-access.ts";
import { fail } from "../fail.ts";
import { freshBuild } from "./fresh-build.ts";
import { localSecrets } from "./local-secrets.ts";
import { findFreePort } from "../postgres/server.ts";
import { checkPort } from "../port.ts";
import { prepare } from "../prepare.ts";
import { serve } from "../serve.ts";

/** `npm run demo`: everything on this machine, from nothing, with data to look at. */

const started = performance.now();

function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function progress(message: string): void {
  say(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${message}`);
}

/** Where a browser finds the demo's store, unless another program is there. */
const STORE_PORT = 4000;

// The demo's key is printed and its secrets lie in a file: it is for this machine alone, and so are its webhooks' receivers.
const LOCAL = { HOST: "127.0.0.1", LOG_LEVEL: "warn", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };

/** What makes the service an app of the devstore, which forgets all keys when it ends. */
async function appSettings(): Promise<Record<string, string>> {
  return {
    SHOPIFY_API_KEY: randomBytes(16).toString("hex"),
    SHOPIFY_API_SECRET: randomBytes(16).toString("hex"),
    SHOPIFY_APP_URL: "https://wishlist.example.com",
    DEVSTORE_URL: `http://127.0.0.1:${await findFreePort(STORE_PORT)}`,
  };
}

/** The store around the app, on the plan that the demo's shop has. */
async function openStore({ shopify, devstoreUrl }: Env, appAddress: string): Promise<Devstore> {
  const { shopifyApiSecret } = secrets();
  if (!shopify || shopifyApiSecret === undefined || devstoreUrl === undefined) throw new Error("the demo has no store");
  return createDevstore({
    port: Number(new URL(devstoreUrl).port),
    appUrl: shopify.appUrl,
    appAddress,
    apiKey: shopify.apiKey,
    apiSecret: shopifyApiSecret,
    scopes: shopify.scopes,
    plan: "Growth",
    data: "demo",
  });
}

/** A path as one would type it here. */
function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}

try {
  const settings = provideSettings(LOCAL);
  await checkPort(settings);
  const dataDir = path.resolve(settings.dataDir);
  const defaults = { ...LOCAL, ...(await localSecrets(dataDir)), ...(await appSettings()) };
  say("Wishlist Headless demo");
  const prepared = await prepare("npm run demo", defaults, progress);
  try {
    const env = provideEnv(prepared.defaults);
    await freshBuild(progress);
    const shop = await seedDemoShop(prepared.databaseUrl, progress);
    const access = await demoAccess(dataDir, shop.domain);
    const stored = await findShop(shop.domain);
    if (stored) await transaction(stored.id, (tx) => deleteSessions(tx, shop.domain));
    await closeDatabase();

    const build = await loadBuild();
    const running = await serve({ build, prepared });
    // Only now is it certain where the app listens: PORT=0 takes any port.
    const store = await openStore(env, running.url);
    await store.connectStore().catch((error: unknown) => {
      if (!build.entry.module.service.isStopping()) throw error;
    });
    const { adminUrl, storefrontUrl, logins } = store;
    const { domain, customers, products } = shop;
    const file = await writeDemoFile(dataDir, {
      apiUrl: running.url,
      adminUrl,
      storefrontUrl,
      shop: domain,
      ...access,
      logins,
      customers,
      products,
    });
    progress("Ready");
    say(`
  Storefront   ${storefrontUrl}
  Admin        ${adminUrl}
  API          ${running.url}/v1
  Docs         ${running.url}/v1/docs
  Shop         ${shop.domain}
  API key      ${access.apiKey}
  API secret   ${access.apiSecret}
  A customer   ${shop.customers[0] ?? ""}

  The same is in ${shortPath(file)}. Ctrl-C stops everything; the data stays in ${shortPath(dataDir)}.`);
    await running.stopped;
    await store.close();
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
