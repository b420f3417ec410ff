import { z } from "zod";
import {
  itemDetails,
  lineDetails,
  LIST_SORTS,
  listIdSchema,
  productIdSchema,
  searchSchema,
  shareTokenSchema,
  variantIdSchema,
} from "../wishlists/index.server.ts";
import { emailSchema, localeSchema, requestKindSchema, targetPriceSchema } from "../contacts/wanted.ts";
import { guestIdSchema } from "./guest-id.ts";

/** The most products in one look-up. */
const PRODUCTS = 250;
/** The largest `offset`. */
const MAX_OFFSET = 2_147_483_647;

const HANDLE = /^[^\p{Cc}]{1,255}$/u;

/** Tells whether a product can have this handle, in any script. */
export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}

const handleSchema = z.string().regex(HANDLE, "is not a product's handle");

const IN_A_BODY = "belongs in a body, never in an address";
const guestInAddress = { guestId: z.never(IN_A_BODY).optional(), guest_id: z.never(IN_A_BODY).optional() };

/**
 * For endpoints without parameters of their own. All others are ignored: the signature covers Shopify's, to which it can add, and marketing tools
 * add theirs to the links of emails.
 */
export const signedQuery = z.object(guestInAddress);

/** Any other value means the first page. */
const pageNumber = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .catch(1);

const sortSchema = z.enum(LIST_SORTS);

/** The view of a list in a page's address. Invalid values mean the defaults. */
export const viewQuery = {
  list: listIdSchema.optional().catch(undefined),
  page: pageNumber,
  sort: sortSchema.catch("newest"),
  available: z
    .literal("1")
    .transform(() => true)
    .catch(false),
  q: searchSchema.optional().catch(undefined),
};

/** For a page with a list. Other parameters are ignored, as above. */
export const pageQuery = z.object({ ...guestInAddress, ...viewQuery });

/** The order and filter of a list in a body. */
const arrangement = {
  sort: sortSchema.default("newest"),
  /** only items that can be bought */
  available: z.boolean().default(false),
  /** only items with this in the titles of product and variant or in the note */
  q: searchSchema.optional(),
};

/** The shopper and the list of a request; the default list, unless it names another one. */
const ofList = { guestId: guestIdSchema.optional(), listId: listIdSchema.optional() };

export const listBody = z.strictObject({
  ...ofList,
  ...arrangement,
  limit: z.int().min(1).max(PRODUCTS).default(50),
  offset: z.int().min(0).max(MAX_OFFSET).default(0),
});

/** Products to look up. Handles come from the theme's links: an invalid one must not fail the whole page. */
const lookup = {
  productIds: z.array(productIdSchema).max(PRODUCTS).default([]),
  handles: z.array(z.string()).max(PRODUCTS).default([]),
};

function areFew({ productIds, handles }: { productIds: string[]; handles: string[] }): boolean {
  return productIds.length + handles.length <= PRODUCTS;
}

const TOO_MANY = `names more than ${PRODUCTS} products; use several calls`;

export const savedBody = z
  .strictObject({ guestId: guestIdSchema.optional(), ...lookup })
  .refine(areFew, TOO_MANY)
  .refine(({ productIds, handles }) => productIds.length + handles.length > 0, "needs `productIds` or `handles`");

/** A shared list by the token of its link. */
export const saveSharedBody = z.strictObject({ guestId: guestIdSchema.optional(), token: shareTokenSchema });

export const mergeBody = z.strictObject({ guestId: guestIdSchema, ...lookup }).refine(areFew, TOO_MANY);

const oneProduct = {
  productId: productIdSchema.optional(),
  handle: handleSchema.optional(),
  variantId: variantIdSchema.optional(),
};

export const itemBody = z
  .strictObject({ ...ofList, ...oneProduct })
  .refine(({ productId, handle }) => (productId === undefined) !== (handle === undefined), {
    error: "needs either `productId` or `handle`",
  });

