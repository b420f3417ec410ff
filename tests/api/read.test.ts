import { expect } from "vitest";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

interface Item {
  productId: string;
  variantId: string;
  addedAt: string;
}

interface Page {
  items: Item[];
  count: number;
  total: number;
  has_more: boolean;
}

const EMPTY: Page = { items: [], count: 0, total: 0, has_more: false };
const GID = "gid:%2F%2Fshopify%2FCustomer%2F";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
/** the items of customer `many`, newest first */
let many: Item[];

test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  many = Array.from({ length: 61 }, (_, i) => ({
    productId: `p${i}`,
    variantId: `v${i}`,
    addedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, 999) - i * 1000).toISOString(),
  }));
  await merge("many", [...many].reverse());
});

async function get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/${path}`, { token: shop.token, headers });
}

async function page(path: string): Promise<Page> {
  return (await get(path)).data<Page>();
}

async function merge(customerId: string, items: Item[]): Promise<void> {
  (await call("POST", `/v1/wishlists/${customerId}/merge`, { token: shop.token, json: { items } })).data();
}

async function add(customerId: string, productId: string, variantId = "v"): Promise<void> {
  const json = { product_id: productId, variant_id: variantId };
  (await call("POST", `/v1/wishlists/${customerId}/items`, { token: shop.token, json })).data();
}

async function remove(customerId: string, productId: string): Promise<void> {
  (await call("DELETE", `/v1/wishlists/${customerId}/items/${productId}`, { token: shop.token })).data();
}

async function tagOf(path: string): Promise<string> {
  const tag = (await get(path)).headers.get("etag");
  if (tag === null) throw new Error(`${path} has no ETag`);
  return tag;
}

test.each<[query: string, offset: number, count: number, more: boolean]>([
  ["", 0, 50, true],
  ["?limit=50&offset=0", 0, 50, true],
  ["?offset=50", 50, 11, false],
  ["?limit=1", 0, 1, true],
  ["?limit=60", 0, 60, true],
  ["?limit=61", 0, 61, false],
  ["?limit=200", 0, 61, false],
  ["?limit=1&offset=60", 60, 1, false],
  ["?limit=1&offset=59", 59, 1, true],
  ["?offset=10&limit=7", 10, 7, true],
  ["?offset=61", 61, 0, false],
  ["?limit=200&offset=1000", 1000, 0, false],
  ["?offset=2147483647", 61, 0, false],
  ["?%6Cimit=%31", 0, 1, true],
])("a wishlist of 61 read with %j starts at %i and has %i items", async (query, offset, count, has_more) => {
  const response = await get(`many${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.body).toEqual({
    ok: true,
    data: { items: many.slice(offset, offset + count), count, total: 61, has_more },
  });
});

test("consecutive pages contain each item once", async () => {
  const pages = await Promise.all([0, 13, 26, 39, 52].map((offset) => page(`many?limit=13&offset=${offset}`)));
  expect(pages.flatMap(({ items }) => items)).toEqual(many);
});

test("a wishlist beyond one page can be read 200 items at a time", async () => {
  const items = Array.from({ length: 401 }, (_, i) => ({
    productId: `p${i}`,
    variantId: "v",
    addedAt: new Date(Date.UTC(2026, 5, 1) - i).toISOString(),
  }));
  await merge("long", items);
  const pages = await Promise.all([0, 200, 400].map((offset) => page(`long?limit=200&offset=${offset}`)));
  expect(pages.map(({ count, has_more }) => [count, has_more])).toEqual([
    [200, true],
    [200, true],
    [1, false],
  ]);
  expect(pages.flatMap((each) => each.items)).toEqual(items);
});

test("the newest item is first, whatever the order of saving", async () => {
  const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
  await merge("order", [
    { productId: "second", variantId: "v", addedAt: at(2) },
    { productId: "third", variantId: "v", addedAt: at(1) },
    { productId: "first", variantId: "v", addedAt: at(3) },
  ]);
  await add("order", "now");
  expect((await page("order")).items.map(({ productId }) => productId)).toEqual(["now", "first", "second", "third"]);
});

test("the latest saved of items with one time is first in every page", async () => {
  const names = ["a", "z", "m", "b", "y"];
  for (const productId of names) {
    await merge("ties", [{ productId, variantId: "v", addedAt: "2026-03-01T00:00:00.000Z" }]);
  }
  const expected = [...names].reverse();
  expect((await page("ties")).items.map(({ productId }) => productId)).toEqual(expected);
  const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => page(`ties?limit=1&offset=${offset}`)));
  expect(pages.flatMap(({ items }) => items.map(({ productId }) => productId))).toEqual(expected);
});

test("variants of one product are separate items", async () => {
  await add("variants", "p", "red");
  await add("variants", "p", "blue");
  expect((await page("variants")).items.map(({ productId, variantId }) => [productId, variantId])).toEqual([
    ["p", "blue"],
    ["p", "red"],
  ]);
});

