const PRODUCTS = "/app/analytics/products/";

/**
 * A product's page in the admin. Its id is opaque, and a path is not: Remix's router takes `%2F` for a slash whichever way it was meant, a trailing
 * `.data` for its own protocol, and browsers resolve `..`, escaped or not, unless it is the tail of something.
 */
export function productPath(productId: string): string {
  const unmistakable = /^\.+$/.test(productId) ? `gid://shopify/Product/${productId}` : productId;
  return PRODUCTS + encodeURIComponent(unmistakable.replaceAll("%", "%25")).replaceAll(".", "%2E");
}

/** The product's id, or its GID, that the router found in such a path. */
export function productIdIn(parameter: string): string {
  return parameter.replaceAll("%25", "%");
}
