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
import { demoAccess, SHOP_FRONT_ORIGINS, writeDemoFile } from "./demo-access.ts";
import { fail } from "../fail.ts";
import { freshBuild } from "./fresh-build.ts";
import { localSecrets } from "./local-secrets.ts";
import { findFreePort } from "../postgres/server.ts";
import { checkPorts } from "../port.ts";
import { prepare } from "../prepare.ts";
import { serve } from "../serve.ts";

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

// The demo prints its API key and keeps its secrets in a file, so it listens on this machine only. Webhooks may go to local receivers.
const LOCAL = { HOST: "127.0.0.1", LOG_LEVEL: "warn", NODE_ENV: "development", WEBHOOKS_ALLOW_LOOPBACK: "1" };

/** Generates the settings that connect the service with the devstore, which keeps nothing between runs. */
async function appSettings(): Promise<Record<string, string>> {
  return {
    SHOPIFY_API_KEY: randomBytes(16).toString("hex"),
    SHOPIFY_API_SECRET: randomBytes(16).toString("hex"),
    SHOPIFY_APP_URL: "https://wishlist.example.com",
    DEVSTORE_URL: `http://127.0.0.1:${await findFreePort(STORE_PORT)}`,
  };
}

/** Starts the devstore for the app, on the plan of the demo's shop. */
async function startStore({ shopify, devstoreUrl }: Env, appAddress: string): Promise<Devstore> {
  const { shopifyApiSecrets } = secrets();
  if (!shopify || shopifyApiSecrets === undefined || devstoreUrl === undefined)
    throw new Error("the demo lacks the settings of the devstore");
  return createDevstore({
    port: Number(new URL(devstoreUrl).port),
    appUrl: shopify.appUrl,
    appAddress,
    apiKey: shopify.apiKey,
    apiSecret: shopifyApiSecrets[0],
    // Shopify Flow takes a customer only from an app that may read customers; with orders, Analytics shows revenue.
    scopes: [...shopify.scopes, "read_customers", "read_orders"],
    plan: "Growth",
    data: "demo",
    customerAccountClient: {
      redirectUris: SHOP_FRONT_ORIGINS.map((origin) => `${origin}/account/authorize`),
      logoutUris: SHOP_FRONT_ORIGINS.map((origin) => `${origin}/`),
      javaScriptOrigins: [...SHOP_FRONT_ORIGINS],
    },
  });
}

/** Shortens a path below the working folder to a relative one. */
function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}

try {
  const settings = provideSettings(LOCAL);
  await checkPorts(settings);
  const dataDir = path.resolve(settings.dataDir);
  const defaults = { ...LOCAL, ...(await localSecrets(dataDir)), ...(await appSettings()) };
  print("Wishlist Headless demo");
  const prepared = await prepare("npm run demo", defaults, printProgress);
  try {
    const env = provideEnv(prepared.defaults);
    await freshBuild(printProgress);
    const shop = await seedDemoShop(prepared.databaseUrl, printProgress);
    const access = await demoAccess(dataDir, shop.domain);
    const stored = await findShop(shop.domain);
    if (stored) await transaction(stored.id, (tx) => deleteSessions(tx, shop.domain));
    await closeDatabase();

    const build = await loadBuild();
    const running = await serve({ build, prepared });
    // After `serve`, because with PORT=0 the app's port is known only then.
    const store = await startStore(env, running.url);
    await store.connectStore().catch((error: unknown) => {
      if (!build.entry.module.service.isStopping()) throw error;
    });
    const { adminUrl, storefrontUrl, logins } = store;
    const { domain, customers, products } = shop;
    const { clientId, redirectUris, logoutUris } = store.customerAccountClient;
    const file = await writeDemoFile(dataDir, {
      apiUrl: running.url,
      adminUrl,
      storefrontUrl,
      shop: domain,
      ...access,
      logins,
      customers,
      products,
      storefront: {
        shop: domain,
        url: store.url,
        apiVersion: store.apiVersion,
        storefrontAccessToken: store.storefrontAccessToken,
        customerAccount: { clientId, redirectUris, logoutUris },
      },
    });
    printProgress("Ready");
    print(`
  Storefront   ${storefrontUrl}
  Admin        ${adminUrl}
  API          ${running.url}/v1
  Docs         ${running.url}/v1/docs
  Shop         ${shop.domain}
  API key      ${access.apiKey}
  API secret   ${access.apiSecret}
  A customer   ${shop.customers[0] ?? ""}
  Shop front   ${access.publishableKey} works in pages of ${SHOP_FRONT_ORIGINS.join(" and ")}

  All of this is also in ${shortPath(file)}. Ctrl-C stops everything; the data stays in ${shortPath(dataDir)}.`);
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
