import { z } from "zod";
import { namesInBatches } from "../../customers/index.server.ts";
import type { CustomerName } from "../../customers/customer-names.ts";
import { readSnapshot, statement, type Statement } from "../../platform/database/database.server.ts";
import { csvCell, csvRecord, textCell } from "../../platform/text/csv.ts";
import { DEFAULT_LIST } from "../owner.ts";
import { parseListQuery, toSearch, type ListQuery } from "../staff/list-filters.ts";
import { ofEachOrder, ORDERS, selectionSql, selectionValues } from "../staff/list-index.server.ts";
import { idCell } from "./ids.ts";

/** Lists that are read at a time, whose customers are one query to Shopify. */
const LISTS = 50;
/** Characters that are sent at a time. */
const PIECE = 64 * 1024;

/** What an export from the index contains, as its link stores it. */
export const indexSelection = z.object({
  query: z.string().transform((text): ListQuery => parseListQuery(new URLSearchParams(text))),
  lists: z.array(z.string()),
  /** whether the file has the customers' names */
  names: z.boolean(),
});

export type IndexSelection = z.output<typeof indexSelection>;

/** Writes a selection as `indexSelection` reads it. */
export function storedSelection({ query, lists, names }: IndexSelection): z.input<typeof indexSelection> {
  return { query: toSearch(query).toString(), lists, names };
}

const COLUMNS = [
  "list",
  "owner",
  "customer_id",
  "customer_name",
  "customer_email",
  "list_name",
  "last_activity",
  "product_id",
  "variant_id",
  "product_title",
  "variant_title",
  "quantity",
  "added_at",
  "saved_price",
  "price",
  "currency",
  "stock",
];

const itemSchema = z.object({
  productId: z.string(),
  variantId: z.string(),
  addedAt: z.string(),
  quantity: z.number(),
  savedPrice: z.string().nullable(),
  price: z.string().nullable(),
  title: z.string().nullable(),
  variantTitle: z.string().nullable(),
  stock: z.enum(["in", "out", "gone", "unknown"]),
});

type Item = z.output<typeof itemSchema>;

interface Row {
  wishlist_id: number;
  owner_kind: "customer" | "guest";
  owner_id: string;
  handle: string;
  name: string | null;
  active_at: Date;
  currency: string | null;
  items: unknown;
}

const statementOf = ofEachOrder(({ sort, direction }): Statement<Row> => {
  const order = `${ORDERS[sort].column} ${direction}, wishlist_id ${direction}`;
  return statement<Row>(
    `wishlist_index_export_${sort}_${direction}`,
    `SELECT s.wishlist_id, w.owner_kind, w.owner_id, w.handle, w.name, s.active_at, $9::text AS currency, x.items
       FROM (${selectionSql({ sort, direction })}) AS s
       JOIN wishlist w ON w.shop_id = $1::bigint AND w.id = s.wishlist_id AND w.deleted_at IS NULL
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object(
                 'productId', i.product_id, 'variantId', i.variant_id, 'addedAt', to_char(i.added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                 'quantity', coalesce(i.quantity, 1), 'savedPrice', amount_text(i.saved_price, $9::text), 'price', amount_text(v.price, $9::text), 'title', nullif(p.title, ''),
                 'variantTitle', v.title,
                 'stock', CASE WHEN p.deleted_at IS NOT NULL OR v.deleted_at IS NOT NULL THEN 'gone' WHEN v.available IS NULL THEN 'unknown'
                               WHEN v.available THEN 'in' ELSE 'out' END) ORDER BY i.added_at DESC, i.seq DESC) AS items
          FROM wishlist_item i
          LEFT JOIN product p ON p.shop_id = $1::bigint AND p.product_id = i.product_id
          LEFT JOIN variant v ON v.shop_id = $1::bigint AND v.variant_id = i.variant_id AND v.product_id = i.product_id
         WHERE i.shop_id = $1::bigint AND i.wishlist_id = w.id) AS x
      ORDER BY s.${order.replace(", ", ", s.")}`,
  );
});

function write(row: Row, customer: CustomerName | undefined, item: Item | undefined): string {
  const isCustomer = row.owner_kind === "customer";
  const cells = [
    ...[String(row.wishlist_id), row.owner_kind, isCustomer ? idCell("Customer", row.owner_id) : ""],
    ...[textCell(customer?.name ?? ""), textCell(customer?.email ?? "")],
    ...[textCell(row.name ?? (row.handle === DEFAULT_LIST ? "" : row.handle)), row.active_at.toISOString()],
    ...(item
      ? [
          ...[idCell("Product", item.productId), idCell("ProductVariant", item.variantId)],
          ...[textCell(item.title ?? ""), textCell(item.variantTitle ?? ""), String(item.quantity), item.addedAt],
          ...[item.savedPrice ?? "", item.price ?? "", csvCell(row.currency ?? ""), item.stock],
        ]
      : Array.from({ length: 10 }, () => "")),
  ];
  return `${cells.join(",")}\r\n`;
}

/**
 * Exports lists of the index as CSV, in its order and from one snapshot: a line for each item, and one for a list without items. Guests have no id.
 * Prices and stock are those of now, also where the summaries, by which the lists are found, are older.
 */
export async function* exportIndex(
  shop: { id: number; domain: string; currency: string | null },
  { query, lists, names }: IndexSelection,
): AsyncGenerator<string, void> {
  const access = { shop: shop.domain, isPermitted: names, isShown: names };
  const values = [...selectionValues(shop.id, { query, lists }), shop.currency];
  let piece = `\u{FEFF}${csvRecord(COLUMNS)}`;
  for await (const rows of readSnapshot(statementOf(query), values, LISTS)) {
    const customers = await namesInBatches(
      access,
      rows.flatMap(({ owner_kind, owner_id }) => (owner_kind === "customer" ? [owner_id] : [])),
    );
    for (const row of rows) {
      const items = row.items === null ? [undefined] : z.array(itemSchema).parse(row.items);
      for (const item of items) {
        piece += write(row, row.owner_kind === "customer" ? customers.get(row.owner_id) : undefined, item);
        if (piece.length < PIECE) continue;
        yield piece;
        piece = "";
      }
    }
  }
  yield piece;
}
