import type { StoreProduct } from "./queries.ts";

/**
 * Returns the variant that is saved when none is named: the one that the store selects on the product's page, which is the first
 * available variant, or the first variant when all are sold out.
 */
export function defaultVariant({ variants }: StoreProduct): string | undefined {
  return (variants.nodes.find(({ availableForSale }) => availableForSale) ?? variants.nodes[0])?.id;
}

/** Returns whether the variants that were read with a product determine its default variant. */
export function determinesDefaultVariant({ variants }: StoreProduct): boolean {
  return !variants.pageInfo.hasNextPage || variants.nodes.some(({ availableForSale }) => availableForSale);
}
