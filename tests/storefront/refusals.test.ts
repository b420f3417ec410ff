import { describe, expect } from "vitest";
import { FORM_BODY } from "../../app/http/body.server.ts";
import { resources } from "../../app/surfaces/app-proxy/index.server.ts";
import type { Call } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, signedQuery, visitor } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let other: TestShop;
let loggedOut: ProxyCall;
let customer: ProxyCall;

const PATHS = [
  "list",
  "saved",
  "add",
  "remove",
  "merge",
  "shareList",
  "updateListShareLink",
  "revokeListShareLink",
  "recordCart",
  "page",
  "lists",
  "createList",
  "updateList",
  "deleteList",
  "restoreList",
  "moveListItems",
  "updateListItem",
];

/** What guests can't do. */
const FOR_CUSTOMERS = new Set(["merge", "shareList", "updateListShareLink", "revokeListShareLink"]);

test.override("appOptions", { env: SHOPIFY_ENV });
test.override("shopOptions", { products: { "1": "11" } });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  other = await makeShop(service, call, { products: { "1": "11" } });
  loggedOut = visitor(service, { shop: shop.domain });
  customer = visitor(service, { shop: shop.domain, customer: "5" });
  (await customer("POST", "/api/add", { json: { productId: "1" } })).data();
});

/** A valid body for each path. */
function bodyOf(path: string): object {
  const guestId = newGuest();
  switch (path) {
    case "saved":
      return { guestId, productIds: ["1"] };
    case "add":
    case "remove":
      return { guestId, productId: "1" };
    case "recordCart":
      return { guestId, event_id: "e", items: [{ product_id: "1", variant_id: "11" }] };
    case "createList":
      return { guestId, name: "Birthday" };
    case "updateList":
      return { guestId, listId: "lst_1", name: "Birthday" };
    case "deleteList":
      return { guestId, listId: "lst_1" };
    case "restoreList":
      return { guestId, listId: "lst_1", version: 2 };
    case "moveListItems":
      return { guestId, to: "lst_1", items: [{ productId: "1" }] };
    case "updateListItem":
      return { guestId, productId: "1", variant_id: "11", quantity: 2 };
    case "updateListShareLink":
      return { shared_by: "Ana" };
    case "shareList":
    case "revokeListShareLink":
      return {};
    default:
      return { guestId };
  }
}

