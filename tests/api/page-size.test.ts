import { describe, expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { eventStream } from "../support/app/event-stream.ts";
import { RECEIVER, subscribe } from "../support/webhooks/webhooks.ts";

// A page ends at a megabyte, whatever its limit and the sizes that callers can give its entries.

const MOST = 1_100_000;

test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.override("shopOptions", { plan: "growth" });

/** Details as large as an item can have them: 2,000 bytes of note, and 2,000 bytes of properties as JSON. */
const LARGEST = {
  note: "\u{1F381}".repeat(500),
  properties: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`p${n}`, "x".repeat(n === 7 ? 220 : 240)])),
};

interface Entry {
  productId: string;
  variantId: string;
}

const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ productId: `product-${n}`, variantId: `variant-${n}` }));

/** Adds items in batches that fit into a body. */
async function addAll(call: Call, { token }: TestShop, customer: string, items: readonly Entry[], details: object) {
  for (let at = 0; at < items.length; at += 50) {
    const operations = items.slice(at, at + 50).map((item) => ({ op: "add", ...item, ...details }));
    const path = `/v1/wishlists/${customer}/lists/default/items/batch`;
    (await call("POST", path, { token, json: { operations } })).data();
  }
}

/** Gives the products of items the longest texts that Shopify allows, in letters of three bytes. */
async function describeAll(app: InProcessApp, { id }: TestShop, items: readonly Entry[]): Promise<void> {
  await app.database.rows(
    `INSERT INTO product (shop_id, product_id, handle, title, default_variant_id, updated_at, status, published_at, ever_published)
     SELECT $1, p, n || repeat('々', 250), repeat('々', 255), v, now(), 'ACTIVE', now(), true
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (p, v, n)`,
    [id, items.map(({ productId }) => productId), items.map(({ variantId }) => variantId)],
  );
}

interface Pages<Page> {
  sizes: number[];
  pages: Page[];
}

/** Reads pages until there are no more. @param next returns the query of the next page */
async function readAll<Page>(
  call: Call,
  token: string | undefined,
  path: string,
  next: (page: Page | undefined, count: number) => string | undefined,
): Promise<Pages<Page>> {
  const sizes: number[] = [];
  const pages: Page[] = [];
  for (let query = next(undefined, 0); query !== undefined;) {
    const response = await call("GET", `${path}?${query}`, token === undefined ? {} : { token });
    const page = response.data<Page>();
    sizes.push(Buffer.byteLength(response.text));
    pages.push(page);
    query = next(page, pages.length);
  }
  return { sizes, pages };
}

describe("items with the longest details and products", () => {
  interface Page {
    items: Entry[];
    count: number;
    has_more: boolean;
  }

  function nextItems(more: string): (page: Page | undefined) => string | undefined {
    let offset = 0;
    return (page) => {
      offset += page?.count ?? 0;
      return page && !page.has_more ? undefined : `limit=200&offset=${offset}${more}`;
    };
  }

  test.for(["", "&expand=product", "&sort=added_at&direction=asc", "&expand=product&sort=title"])(
    "have pages of at most a megabyte, which continue exactly, with '%s'",
    async (more, { app, call }) => {
      const shop = await makeShop(app, call, { plan: "growth" });
      const items = entries(210);
      await addAll(call, shop, "c1", items, LARGEST);
      await describeAll(app, shop, items);
      const { sizes, pages } = await readAll(call, shop.token, "/v1/wishlists/c1", nextItems(more));
      expect(Math.max(...sizes)).toBeLessThan(MOST);
      expect(pages.map(({ count }) => count)).toEqual(pages.map((page) => page.items.length));
      const read = pages.flatMap((page) => page.items.map(({ variantId }) => variantId));
      expect(read.length).toBe(items.length);
      expect(new Set(read)).toEqual(new Set(items.map(({ variantId }) => variantId)));
    },
  );

  test("have pages of at most a megabyte in a shared list, too", async ({ app, call }) => {
    const shop = await makeShop(app, call, { plan: "growth" });
    const items = entries(210);
    await addAll(call, shop, "c1", items, LARGEST);
    await describeAll(app, shop, items);
    const shared = await call("GET", "/v1/wishlists/c1/share", { token: shop.token });
    const { shareToken } = shared.data<{ shareToken: string }>();
    const path = `/v1/wishlists/shared/${shareToken}`;
    const { sizes, pages } = await readAll(call, undefined, path, nextItems("&expand=product"));
    expect(Math.max(...sizes)).toBeLessThan(MOST);
    expect(pages.flatMap((page) => page.items.map(({ variantId }) => variantId)).sort()).toEqual(
      items.map(({ variantId }) => variantId).sort(),
    );
  });
});

