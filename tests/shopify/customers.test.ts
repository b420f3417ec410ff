import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import { client, type Call } from "../support/app/client.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import type { FaultyBehaviour } from "../../packages/devstore/store/faults.ts";
import type { Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let call: Call;
let shop: ConnectedShop & { token: string };

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
  call = client(service.url);
});
afterAll(() => connected.close());

async function makeShop(): Promise<typeof shop> {
  const made = await connectShop(service, shopify, {
    products: [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] }],
  });
  return { ...made, token: await issueToken(call, made.id, ["read_wishlists", "write_wishlists"]) };
}

beforeEach(async () => {
  shop = await makeShop();
  shop.store.customers.add(
    { id: "701", firstName: "Anna", lastName: "Berg", email: "anna.berg@example.com" },
    { id: "702", firstName: "Piet", lastName: "O'Hara", email: "piet@example.com" },
    { id: "703", firstName: "Zoë", lastName: "Or", email: "zoe@example.net" },
  );
});

async function save(customer: string, of = shop): Promise<void> {
  const json = { product_id: "1" };
  (await call("POST", `/v1/wishlists/${customer}/items`, { token: of.token, json })).data();
}

async function page(path = "/app/wishlists", of: ConnectedShop = shop): Promise<string> {
  const response = await merchant(service, of).page(path);
  expect(response.status).toBe(200);
  return response.text();
}

/** Grants the scope, and tells the page. */
async function grant(of: ConnectedShop = shop): Promise<void> {
  of.store.installation.scopes.push("read_customers");
  await merchant(service, of).send("/app/wishlists", { intent: "permission" });
  // The next request has a new token.
  await page("/app/wishlists", of);
}

function find(search: string, of: ConnectedShop = shop): Promise<string> {
  return merchant(service, of).send("/app/wishlists", { intent: "find", query: search });
}

test("an access token that Shopify refuses is replaced when staff open the next page", MATRIX, async () => {
  await save("701");
  await grant();
  expect(await page()).toContain("Anna Berg");
  shop.store.tokens.revokeAll();
  expect(await page()).not.toContain("Anna Berg");
  expect(await page()).toContain("Anna Berg");
});

/** Returns the customer ids of each request for names. */
function requestedIds(of: ConnectedShop = shop): unknown[] {
  return of.store.adminApiRequests
    .filter(({ operation }) => operation === "CustomerNames")
    .map(({ variables }) => variables["ids"]);
}

/** Returns the query of each search request. */
function requestedSearches(of: ConnectedShop = shop): unknown[] {
  return of.store.adminApiRequests
    .filter(({ operation }) => operation === "CustomerSearch")
    .map(({ variables }) => variables["query"]);
}

async function wishlistPath(customer: string, of = shop): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_id = $2",
    [of.id, customer],
  );
  return `/app/wishlists/${row?.id ?? ""}`;
}