describe.each(PATHS)("/api/%s", (path) => {
  test("rejects a request without a current signature of Shopify's for this store", async () => {
    const before = await everythingStored(service.database);
    const visit = { shop: shop.domain, customer: "5" };
    const good = signedQuery(visit);
    const queries = [
      "",
      good.replace(/&?signature=.*/, ""),
      good.replace(/signature=.{4}/, "signature=0000"),
      good.replace("logged_in_customer_id=5", "logged_in_customer_id=6"),
      good.replace(shop.domain, other.domain),
      `${good}&logged_in_customer_id=6`,
      signedQuery({ ...visit, shop: "nobody.myshopify.com" }),
      signedQuery(visit, { age: 95 }),
      signedQuery(visit, { age: -95 }),
      signedQuery(visit, { query: [["logged_in_customer_id", "6"]] }),
      signedQuery(visit, { query: [["shop", other.domain]] }),
    ];
    for (const query of queries) {
      const response = await call("POST", `/proxy/api/${path}?${query}`, { json: bodyOf(path) });
      expect([query, response.status, response.error().code]).toEqual([query, 401, "invalid_signature"]);
    }
    expect(await everythingStored(service.database)).toEqual(before);
  });

  test("rejects bodies other than JSON of known fields up to 256 KiB", async () => {
    const before = await everythingStored(service.database);
    const ask = FOR_CUSTOMERS.has(path) ? customer : loggedOut;
    const form = await ask("POST", `/api/${path}`, {
      body: "guestId=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([form.status, form.error().code]).toEqual([415, "unsupported_media_type"]);
    const plain = await ask("POST", `/api/${path}`, { body: "{}", headers: { "content-type": "text/plain" } });
    expect(plain.status).toBe(415);
    for (const extra of [
      { customerId: "5" },
      { logged_in_customer_id: "5" },
      { owner: "customer" },
      { shop: other.domain },
    ]) {
      const response = await ask("POST", `/api/${path}`, { json: { ...bodyOf(path), ...extra } });
      expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
      expect(response.error().message).toContain(`body.${Object.keys(extra)[0] ?? ""} is not a known field`);
    }
    const huge = await ask("POST", `/api/${path}`, { json: { ...bodyOf(path), x: "x".repeat(300_000) } });
    expect([huge.status, huge.error().code]).toEqual([413, "payload_too_large"]);
    expect(await everythingStored(service.database)).toEqual(before);
  });

  test("rejects requests of other sites' pages, and lets none read a response", async () => {
    const before = await everythingStored(service.database);
    for (const origin of [
      "https://evil.example",
      `https://${shop.domain}.evil.example`,
      "null",
      `https://${other.domain}`,
    ]) {
      const response = await customer("POST", `/api/${path}`, { json: bodyOf(path), headers: { origin } });
      expect([origin, response.status, response.error().code]).toEqual([origin, 403, "forbidden_origin"]);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    const preflight = await customer("OPTIONS", `/api/${path}`, { headers: { origin: "https://evil.example" } });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(await everythingStored(service.database)).toEqual(before);
  });

  test("rejects a guest id in the address", async () => {
    const guestId = newGuest();
    const response = await loggedOut("POST", `/api/${path}`, { json: bodyOf(path), query: [["guestId", guestId]] });
    expect(response.status).toBe(FOR_CUSTOMERS.has(path) ? 401 : 400);
    expect(JSON.stringify(service.log())).not.toContain(guestId);
  });

  test("ignores signed parameters that it does not know, also repeated ones", async () => {
    const another = visitor(service, { shop: shop.domain, customer: "77" });
    const query = [
      ["market", "7"],
      ["tag", "a"],
      ["tag", "b"],
    ] as const;
    const response = await another("POST", `/api/${path}`, { json: bodyOf(path), query });
    expect(response.status).not.toBe(400);
  });

  test("rejects methods other than POST", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await customer(method, `/api/${path}`);
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });
});

describe("the pages", () => {
  test.each(["", "/", "/shared/some-token"])("show nothing of %s without a signature", async (path) => {
    const response = await call("GET", `/proxy${path}`);
    expect([response.status, response.error().code]).toEqual([401, "invalid_signature"]);
  });

  test("ignore signed parameters that they do not know, also repeated ones", async () => {
    const query = [
      ["utm_source", "a"],
      ["utm_source", "b"],
    ] as const;
    expect((await customer("GET", "", { query })).status).toBe(200);
  });

  test("reject a guest id in their address", async () => {
    for (const name of ["guestId", "guest_id"]) {
      const response = await loggedOut("GET", "", { query: [[name, newGuest()]] });
      expect(response.error().message).toBe(`query.${name} belongs in a body, never in an address.`);
    }
  });

  test("show a shared list in its own store only", async () => {
    const { shareUrl } = (await customer("POST", "/api/shareList", { json: {} })).data<{ shareUrl: string }>();
    const path = new URL(shareUrl).pathname.replace("/apps/wishlist", "");
    const views = async (): Promise<unknown> => service.database.rows("SELECT sum(views) FROM share_link");
    const before = await views();
    expect((await visitor(service, { shop: other.domain })("GET", path)).text).toContain('wl_code = "share_not_found"');
    expect(await views()).toEqual(before);
    // A HEAD request, as messengers send for a preview, does not count as a view.
    const head = await loggedOut("HEAD", path);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(await views()).toEqual(before);
    const response = await loggedOut("GET", path);
    expect(response.status).toBe(200);
    expect(await views()).not.toEqual(before);
    expect(response.headers.get("x-robots-tag")).toBe("noindex");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("use the theme's layout; a fragment does not", async () => {
    expect((await customer("GET", "")).text).not.toContain("{% layout none %}");
    expect((await customer("POST", "/api/page", { json: {} })).text).toMatch(/^\{% layout none %\}/);
  });

  test("bring their style and script along, except for a bare fragment", async () => {
    const parts = async (json: object): Promise<string[]> =>
      (await customer("POST", "/api/page", { json })).text.match(/<(?:style|script|div\b[^>]* data-wishlist-root)/g) ??
      [];
    expect(await parts({})).toHaveLength(3);
    expect(await parts({ bare: true })).toHaveLength(1);
  });

  test("are the same with a trailing slash, and no other path exists", async () => {
    expect((await customer("GET", "/")).status).toBe(200);
    expect((await customer("GET", "/else")).error().code).toBe("not_found");
    expect((await customer("POST", "", { json: {} })).status).toBe(405);
  });

  test("show the list at the addresses of their forms, at which browsers without JavaScript stay", async () => {
    const forms = resources.flatMap(({ path, endpoints }) =>
      endpoints.some(({ format }) => format === FORM_BODY) && !path.includes("{") ? [path.replace("/proxy", "")] : [],
    );
    expect(forms).toHaveLength(9);
    for (const path of forms) {
      const response = await customer("GET", path);
      expect([path, response.status, response.text.includes("wl_owner")]).toEqual([path, 200, true]);
    }
  });

  test("a form from another site removes nothing", async () => {
    const body = new URLSearchParams({ token: "x", product: "1", variant: "11", page: "1" }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const more of [{}, { origin: "https://evil.example" }]) {
      const response = await customer("POST", "/items/remove", { body, headers: { ...headers, ...more } });
      expect(response.text).toContain('wl_code = "forbidden_origin"');
    }
    const json = await customer("POST", "/items/remove", { json: { token: "x", product: "1", variant: "11" } });
    expect(json.status).toBe(415);
    expect((await customer("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });
  });
});

describe("a guest's list", () => {
  test("can't be read through /v1 by its id or its hash", async () => {
    const guestId = newGuest();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "1" } });
    const [row] = await service.database.rows<{ owner_id: string }>(
      "SELECT owner_id FROM wishlist WHERE shop_id = $1 AND owner_kind = 'guest' ORDER BY id DESC LIMIT 1",
      [shop.id],
    );
    for (const id of [guestId, row?.owner_id ?? ""]) {
      const page = await call("GET", `/v1/wishlists/${id}`, { token: shop.token });
      expect(page.data()).toMatchObject({ total: 0 });
      await call("DELETE", `/v1/wishlists/${id}/items/1`, { token: shop.token });
    }
    expect((await loggedOut("POST", "/api/list", { json: { guestId } })).data()).toMatchObject({ itemCount: 1 });
  });

  test("can't be read with another id or in another store", async () => {
    const guestId = newGuest();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "1" } });
    const elsewhere = visitor(service, { shop: other.domain });
    for (const [ask, id] of [
      [loggedOut, newGuest()],
      [elsewhere, guestId],
    ] as const) {
      expect((await ask("POST", "/api/list", { json: { guestId: id } })).data()).toMatchObject({ itemCount: 0 });
    }
    const there = visitor(service, { shop: other.domain, customer: "5" });
    expect((await there("POST", "/api/merge", { json: { guestId } })).data()).toMatchObject({ addedCount: 0 });
    expect((await loggedOut("POST", "/api/list", { json: { guestId } })).data()).toMatchObject({ itemCount: 1 });
  });
});

describe("a failure that Shopify's app proxy would replace", () => {
  const shared = "/shared/some-token";

  test("is JSON with its status in the body, and 200; the log has its status", async ({ app }) => {
    const response = await loggedOut("POST", "/api/shareList", { json: {} });
    expect(response.httpStatus).toBe(200);
    expect(response.error()).toMatchObject({ code: "login_required", status: 401 });
    const statuses = app.log().filter(({ route, msg }) => msg === "request" && route === "/proxy/api/shareList");
    expect(statuses.at(-1)).toMatchObject({ status: 401, code: "login_required" });
  });

  test("is a page with 200 that no search engine shows", async () => {
    const response = await loggedOut("GET", shared);
    expect([response.httpStatus, response.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(response.text).toContain('wl_code = "share_not_found"');
  });

  test("keeps its status for a request that Shopify has not signed", async () => {
    expect((await call("GET", `/proxy${shared}`)).httpStatus).toBe(401);
  });
});

describe("a look-up", () => {
  test.each([
    ["saved", { productIds: Array.from({ length: 251 }, (_, i) => String(i)) }],
    [
      "saved",
      {
        productIds: Array.from({ length: 200 }, (_, i) => String(i)),
        handles: Array.from({ length: 51 }, (_, i) => `h${i}`),
      },
    ],
    ["saved", {}],
    ["merge", { guestId: newGuest(), handles: Array.from({ length: 251 }, (_, i) => `h${i}`) }],
    ["list", { limit: 251 }],
    ["list", { limit: 0 }],
    ["list", { offset: -1 }],
    ["recordCart", { event_id: "e", items: [] }],
    ["recordCart", { event_id: "e", items: Array.from({ length: 101 }, () => ({ product_id: "1", variant_id: "1" })) }],
    ["recordCart", { event_id: "", items: [{ product_id: "1", variant_id: "1" }] }],
    ["add", { productId: "1", handle: "1" }],
    ["add", {}],
    ["add", { productId: "" }],
    ["add", { handle: "with\u0000nul" }],
    ["list", { guestId: "g".repeat(65) }],
    ["list", { guestId: null }],
  ])("beyond its limits is rejected: /api/%s, case %#", async (path, json) => {
    const response = await customer("POST", `/api/${path}`, { json });
    expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
  });

  test("takes up to 250 products", async () => {
    const productIds = Array.from({ length: 250 }, (_, i) => String(i));
    const response = await customer("POST", "/api/saved", { json: { productIds } });
    expect(response.data()).toMatchObject({ saved: [{ productId: "1", variantIds: ["11"] }] });
  });
});

test("a store's requests are rejected within a second after it uninstalls the app", async () => {
  const gone = await makeShop(service, call);
  const ask = visitor(service, { shop: gone.domain });
  expect((await ask("GET", "")).status).toBe(200);
  await service.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [gone.id]);
  await until("the store to be unknown", async () => (await ask("GET", "")).status === 401);
});

test("the storefront's paths get 404 without Shopify's settings", async () => {
  const plain = await startApp({ database: service.database });
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/api/list"],
    ["GET", "/shared/x"],
  ] as const) {
    const response = await visitor(plain, { shop: shop.domain })(method, path, method === "POST" ? { json: {} } : {});
    expect([response.status, response.error().code]).toEqual([404, "not_found"]);
  }
  await plain.dispose();
});
