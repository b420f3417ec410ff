import { closeDatabase } from "../../../app/platform/database/database.server.ts";
import { provideEnv } from "../../../app/platform/process/env.server.ts";
import { findShop } from "../../../app/shops/index.server.ts";
import type { Devstore } from "../../../packages/devstore/devstore.ts";
import { seedDemoShop, type DemoShop } from "../../../prisma/seed.ts";
import { startShopify } from "../shopify/shopify.ts";
import { serviceEnv, startService, type Service } from "./service.ts";
import { issueKey } from "./shop.ts";

/** The demo without its builds and its ports. */
export interface DemoService {
  service: Service;
  shopify: Devstore;
  /** what `npm run demo` writes to demo.json about the API and the shop, and the shop's number */
  demo: DemoShop & { id: number; apiUrl: string; apiKey: string; apiSecret: string };
  /** Stops everything and drops the database. */
  dispose: () => Promise<void>;
}

/**
 * Starts a production process with the demo's shop, whose merchant has opened the app, and creates an API key with all scopes. The service may
 * send webhooks to this machine.
 */
export async function startDemoService(): Promise<DemoService> {
  const shopify = await startShopify({ data: "demo", plan: "Growth" });
  const env = { ...shopify.env, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };
  const service = await startService({ env });
  provideEnv({ ...serviceEnv(service.database.url), DATABASE_POOL_SIZE: "5" });
  const seeded = await seedDemoShop(service.database.url, () => undefined);
  const shop = await findShop(seeded.domain);
  if (!shop) throw new Error("the demo's shop was not created");
  const key = await issueKey(shop.id);
  const opened = await shopify.openApp({ app: service.url, shop: seeded.domain });
  if (opened.status !== 200) throw new Error(`the app responded with ${opened.status}`);
  return {
    service,
    shopify,
    demo: { ...seeded, id: shop.id, apiUrl: service.url, apiKey: key.keyId, apiSecret: key.secret },
    async dispose() {
      await closeDatabase();
      await service.dispose();
      await shopify.close();
    },
  };
}
