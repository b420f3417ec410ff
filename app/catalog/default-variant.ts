import type { StoreProduct } from "./queries.ts";

/**
 * Returns the variant that is saved when none is named: the one that the store selects on the product's page, which is the first
 * available variant, or the first variant when all are sold out.
 */
export function defaultVariant({ variants }: StoreProduct): string | undefined {
  return (variants.nodes.find(({ availableForSale }) => availableForSale) ?? variants.nodes[0])?.id;
}

/** Tells whether the variants that came with a product suffice to know its default variant. */
export function tellsDefaultVariant({ variants }: StoreProduct): boolean {
  return !variants.pageInfo.hasNextPage || variants.nodes.some(({ availableForSale }) => availableForSale);
}
