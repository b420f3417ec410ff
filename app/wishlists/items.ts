import { isoTime } from "../platform/iso-time.ts";

/*
 * A slice of a wishlist's items as SQL and as JSON. PostgreSQL returns the items as one text, `product variant milliseconds` for each, separated
 * by spaces, which ids never contain: a driver spends most of its time on rows and dates, and Node builds the JSON faster than PostgreSQL.
 */

/** SQL for one item as text. `i` is the alias of the item. */
export const ITEM_TEXT =
  "i.product_id || ' ' || i.variant_id || ' ' || (date_part('epoch', i.added_at) * 1000)::bigint";

/**
 * Returns SQL for the items of the wishlist `w`, newest first. `limit` and `offset` are the statement's parameters.
 * @param shopId SQL for the shop's id. A distributed database needs the statement's parameter: it does not infer it in a subquery
 */
export function itemsText(limit: string, offset: string, shopId: string): string {
  return `(SELECT coalesce(string_agg(${ITEM_TEXT}, ' '), '')
             FROM (SELECT product_id, variant_id, added_at FROM wishlist_item
                    WHERE shop_id = ${shopId} AND wishlist_id = w.id
                    ORDER BY added_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}) i)`;
}

/** Returns items as a JSON array. @param text items in the format of `itemsText` */
export function itemsJson(text: string): string {
  if (text === "") return "[]";
  const escaped = /["\\]/.test(text);
  let json = "";
  for (let start = 0; start <= text.length;) {
    const afterProduct = text.indexOf(" ", start);
    const afterVariant = text.indexOf(" ", afterProduct + 1);
    const next = text.indexOf(" ", afterVariant + 1);
    const end = next < 0 ? text.length : next;
    const product = text.slice(start, afterProduct);
    const variant = text.slice(afterProduct + 1, afterVariant);
    const addedAt = isoTime(Number(text.slice(afterVariant + 1, end)));
    json += json === "" ? "[" : ",";
    json += escaped
      ? `{"productId":${JSON.stringify(product)},"variantId":${JSON.stringify(variant)},"addedAt":"${addedAt}"}`
      : `{"productId":"${product}","variantId":"${variant}","addedAt":"${addedAt}"}`;
    start = end + 1;
  }
  return json + "]";
}

export interface SavedItem {
  productId: string;
  variantId: string;
}

/** Parses items. @param text items in the format of `itemsText` */
export function itemsOf(text: string): SavedItem[] {
  const parts = text.split(" ");
  return Array.from({ length: Math.floor(parts.length / 3) }, (_, place) => ({
    productId: parts[3 * place] ?? "",
    variantId: parts[3 * place + 1] ?? "",
  }));
}
