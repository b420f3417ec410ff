/*
 * The rules for which products shoppers may see. A product is published when its status is visible to customers (an unlisted product only by its
 * URL) and it is published on the online store, which `publishedAt` contains. Both fields need the scope read_products only; the publication on
 * other sales channels would need another scope.
 */

/** The values of Shopify's ProductStatus with which customers can see a product; the same as in the SQL function. */
const VISIBLE = ["ACTIVE", "UNLISTED"];

/**
 * Returns SQL for whether shoppers can see a product.
 * @param p the alias of `product`
 * @param at the time, as SQL
 */
export function isPublishedSql(p: string, at = "now()"): string {
  return `product_is_published(${p}.status, ${p}.published_at, ${at})`;
}

/** Returns SQL for whether shoppers can see a product or could see it before, so that its data may be shown to them. */
export function isKnownToShoppersSql(p: string): string {
  return `(${p}.ever_published OR ${isPublishedSql(p)})`;
}

/** Returns SQL for whether a product is not an unseen draft. The API saves such products, because another sales channel may sell them. */
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
