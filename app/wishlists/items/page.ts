import { z } from "zod";
import { integerParameter } from "../../platform/text/integer-parameter.ts";
import { textSchema } from "../text.ts";
import { itemDetails } from "./details.ts";

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

export const expandQuery = z.strictObject({
  expand: z.literal("product").optional().meta({
    description: "With `product`, each item has the data of its product and variant from the catalog cache",
    "x-additive": true,
  }),
});

export interface Slice {
  limit: number;
  offset: number;
}

/** Orders of the storefront's pages. Prices and titles come from the catalog cache. */
export const LIST_SORTS = ["newest", "oldest", "price_asc", "price_desc", "title", "position"] as const;

/** All orders. */
export type ListSort = (typeof LIST_SORTS)[number] | "title_desc" | "position_desc";

/** A page of a list, with the order and filter that the caller chose. */
export interface ListQuery extends Slice {
  /** `newest` when left out */
  sort?: ListSort;
  /** only items whose variant can be bought now; all items when left out */
  available?: boolean;
  /** only items whose product has this in its title; all items when left out */
  q?: string | undefined;
  /** whether `q` also finds the titles of variants and the notes, as the list's owner searches */
  searchesDetails?: boolean;
}

/** A read of items through the API. */
export interface ItemsQuery extends ListQuery {
  /** with the data of each item's product */
  expanded?: boolean;
}

/** Returns whether a page shows all items, newest first, without data of the catalog. */
export function isPlain({ sort = "newest", available = false, q, expanded = false }: ItemsQuery): boolean {
  return sort === "newest" && !available && q === undefined && !expanded;
}

const SORTS = ["added_at", "price", "title", "position"] as const;

const ORDERS: Record<(typeof SORTS)[number], Record<"asc" | "desc", ListSort>> = {
  added_at: { asc: "oldest", desc: "newest" },
  price: { asc: "price_asc", desc: "price_desc" },
  title: { asc: "title", desc: "title_desc" },
  position: { asc: "position", desc: "position_desc" },
};

/** The most characters of a search. */
const MAX_SEARCH = 100;

/** What to search for. */
export const searchSchema = textSchema(MAX_SEARCH).trim().min(1, "must not be empty");

/** Returns the schema of the query of a read of items. */
export function itemsQuery(defaultLimit: number) {
  return z.strictObject({
    ...pageQuery(defaultLimit).shape,
    ...expandQuery.shape,
    sort: z.enum(SORTS).default("added_at").meta({
      description:
        "Order of the items. `price` and `title` are those of the catalog cache, and items without one come last; `position` is the number that the caller has given the items.",
      "x-additive": true,
    }),
    direction: z
      .enum(["asc", "desc"])
      .optional()
      .meta({ description: "`desc` by default for `added_at`, otherwise `asc`", "x-additive": true }),
    available: z
      .enum(["true", "false"])
      .default("false")
      .meta({ description: "With `true`, only items that can be bought now", "x-additive": true }),
    q: searchSchema
      .optional()
      .meta({ description: "Only items whose product has this text in its title, in any case", "x-additive": true }),
  });
}

/** Parses the query of a read of items. */
export function toItemsQuery(query: z.output<ReturnType<typeof itemsQuery>>): ItemsQuery {
  const { limit, offset, sort, direction = sort === "added_at" ? "desc" : "asc", available, q, expand } = query;
  return {
    limit,
    offset,
    sort: ORDERS[sort][direction],
    available: available === "true",
    q,
    expanded: expand !== undefined,
  };
}

/** With the decimals of its currency: see amount_text(). */
const money = z.string().regex(/^\d+(?:\.\d+)?$/);

const productSchema = z
  .strictObject({
    title: z.string().meta({ example: "Hollowbrook 1 Solo Tent" }),
    handle: z.string().meta({ example: "hollowbrook-1-solo-tent" }),
    imageUrl: z.string().nullable().meta({ example: "https://cdn.shopify.com/s/files/1/hollowbrook-1-solo-tent.jpg" }),
    url: z.string().meta({
      description: "The variant in the online store",
      example: "https://larkfell-outdoor.myshopify.com/products/hollowbrook-1-solo-tent?variant=44003118551387",
    }),
    variantTitle: z
      .string()
      .nullable()
      .meta({ description: "null for the only variant of a product", example: "Moss" }),
    price: money.nullable().meta({
      description: "With the decimals of `currency`; null while the variant is not visible in the store",
      example: "249.00",
    }),
    currency: z.string().nullable().meta({ description: "ISO 4217", example: "EUR" }),
    available: z.boolean().meta({ description: "Whether it can be bought now", example: true }),
    savedPrice: money
      .nullable()
      .meta({ description: "The price when the item was saved, where it was known", example: "269.00" }),
    deleted: z
      .boolean()
      .meta({ description: "Whether the product or variant was deleted in the store", example: false }),
  })
  .meta({
    id: "ItemProduct",
    description: "An item's product and variant, as the catalog cache has them and shoppers may see them",
  });

const itemSchema = z
  .strictObject({
    productId: z.string().meta({ example: "8401930311165" }),
    variantId: z.string().meta({ example: "44003118551387" }),
    addedAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" }),
    ...itemDetails,
    product: productSchema.nullable().optional().meta({
      description: "With `expand=product`; null when the catalog cache has no such product",
      "x-additive": true,
    }),
  })
  .meta({ id: "WishlistItem", description: "A saved product variant. Details are present where they are set." });

export const pageSchema = z
  .strictObject({
    items: z.array(itemSchema).meta({ description: "The requested page, newest first unless `sort` says otherwise" }),
    count: z.int().meta({ description: "Items in this response", example: 1 }),
    total: z
      .int()
      .meta({ description: "Items in the wishlist; with `q` or `available`, those that match", example: 1 }),
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
    name: z
      .string()
      .optional()
      .meta({ description: "The list's name, if it has one", example: "Birthday", "x-additive": true }),
    sharedBy: z
      .string()
      .optional()
      .meta({ description: "The name that the sharer has given, if any", example: "Ana", "x-additive": true }),
  })
  .meta({
    id: "SharedWishlist",
    description:
      "A wishlist as its share link shows it, without data about its owner other than a name that they have given for it. Items have no notes.",
  });