/** A line of the cart that is saved for later. */
export const lineBody = z.strictObject({
  guestId: guestIdSchema.optional(),
  productId: productIdSchema,
  variantId: variantIdSchema,
  quantity: lineDetails.quantity,
  properties: lineDetails.properties.default({}),
});

/** The product or variant for which the response says which lists contain it. */
export const listsBody = z
  .strictObject({
    guestId: guestIdSchema.optional(),
    productId: productIdSchema.optional(),
    variantId: variantIdSchema.optional(),
  })
  .refine(({ productId, variantId }) => variantId === undefined || productId !== undefined, {
    error: "needs `productId` with `variantId`",
  });

/** An alert that is asked for: by a customer, or with an email address. */
export const askBody = z.strictObject({
  productId: productIdSchema,
  variantId: variantIdSchema,
  kind: requestKindSchema,
  targetPrice: targetPriceSchema.optional(),
  email: emailSchema.optional(),
  locale: localeSchema.optional(),
});
/** What is not to be told any more. */
export const withdrawBody = z.strictObject({
  productId: productIdSchema,
  variantId: variantIdSchema.optional(),
  kind: requestKindSchema.optional(),
});

export const fragmentBody = z.strictObject({
  ...ofList,
  ...arrangement,
  page: z.int().min(1).max(999_999).default(1),
  /** the level of the heading: 2 in a page of the theme with a title; 0 for none, where that title is the same */
  heading: z.literal([0, 1, 2]).default(2),
  /** whether the page that the fragment is put into has its style and script already */
  bare: z.boolean().default(false),
});

/** `guest`, or an opaque tag of the customer, by which scripts notice another shopper and clear what they know. */
const owner = { owner: z.string() };
/** saved variants in all lists, each once */
const itemCount = { itemCount: z.int() };
/** items in the list of the request, or in the default list */
const listCount = { listCount: z.int() };
const saved = z.array(
  z.strictObject({
    productId: z.string(),
    handle: z.string().optional(),
    variantIds: z.array(z.string()),
    /** the lists that have the product, when it is in others than the default list */
    listIds: z.array(z.string()).optional(),
  }),
);

export const listData = z.strictObject({
  items: z.array(
    z.strictObject({
      productId: z.string(),
      variantId: z.string(),
      addedAt: z.iso.datetime({ precision: 3 }),
      ...itemDetails,
    }),
  ),
  ...itemCount,
  ...listCount,
  /** items that match the filter, on all pages */
  matchCount: z.int(),
  ...owner,
});
export const savedData = z.strictObject({ saved, ...itemCount, ...owner });
export const addedData = z.strictObject({
  added: z.boolean(),
  productId: z.string(),
  variantId: z.string(),
  /** whether the shopper may choose other lists for the product */
  choosesLists: z.boolean(),
  ...itemCount,
  ...listCount,
});
export const savedLineData = z.strictObject({
  /** `present`: the item had all of it already; `differs`: the variant is saved with other properties, and nothing has changed */
  outcome: z.enum(["added", "updated", "present", "differs"]),
  /** of an item that was saved already: what undoes the save */
  before: z.strictObject({
    quantity: z.int().nullable(),
    properties: z.record(z.string(), z.string()).nullable(),
  }),
  ...itemCount,
  ...listCount,
});
export const savedSharedData = z.strictObject({
  /** items that the shopper's default list did not have */
  addedCount: z.int(),
  ...itemCount,
});
export const removedData = z.strictObject({ removed: z.boolean(), ...itemCount, ...listCount });
export const mergedData = z.strictObject({
  merged: z.literal(true),
  addedCount: z.int(),
  saved,
  ...itemCount,
});
const list = z.strictObject({
  listId: z.string(),
  /** null for a default list without a name */
  name: z.string().nullable(),
  itemCount: z.int(),
  isDefault: z.boolean(),
  shared: z.boolean(),
  version: z.int(),
});
export const listsData = z.strictObject({
  /** the default list first; `contains` is set if the request names a product */
  lists: z.array(list.extend({ contains: z.boolean().optional() })),
  canCreate: z.boolean(),
  ...itemCount,
});
