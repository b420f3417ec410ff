import { z } from "zod";
import { isoTime } from "../../platform/text/iso-time.ts";
import { PAGE_BYTES } from "../../platform/text/page-size.ts";
import { isKnownToShoppersSql, isPublishedSql } from "../../catalog/index.server.ts";
import { DETAIL_NAMES, DETAIL_TYPES, detailColumns, itemDetails } from "./details.ts";

/*
 * A slice of a list's items as SQL and as JSON. PostgreSQL returns the items as one text, `product variant milliseconds` for each, separated
 * by spaces, which ids never contain: a driver spends most of its time on rows and dates, and Node builds the JSON faster than PostgreSQL. What an
 * item has beyond these three is a second text, which most lists don't have: for each item the end of its JSON object, separated by line breaks,
 * which JSON never contains.
 */

/** SQL for one item as text. `i` is the alias of the item. */
export const ITEM_TEXT =
  "i.product_id || ' ' || i.variant_id || ' ' || (date_part('epoch', i.added_at) * 1000)::bigint";

/** SQL for the details of an item `i` as the end of its JSON object; empty without any. */
export const DETAILS_TEXT = `concat(${DETAIL_NAMES.map((name) => {
  const type = DETAIL_TYPES[name];
  const value = type === "text" ? `to_json(i.${name})::text` : type === "jsonb" ? `i.${name}::text` : `i.${name}`;
  return `',"${name}":' || ${value}`;
}).join(", ")})`;

/**
 * The same without what is the shopper's own: the note, the number by which the items are ordered, and the properties whose names begin with an
 * underscore. Shopify's themes hide these; apps store in them what belongs to the shopper's cart.
 */
export const SHARED_DETAILS_TEXT =
  "concat(',\"quantity\":' || i.quantity, ',\"properties\":' || (SELECT jsonb_object_agg(e.key, e.value) FROM jsonb_each(i.properties) AS e WHERE left(e.key, 1) <> '_')::text)";

/** The columns of an item from which `DETAILS_TEXT` and `PRODUCT_TEXT` are made. */
export const DETAIL_COLUMNS = `${detailColumns("i")}, i.saved_price`;

/** SQL for the separator of details. */
export const LINE_BREAK = "E'\\n'";

/** Shopify's title for the only variant of a product without options. */
const ONLY_VARIANT = "Default Title";

/**
 * Returns SQL for joins that give an item `i` what shoppers may see of its product, as `p`, and of its variant, as `v`: the data of a product that was ever
 * published, and price and stock only while it is visible in the store.
 * @param shopId SQL for the shop's id
 */
export function productJoins(shopId: string): string {
  // LIMIT 1 makes the planner look up each product by its key, however large the catalog.
  return `LEFT JOIN LATERAL (SELECT CASE WHEN p.published_at > now() THEN p.published_at END AS published_later, p.title, p.handle, p.image_url, p.deleted_at IS NOT NULL AS deleted,
                             p.deleted_at IS NULL AND ${isPublishedSql("p")} AS visible
                        FROM product p
                       WHERE p.shop_id = ${shopId} AND p.product_id = i.product_id AND p.handle <> '' AND ${isKnownToShoppersSql("p")} LIMIT 1) AS p ON true
   LEFT JOIN LATERAL (SELECT CASE WHEN p.visible AND v.deleted_at IS NULL THEN v.price END AS price, p.visible AND v.deleted_at IS NULL AND v.available AS available,
                             nullif(v.title, '${ONLY_VARIANT}') AS title, v.deleted_at IS NOT NULL AS deleted
                        FROM variant v
                       WHERE p.title IS NOT NULL AND v.shop_id = ${shopId} AND v.variant_id = i.variant_id AND v.product_id = i.product_id LIMIT 1) AS v ON true`;
}

/** SQL for the product of an item as the end of its JSON object. `p` and `v` are those of `productJoins`, `s` the shop. */
export const PRODUCT_TEXT = `concat(',"product":', CASE WHEN p.title IS NULL THEN 'null' ELSE concat(
  '{"title":', to_json(p.title), ',"handle":', to_json(p.handle), ',"imageUrl":', coalesce(to_json(p.image_url)::text, 'null'),
  ',"url":"https://', s.domain, '/products/', uri_component(p.handle), '?variant=', uri_component(i.variant_id),
  '","variantTitle":', coalesce(to_json(v.title)::text, 'null'), ',"price":', coalesce('"' || amount_text(v.price, s.currency) || '"', 'null'),
  ',"currency":', coalesce(to_json(s.currency)::text, 'null'), ',"available":', CASE WHEN v.available THEN 'true' ELSE 'false' END,
  ',"savedPrice":', coalesce('"' || amount_text(i.saved_price, s.currency) || '"', 'null'), ',"deleted":', CASE WHEN p.deleted OR v.deleted THEN 'true' ELSE 'false' END, '}') END)`;