describe("customer names", () => {
  test("are neither requested nor shown without the scope read_customers", async () => {
    await save("701");
    shop.store.adminApiRequests.length = 0;
    const text = await page();
    expect(text).toContain("not_permitted");
    expect(text).not.toContain("Anna");
    expect(requestedIds()).toEqual([]);
  });

  test("are read in one query per page with the scope", async () => {
    for (const customer of ["701", "702", "their-own-id", "999"]) await save(customer);
    await grant();
    shop.store.adminApiRequests.length = 0;
    const text = await page();
    for (const shown of ["Anna Berg", "anna.berg@example.com", "Piet O'Hara"]) expect(text).toContain(shown);
    expect(text).not.toContain("Zoë");
    expect(requestedIds()).toEqual([["999", "702", "701"].map((id) => `gid://shopify/Customer/${id}`)]);
  });

  test("are shown on a customer's wishlist and in staff activity", async () => {
    await save("701");
    await grant();
    const path = await wishlistPath("701");
    expect(await page(path)).toContain("anna.berg@example.com");
    await merchant(service, shop).send(path, { intent: "share" });
    expect(await page("/app/wishlists/audit")).toContain("Anna Berg");
    expect(await page("/app/wishlists/audit?customer=702")).toContain("Piet O'Hara");
  });

  test("are in the file of a product's customers, for a spreadsheet, and in no other shop's", async () => {
    shop.store.customers.add({ id: "704", firstName: "=1+1", lastName: "", email: "=x@example.com" });
    for (const customer of ["701", "704", "their-own-id"]) await save(customer);
    const download = async (of: ConnectedShop, product = "1") => {
      const headers = { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${shopify.sessionToken(of.domain)}` };
      const response = await fetch(`${service.url}/app/analytics/customers?product=${product}`, { headers });
      return { status: response.status, lines: (await response.text()).split("\r\n") };
    };
    expect((await download(shop)).lines.join()).not.toContain("Anna");
    await grant();
    const { lines } = await download(shop);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain("Customer id,Customer,Email,List,");
    expect(lines[1]).toMatch(/^their-own-id,,,,10,/);
    expect(lines[2]).toMatch(/^704,'=1\+1,'=x@example\.com,,10,/);
    expect(lines[3]).toMatch(/^701,Anna Berg,anna\.berg@example\.com,,10,.*,1,\d{4}-/);
    expect((await download(shop, "unknown")).status).toBe(404);
    // The file leaves the admin with names, so each download is recorded: the one before the permission, too.
    expect(
      await service.database.rows(
        "SELECT subject, details, staff_id IS NOT NULL AS staff FROM audit WHERE shop_id = $1 AND action = 'data.customers_exported'",
        [shop.id],
      ),
    ).toEqual([1, 2].map(() => ({ subject: "1", details: { name: "Lamp", count: 3 }, staff: true })));
    expect((await download(shop, "")).status).toBe(404);
    const other = await makeShop();
    expect((await download(other)).lines.filter((line) => line.includes("70"))).toEqual([]);
  });

  test("disappear at the next request when the scope is revoked", async () => {
    await save("701");
    await grant();
    expect(await page()).toContain("Anna Berg");
    shop.store.installation.scopes = ["read_products"];
    await shopify.deliverWebhook(service.url, "/webhooks/app/scopes_update", {
      topic: "app/scopes_update",
      shop: shop.domain,
      payload: bodies.scopes(shop.domain, ["read_products"]),
    });
    await until("the scopes", async () => {
      const [row] = await service.database.rows<{ scope: string }>("SELECT scope FROM session WHERE shop = $1", [
        shop.domain,
      ]);
      return row?.scope === "read_products";
    });
    shop.store.adminApiRequests.length = 0;
    for (const path of ["/app/wishlists", await wishlistPath("701"), "/app/wishlists/audit?customer=701"]) {
      expect(await page(path)).not.toContain("Anna");
    }
    expect(await find("anna")).toContain("To search by name or email, select Allow access to customers.");
    expect([requestedIds(), requestedSearches()]).toEqual([[], []]);
  });

  test("disappear when Shopify denies them before the webhook arrives", async () => {
    await save("701");
    await grant();
    shop.store.installation.scopes.pop();
    const text = await page();
    expect(text).toContain("unavailable");
    expect(text).toContain('"701"');
    expect(text).not.toContain("Anna");
  });

  const FAULTS: readonly [string, FaultyBehaviour][] = [
    ["hangs", "hangs"],
    ["responds with 502", { status: 502 }],
    ["locks the store with 423", { status: 423 }],
    ["throttles", "throttled"],
  ];
  for (const [fault, behaviour] of FAULTS) {
    test(`give way to ids on every page when Shopify ${fault}`, fault === "throttles" ? {} : MATRIX, async () => {
      await save("701");
      await grant();
      const path = await wishlistPath("701");
      for (const one of ["/app/wishlists", path, "/app/wishlists/audit?customer=701"]) {
        shop.store.faults.inject({ on: "graphql", behaviour });
        const text = await page(one);
        expect(text).toContain("unavailable");
        expect(text).toContain("701");
      }
      expect(await find("Anna")).toContain("can't be searched by name");
      expect(await find("701")).toContain("wishlistId");
    });
  }

  test("of another shop's customers are never shown, whatever ids the lists have", async () => {
    const otherShop = await makeShop();
    await save("701", otherShop);
    await grant(otherShop);
    expect(await page("/app/wishlists", otherShop)).not.toContain("Anna");
    expect(await find("Anna", otherShop)).toContain("No customers match this search.");
    expect(await find("701", otherShop)).toContain("wishlistId");
    expect(await find("702", otherShop)).toContain("No wishlist is saved for this ID.");
  });

  test("are in no table and no log line", async () => {
    await save("701");
    await grant();
    await page();
    await find("Anna");
    await find("berg@example.com");
    shop.store.faults.inject({ on: "graphql", behaviour: { status: 500 } });
    await find("Anna");
    const stored = await textOfEveryTable(service.database);
    expect(stored.length).toBeGreaterThan(10);
    // As whole words: sealed texts are long enough to hold such letters by chance.
    for (const text of stored) expect(text).not.toMatch(/\b(?:Anna|Berg)\b|example\.com/i);
    expect(JSON.stringify(service.log())).not.toMatch(/\b(?:Anna|Berg)\b|example\.com/i);
  });
});

describe("the search", () => {
  beforeEach(async () => {
    await save("701");
    await grant();
    shop.store.adminApiRequests.length = 0;
  });

  test("finds a customer's wishlist by parts of the name and by the address", async () => {
    for (const search of ["Anna", "ann", "anna berg", "  BERG  ", "anna.berg@example.com"]) {
      const found = await find(search);
      expect(found, search).toContain("Anna Berg");
      expect(found, search).toContain((await wishlistPath("701")).replace("/app/wishlists/", '"'));
      expect(found, search).not.toContain("Piet");
    }
  });

  test("shows customers without a wishlist, found by name and by id", async () => {
    for (const search of ["O'Hara", "702"]) {
      const found = await find(search);
      expect(found).toContain("Piet O'Hara");
      expect(found).not.toContain("wishlistId");
    }
  });

  test("lists customers with a wishlist before those without", async () => {
    const found = await find("example");
    expect(found.indexOf("Anna Berg")).toBeGreaterThan(0);
    expect(found.indexOf("Anna Berg")).toBeLessThan(found.indexOf("Piet O'Hara"));
  });

  test("treats Shopify's search syntax as words", async () => {
    const searches = [
      "email:* OR",
      "*",
      "OR *",
      "-anna",
      "NOT anna",
      '" OR email:*',
      '\\" OR email:*',
      "(anna) OR (piet)",
      "id:>0",
      "anna\\",
    ];
    for (const search of searches) {
      shop.store.adminApiRequests.length = 0;
      const found = await find(search);
      for (const other of ["Piet", "Zoë"]) expect(found, search).not.toContain(other);
      expect(requestedSearches(), search).toHaveLength(1);
    }
  });

  test("finds a customer whose name is a word of the search syntax", async () => {
    expect(await find("OR")).toContain("Zoë Or");
  });

  test("shows a message when no customer matches", async () => {
    expect(await find("nobody")).toContain("No customers match this search.");
  });
});
