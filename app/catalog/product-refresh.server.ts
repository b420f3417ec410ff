import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { sendTask, task } from "../platform/jobs/tasks.server.ts";
import { queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { ofOne } from "../set-aside/index.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { setProductAside, storeDeleted, storeProducts } from "./cache.server.ts";
import { PRODUCTS_BY_ID, productGid, productsByIdSchema, VARIANT_PAGE } from "./queries.ts";
import { withAllVariants } from "./product-variants.server.ts";

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;

/** Updates a product from the store. Webhooks only trigger it, so their order and content do not matter. */
async function refreshProduct(shopId: number, productId: string, signal: AbortSignal): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const queriedAt = now();
  const reason = await ofOne(async () => {
    const result = await withThrottleRetry(
      () =>
        queryAdminApi(shop.domain, PRODUCTS_BY_ID, {
          variables: { ids: [productGid(productId)], variants: VARIANT_PAGE },
          schema: productsByIdSchema,
          within: BACKGROUND_TIMEOUT,
        }),
      signal,
    );
    if (!result) return;
    const [product] = result.nodes;
    if (product) await storeProducts(shopId, [await withAllVariants(shop.domain, product, signal)], queriedAt);
    else await storeDeleted(shopId, productId, queriedAt);
  });
  if (reason !== undefined) await setProductAside(shopId, productId, queriedAt, reason);
}

const productData = z.object({ shopId: z.int(), productId: z.string() });

export const productRefresh = task(
  "catalog-product",
  productData,
  ({ shopId, productId }, signal) => refreshProduct(shopId, productId, signal),
  { exclusive: true, concurrency: 4 },
);

/** Enqueues the update of a product. Deduplicated per product. */
export async function requestRefresh(shopId: number, productId: string): Promise<void> {
  await sendTask(productRefresh, { shopId, productId }, { key: `${shopId} ${productId}` });
}

const productOfItemStatement = statement<{ product_id: string }>(
  "catalog_product_of_inventory_item",
  "SELECT product_id FROM variant WHERE shop_id = $1 AND inventory_item_id = $2 AND deleted_at IS NULL",
);

/** Enqueues the update of the product whose variant has an inventory item. The item of an unknown variant is ignored. */
export async function requestRefreshOfInventoryItem(shopId: number, inventoryItemId: string): Promise<void> {
  const [row] = await run(productOfItemStatement, [shopId, inventoryItemId]);
  if (row) await requestRefresh(shopId, row.product_id);
}
