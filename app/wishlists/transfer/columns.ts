/** The fields of an item in a file: the names of the CSV columns, and of the NDJSON fields. */
export const COLUMNS = {
  owner: "owner",
  owner_id: "ownerId",
  product_id: "productId",
  variant_id: "variantId",
  added_at: "addedAt",
} as const;

export type Column = keyof typeof COLUMNS;

export const FORMATS = ["csv", "ndjson"] as const;

export type Format = (typeof FORMATS)[number];

/** Returns the format of a file by the ending of its name. */
export function formatOf(fileName: string): Format | undefined {
  if (/\.csv$/i.test(fileName)) return "csv";
  return /\.(?:ndjson|jsonl)$/i.test(fileName) ? "ndjson" : undefined;
}
