import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, untilServed, type ApiResponse } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { randomRuns } from "../support/matrix.ts";

let services: [InProcessApp, InProcessApp];
let shop: TestShop;
/** logged-out tabs of one browser, spread over two processes */
let tabs: [ProxyCall, ProxyCall];
let guestId: string;
let customers = 9_000_000;

beforeAll(async () => {
  const first = await startApp({ env: SHOPIFY_ENV });
  services = [first, await startApp({ database: first.database, env: SHOPIFY_ENV })];
  shop = await makeShop(first, client(first));
  tabs = [visitor(services[0], { shop: shop.domain }), visitor(services[1], { shop: shop.domain })];
});
afterAll(async () => {
  await closeDatabase();
  await services[1].dispose();
  await services[0].dispose();
});
beforeEach(() => {
  guestId = newGuest();
});

interface Customer {
  id: string;
  /** tabs that are logged in */
  tabs: [ProxyCall, ProxyCall];
}

function newCustomer(domain = shop.domain): Customer {
  const visit = { shop: domain, customer: String(++customers) };
  return { id: visit.customer, tabs: [visitor(services[0], visit), visitor(services[1], visit)] };
}

function save(ask: ProxyCall, product: string, guest: object = { guestId }): Promise<ApiResponse> {
  return ask("POST", "/api/add", { json: { ...guest, productId: product, variantId: `v-${product}` } });
}

async function listOf(ask: ProxyCall, guest: object = {}): Promise<string[]> {
  const { items } = (await ask("POST", "/api/list", { json: guest })).data<{ items: { productId: string }[] }>();
  return items.map(({ productId }) => productId);
}

function mergeFrom(ask: ProxyCall, guest = guestId): Promise<ApiResponse> {
  return ask("POST", "/api/merge", { json: { guestId: guest } });
}

/** Returns the guests that were merged into a customer, from the log. */
async function mergesInto(customer: Customer): Promise<{ kind: string; source: string; n: number }[]> {
  return services[0].database.rows(
    `SELECT kind, source, count(*)::integer AS n FROM activity
      WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = $2 GROUP BY kind, source ORDER BY kind, source`,
    [shop.id, customer.id],
  );
}

test("a merge keeps the items' times, order, day and cart events", async () => {
  const { database } = services[0];
  const customer = newCustomer();
  for (const product of ["a", "b", "c"]) await save(tabs[0], product);
  await tabs[0]("POST", "/api/recordCart", {
    json: { guestId, event_id: "e", items: [{ product_id: "b", variant_id: "v-b" }] },
  });
  // Old items, two of them with the same time.
  await database.rows(
    `UPDATE wishlist_item SET added_at = '2026-01-02T03:04:05Z', saved_on = '2026-01-02'
      WHERE shop_id = $1 AND product_id IN ('a', 'b') AND wishlist_id = (SELECT max(id) FROM wishlist WHERE shop_id = $1)`,
    [shop.id],
  );
  const rows = (): Promise<unknown[]> =>
    database.rows(
      `SELECT product_id, added_at, saved_on::text, carted_at, seq FROM wishlist_item i
        WHERE shop_id = $1 AND wishlist_id = (SELECT max(id) FROM wishlist WHERE shop_id = $1) ORDER BY seq`,
      [shop.id],
    );
  const before = await rows();
  expect((await mergeFrom(customer.tabs[0])).data()).toMatchObject({ addedCount: 3, itemCount: 3 });
  expect(await rows()).toEqual(before);
  expect(await listOf(customer.tabs[0])).toEqual(["c", "b", "a"]);
  expect(await listOf(tabs[0], { guestId })).toEqual([]);
});

test("a merge keeps the row of an item that the customer has already", async () => {
  const customer = newCustomer();
  await save(tabs[0], "a");
  await save(tabs[0], "b");
  await save(customer.tabs[0], "a", {});
  const mine = async (): Promise<unknown> =>
    (await customer.tabs[0]("POST", "/api/list", { json: {} })).data<{ items: { productId: string }[] }>().items;
  const before = await mine();
  expect((await mergeFrom(customer.tabs[0])).data()).toMatchObject({ addedCount: 1, itemCount: 2 });
  expect(await mine()).toEqual(expect.arrayContaining(before as unknown[]));
  expect(await disagreements(services[0].database)).toEqual([]);
});

