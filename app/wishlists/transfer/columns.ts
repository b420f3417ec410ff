/** What a file of wishlists holds of an item: the names of its CSV columns, and of the same in NDJSON. */
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

/** The format that a file's name promises. */
export function formatOf(fileName: string): Format | undefined {
  if (/\.csv$/i.test(fileName)) return "csv";
  return /\.(?:ndjson|jsonl)$/i.test(fileName) ? "ndjson" : undefined;
}