test.each(["nobody", "nobody?limit=200&offset=7", `${GID}nobody`, "a".repeat(255), "%7E%21"])(
  "a read of a customer without items (%s) returns an empty list and stores nothing",
  async (path) => {
    const before = await everythingStored(service.database);
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ok: true, data: EMPTY });
    expect(await everythingStored(service.database)).toEqual(before);
  },
);

test("an emptied wishlist is an empty page", async () => {
  await add("emptied", "p");
  await remove("emptied", "p");
  expect(await page("emptied")).toEqual(EMPTY);
});

test("a customer's GID and its tail are the same customer, and responses have tails", async () => {
  const json = { product_id: "gid://shopify/Product/11", variant_id: "gid://shopify/ProductVariant/12" };
  await call("POST", `/v1/wishlists/${GID}77/items`, { token: shop.token, json });
  const byTail = await page("77");
  expect(byTail.items).toMatchObject([{ productId: "11", variantId: "12" }]);
  expect(await page(`${GID}77`)).toEqual(byTail);
  expect(await page(`gid%3A%2f%2fshopify%2fCustomer%2f77`)).toEqual(byTail);
});

test("a path is decoded once: `%2531` is the customer `%31`", async () => {
  await add("%2531", "of-percent-31");
  await add("1", "of-1");
  const products = async (path: string) => (await page(path)).items.map(({ productId }) => productId);
  expect(await products("%2531")).toEqual(["of-percent-31"]);
  expect(await products("%31")).toEqual(["of-1"]);
  expect(await products("1")).toEqual(["of-1"]);
  expect(await products("%25%33%31")).toEqual(["of-percent-31"]);
  const owners = await service.database.rows<{ owner_id: string }>(
    "SELECT owner_id FROM wishlist WHERE owner_id LIKE '%31' ORDER BY owner_id",
  );
  expect(owners).toEqual([{ owner_id: "%31" }]);
});

