import { queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { moreVariantsSchema, productGid, VARIANT_PAGE, VARIANTS, type StoreProduct } from "./queries.ts";

/** Milliseconds for an answer when nobody waits. */
const WITHIN = 20_000;

/**
 * A product with all its variants: those beyond what came with it are asked for, page by page.
 * @param within milliseconds for the answer to each page
 */
export async function withAllVariants(
  shop: string,
  product: StoreProduct,
  signal: AbortSignal,
  within = WITHIN,
): Promise<StoreProduct> {
  const nodes = [...product.variants.nodes];
  let { pageInfo } = product.variants;
  while (pageInfo.hasNextPage) {
    const { endCursor } = pageInfo;
    const answered = await withThrottleRetry(
      () =>
        queryAdminApi(shop, VARIANTS, {
          variables: { id: productGid(product.id), after: endCursor, variants: VARIANT_PAGE },
          answer: moreVariantsSchema,
          within,
        }),
      signal,
    );
    const page = answered?.product?.variants;
    // It was deleted meanwhile: what is known of it does no harm until that is heard of.
    if (!page) break;
    nodes.push(...page.nodes);
    pageInfo = page.pageInfo;
  }
  return { ...product, variants: { nodes, pageInfo } };
}