test("20 tabs that merge at once through two processes merge once", async () => {
  const customer = newCustomer();
  for (const product of ["a", "b", "c"]) await save(tabs[0], product);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => mergeFrom(customer.tabs[i % 2 === 0 ? 0 : 1])),
  );
  const added = responses.map((response) => response.data<{ addedCount: number }>().addedCount);
  expect(added.sort((a, b) => b - a)).toEqual([3, ...Array.from({ length: 19 }, () => 0)]);
  expect(responses.every((response) => response.data<{ itemCount: number }>().itemCount === 3)).toBe(true);
  expect(await mergesInto(customer)).toEqual([
    { kind: "added", source: "guest_merge", n: 3 },
    { kind: "merged", source: "guest_merge", n: 1 },
  ]);
  expect(await disagreements(services[0].database)).toEqual([]);
});

describe("a tab from before the login", () => {
  test("gets 410 for its guest id, reads nothing and revives no list", async () => {
    const customer = newCustomer();
    await save(tabs[0], "a");
    await mergeFrom(customer.tabs[0]);
    const writes = [
      await save(tabs[1], "b"),
      await tabs[1]("POST", "/api/remove", { json: { guestId, productId: "a" } }),
      await tabs[1]("POST", "/api/recordCart", {
        json: { guestId, event_id: "e", items: [{ product_id: "a", variant_id: "v-a" }] },
      }),
    ];
    for (const response of writes) {
      expect([response.status, response.error().code]).toEqual([410, "guest_merged"]);
      expect(response.error().message).toContain("Create a new guest id");
    }
    expect(await listOf(tabs[1], { guestId })).toEqual([]);
    const saved = await tabs[1]("POST", "/api/saved", { json: { guestId, productIds: ["a"] } });
    expect(saved.data()).toEqual({ saved: [], itemCount: 0, owner: "guest" });
    expect(await listOf(customer.tabs[0])).toEqual(["a"]);
  });

  test("can't merge the guest's list into a second customer's", async () => {
    const [first, second] = [newCustomer(), newCustomer()];
    await save(tabs[0], "a");
    expect((await mergeFrom(first.tabs[0])).data()).toMatchObject({ addedCount: 1 });
    await save(tabs[1], "b");
    expect((await mergeFrom(second.tabs[0])).data()).toMatchObject({ addedCount: 0, itemCount: 0 });
    expect(await listOf(second.tabs[0])).toEqual([]);
    expect(await listOf(first.tabs[0])).toEqual(["a"]);
  });

  test("gets 410 for the guest id even when there was no list", async () => {
    const customer = newCustomer();
    expect((await mergeFrom(customer.tabs[0])).data()).toMatchObject({ addedCount: 0, itemCount: 0 });
    expect((await save(tabs[0], "a")).status).toBe(410);
    expect(
      await services[0].database.rows("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = $2", [
        shop.id,
        customer.id,
      ]),
    ).toEqual([]);
  });
});

test("a merge beyond the cap changes nothing, and succeeds once there is room", async () => {
  const { database } = services[0];
  const small = await makeShop(services[0], client(services[0]));
  await database.rows("UPDATE shop SET item_cap = 3 WHERE id = $1", [small.id]);
  const customer = newCustomer(small.domain);
  const guest = visitor(services[0], { shop: small.domain });
  for (const product of ["a", "b"]) await save(guest, product);
  for (const product of ["b", "c", "d"]) await save(customer.tabs[0], product, {});
  const refused = await mergeFrom(customer.tabs[0]);
  expect([refused.status, refused.error().code]).toEqual([409, "wishlist_full"]);
  expect(await listOf(guest, { guestId })).toEqual(["b", "a"]);
  expect(await listOf(customer.tabs[0])).toEqual(["d", "c", "b"]);
  await customer.tabs[0]("POST", "/api/remove", { json: { productId: "d" } });
  expect((await mergeFrom(customer.tabs[0])).data()).toMatchObject({ addedCount: 1, itemCount: 3 });
  expect(await disagreements(database)).toEqual([]);
});

