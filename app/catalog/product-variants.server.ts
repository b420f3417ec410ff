import { queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { moreVariantsSchema, productGid, VARIANT_PAGE, VARIANTS, type StoreProduct } from "./queries.ts";

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;

/**
 * Returns a product with all its variants: variants that were not read with it are read page by page.
 * @param within milliseconds for the response to each page
 */
export async function withAllVariants(
  shop: string,
  product: StoreProduct,
  signal: AbortSignal,
  within = BACKGROUND_TIMEOUT,
): Promise<StoreProduct> {
  const nodes = [...product.variants.nodes];
  let { pageInfo } = product.variants;
  while (pageInfo.hasNextPage) {
    const { endCursor } = pageInfo;
    const result = await withThrottleRetry(
      () =>
        queryAdminApi(shop, VARIANTS, {
          variables: { id: productGid(product.id), after: endCursor, variants: VARIANT_PAGE },
          schema: moreVariantsSchema,
          within,
        }),
      signal,
    );
    const page = result?.product?.variants;
    // The product was deleted in the meantime; its webhook will remove it.
    if (!page) break;
    nodes.push(...page.nodes);
    pageInfo = page.pageInfo;
  }
  return { ...product, variants: { nodes, pageInfo } };
}
