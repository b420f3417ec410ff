import { demandCsv } from "../analytics/index.server.ts";
import { hasFeature } from "../billing/index.server.ts";
import { productDownload } from "../http/admin/product-download.server.ts";

/** Downloads how many customers lower prices of a product would reach as CSV. */
export const loader = productDownload("/app/analytics/demand", "data.demand_exported", async ({ shop }, productId) =>
  hasFeature(shop.plan, "alerts") ? demandCsv(shop, productId) : undefined,
);
