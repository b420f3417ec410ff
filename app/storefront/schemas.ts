import { z } from "zod";
import { LIST_SORTS, productIdSchema, variantIdSchema } from "../wishlists/index.server.ts";

/** Products that a page may ask about at once. */
const PRODUCTS = 250;
/** Items of one cart event. */
const CART_ITEMS = 100;
/** As many as `offset` can have. */
const MAX_OFFSET = 2_147_483_647;

/** At least 128 random bits that the browser made. It comes in bodies only: addresses are logged, kept and passed on. */
const guestIdSchema = z.string().regex(/^[\w-]{22,64}$/, "must be 22 to 64 letters, digits, `-` or `_`");

const HANDLE = /^[^\p{Cc}]{1,255}$/u;

/** Tells whether a product can have this handle, in whatever script. */
export function isHandle(text: string): boolean {
  return HANDLE.test(text);
}

const handleSchema = z.string().regex(HANDLE, "is not a product's handle");

/** What Shopify adds to every query; the signature has been checked by then. */
const signedFields = {
  shop: z.string(),
  logged_in_customer_id: z.string(),
  path_prefix: z.string(),
  timestamp: z.string(),
  signature: z.string(),
};

/** Of an endpoint that has no parameters of its own. */
export const signedQuery = z.strictObject(signedFields);

const IN_A_BODY = "belongs in a body, never in an address";

/** Whatever else stands there, an old link or a typing error, means the first page. */
const pageNumber = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .catch(1);

const sortSchema = z.enum(LIST_SORTS);

/** Of a page. Whoever links to it may add parameters of their own; those are nobody's business here. */
export const pageQuery = z.object({
  page: pageNumber,
  sort: sortSchema.catch("newest"),
  available: z
    .literal("1")
    .transform(() => true)
    .catch(false),
  guestId: z.never(IN_A_BODY).optional(),
  guest_id: z.never(IN_A_BODY).optional(),
});

/** How the shopper arranged the list. */
const arrangement = {
  sort: sortSchema.default("newest"),
  /** only items whose variant can be bought */
  available: z.boolean().default(false),
};

export const listBody = z.strictObject({
  guestId: guestIdSchema.optional(),
  ...arrangement,
  limit: z.int().min(1).max(PRODUCTS).default(50),
  offset: z.int().min(0).max(MAX_OFFSET).default(0),
});

/** The products that a page shows. Handles come from the theme's links: one that no product can have must not fail the whole page. */
const asked = {
  productIds: z.array(productIdSchema).max(PRODUCTS).default([]),
  handles: z.array(z.string()).max(PRODUCTS).default([]),
};

function areFew({ productIds, handles }: { productIds: string[]; handles: string[] }): boolean {
  return productIds.length + handles.length <= PRODUCTS;
}

const FEWER = `asks for more than ${PRODUCTS} products; ask in several calls`;

export const savedBody = z
  .strictObject({ guestId: guestIdSchema.optional(), ...asked })
  .refine(areFew, FEWER)
  .refine(({ productIds, handles }) => productIds.length + handles.length > 0, "needs `productIds` or `handles`");

export const mergeBody = z.strictObject({ guestId: guestIdSchema, ...asked }).refine(areFew, FEWER);

const oneProduct = {
  productId: productIdSchema.optional(),
  handle: handleSchema.optional(),
  variantId: variantIdSchema.optional(),
};

export const itemBody = z
  .strictObject({ guestId: guestIdSchema.optional(), ...oneProduct })
  .refine(({ productId, handle }) => (productId === undefined) !== (handle === undefined), {
    error: "needs either `productId` or `handle`",
  });

export const nothingBody = z.strictObject({});

export const cartBody = z.strictObject({
  guestId: guestIdSchema.optional(),
  eventId: z.string().regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters"),
  items: z
    .array(z.strictObject({ productId: productIdSchema, variantId: variantIdSchema }))
    .min(1)
    .max(CART_ITEMS),
});

export const fragmentBody = z.strictObject({
  guestId: guestIdSchema.optional(),
  ...arrangement,
  page: z.int().min(1).max(999_999).default(1),
  /** the level of its heading: 2 in a page of the theme's, which has its own title */
  heading: z.literal([1, 2]).default(2),
});

export const removeForm = z.strictObject({
  token: z.string().max(200),
  product: productIdSchema,
  variant: variantIdSchema,
  page: pageNumber,
});

/** `guest`, or an opaque tag of the customer: a script that gets another than it knows drops what it knows. */
const owner = { owner: z.string() };
const itemCount = { itemCount: z.int() };
const saved = z.array(
  z.strictObject({ productId: z.string(), handle: z.string().optional(), variantIds: z.array(z.string()) }),
);

export const listData = z.strictObject({
  items: z.array(
    z.strictObject({ productId: z.string(), variantId: z.string(), addedAt: z.iso.datetime({ precision: 3 }) }),
  ),
  ...itemCount,
  /** items that the filter lets through, over all pages */
  matchCount: z.int(),
  ...owner,
});
export const savedData = z.strictObject({ saved, ...itemCount, ...owner });
export const addedData = z.strictObject({
  added: z.boolean(),
  productId: z.string(),
  variantId: z.string(),
  ...itemCount,
  ...owner,
});
export const removedData = z.strictObject({ removed: z.boolean(), ...itemCount, ...owner });
export const mergedData = z.strictObject({
  merged: z.literal(true),
  addedCount: z.int(),
  saved,
  ...itemCount,
  ...owner,
});
export const sharedData = z.strictObject({
  shareUrl: z.url(),
  expiresAt: z.iso.datetime({ precision: 3 }),
  ...owner,
});
export const unsharedData = z.strictObject({ revoked: z.boolean(), ...owner });
export const cartData = z.strictObject({ recorded: z.int(), ...owner });
