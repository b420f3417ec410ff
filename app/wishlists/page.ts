import { z } from "zod";

export const PAGE_LIMIT = { default: 50, max: 200 } as const;

/** Far beyond any bound, and still an integer to zod. */
const HUGE = Number.MAX_SAFE_INTEGER;

/** A query parameter is text; what looks like a whole number is one, anything else is left for the schema to refuse. */
function integerParameter(schema: z.ZodType<number>, fallback: number) {
  const toInteger = (value: unknown): unknown =>
    typeof value === "string" && /^(0|-?[1-9]\d*)$/.test(value)
      ? Math.max(-HUGE, Math.min(HUGE, Number(value)))
      : value;
  return z.preprocess((value) => (value === undefined ? fallback : toInteger(value)), schema);
}

const INT_MESSAGE = "must be a whole number";

/** `limit` (1 to 200) and `offset` of a page. */
export function pageQuery(defaultLimit: number) {
  return z.strictObject({
    limit: integerParameter(
      z
        .int(INT_MESSAGE)
        .min(1, "must be at least 1")
        .max(PAGE_LIMIT.max, `must be at most ${PAGE_LIMIT.max}`)
        .meta({ description: "Items in the page", default: defaultLimit, example: 20 }),
      defaultLimit,
    ),
    offset: integerParameter(
      z
        .int(INT_MESSAGE)
        .min(0, "must be at least 0")
        .max(2_147_483_647, "must be at most 2147483647")
        .meta({ description: "Items to skip", default: 0, example: 0 }),
      0,
    ),
  });
}

export interface Slice {
  limit: number;
  offset: number;
}

const itemSchema = z
  .strictObject({
    productId: z.string().meta({ example: "8261504012487" }),
    variantId: z.string().meta({ example: "44619204067527" }),
    addedAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" }),
  })
  .meta({ id: "WishlistItem", description: "A saved product variant" });

export const pageSchema = z
  .strictObject({
    items: z.array(itemSchema).meta({ description: "The requested slice, newest first" }),
    count: z.int().meta({ description: "Items in this response", example: 1 }),
    total: z.int().meta({ description: "Items in the wishlist", example: 1 }),
    has_more: z.boolean().meta({ description: "Are there items after this slice?", example: false }),
  })
  .meta({ id: "WishlistPage" });

export const sharedViewSchema = z
  .strictObject({
    items: z.array(itemSchema),
    count: z.int().meta({ example: 1 }),
    total: z.int().meta({ example: 1, "x-additive": true }),
    has_more: z.boolean().meta({ example: false, "x-additive": true }),
    expiresAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-12-20T09:30:00.000Z" }),
  })
  .meta({ id: "SharedWishlist", description: "A wishlist as its share link shows it, without its owner" });
