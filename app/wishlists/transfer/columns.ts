import { DETAIL_FIELDS } from "../items/details.ts";

/** The fields of a line in a file: the names of the CSV columns, and of the NDJSON fields. */
export const COLUMNS = {
  owner: "owner",
  owner_id: "ownerId",
  product_id: "productId",
  variant_id: "variantId",
  added_at: "addedAt",
  list_id: "listId",
  list_name: "listName",
  ...DETAIL_FIELDS,
  saved_price: "savedPrice",
} as const;

export type Column = keyof typeof COLUMNS;

/** The columns that a CSV file must have. */
export const REQUIRED_COLUMNS: readonly Column[] = ["owner_id", "product_id", "variant_id", "added_at"];

export const FORMATS = ["csv", "ndjson"] as const;

export type Format = (typeof FORMATS)[number];

/** Returns the format of a file by the ending of its name. */
export function formatOf(fileName: string): Format | undefined {
  if (/\.csv$/i.test(fileName)) return "csv";
  return /\.(?:ndjson|jsonl)$/i.test(fileName) ? "ndjson" : undefined;
}
