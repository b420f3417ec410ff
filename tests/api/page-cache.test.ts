import { expect } from "vitest";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import type { Owner } from "../../app/wishlists/owner.ts";
import { pageCache, readList, readPage } from "../../app/wishlists/items/read.server.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { serviceEnv, TOKEN_SECRET } from "../support/app/service.ts";
import { exchange, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  provideEnv(serviceEnv(service.database.url));
});

async function save(customerId: string, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({
    productId: `p${n}`,
    variantId: "v",
    addedAt: "2026-01-01T00:00:00.000Z",
  }));
  (await call("POST", `/v1/wishlists/${customerId}/merge`, { token: shop.token, json: { items } })).data();
}

function read(path: string, token: string, tag?: string): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/${path}`, { token, headers: tag === undefined ? {} : { "If-None-Match": tag } });
}

async function readOnlyToken(): Promise<string> {
  return exchange(call, shop, { scope: "read_wishlists" });
}

test("a forged If-None-Match does not change what other callers read", async () => {
  await save("victim", 3);
  const [row] = await service.database.rows<{ of: string }>(
    "SELECT id || '.' || version AS of FROM wishlist WHERE shop_id = $1 AND owner_id = 'victim'",
    [shop.id],
  );
  const { of = "" } = row ?? {};
  const token = await readOnlyToken();
  const tag = (await read("victim?limit=7", token)).headers.get("etag") ?? "";
  const forged = [
    // The content of a tag in plain text: wishlist, version and slice.
    ...[
      `"${of} x.10.0"`,
      `"x ${of}.10.0"`,
      `"${of}.10.0"`,
      `"x ${of} x.10.0"`,
      `W/"${of} x.10.0"`,
      `"${of} x.10.0", "*"`,
    ],
    // A tag of another slice, with and without spaces.
    ...[tag, `${tag.slice(0, -1)} x"`, `"${of} ${tag.slice(1)}`],
  ];
  for (const header of forged) {
    const attack = await read("victim?limit=10", token, header);
    expect([header, attack.status, attack.data<{ count: number }>().count]).toEqual([header, 200, 3]);
    const after = await read("victim?limit=10", shop.token);
    expect([header, after.data<{ items: unknown[] }>().items.length]).toEqual([header, 3]);
  }
});

test("a current tag of a page that is not cached still gets 304", async () => {
  await save("restarted", 2);
  const sibling = await startApp({ database: service.database });
  try {
    const tag = (await read("restarted", shop.token)).headers.get("etag") ?? "";
    const there = await client(sibling)("GET", "/v1/wishlists/restarted", {
      token: shop.token,
      headers: { "If-None-Match": tag },
    });
    expect(there.status).toBe(304);
  } finally {
    await sibling.dispose();
  }
});

test("entity tags reveal no count over all shops", async () => {
  await save("first", 1);
  await save("second", 1);
  for (const customer of ["first", "second", "unknown"]) {
    expect((await read(customer, shop.token)).headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
  }
  // Callers cannot compute the hash: another secret yields another tag for the same wishlist, version and slice.
  const [row] = await service.database.rows<{ id: number; version: number }>(
    "SELECT id, version FROM wishlist WHERE shop_id = $1 AND owner_id = 'first'",
    [shop.id],
  );
  const sibling = await startApp({
    database: service.database,
    env: { TOKEN_SECRETS: `kQ7wXe2Rt9Yu4Io1Pa6Sd3Fg8Hj5Kl0ZxCvBnM,${TOKEN_SECRET}` },
  });
  try {
    const there = await client(sibling)("GET", "/v1/wishlists/first", { token: shop.token });
    expect(there.headers.get("etag")).not.toBe((await read("first", shop.token)).headers.get("etag"));
    expect(row).toBeDefined();
  } finally {
    await sibling.dispose();
  }
});

test("empty lists use no memory", async () => {
  await save("few", 2);
  await save("emptied", 1);
  (await call("DELETE", "/v1/wishlists/emptied/items/p0", { token: shop.token })).data();
  const owner = (id: string): Owner => ({ shopId: shop.id, kind: "customer", id });
  const before = pageCache.size;
  for (const id of ["unknown-1", "unknown-2", "emptied"]) await readList(owner(id), { limit: 50, offset: 0 });
  await readList(owner("few"), { limit: 50, offset: 1_000 });
  expect(pageCache.size).toBe(before);
  // A page of the API and a list of the storefront are the same slice.
  await readList(owner("few"), { limit: 50, offset: 0 });
  await readPage(owner("few"), { limit: 50, offset: 0 }, []);
  expect(pageCache.size).toBe(before + 1);
});
