const PRODUCTS = "/app/analytics/products/";

/**
 * Returns the path of a product's page. A product id can be any text, so it is escaped twice: Remix's router decodes `%2F` to a slash and strips a
 * trailing `.data`, and browsers resolve `..` even when it is escaped.
 */
export function productPath(productId: string): string {
  const unmistakable = /^\.+$/.test(productId) ? `gid://shopify/Product/${productId}` : productId;
  return PRODUCTS + encodeURIComponent(unmistakable.replaceAll("%", "%25")).replaceAll(".", "%2E");
}

/** Returns the path of the page of the customers who have a product in a list. */
export function productCustomersPath(productId: string, page = 1): string {
  return `${productPath(productId)}/customers${page > 1 ? `?page=${page}` : ""}`;
}

/** Returns the product id, or its GID, from the router's path parameter. */
export function productIdIn(parameter: string): string {
  return parameter.replaceAll("%25", "%");
}
