// @module-tag matrix

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { API_KEY, API_SECRET, startStage, type Stage } from "./fixtures/devstore.ts";

const SHOP = "larkfell-outdoor.myshopify.com";
let stage: Stage;
let accessToken: string;

async function newToken(): Promise<string> {
  const page = await (await fetch(stage.devstore.adminUrl)).text();
  const subject_token = /id_token=([\w.-]+)/.exec(page)?.[1];
  const response = await fetch(`${stage.devstore.url}/admin/oauth/access_token`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-host": SHOP },
    body: JSON.stringify({
      client_id: API_KEY,
      client_secret: API_SECRET,
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
      expiring: "1",
    }),
  });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

beforeAll(async () => {
  stage = await startStage();
  await stage.control("scopes", { scopes: ["read_products", "read_customers", "write_app_proxy"] });
  accessToken = await newToken();
});
afterAll(async () => stage.close());
beforeEach(async () => {
  await stage.control("reset");
});

async function revoke(scopes: string[]): Promise<void> {
  await query("mutation ($scopes: [String!]!) { appRevokeAccessScopes(scopes: $scopes) { revoked { handle } } }", {
    scopes,
  });
}

const costSchema = z.object({
  requestedQueryCost: z.number(),
  actualQueryCost: z.number().nullable(),
  throttleStatus: z.object({ maximumAvailable: z.number(), currentlyAvailable: z.number(), restoreRate: z.number() }),
});
const responseSchema = z.object({
  data: z.unknown().optional(),
  errors: z.unknown().optional(),
  extensions: z.object({ cost: costSchema }).optional(),
});

async function query(text: string, variables: object = {}, token = accessToken, version = "2026-10") {
  const response = await fetch(`${stage.devstore.url}/admin/api/${version}/graphql.json`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-host": SHOP, "x-shopify-access-token": token },
    body: JSON.stringify({ query: text, variables }),
  });
  return { status: response.status, ...responseSchema.parse(await response.json()) };
}

