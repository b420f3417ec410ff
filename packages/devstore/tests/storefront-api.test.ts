// @module-tag matrix

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createDevstore, type Devstore } from "../devstore.ts";

const ORIGIN = "http://127.0.0.1:5173";
const TOKEN = "a-storefront-token";

let shopify: Devstore;

beforeAll(async () => {
  shopify = await createDevstore({ data: "demo", storefrontAccessToken: TOKEN });
});
afterAll(() => shopify.close());

function send(query: string, variables: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${shopify.url}/api/2026-10/graphql.json`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: ORIGIN,
      "x-shopify-storefront-access-token": TOKEN,
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
}

async function dataOf(query: string, variables: object = {}): Promise<unknown> {
  const response = await send(query, variables);
  const { data, errors } = z.object({ data: z.unknown(), errors: z.unknown().optional() }).parse(await response.json());
  expect(errors).toBeUndefined();
  return data;
}

const pageSchema = z.object({
  products: z.object({
    nodes: z.array(z.object({ id: z.string(), handle: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

const LAMP = {
  id: 900,
  handle: "lamp",
  title: "Lamp",
  variants: [
    { id: 901, title: "S", priceCents: 1_250, compareAtPriceCents: 2_000 },
    { id: 902, title: "M", priceCents: 1_500, available: false },
  ],
};

describe("the Storefront API", () => {
  test("returns the shop's name", async () => {
    expect(await dataOf("{ shop { name } }")).toEqual({ shop: { name: shopify.store().shop.name } });
  });

  test("returns each listed product once over its pages", async () => {
    const query = `query ($after: String) {
      products(first: 50, after: $after, sortKey: TITLE) { nodes { id handle } pageInfo { hasNextPage endCursor } }
    }`;
    const handles: string[] = [];
    let after: string | null = null;
    do {
      const { products } = pageSchema.parse(await dataOf(query, { after }));
      handles.push(...products.nodes.map(({ handle }) => handle));
      after = products.pageInfo.hasNextPage ? products.pageInfo.endCursor : null;
    } while (after !== null);
    const listed = shopify.store().catalog.published.listed();
    expect(handles.toSorted()).toEqual(listed.map(({ handle }) => handle).toSorted());
  });

  test("filters products by a query and sorts them by price", async () => {
    const query = `{ products(first: 5, query: "tent", sortKey: PRICE) {
      nodes { title priceRange { minVariantPrice { amount } } }
    } }`;
    const found = z
      .object({
        products: z.object({
          nodes: z.array(
            z.object({
              title: z.string(),
              priceRange: z.object({ minVariantPrice: z.object({ amount: z.coerce.number() }) }),
            }),
          ),
        }),
      })
      .parse(await dataOf(query)).products.nodes;
    expect(found.length).toBeGreaterThan(1);
    for (const { title } of found) expect(title).toMatch(/tent/i);
    const prices = found.map(({ priceRange }) => priceRange.minVariantPrice.amount);
    expect(prices).toEqual(prices.toSorted((left, right) => left - right));
  });

  test("returns a product by handle and by id with its variants", async () => {
    shopify.store().catalog.put(LAMP);
    const fields = `{ id title vendor description options { name values } images(first: 5) { nodes { url } }
      priceRange { minVariantPrice { amount currencyCode } maxVariantPrice { amount } }
      variants(first: 10) { nodes { id title availableForSale price { amount currencyCode } compareAtPrice { amount }
        selectedOptions { name value } image { url } } } }`;
    const byHandle = await dataOf(`{ product(handle: "lamp") ${fields} }`);
    const image = `${shopify.url}/s/files/1/0712/0000/0001/files/lamp.svg`;
    expect(byHandle).toEqual({
      product: {
        id: "gid://shopify/Product/900",
        title: "Lamp",
        vendor: "Larkfell",
        description: "Lamp by Larkfell.",
        options: [{ name: "Size", values: ["S", "M"] }],
        images: { nodes: [{ url: image }] },
        priceRange: {
          minVariantPrice: { amount: "12.50", currencyCode: "EUR" },
          maxVariantPrice: { amount: "15.00" },
        },
        variants: {
          nodes: [
            {
              id: "gid://shopify/ProductVariant/901",
              title: "S",
              availableForSale: true,
              price: { amount: "12.50", currencyCode: "EUR" },
              compareAtPrice: { amount: "20.00" },
              selectedOptions: [{ name: "Size", value: "S" }],
              image: { url: image },
            },
            {
              id: "gid://shopify/ProductVariant/902",
              title: "M",
              availableForSale: false,
              price: { amount: "15.00", currencyCode: "EUR" },
              compareAtPrice: null,
              selectedOptions: [{ name: "Size", value: "M" }],
              image: { url: image },
            },
          ],
        },
      },
    });
    expect(await dataOf(`{ product(id: "gid://shopify/Product/900") ${fields} }`)).toEqual(byHandle);
  });

  test("returns nodes in the order of their ids, and null for unknown ones", async () => {
    shopify.store().catalog.put(LAMP);
    const ids = ["gid://shopify/ProductVariant/902", "gid://shopify/Product/1", "gid://shopify/Product/900"];
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on ProductVariant { product { handle } } ... on Product { handle } } }`;
    expect(await dataOf(query, { ids })).toEqual({
      nodes: [
        { __typename: "ProductVariant", product: { handle: "lamp" } },
        null,
        { __typename: "Product", handle: "lamp" },
      ],
    });
  });

  test("hides products that are not published", async () => {
    shopify.store().catalog.put({ ...LAMP, id: 910, handle: "draft", variants: [{ id: 911 }], status: "DRAFT" });
    const query = `query ($ids: [ID!]!) {
      product(handle: "draft") { id } nodes(ids: $ids) { id } products(first: 250, query: "handle:draft") { nodes { id } }
    }`;
    const ids = ["gid://shopify/Product/910", "gid://shopify/ProductVariant/911"];
    expect(await dataOf(query, { ids })).toEqual({ product: null, nodes: [null, null], products: { nodes: [] } });
  });

  test.each([
    ["without a token", 401, undefined],
    ["with a wrong token", 403, "another"],
  ])("refuses a request %s", async (_case, status, token) => {
    const response = await fetch(`${shopify.url}/api/2026-10/graphql.json`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: ORIGIN,
        ...(token !== undefined && { "x-shopify-storefront-access-token": token }),
      },
      body: JSON.stringify({ query: "{ shop { name } products(first: 1) { nodes { id } } }" }),
    });
    expect([response.status, await response.json()]).toEqual([
      status,
      { errors: [{ message: "", extensions: { code: "UNAUTHORIZED" } }] },
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("shows the shop and its brand without a token", async () => {
    const { shop } = shopify.store();
    shop.brand = { logoUrl: "https://cdn.shopify.com/logo.png", primary: ["#2f4b3c"], secondary: [] };
    const response = await fetch(`${shopify.url}/api/2026-10/graphql.json`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN },
      body: JSON.stringify({
        query: "{ shop { brand { logo { image { url } } colors { primary { background } } } } }",
      }),
    });
    expect(await response.json()).toEqual({
      data: {
        shop: {
          brand: {
            logo: { image: { url: "https://cdn.shopify.com/logo.png" } },
            colors: { primary: [{ background: "#2f4b3c" }] },
          },
        },
      },
    });
  });

  test("reports an unknown field as an error of the query", async () => {
    const response = await send("{ shop { salary } }");
    const { errors } = z.object({ errors: z.array(z.object({ message: z.string() })) }).parse(await response.json());
    expect([response.status, errors[0]?.message]).toEqual([200, 'Cannot query field "salary" on type "Shop".']);
  });

  test("can be called by pages of every origin", async () => {
    const preflight = await fetch(`${shopify.url}/api/2026-10/graphql.json`, {
      method: "OPTIONS",
      headers: {
        origin: ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-shopify-storefront-access-token",
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-shopify-storefront-access-token");
    expect((await send("{ shop { name } }")).headers.get("access-control-allow-origin")).toBe("*");
  });

  test("names pictures that a page of another origin can load", async () => {
    const query = "{ products(first: 1) { nodes { featuredImage { url altText width height } } } }";
    const [product] = z
      .object({
        products: z.object({
          nodes: z.array(
            z.object({
              featuredImage: z.object({ url: z.url(), altText: z.string(), width: z.int(), height: z.int() }),
            }),
          ),
        }),
      })
      .parse(await dataOf(query)).products.nodes;
    const response = await fetch(product?.featuredImage.url ?? "", { headers: { origin: ORIGIN } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});