test("a look-up of a product in thousands of variants ends at a megabyte and says so", async ({ app, call, shop }) => {
  interface Found {
    products: { variants: unknown[] }[];
    has_more: boolean;
  }
  await addAll(call, shop, "c2", entries(1), {});
  await app.database.rows(
    `INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on)
     SELECT shop_id, id, 'many', rpad(n || '-', 255, 'v'), now(), current_date
       FROM wishlist, generate_series(1, 5000) AS n WHERE shop_id = $1 AND owner_id = 'c2'`,
    [shop.id],
  );
  const response = await call("GET", "/v1/wishlists/c2/contains?product_id=many&product_id=product-0", {
    token: shop.token,
  });
  expect(response.data<Found>().has_more).toBe(true);
  expect(Buffer.byteLength(response.text)).toBeLessThan(MOST);
  const few = await call("GET", "/v1/wishlists/c2/contains?product_id=product-0", { token: shop.token });
  expect(few.data<Found>()).toMatchObject({ products: [{ variants: [{}] }], has_more: false });
});

describe("changes with the largest items", () => {
  interface Page {
    changes: { item: Entry }[];
    nextCursor: string;
    hasMore: boolean;
  }

  test.for([undefined, "c1"])(
    "have pages of at most a megabyte, which continue exactly, for customer %s",
    async (customer, { app, call }) => {
      const shop = await makeShop(app, call, { plan: "growth" });
      const items = entries(300);
      await addAll(call, shop, "c1", items, LARGEST);
      const key = { api_key: shop.keyId, api_secret: shop.secret };
      const bound = { ...key, ...(customer === undefined ? {} : { customer_id: customer }) };
      const { token } = (await call("POST", "/v1/auth/token", { json: bound })).data<{ token: string }>();
      const { sizes, pages } = await readAll<Page>(call, token, "/v1/changes", (page) =>
        page?.hasMore === false ? undefined : `limit=1000${page ? `&since=${page.nextCursor}` : ""}`,
      );
      expect(pages.length).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThan(MOST);
      expect(pages.flatMap((page) => page.changes.map(({ item }) => item.variantId))).toEqual(
        items.map(({ variantId }) => variantId),
      );
    },
  );

  test("reach a stream that resumes beside an open one, and end neither", async ({ app, call }) => {
    const shop = await makeShop(app, call, { plan: "growth" });
    const headers = { authorization: `Bearer ${shop.token}` };
    const open = eventStream(await app.fetch("/v1/changes/stream", { headers }));
    while (open.lastId() === undefined) await open.readMore();
    const start = open.lastId() ?? "";
    const items = entries(300);
    const received = open.take(items.length);
    for (let at = 0; at < items.length; at += 50) {
      await addAll(call, shop, "c1", items.slice(at, at + 50), LARGEST);
      await call("GET", "/v1/changes?since=now", { token: shop.token });
    }
    await received;
    const resumed = eventStream(
      await app.fetch("/v1/changes/stream", { headers: { ...headers, "last-event-id": start } }),
    );
    const missed = await resumed.take(items.length);
    expect(missed.map(({ id }) => id)).toEqual((await received).map(({ id }) => id));
    await open.cancel();
    await resumed.cancel();
  });
});

test("versions that name the longest ids have pages of at most a megabyte, which continue exactly", async ({
  call,
  shop,
}) => {
  interface Page {
    versions: { version: number }[];
    nextCursor: string | null;
  }
  const VERSIONS = 50;
  for (let version = 0; version < VERSIONS; version++) {
    const items = Array.from({ length: 50 }, (_, n) => ({
      productId: `${version}-${n}`.padEnd(255, "p"),
      variantId: `${version}-${n}`.padEnd(255, "v"),
    }));
    await addAll(call, shop, "c1", items, {});
  }
  const { sizes, pages } = await readAll<Page>(call, shop.token, "/v1/wishlists/c1/lists/default/history", (page) =>
    page?.nextCursor === null ? undefined : `limit=100${page ? `&cursor=${page.nextCursor}` : ""}`,
  );
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(MOST);
  expect(pages.flatMap((page) => page.versions.map(({ version }) => version))).toEqual(
    Array.from({ length: VERSIONS }, (_, n) => VERSIONS - n),
  );
});

test("deliveries whose receivers respond with the longest texts have pages of at most a megabyte", async ({
  app,
  call,
  shop,
}) => {
  interface Page {
    deliveries: { deliveryId: string }[];
    has_more: boolean;
  }
  const { webhookId } = await subscribe(call, shop, RECEIVER);
  await app.database.rows(
    `WITH made AS (
       INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, created_at)
       SELECT $1, uuid_v7(), $2, uuid_v7(), 'wishlist.item.added', 'event', 3, 'failed', now() FROM generate_series(1, 100)
       RETURNING id
     )
     INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, response)
     SELECT $1, id, n, now(), 1, 500, repeat('"', 2048) FROM made, generate_series(1, 5) AS n`,
    [shop.id, webhookId],
  );
  const { sizes, pages } = await readAll<Page>(call, shop.token, `/v1/webhooks/${webhookId}/deliveries`, (page) =>
    page?.has_more === false
      ? undefined
      : `limit=100${page ? `&before=${page.deliveries.at(-1)?.deliveryId ?? ""}` : ""}`,
  );
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(MOST);
  expect(new Set(pages.flatMap((page) => page.deliveries.map(({ deliveryId }) => deliveryId))).size).toBe(100);
});