const pageSchema = z.object({
  products: z.object({
    nodes: z.array(z.object({ id: z.string(), title: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), hasPreviousPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});
const PAGE = `query ($after: String, $sortKey: ProductSortKeys, $reverse: Boolean) {
  products(first: 25, after: $after, sortKey: $sortKey, reverse: $reverse) { nodes { id title } pageInfo { hasNextPage hasPreviousPage endCursor } }
}`;

async function page(variables: object) {
  return pageSchema.parse((await query(PAGE, variables)).data).products;
}

async function walk(variables: object, between: (id: string) => Promise<unknown> = async () => undefined) {
  const titles: string[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo } = await page({ ...variables, after });
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    titles.push(...nodes.map(({ title }) => title));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    await between(nodes.at(-1)?.id.split("/").at(-1) ?? "");
  } while (after !== null);
  return titles;
}

describe("a connection", () => {
  test("returns every product once over its pages in the requested order", async () => {
    const titles = await walk({ sortKey: "TITLE" });
    expect(titles).toHaveLength(114);
    expect(new Set(titles).size).toBe(114);
    const lower = titles.map((title) => title.toLowerCase());
    expect(lower).toEqual(lower.toSorted());
    expect((await walk({ sortKey: "TITLE", reverse: true })).toReversed()).toEqual(titles);
  });

  test("skips and repeats no product when the last one of a page is deleted", async () => {
    const titles = await walk({ sortKey: "ID" }, async (productId) => stage.control("delete-product", { productId }));
    expect(new Set(titles).size).toBe(114);
  });

  test("requires a page size of at most 250", async () => {
    for (const wanted of ["", "(first: 251)", "(first: -1)", "(first: 1, last: 1)"]) {
      expect((await query(`{ products${wanted} { nodes { id } } }`)).errors).toBeDefined();
    }
  });

  test("is filtered by id and by the time of the last update", async () => {
    const { products } = pageSchema.parse(
      (await query(PAGE.replace("sortKey: $sortKey", 'sortKey: $sortKey, query: "id:8401930311165"'))).data,
    );
    expect(products.nodes).toEqual([{ id: "gid://shopify/Product/8401930311165", title: "Hollowbrook 1 Solo Tent" }]);
    const before = new Date().toISOString();
    await stage.control("edit-product", { productId: "8401930311165", title: "Renamed" });
    const changed = pageSchema.parse(
      (await query(PAGE.replace("sortKey: $sortKey", `query: "updated_at:>='${before}'", sortKey: $sortKey`))).data,
    );
    expect(changed.products.nodes.map(({ title }) => title)).toEqual(["Renamed"]);
  });
});

describe("draftOrderCreate", () => {
  const CREATE = `mutation ($input: DraftOrderInput!) {
    draftOrderCreate(input: $input) { draftOrder { name totalQuantityOfLineItems } userErrors { field message } }
  }`;
  const VARIANT = "gid://shopify/ProductVariant/44000741612160";
  const withLine = (line: object) => ({ input: { lineItems: [{ variantId: VARIANT, quantity: 2, ...line }] } });
  const SCOPES = ["read_products", "read_customers", "write_app_proxy"];

  /** Sets the scopes, which ends all tokens. */
  async function useScopes(scopes: string[]): Promise<void> {
    await stage.control("scopes", { scopes });
    accessToken = await newToken();
  }

  beforeAll(() => useScopes([...SCOPES, "write_draft_orders"]));
  afterAll(() => useScopes(SCOPES));

  test("is refused without the scope write_draft_orders", async () => {
    await useScopes(SCOPES);
    const denied = await query(CREATE, withLine({}));
    expect(denied.errors).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
    await useScopes([...SCOPES, "write_draft_orders"]);
  });

  test("creates a draft order, also for nobody", async () => {
    const { data } = await query(CREATE, withLine({ customAttributes: [{ key: "Size", value: "M" }] }));
    expect(data).toEqual({
      draftOrderCreate: {
        draftOrder: { name: expect.stringMatching(/^#D\d+$/), totalQuantityOfLineItems: 2 },
        userErrors: [],
      },
    });
  });

  test("refuses no lines, no units, an unknown variant and an unknown customer as user errors", async () => {
    const inputs = [
      { input: { lineItems: [] } },
      withLine({ quantity: 0 }),
      withLine({ variantId: "gid://shopify/ProductVariant/1" }),
      { input: { ...withLine({}).input, purchasingEntity: { customerId: "gid://shopify/Customer/1" } } },
    ];
    for (const input of inputs) {
      const { data } = await query(CREATE, input);
      expect(data).toMatchObject({
        draftOrderCreate: { draftOrder: null, userErrors: [{ message: expect.any(String) }] },
      });
    }
  });
});

describe("tagsAdd", () => {
  const ADD = `mutation ($id: ID!, $tags: [String!]!) {
    tagsAdd(id: $id, tags: $tags) { node { id ... on Customer { tags } } userErrors { field message } }
  }`;
  const SCOPES = ["read_products", "read_customers", "write_app_proxy"];
  let id: unknown;

  async function useScopes(scopes: string[]): Promise<void> {
    await stage.control("scopes", { scopes });
    accessToken = await newToken();
  }

  beforeAll(async () => {
    const { data } = await query(`{ customers(first: 1) { nodes { id } } }`);
    id = z.object({ customers: z.object({ nodes: z.array(z.object({ id: z.string() })) }) }).parse(data).customers
      .nodes[0]?.id;
    await useScopes([...SCOPES, "write_customers"]);
  });
  afterAll(() => useScopes(SCOPES));

  test("adds tags to those that a customer has, whatever their case, also as one text", async () => {
    await query(ADD, { id, tags: ["b2b"] });
    const { data } = await query(ADD, { id, tags: ["vip, B2B"] });
    expect(data).toEqual({ tagsAdd: { node: { id, tags: ["b2b", "vip"] }, userErrors: [] } });
  });

  test("refuses an unknown customer and a tag that is too long as user errors, and what is no customer as an error", async () => {
    for (const variables of [
      { id: "gid://shopify/Customer/1", tags: ["vip"] },
      { id, tags: ["x".repeat(256)] },
    ]) {
      const { data } = await query(ADD, variables);
      expect(data).toMatchObject({ tagsAdd: { node: null, userErrors: [{ message: expect.any(String) }] } });
    }
    expect((await query(ADD, { id: "701", tags: ["vip"] })).errors).toMatchObject([{ message: "invalid id" }]);
  });

  test("is refused without the scope write_customers", async () => {
    await useScopes(SCOPES);
    expect((await query(ADD, { id, tags: ["vip"] })).errors).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
  });
});

test("shop, products, customers and installation have Shopify's shapes", async () => {
  const { data, errors } = await query(`{
    shop { id name myshopifyDomain ianaTimezone currencyCode primaryDomain { host url } plan { publicDisplayName partnerDevelopment } }
    productByIdentifier(identifier: { handle: "hollowbrook-1-solo-tent" }) {
      id handle status featuredMedia { preview { image { url(transform: { maxWidth: 200 }) altText } } }
      variants(first: 10) { nodes { id title price availableForSale selectedOptions { name value } } pageInfo { hasNextPage } }
    }
    nodes(ids: ["gid://shopify/Product/8401930311165", "gid://shopify/Product/1"]) { id ... on Product { title } }
    customers(first: 1) { nodes { id displayName defaultEmailAddress { emailAddress } } }
    currentAppInstallation { accessScopes { handle } activeSubscriptions { id } }
  }`);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    shop: { myshopifyDomain: SHOP, ianaTimezone: "Europe/Berlin", currencyCode: "EUR" },
    productByIdentifier: {
      status: "ACTIVE",
      featuredMedia: {
        preview: { image: { url: expect.stringMatching(/^https:\/\/cdn\.shopify\.com\/.*width=200$/) } },
      },
      variants: {
        nodes: [{ price: "249.00", selectedOptions: [{ name: "Colour", value: "Moss" }] }, { title: "Sand" }],
      },
    },
    nodes: [{ title: "Hollowbrook 1 Solo Tent" }, null],
    currentAppInstallation: { activeSubscriptions: [] },
  });
});

describe("access", () => {
  test("requires a valid token of this installation", async () => {
    expect(await query("{ shop { id } }", {}, "shpat_another")).toMatchObject({ status: 401 });
    const expiring = await newToken();
    await stage.control("expire-tokens");
    expect(await query("{ shop { id } }", {}, expiring)).toMatchObject({ status: 401 });
    accessToken = await newToken();
  });

  test("requires the scope of each requested field", async () => {
    await stage.control("scopes", { scopes: ["read_customers"] });
    const narrow = await newToken();
    const { errors } = await query("{ products(first: 1) { nodes { id } } }", {}, narrow);
    expect(errors).toMatchObject([{ extensions: { code: "ACCESS_DENIED" }, path: ["products"] }]);
    expect((await query("{ customers(first: 1) { nodes { id } } }", {}, narrow)).errors).toBeUndefined();
    await stage.control("scopes", { scopes: ["read_products", "read_customers", "write_app_proxy"] });
    accessToken = await newToken();
  });

  test("is denied to older tokens with Shopify's message once a scope is revoked", async () => {
    const token = await newToken();
    await stage.control("reset");
    const nodes = `{ nodes(ids: ["gid://shopify/Customer/1"]) { id ... on Customer { displayName } } }`;
    expect((await query(nodes, {}, token)).data).toEqual({ nodes: [null] });
    await revoke(["read_customers"]);
    const denied = {
      message: expect.stringMatching(
        /^Access denied for nodes? field\. Required access: `read_customers` access scope/,
      ),
      extensions: { code: "ACCESS_DENIED", requiredAccess: "`read_customers` access scope." },
    };
    expect((await query(nodes, {}, token)).errors).toMatchObject([denied]);
    await stage.control("scopes", { scopes: ["read_products", "read_customers", "write_app_proxy"] });
    accessToken = await newToken();
  });

  test("requires a known API version and known fields", async () => {
    expect((await query("{ shop { id } }", {}, accessToken, "2026-11")).status).toBe(404);
    expect((await query("{ shop { wishes } }")).errors).toMatchObject([{ message: expect.stringContaining("wishes") }]);
  });
});

describe("customers", () => {
  const peopleSchema = z.object({
    customers: z.object({
      nodes: z.array(
        z.object({ displayName: z.string(), defaultEmailAddress: z.object({ emailAddress: z.string() }) }),
      ),
    }),
  });

  async function find(text: string) {
    const { data } = await query(
      `query ($text: String) { customers(first: 250, query: $text) { nodes { displayName defaultEmailAddress { emailAddress } } } }`,
      { text },
    );
    return peopleSchema.parse(data).customers.nodes;
  }

  test.each([
    ["a word", (name: string) => name],
    ["the words of a name in quotes", (name: string, last: string) => `"${name} ${last}"`],
    ["a prefix", (name: string) => `${name.slice(0, -1)}*`],
    ["a field", (name: string) => `first_name:${name}`],
    ["alternatives", (name: string) => `nobody-at-all OR ${name}`],
    ["brackets and a negation", (name: string, last: string) => `(${name} ${last}) -nobody-at-all`],
  ])("are found by %s", async (_, text) => {
    const [someone] = await find("");
    const [first = "", last = ""] = someone?.displayName.split(" ") ?? [];
    expect(await find(text(first, last))).toContainEqual(someone);
    expect((await find(text(first, last))).length).toBeLessThan((await find("")).length);
  });

  test("are not found by a quoted wildcard, an escaped field or part of a word", async () => {
    const [someone] = await find("");
    const [first = ""] = someone?.displayName.split(" ") ?? [];
    expect(await find("*")).not.toEqual([]);
    for (const text of ['"*"', "first_name\\:*", `"${first.slice(0, -1)}"`, first.slice(0, -1)]) {
      expect({ text, found: await find(text) }).toEqual({ text, found: [] });
    }
  });
});

describe("throttling", () => {
  test("a query takes its cost from the bucket, and an empty bucket throttles it", async () => {
    const { extensions } = await query("{ products(first: 100) { nodes { id variants(first: 5) { nodes { id } } } } }");
    expect(extensions?.cost.requestedQueryCost).toBeGreaterThan(100);
    expect(extensions?.cost.throttleStatus.currentlyAvailable).toBeLessThan(2000);
    await stage.control("drain-bucket");
    const refused = await query("{ products(first: 250) { nodes { id } } }");
    expect(refused.errors).toMatchObject([{ message: "Throttled", extensions: { code: "THROTTLED" } }]);
    expect(refused.extensions?.cost.actualQueryCost).toBeNull();
  });

  test("a query that costs more than 1,000 points is refused with MAX_COST_EXCEEDED", async () => {
    const { errors } = await query("{ products(first: 250) { nodes { id variants(first: 100) { nodes { id } } } } }");
    expect(errors).toMatchObject([{ extensions: { code: "MAX_COST_EXCEEDED" } }]);
  });

  test.each([
    ["throttled", { status: 200, errors: [{ extensions: { code: "THROTTLED" } }] }],
    ["error", { status: 500 }],
    ["expired_token", { status: 401 }],
  ])("the control page's fault %s applies to the Admin API", async (graphql, response) => {
    await stage.control("faults", { faults: { graphql } });
    expect(await query("{ shop { id } }")).toMatchObject(response);
  });
});

describe("an unpublished product", () => {
  const STATE = `query State($id: ID!) { product(id: $id) { status publishedAt onlineStoreUrl } }`;
  const stateOf = async (productId: string) =>
    (await query(STATE, { id: `gid://shopify/Product/${productId}` })).data as { product: Record<string, unknown> };
  const created = z.object({ productId: z.string(), handle: z.string() });
  const statusOf = async (handle: string) => (await fetch(`${stage.devstore.url}/products/${handle}.js`)).status;

  test("has the status DRAFT, no store URL and no page in the storefront", async () => {
    const { productId, handle } = created.parse(
      await stage.control("create-product", { title: "Secret lamp", status: "DRAFT" }),
    );
    expect(await stateOf(productId)).toEqual({
      product: { status: "DRAFT", publishedAt: null, onlineStoreUrl: null },
    });
    expect(await statusOf(handle)).toBe(404);
    await stage.control("edit-product", { productId, status: "ACTIVE", published: true });
    expect(await stateOf(productId)).toMatchObject({ product: { status: "ACTIVE", publishedAt: expect.any(String) } });
    expect(await statusOf(handle)).toBe(200);
  });

  test("is sent with its status by products/update", async () => {
    const { productId } = created.parse(await stage.control("create-product", { title: "Plain lamp" }));
    await stage.control("edit-product", { productId, published: false });
    await stage.control("await-deliveries");
    const sent = z
      .object({ status: z.string(), published_at: z.string().nullable() })
      .parse(JSON.parse(stage.app.requests.at(-1)?.body ?? ""));
    expect(sent).toEqual({ status: "active", published_at: null });
  });
});
