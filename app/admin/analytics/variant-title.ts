/** What Shopify calls the variant of a product that has no other. */
const ONLY = "Default Title";

/** @returns undefined for a product's only variant, which needs no name beside the product's */
export function variantTitle(title: string): string | undefined {
  return title === ONLY ? undefined : title;
}
