import { IS_DEMO_STORE } from "./settings.ts";

/** Products of the store, from Shopify's Storefront API. */

const ENDPOINT = `${import.meta.env.VITE_STORE_URL}/api/2026-10/graphql.json`;

/** The Storefront API's limit of one request. */
const MAX_PRODUCTS = 250;

export interface Money {
  amount: string;
  currencyCode: string;
}

export interface ProductSummary {
  id: string;
  handle: string;
  title: string;
  vendor: string;
  availableForSale: boolean;
  featuredImage: { url: string } | null;
  priceRange: { minVariantPrice: Money; maxVariantPrice: Money };
}

export interface Variant {
  id: string;
  title: string;
  availableForSale: boolean;
  price: Money;
}

export interface Product extends ProductSummary {
  description: string;
  variants: { nodes: Variant[] };
}

export interface ProductList {
  products: ProductSummary[];
  hasMore: boolean;
}

const SUMMARY = `
  id
  handle
  title
  vendor
  availableForSale
  featuredImage { url(transform: { maxWidth: 800 }) }
  priceRange {
    minVariantPrice { amount currencyCode }
    maxVariantPrice { amount currencyCode }
  }
`;

async function request<Data>(query: string, variables: Record<string, unknown>, signal: AbortSignal): Promise<Data> {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Shopify-Storefront-Access-Token": import.meta.env.VITE_STOREFRONT_TOKEN,
    },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  if (!response.ok) throw new Error(`The store responded with ${response.status}.`);
  const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
  if (data === undefined) throw new Error(errors?.[0]?.message ?? "The store sent no data.");
  return data;
}

/** Reads the first products of the store. @param search words that they have */
export async function listProducts(search: string, count: number, signal: AbortSignal): Promise<ProductList> {
  const products: ProductSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: { products: { nodes: ProductSummary[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } =
      await request(
        `#graphql
        query Products($first: Int!, $after: String, $search: String) {
          products(first: $first, after: $after, query: $search, sortKey: TITLE) {
            nodes { ${SUMMARY} }
            pageInfo { hasNextPage endCursor }
          }
        }`,
        { first: Math.min(count - products.length, MAX_PRODUCTS), after: cursor, search },
        signal,
      );
    products.push(...page.products.nodes);
    cursor = page.products.pageInfo.hasNextPage ? page.products.pageInfo.endCursor : null;
  } while (cursor !== null && products.length < count);
  return { products, hasMore: cursor !== null };
}

/** Reads a product. @returns null if the store has none with this handle */
export async function findProduct(handle: string, signal: AbortSignal): Promise<Product | null> {
  const { product } = await request<{ product: Product | null }>(
    `#graphql
    query Product($handle: String!) {
      product(handle: $handle) {
        ${SUMMARY}
        description
        variants(first: 100) {
          nodes { id title availableForSale price { amount currencyCode } }
        }
      }
    }`,
    { handle },
    signal,
  );
  return product;
}

/** Returns a link that puts variants into the store's cart. */
export function cartUrl(lines: readonly { variantId: string; quantity?: number | undefined }[]): string {
  const path = lines.map(({ variantId, quantity = 1 }) => `${variantId.replace(/^gid:.*\//, "")}:${quantity}`);
  return `${import.meta.env.VITE_STORE_URL}/cart/${path.join(",")}?storefront=true`;
}

/** Returns a price as the shopper's language writes it. */
export function formatPrice({ amount, currencyCode }: Money): string {
  return new Intl.NumberFormat(undefined, { style: "currency", currency: currencyCode }).format(Number(amount));
}

/** Returns the address of a picture of Shopify's CDN in the size of a list's row. */
export function thumbnailUrl(address: string): string {
  const url = new URL(address);
  url.searchParams.set("width", "192");
  return IS_DEMO_STORE ? import.meta.env.VITE_STORE_URL + url.pathname + url.search : url.href;
}
