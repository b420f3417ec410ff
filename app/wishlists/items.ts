/**
 * A slice of a wishlist's items as SQL and as JSON. PostgreSQL gives them as one text, `product variant milliseconds` for each, with
 * spaces between, which no id can hold: rows and dates are what costs on the way through a driver, and the JSON of a page is made
 * faster here than there.
 */

/** The items of the wishlist `w`, newest first. `limit` and `offset` are the statement's parameters. */
export function itemsText(limit: string, offset: string): string {
  return `(SELECT coalesce(string_agg(i.product_id || ' ' || i.variant_id || ' ' ||
                                      (date_part('epoch', i.added_at) * 1000)::bigint, ' '), '')
             FROM (SELECT product_id, variant_id, added_at FROM wishlist_item
                    WHERE shop_id = w.shop_id AND wishlist_id = w.id
                    ORDER BY added_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}) i)`;
}

/** @param text as `itemsText` gives it */
export function itemsJson(text: string): string {
  if (text === "") return "[]";
  const quote = /["\\]/.test(text)
    ? (id: string | undefined) => JSON.stringify(id)
    : (id: string | undefined) => `"${id ?? ""}"`;
  const parts = text.split(" ");
  let json = "";
  for (let at = 0; at < parts.length; at += 3) {
    const addedAt = new Date(Number(parts[at + 2])).toISOString();
    json += `${at === 0 ? "[" : ","}{"productId":${quote(parts[at])},"variantId":${quote(parts[at + 1])},"addedAt":"${addedAt}"}`;
  }
  return json + "]";
}
