/*
 * Which products shoppers may see. A product is published for shoppers when its status lets customers see it (an unlisted product by its
 * address alone) and it is published on the online store, which `publishedAt` tells. Both come with the scope read_products; which other
 * sales channels have a product would need another scope.
 */

/** Shopify's ProductStatus of products that customers can see. */
const VISIBLE = ["ACTIVE", "UNLISTED"];

/**
 * SQL: shoppers can see the product at this moment.
 * @param p the alias of `product`
 * @param at the moment, as SQL
 */
export function isPublishedSql(p: string, at = "now()"): string {
  return `(${p}.status IN (${VISIBLE.map((status) => `'${status}'`).join(", ")}) AND ${p}.published_at <= ${at})`;
}

/** SQL: shoppers can see the product, or could once. What is kept of it may be shown to them. */
export function isKnownToShoppersSql(p: string): string {
  return `(${p}.ever_published OR ${isPublishedSql(p)})`;
}

/** SQL: the product is no draft that shoppers have never seen. The API saves what another sales channel may sell. */
export function isReleasedSql(p: string): string {
  return `(${p}.status <> 'DRAFT' OR ${p}.ever_published)`;
}

interface Publication {
  status: string;
  publishedAt: string | null;
}

export function isPublished({ status, publishedAt }: Publication, at: Date): boolean {
  return VISIBLE.includes(status) && publishedAt !== null && new Date(publishedAt) <= at;
}

export function isReleased({ status }: Publication): boolean {
  return status !== "DRAFT";
}
