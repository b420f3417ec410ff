import { closeDatabase } from "../../../app/platform/database.server.ts";
import { provideSettings } from "../../../app/platform/env.server.ts";
import type { Devstore } from "../../../devstore/devstore.ts";
import { startService, type Service } from "../app/service.ts";
import { startShopify } from "./shopify.ts";

/** A server with a stand-in of Shopify's behind it; the app's own functions, called by a test, use the server's database. */
export interface Connected {
  shopify: Devstore;
  service: Service;
  close: () => Promise<void>;
}

/** @param env settings of the server beside those that connect it */
export async function startConnected(env: Record<string, string> = {}): Promise<Connected> {
  const shopify = await startShopify();
  const service = await startService({ env: { ...shopify.env, ...env } });
  provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "3" });
  return {
    shopify,
    service,
    async close() {
      await closeDatabase();
      await service.dispose();
      await shopify.close();
    },
  };
}
