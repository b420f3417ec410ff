import { z } from "zod";

/** Queries to a store's Admin GraphQL API (2026-10) with the schemas of their responses; `npm run check -- graphql` validates them. */

/** Variants that are asked for at once where they are what the question is about: the most that Shopify gives. */
export const VARIANT_PAGE = 250;

const PRODUCT = `#graphql
  fragment CatalogProduct on Product {
    id handle title status publishedAt updatedAt
    featuredMedia { preview { image { url } } }
    variants(first: $variants) { nodes { ...CatalogVariant } pageInfo { hasNextPage endCursor } }
  }`;

const VARIANT = `#graphql
  fragment CatalogVariant on ProductVariant { id title price availableForSale position }`;

/** The tail of a GID such as gid://shopify/Product/1. */
const gid = z.string().transform((text) => text.slice(text.lastIndexOf("/") + 1));

const variantSchema = z.object({
  id: gid,
  title: z.string(),
  price: z.string(),
  availableForSale: z.boolean(),
  position: z.int(),
});

const pageInfoSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

const variantsSchema = z.object({ nodes: z.array(variantSchema), pageInfo: pageInfoSchema });

const productSchema = z.object({
  id: gid,
  handle: z.string(),
  title: z.string(),
  // Shopify adds statuses: those that are not known here are not shown to shoppers.
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
  products: z.object({ nodes: z.array(productSchema), pageInfo: pageInfoSchema }),
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
    Array.from({ length: count }, (_, place) => text.replaceAll("h0", `h${place}`)).join(separator);
  return PRODUCT_BY_HANDLE.replace(/\$h0: String!/, (parameter) => repeat(parameter, ", ")).replace(
    /^ *h0: .*$/m,
    (lookUp) => repeat(lookUp, "\n"),
  );
}
export const productsByHandleSchema = z.record(z.string(), productSchema.nullable());

const CUSTOMER = `#graphql
  fragment CustomerName on Customer { id displayName defaultEmailAddress { emailAddress } }`;

// Protected customer data: the name and the email address, and nothing else.
const customerSchema = z.object({
  id: gid,
  displayName: z.string(),
  defaultEmailAddress: z.object({ emailAddress: z.string() }).nullable(),
});

export type CustomerNode = z.output<typeof customerSchema>;

export const customerGid = (id: string): string => `gid://shopify/Customer/${id}`;

export const CUSTOMERS_BY_ID = `#graphql
  query CustomerNames($ids: [ID!]!) {
    nodes(ids: $ids) { ...CustomerName }
  }
  ${CUSTOMER}`;
export const customersByIdSchema = z.object({ nodes: z.array(customerSchema.nullable()) });

export const CUSTOMER_SEARCH = `#graphql
  query CustomerSearch($query: String!, $first: Int!) {
    customers(first: $first, query: $query, sortKey: RELEVANCE) { nodes { ...CustomerName } pageInfo { hasNextPage } }
  }
  ${CUSTOMER}`;
export const customerSearchSchema = z.object({
  customers: z.object({ nodes: z.array(customerSchema), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
});

export const SHOP_SETTINGS = `#graphql
  query ShopSettings {
    shop { id ianaTimezone currencyCode plan { partnerDevelopment } }
    currentAppInstallation {
      activeSubscriptions { ...Subscription }
      allSubscriptions(first: 25, reverse: true) { nodes { ...Subscription } }
    }
  }
  fragment Subscription on AppSubscription { name status test trialDays createdAt currentPeriodEnd }`;

const subscriptionSchema = z.object({
  name: z.string(),
  status: z.string(),
  test: z.boolean(),
  trialDays: z.int(),
  createdAt: z.coerce.date(),
  currentPeriodEnd: z.coerce.date().nullable(),
});

export type StoreSubscription = z.output<typeof subscriptionSchema>;

export const shopSettingsSchema = z.object({
  shop: z.object({
    id: gid,
    ianaTimezone: z.string(),
    currencyCode: z.string().regex(/^[A-Z]{3}$/),
    plan: z.object({ partnerDevelopment: z.boolean() }),
  }),
  currentAppInstallation: z.object({
    activeSubscriptions: z.array(subscriptionSchema),
    /** newest first */
    allSubscriptions: z.object({ nodes: z.array(subscriptionSchema) }),
  }),
});

export type ShopSettings = z.output<typeof shopSettingsSchema>;

/** Needs no scope: any token that still works gets an answer. */
export const INSTALLATION = `#graphql
  query Installation { currentAppInstallation { accessScopes { handle } } }`;
export const installationSchema = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});
