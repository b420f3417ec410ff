import { z } from "zod";
import { gidSchema } from "../admin-api/gid.ts";
import { amountSchema } from "../admin-api/money.ts";

// Queries about products to the Admin GraphQL API (2026-10), and their responses. `npm run check -- graphql` validates them.

/** Variants per request for queries about the variants of one product: the most that Shopify returns. */
export const VARIANT_PAGE = 250;

const PRODUCT = `#graphql
  fragment CatalogProduct on Product {
    id handle title status publishedAt updatedAt
    featuredMedia { preview { image { url } } }
    variants(first: $variants) { nodes { ...CatalogVariant } pageInfo { hasNextPage endCursor } }
  }`;

const VARIANT = `#graphql
  fragment CatalogVariant on ProductVariant {
    id title price compareAtPrice availableForSale inventoryQuantity inventoryItem { id tracked } position
  }`;

const variantSchema = z.object({
  id: gidSchema,
  title: z.string(),
  price: amountSchema,
  compareAtPrice: amountSchema.nullable(),
  availableForSale: z.boolean(),
  // Negative where more was sold than the store had.
  inventoryQuantity: z.int().nullable(),
  inventoryItem: z.object({ id: gidSchema, tracked: z.boolean() }),
  position: z.int(),
});

const pageInfoSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

const variantsSchema = z.object({ nodes: z.array(variantSchema), pageInfo: pageInfoSchema });

export const productSchema = z.object({
  id: gidSchema,
  handle: z.string(),
  title: z.string(),
  // Not an enum, because Shopify may add statuses; products with an unknown status are not shown to shoppers.
  status: z.string(),
  publishedAt: z.iso.datetime({ offset: true }).nullable(),
  updatedAt: z.iso.datetime({ offset: true }),
  featuredMedia: z
    .object({ preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable() })
    .nullable(),
  variants: variantsSchema,
});

export type StoreProduct = z.output<typeof productSchema>;

export const productGid = (id: string): string => `gid://shopify/Product/${id}`;

export const CATALOG_PAGE = `#graphql
  query CatalogPage($first: Int!, $after: String, $variants: Int!) {
    products(first: $first, after: $after, sortKey: ID) {
      nodes { ...CatalogProduct } pageInfo { hasNextPage endCursor }
    }
    productsCount(limit: null) { count }
  }
  ${PRODUCT} ${VARIANT}`;
export const catalogPageSchema = z.object({
  // Each is parsed for itself, so that a bad product does not stop the others.
  products: z.object({ nodes: z.array(z.looseObject({ id: gidSchema })), pageInfo: pageInfoSchema }),
  productsCount: z.object({ count: z.int() }).nullish(),
});

export const VARIANTS = `#graphql
  query CatalogVariants($id: ID!, $after: String!, $variants: Int!) {
    product(id: $id) {
      variants(first: $variants, after: $after) { nodes { ...CatalogVariant } pageInfo { hasNextPage endCursor } }
    }
  }
  ${VARIANT}`;
export const moreVariantsSchema = z.object({ product: z.object({ variants: variantsSchema }).nullable() });

export const PRODUCTS_BY_ID = `#graphql
  query CatalogProductsById($ids: [ID!]!, $variants: Int!) {
    nodes(ids: $ids) { ...CatalogProduct }
  }
  ${PRODUCT} ${VARIANT}`;
export const productsByIdSchema = z.object({ nodes: z.array(productSchema.nullable()) });

const PRODUCT_BY_HANDLE = `#graphql
  query CatalogProductsByHandle($variants: Int!, $h0: String!) {
    h0: productByIdentifier(identifier: { handle: $h0 }) { ...CatalogProduct }
  }
  ${PRODUCT} ${VARIANT}`;

/**
 * Returns a query with one look-up per handle, aliased `h0`, `h1` and so on: Shopify's search by handle is eventually
 * consistent and matches approximately.
 */
export function productsByHandle(count: number): string {
  const repeat = (text: string, separator: string): string =>
    Array.from({ length: count }, (_, index) => text.replaceAll("h0", `h${index}`)).join(separator);
  return PRODUCT_BY_HANDLE.replace(/\$h0: String!/, (parameter) => repeat(parameter, ", ")).replace(
    /^ *h0: .*$/m,
    (lookUp) => repeat(lookUp, "\n"),
  );
}
export const productsByHandleSchema = z.record(z.string(), productSchema.nullable());

/**
 * Returns the variant that is saved when none is named: the one that the store selects on the product's page, which is the first
 * available variant, or the first variant when all are sold out.
 */
export function defaultVariant({ variants }: StoreProduct): string | undefined {
  return (variants.nodes.find(({ availableForSale }) => availableForSale) ?? variants.nodes[0])?.id;
}

/** Returns whether the variants that were read with a product determine its default variant. */
export function determinesDefaultVariant({ variants }: StoreProduct): boolean {
  return !variants.pageInfo.hasNextPage || variants.nodes.some(({ availableForSale }) => availableForSale);
}
