import type { Item } from "@wishlist-headless/sdk";

/** Tells whether an item can be put into the cart. */
export function isBuyable({ product, variantId }: Item): boolean {
  return product?.available === true && !product.deleted && /^\d+$/.test(variantId);
}

/** Returns the cart permalink of items, which leads to the cart instead of the checkout. */
export function cartPermalink(shop: string, items: readonly Item[]): string {
  const lines = items.map(({ variantId, quantity = 1 }) => `${variantId}:${quantity}`);
  return `https://${shop}/cart/${lines.join(",")}?storefront=true`;
}