test.each<[sent: string, id: string]>([
  ["a%2Fb", "a/b"],
  ["a%2fb%2F..%2Fc", "a/b/../c"],
  ["what%3Flimit=1", "what?limit=1"],
  ["a%23b", "a#b"],
  ["a+b", "a+b"],
  ["a%2Bc", "a+c"],
  ["a;v=1,2", "a;v=1,2"],
  ["%22%27%5C%3C%3E", "\"'\\<>"],
  ["...", "..."],
  ["items", "items"],
  ["c.data", "c.data"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["SHARED", "SHARED"],
  ["nullified", "nullified"],
])("the path segment %s is the customer %s", async (sent, id) => {
  await add(sent, "p");
  expect((await page(sent)).total).toBe(1);
  const [row] = await service.database.rows<{ owner_id: string }>(
    "SELECT owner_id FROM wishlist ORDER BY id DESC LIMIT 1",
  );
  expect(row).toEqual({ owner_id: id });
});

test.each([
  '"quoted"',
  "back\\slash",
  "</script>",
  "a/b",
  "%31",
  "{}",
  "'; DROP TABLE wishlist; --".replaceAll(" ", "_"),
])("the id %s is returned unchanged", async (id) => {
  const customer = encodeURIComponent(`odd-${id}`);
  await add(customer, id, id);
  expect((await page(customer)).items).toMatchObject([{ productId: id, variantId: id }]);
});

test.each<[given: string, expected: string]>([
  ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
  ["2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.100Z"],
  ["2026-01-02T03:04:05.12Z", "2026-01-02T03:04:05.120Z"],
  ["2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.123Z"],
  ["2026-01-02T03:04:05.999999Z", "2026-01-02T03:04:05.999Z"],
  ["2026-01-02T01:04:05+02:30", "2026-01-01T22:34:05.000Z"],
  ["2025-12-31T23:59:59.999-00:30", "2026-01-01T00:29:59.999Z"],
  ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
])("the time %s is returned in UTC with milliseconds: %s", async (given, expected) => {
  const customer = `at-${Buffer.from(given).toString("hex")}`;
  await merge(customer, [{ productId: "p", variantId: "v", addedAt: given }]);
  expect((await page(customer)).items).toEqual([{ productId: "p", variantId: "v", addedAt: expected }]);
});

test("a page may be cached privately and must be revalidated", async () => {
  const { headers } = await get("many");
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(headers.get("vary")).toBe("Authorization, Accept-Encoding");
  expect(headers.get("etag")).toMatch(/^(?:W\/)?"[\x21\x23-\x7e]+"$/);
});

test("a read with a current tag gets 304 without a body", async () => {
  const tag = await tagOf("many?limit=5");
  const response = await get("many?limit=5", { "if-none-match": tag });
  expect(response.status).toBe(304);
  expect(response.text).toBe("");
  expect(response.headers.get("etag")).toBe(tag);
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(response.headers.get("vary")).toBe("Authorization, Accept-Encoding");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
});

const STALE = '"1.0.5.0"';

test.each<[what: string, header: (tag: string) => string, status: number]>([
  ["the tag marked weak", (tag) => `W/${tag}`, 304],
  ["the tag last in a list", (tag) => `"x", ${STALE}, ${tag}`, 304],
  ["the tag after an older one of the same page", (tag) => `${STALE}, ${tag}`, 304],
  ["the tag before an older one of the same page", (tag) => `${tag},${STALE}`, 304],
  ["the tag after one with a comma in it", (tag) => `"a,b",${tag}`, 304],
  ["the tag, weak, in a list of weak ones", (tag) => `W/"x", W/${tag}`, 304],
  ["`*`: any copy will do (RFC 9110, 13.1.2)", () => "*", 304],
  ["an older tag", () => STALE, 200],
  ["another tag", () => '"x"', 200],
  ["`*` in quotes, which is a tag like any other", () => '"*"', 200],
  ["the tag with a zero before it", (tag) => tag.replace('"', '"0'), 200],
  ["the tag with more behind it", (tag) => tag.replace(/"$/, '.0"'), 200],
  ["an empty tag", () => '""', 200],
  ["nothing", () => "", 200],
  ["no tag at all", () => "garbage,,, W/", 200],
  ["digits without end", () => `"${"9".repeat(3000)}.5.0"`, 200],
])("If-None-Match with %s", async (_what, header, status) => {
  const tag = await tagOf("many?limit=5");
  const response = await get("many?limit=5", { "if-none-match": header(tag) });
  expect(response.status).toBe(status);
  expect(response.text === "").toBe(status === 304);
});

test("the tag of one slice does not match another slice", async () => {
  const paths = ["many", "many?limit=5", "many?limit=5&offset=1", "many?limit=50&offset=5", "many?offset=51&limit=1"];
  const tags = await Promise.all(paths.map(tagOf));
  expect(new Set(tags).size).toBe(paths.length);
  expect(await tagOf("many?limit=50&offset=0")).toBe(tags[0]);
  for (const path of paths.slice(1)) {
    expect((await get(path, { "if-none-match": String(tags[0]) })).status).toBe(200);
  }
});

test("the tag of one customer does not match an equal list of another", async () => {
  await add("twin1", "p");
  await add("twin2", "p");
  expect((await get("twin2", { "if-none-match": await tagOf("twin1") })).status).toBe(200);
});

test("every change gives the page a new tag, and a request without a change keeps it", async () => {
  const seen: string[] = [];
  const changes = async (change: () => Promise<void>) => {
    await change();
    const tag = await tagOf("changing");
    expect(seen).not.toContain(tag);
    if (seen.length > 0) expect((await get("changing", { "if-none-match": seen.join(", ") })).status).toBe(200);
    seen.push(tag);
  };
  const keeps = async (change: () => Promise<void>) => {
    await change();
    expect(await tagOf("changing")).toBe(seen.at(-1));
    expect((await get("changing", { "if-none-match": String(seen.at(-1)) })).status).toBe(304);
  };
  const guest = [{ productId: "g", variantId: "v", addedAt: "2026-01-01T00:00:00.000Z" }];

  await changes(async () => {});
  await keeps(() => remove("changing", "p"));
  await changes(() => add("changing", "p"));
  await keeps(() => add("changing", "p"));
  await keeps(() => remove("changing", "absent"));
  await changes(() => merge("changing", guest));
  await keeps(() => merge("changing", guest));
  await keeps(() => merge("changing", []));
  await changes(() => remove("changing", "g"));
  await changes(() => remove("changing", "p"));
  await changes(() => add("changing", "p"));
});

test("an old tag does not match a wishlist that was erased and created again", async () => {
  await add("erased", "p");
  const before = await tagOf("erased");
  await service.database.rows("DELETE FROM wishlist WHERE shop_id = $1 AND owner_id = 'erased'", [shop.id]);
  expect((await get("erased", { "if-none-match": before })).status).toBe(200);
  await add("erased", "p");
  expect((await get("erased", { "if-none-match": before })).status).toBe(200);
});

test("an empty wishlist gets 304 until its first item", async () => {
  const tag = await tagOf("newcomer");
  expect((await get("newcomer", { "if-none-match": `"5.0.50.0", ${tag}` })).status).toBe(304);
  await add("newcomer", "p");
  const response = await get("newcomer", { "if-none-match": tag });
  expect(response.status).toBe(200);
  expect(response.data<Page>().total).toBe(1);
});

test("If-None-Match without a token gets 401", async () => {
  const tag = await tagOf("many");
  for (const header of [tag, "*"]) {
    const response = await call("GET", "/v1/wishlists/many", { headers: { "if-none-match": header } });
    expectFailure(response, 401, "missing_token");
  }
});

test("HEAD returns the headers of GET and stores nothing", async () => {
  const before = await everythingStored(service.database);
  for (const path of ["many", "many?limit=3&offset=2", "never-saved-anything"]) {
    const headers = { "accept-encoding": "identity" };
    const whole = await get(path, headers);
    const head = await call("HEAD", `/v1/wishlists/${path}`, { token: shop.token, headers });
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(whole.text)));
    for (const name of ["etag", "content-type", "cache-control", "vary", "access-control-allow-origin"]) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  }
  expect(await everythingStored(service.database)).toEqual(before);
});

test("HEAD is conditional like GET", async () => {
  const tag = await tagOf("many");
  const head = await call("HEAD", "/v1/wishlists/many", { token: shop.token, headers: { "if-none-match": tag } });
  expect(head.status).toBe(304);
});

test("HEAD needs the same authorization as GET", async () => {
  const missing = await call("HEAD", "/v1/wishlists/many");
  expect([missing.status, missing.text]).toEqual([401, ""]);
  expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="wishlist"');
  const invalid = await call("HEAD", "/v1/wishlists/many?limit=0", { token: shop.token });
  expect([invalid.status, invalid.text]).toEqual([400, ""]);
});

test("several mistakes in one request are all reported", async () => {
  const response = await get("a%20b?limit=0&offset=-1&page=2");
  expectFailure(response, 400, "invalid_request", [
    { path: "path.customerId", problem: expect.stringContaining("visible ASCII") as unknown },
    ...problemsAt("query.page", "query.limit", "query.offset"),
  ]);
});

test("concurrent reads of different shops, customers and slices do not mix", async () => {
  const other = await makeShop(service, call);
  const shops = [shop, other];
  const customers = ["twin", "one", "two"];
  for (const [index, { token }] of shops.entries()) {
    for (const customer of customers) {
      const items = [1, 2, 3].map((n) => ({
        productId: `${customer}-${index}-${n}`,
        variantId: "v",
        addedAt: new Date(Date.UTC(2026, 1, 1) - n).toISOString(),
      }));
      (await call("POST", `/v1/wishlists/${customer}/merge`, { token, json: { items } })).data();
    }
  }
  const requests = shops.flatMap(({ token }, index) =>
    [...customers, "empty"].flatMap((customer) =>
      ["limit=1", "limit=2", "limit=2&offset=1", "limit=200"].map((query) => ({
        token,
        place: index,
        customer,
        query,
      })),
    ),
  );
  let first: ApiResponse[] = [];
  // The first request connects.
  for (let round = 0; round < 4; round++) {
    first = await Promise.all(
      requests.map(({ token, customer, query }) => call("GET", `/v1/wishlists/${customer}?${query}`, { token })),
    );
    for (const [i, { place: index, customer, query }] of requests.entries()) {
      const slice = new URLSearchParams(query);
      const from = Number(slice.get("offset") ?? 0);
      const all = customer === "empty" ? [] : [1, 2, 3].map((n) => `${customer}-${index}-${n}`);
      const expected = all.slice(from, from + Number(slice.get("limit")));
      expect(first[i]?.data<Page>().items.map(({ productId }) => productId)).toEqual(expected);
      expect(first[i]?.data<Page>().total).toBe(all.length);
    }
  }
  // Every second caller has the current tag; the others have none or another page's.
  const again = await Promise.all(
    requests.map(({ token, customer, query }, i) => {
      const tag = first[i % 2 === 0 ? i : (i + 3) % requests.length]?.headers.get("etag") ?? "";
      return call("GET", `/v1/wishlists/${customer}?${query}`, { token, headers: { "if-none-match": tag } });
    }),
  );
  for (const [i, response] of again.entries()) {
    if (i % 2 === 0) expect(response.status).toBe(304);
    else expect(response.data<Page>()).toEqual(first[i]?.data<Page>());
  }
});

test("a cached page shows a later change of another process", async () => {
  const sibling = await startApp({ database: service.database });
  try {
    const there = client(sibling);
    for (let n = 0; n < 5; n++) {
      await add("watched", `p${n}`);
      const read = await there("GET", "/v1/wishlists/watched", { token: shop.token });
      expect(read.data<Page>().items.map(({ productId }) => productId)[0]).toBe(`p${n}`);
      expect(read.data<Page>().total).toBe(n + 1);
      expect((await page("watched")).total).toBe(n + 1);
    }
    await remove("watched", "p4");
    expect((await there("GET", "/v1/wishlists/watched", { token: shop.token })).data<Page>().total).toBe(4);
  } finally {
    await sibling.dispose();
  }
});
