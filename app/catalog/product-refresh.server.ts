import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { sendTask, task } from "../platform/tasks.server.ts";
import { queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { storeDeleted, storeProducts } from "./cache.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import { PRODUCTS_BY_ID, productGid, productsByIdSchema, VARIANT_PAGE } from "./queries.ts";
import { withAllVariants } from "./product-variants.server.ts";

/** Milliseconds for an answer. Nobody waits for a task. */
const WITHIN = 20_000;

/** Brings one product up to date with the store, whatever was heard of it before and in which order. */
async function refreshProduct(shopId: number, productId: string, signal: AbortSignal): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const askedAt = now();
  const answered = await withThrottleRetry(
    () =>
      queryAdminApi(shop.domain, PRODUCTS_BY_ID, {
        variables: { ids: [productGid(productId)], variants: VARIANT_PAGE },
        answer: productsByIdSchema,
        within: WITHIN,
      }),
    signal,
  );
  if (!answered) return;
  const [product] = answered.nodes;
  if (product) await storeProducts(shopId, [await withAllVariants(shop.domain, product, signal)], askedAt);
  else await storeDeleted(shopId, productId, askedAt);
}

const productData = z.object({ shopId: z.int(), productId: z.string() });

export const productRefresh = task(
  "catalog-product",
  productData,
  ({ shopId, productId }, signal) => refreshProduct(shopId, productId, signal),
  { exclusive: true, concurrency: 4 },
);

/** Has one product brought up to date. Of many wishes for the same one that wait, one is enough. */
export async function requestRefresh(shopId: number, productId: string): Promise<void> {
  await sendTask(productRefresh, { shopId, productId }, { key: `${shopId} ${productId}` });
}
