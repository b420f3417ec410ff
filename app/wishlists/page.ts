import { z } from "zod";
import { integerParameter } from "../platform/integer-parameter.ts";

export const PAGE_LIMIT = { default: 50, max: 200 } as const;

/** Returns the schema of `limit` (1 to 200) and `offset`. */
export function pageQuery(defaultLimit: number) {
  return z.strictObject({
    limit: integerParameter({
      min: 1,
      max: PAGE_LIMIT.max,
      fallback: defaultLimit,
      description: "Items in the page",
      example: 20,
    }),
    offset: integerParameter({ min: 0, max: 2_147_483_647, fallback: 0, description: "Items to skip", example: 0 }),
  });
}

export interface Slice {
  limit: number;
  offset: number;
}

/** Orders of a shopper's own list. Prices and titles come from the catalog cache. */
export const LIST_SORTS = ["newest", "oldest", "price_asc", "price_desc", "title"] as const;

export type ListSort = (typeof LIST_SORTS)[number];

/** A page of a shopper's own list, with the order and filter that the shopper chose. */
export interface ListQuery extends Slice {
  /** `newest` when left out */
  sort?: ListSort;
  /** only items whose variant can be bought now; all items when left out */
  available?: boolean;
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
    items: z.array(itemSchema).meta({ description: "The requested page, newest first" }),
    count: z.int().meta({ description: "Items in this response", example: 1 }),
    total: z.int().meta({ description: "Items in the wishlist", example: 1 }),
    has_more: z.boolean().meta({ description: "Whether more items follow", example: false }),
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
  .meta({ id: "SharedWishlist", description: "A wishlist as its share link shows it, without data about its owner" });
