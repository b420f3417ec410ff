/** Shopify's title for the variant of a product without options. */
const DEFAULT_TITLE = "Default Title";

/** Returns a variant's title, or undefined for the only variant of a product. */
export function variantTitle(title: string): string | undefined {
  return title === DEFAULT_TITLE ? undefined : title;
}