test("a merge that adds nothing succeeds although the customer's list is above the cap", async () => {
  const { database } = services[0];
  const small = await makeShop(services[0], client(services[0]));
  const customer = newCustomer(small.domain);
  await save(visitor(services[0], { shop: small.domain }), "a");
  for (const product of ["a", "b"]) await save(customer.tabs[0], product, {});
  await database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [small.id]);
  expect((await mergeFrom(customer.tabs[0])).data()).toMatchObject({ addedCount: 0, itemCount: 2 });
});

type Step =
  | { what: "add" | "remove"; as: "guest" | 0 | 1; product: string; guest: 0 | 1 }
  | { what: "merge"; into: 0 | 1; guest: 0 | 1 };

const place = fc.constantFrom(0 as const, 1 as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom("add" as const, "add" as const, "remove" as const),
      as: fc.constantFrom("guest" as const, "guest" as const, 0 as const, 1 as const),
      product: fc.constantFrom("a", "b", "c", "d"),
      guest: place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("merge" as const), into: place, guest: place }) },
);

for (const { numRuns, options } of randomRuns(3, 15)) {
  test(
    `concurrent tabs of two guests and two customers lose and double no item, ${numRuns} times`,
    options,
    async () => {
      const { database } = services[0];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
          const guests = [newGuest(), newGuest()] as const;
          const accounts = [newCustomer(), newCustomer()] as const;
          const responses = await Promise.all(
            steps.map((one, i) => {
              const process = i % 2 === 0 ? 0 : 1;
              const guest = guests[one.guest];
              if (one.what === "merge") return untilServed(() => mergeFrom(accounts[one.into].tabs[process], guest));
              const ask = one.as === "guest" ? tabs[process] : accounts[one.as].tabs[process];
              const json = { guestId: guest, productId: one.product, variantId: `v-${one.product}` };
              return untilServed(() => ask("POST", `/api/${one.what}`, { json }));
            }),
          );
          for (const [i, response] of responses.entries()) {
            const one = steps[i];
            const mayBeGone = one?.what !== "merge" && one?.as === "guest";
            expect(mayBeGone ? [200, 410] : [200]).toContain(response.status);
          }
          expect(await disagreements(database)).toEqual([]);
          // Each guest either has a list or was merged once.
          for (const [index, guest] of guests.entries()) {
            const wasMerged = steps.some((one) => one.what === "merge" && one.guest === index);
            expect((await save(tabs[0], "z", { guestId: guest })).status).toBe(wasMerged ? 410 : 200);
            if (wasMerged) expect(await listOf(tabs[0], { guestId: guest })).toEqual([]);
          }
          const [row] = await database.rows<{ merges: number; guests: number }>(
            `SELECT count(*)::integer AS merges, count(DISTINCT merged_guest_id)::integer AS guests FROM activity
          WHERE shop_id = $1 AND kind = 'merged'`,
            [shop.id],
          );
          expect(row?.merges).toBe(row?.guests);
        }),
        { numRuns },
      );
    },
  );
}

test("webhooks get the items that a merge adds, and no event of a guest", async () => {
  const { database } = services[0];
  const customer = newCustomer();
  const processOutbox = (): Promise<unknown> => database.rows("SELECT outbox_process($1, 5000, true)", [shop.id]);
  // Earlier events are not sent.
  await processOutbox();
  await database.rows(
    `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at, disabled_at, disabled_reason)
     VALUES ($1, 'endpoint', 'https://hooks.example.com', '{wishlist.item.added,wishlist.item.removed}', '', now(), NULL, NULL)`,
    [shop.id],
  );
  await save(tabs[0], "a");
  await save(tabs[0], "b");
  await save(customer.tabs[0], "a", {});
  await mergeFrom(customer.tabs[0]);
  await processOutbox();
  const events = await database.rows<{ line: string }>(
    "SELECT event || ' ' || customer_id || ' ' || product_id AS line FROM webhook_event WHERE shop_id = $1 ORDER BY id",
    [shop.id],
  );
  await database.rows("DELETE FROM webhook_endpoint WHERE shop_id = $1", [shop.id]);
  expect(events.map(({ line }) => line)).toEqual([
    `wishlist.item.added ${customer.id} a`,
    `wishlist.item.added ${customer.id} b`,
  ]);
});
