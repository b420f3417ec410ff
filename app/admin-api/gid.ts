import { z } from "zod";

/** Parses a GID such as gid://shopify/Product/1 to its last part. */
export const gidSchema = z.string().transform((text) => text.slice(text.lastIndexOf("/") + 1));

/** Returns whether Shopify can have an id. Customers and variants of the merchant's own systems have others. */
export function isShopifyId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id);
}