/**
 * Returns SQL for a slice of the items of the list `w`, newest first. `limit` and `offset` are the statement's parameters.
 * @param text SQL for an item `i` as text
 * @param shopId SQL for the shop's id. A distributed database needs the statement's parameter: it does not infer it in a subquery
 */
function sliceText(
  text: string,
  separator: string,
  columns: string,
  limit: string,
  offset: string,
  shopId: string,
): string {
  return `(SELECT coalesce(string_agg(${text}, ${separator}), '')
             FROM (SELECT ${columns} FROM wishlist_item i
                    WHERE shop_id = ${shopId} AND wishlist_id = w.id
                    ORDER BY added_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}) i)`;
}

/** Returns SQL for the items of the list `w` as text, newest first: one range of an index. */
export function itemsText(limit: string, offset: string, shopId: string): string {
  return sliceText(ITEM_TEXT, "' '", "product_id, variant_id, added_at", limit, offset, shopId);
}

/** Returns SQL for the details of the same items. */
export function detailsText(limit: string, offset: string, shopId: string, details = DETAILS_TEXT): string {
  return sliceText(details, LINE_BREAK, DETAIL_COLUMNS, limit, offset, shopId);
}

/** Bytes that JSON needs for an item beyond its ids and details. */
const JSON_BYTES = 80;

/**
 * Returns SQL that tells whether an item `t`, with its texts `item` and `details`, fits on a page with those before it. Without the data of products, a
 * page's items always do.
 * @param order SQL for their order
 */
export function fitsSql(order: string): string {
  return `sum(octet_length(t.item) + octet_length(t.details) + ${JSON_BYTES}) OVER (ORDER BY ${order}) <= ${PAGE_BYTES}`;
}

/**
 * Returns SQL for a join that gives the list `w` the same items as `x.items`, as far as they fit on a page, and as `x.details` their details with the data of
 * their products. It needs the shop as `s`. `x.until` is when the first of these products is published, if that is in the future.
 * @param options.condition SQL that follows the condition of the items
 */
export function expandedItemsJoin(
  limit: string,
  offset: string,
  shopId: string,
  { details = DETAILS_TEXT, condition = "" }: { details?: string; condition?: string } = {},
): string {
  // OFFSET 0 keeps the planner from building the texts twice.
  return `CROSS JOIN LATERAL
     (SELECT coalesce(string_agg(m.item, ' ' ORDER BY m.added_at DESC, m.seq DESC) FILTER (WHERE m.fits), '') AS items,
             string_agg(m.details, ${LINE_BREAK} ORDER BY m.added_at DESC, m.seq DESC) FILTER (WHERE m.fits) AS details,
             min(m.published_later) AS until
        FROM (SELECT t.*, ${fitsSql("t.added_at DESC, t.seq DESC")} AS fits
                FROM (SELECT ${ITEM_TEXT} AS item, ${details} || ${PRODUCT_TEXT} AS details, p.published_later, i.added_at, i.seq
                        FROM (SELECT i.product_id, i.variant_id, i.added_at, i.seq, ${DETAIL_COLUMNS} FROM wishlist_item i
                               WHERE i.shop_id = ${shopId} AND i.wishlist_id = w.id${condition}
                               ORDER BY i.added_at DESC, i.seq DESC LIMIT ${limit} OFFSET ${offset}) i
                        ${productJoins(shopId)} OFFSET 0) AS t) AS m) x`;
}

/** Returns the number of items. @param text in the format of `itemsText` */
export function countItems(text: string): number {
  if (text === "") return 0;
  let spaces = 0;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) spaces++;
  return (spaces + 1) / 3;
}

/**
 * Returns items as a JSON array.
 * @param text items in the format of `itemsText`
 * @param details the ends of their JSON objects in the format of `detailsText`; null when there are none
 */
export function itemsJson(text: string, details: string | null = null): string {
  if (text === "") return "[]";
  const escaped = /["\\]/.test(text);
  const ends = details?.split("\n");
  let json = "";
  let index = 0;
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
      ? `{"productId":${JSON.stringify(product)},"variantId":${JSON.stringify(variant)},"addedAt":"${addedAt}"`
      : `{"productId":"${product}","variantId":"${variant}","addedAt":"${addedAt}"`;
    json += ends ? `${ends[index++] ?? ""}}` : "}";
    start = end + 1;
  }
  return json + "]";
}

const savedItems = z.array(z.object({ productId: z.string(), variantId: z.string(), ...itemDetails }));

export type SavedItem = z.infer<typeof savedItems>[number];

/** Parses items. @param json as `itemsJson` gives them */
export function itemsOf(json: string): SavedItem[] {
  return savedItems.parse(JSON.parse(json));
}
