import { closeDatabase } from "../../../app/platform/database/database.server.ts";
import { provideSettings } from "../../../app/platform/process/env.server.ts";
import type { Devstore } from "../../../packages/devstore/devstore.ts";
import type { DevstoreOptions } from "../../../packages/devstore/foundation/options.ts";
import { startService, type Service } from "../app/service.ts";
import { startShopify } from "./shopify.ts";

/** A server connected to a devstore. The app's functions, when a test calls them, use the server's database. */
export interface Connected {
  shopify: Devstore;
  service: Service;
  close: () => Promise<void>;
}

/** Starts a devstore and a server connected to it. @param env further settings of the server */
export async function startConnected(
  env: Record<string, string> = {},
  options: DevstoreOptions = {},
): Promise<Connected> {
  const shopify = await startShopify(options);
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
