import { ALERT_KINDS } from "../../app/alerts/index.server.ts";
import { secrets, type Env } from "../../app/platform/process/env.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { deleteSessions } from "../../app/shopify-sessions/index.server.ts";
import { readEmailSettings, saveEmailSettings } from "../../app/email/index.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { createDevstore, type Devstore } from "../../packages/devstore/devstore.ts";
import { seedDemoShop, type DemoShop } from "../../prisma/seed.ts";
import type { AppBuild } from "../build.ts";
import type { Prepared } from "../prepare.ts";
import { serve, type Running } from "../serve.ts";
import { demoAccess, SHOP_FRONT_ORIGINS, writeDemoFile, type DemoAccess } from "./demo-access.ts";

export { SHOP_FRONT_ORIGINS };

/** The demo's shop with the keys for it. */
interface ShopAccess {
  shop: DemoShop;
  access: DemoAccess;
}

/** Fills the database with the demo shop, unless it has the shop, and provides keys. The shop's sessions end with the previous devstore. */
export async function provideShop(
  databaseUrl: string,
  dataDir: string,
  onProgress: (message: string) => void,
): Promise<ShopAccess> {
  const shop = await seedDemoShop(databaseUrl, onProgress);
  const access = await demoAccess(dataDir, shop.domain);
  const stored = await findShop(shop.domain);
  if (stored) {
    await transaction(stored.id, (tx) => deleteSessions(tx, shop.domain));
    await provideEmail(stored.id);
  }
  await closeDatabase();
  return { shop, access };
}

/** Lets the demo shop email its alerts, unless staff have chosen something. */
async function provideEmail(shopId: number): Promise<void> {
  if (await readEmailSettings(shopId)) return;
  const none = { subject: "", introduction: "" };
  const settings = {
    kinds: [...ALERT_KINDS],
    senderName: "Larkfell Outdoor",
    replyTo: "hello@larkfell.example",
    postalAddress: "Larkfell Outdoor\nTorstraße 1\n10119 Berlin\nGermany",
    ...{ accent: "#1f6f54", logoUrl: null, weeklyLimit: 10, version: 0 },
    texts: { price_dropped: none, back_in_stock: none, low_stock: none, reminder_due: none },
  };
  await transaction(shopId, (tx) => saveEmailSettings(tx, shopId, settings, true));
}

/** Starts the app and the devstore, connects them, and writes demo.json. */
export async function startServices({
  build,
  prepared,
  dataDir,
  shop,
  access,
}: ShopAccess & { build: AppBuild; prepared: Prepared; dataDir: string }): Promise<{
  running: Running;
  store: Devstore;
  /** path of demo.json */
  file: string;
}> {
  const running = await serve({ build, prepared });
  // After `serve`, because with PORT=0 the app's port is known only then.
  const store = await startStore(running.env, running.url, prepared.defaults["SMTP_URL"]);
  await store.connectStore().catch((error: unknown) => {
    if (!build.entry.module.service.isStopping()) throw error;
  });
  const { domain, customers, products } = shop;
  const { clientId, redirectUris, logoutUris } = store.customerAccountClient;
  const file = await writeDemoFile(dataDir, {
    apiUrl: running.url,
    adminUrl: store.adminUrl,
    storefrontUrl: store.storefrontUrl,
    shop: domain,
    ...access,
    logins: store.logins,
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
  return { running, store, file };
}

/**
 * Starts the devstore for the app, on the plan of the demo's shop.
 * @param mailUrl the address of the devstore's mail server, unless the environment names another
 */
async function startStore(
  { shopify, devstoreUrl }: Env,
  appAddress: string,
  mailUrl: string | undefined,
): Promise<Devstore> {
  const { shopifyApiSecrets, smtp } = secrets();
  const mailPort = mailUrl === undefined ? undefined : Number(new URL(mailUrl).port);
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
    ...(mailPort !== undefined && smtp?.port === mailPort && { smtp: { port: mailPort } }),
    customerAccountClient: {
      redirectUris: SHOP_FRONT_ORIGINS.map((origin) => `${origin}/account/authorize`),
      logoutUris: SHOP_FRONT_ORIGINS.map((origin) => `${origin}/`),
      javaScriptOrigins: [...SHOP_FRONT_ORIGINS],
    },
  });
}
