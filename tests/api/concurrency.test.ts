import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { accountOf, disagreements } from "../support/app/audit.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";

let services: [InProcessApp, InProcessApp];
let calls: [Call, Call];
let shop: TestShop;

beforeAll(async () => {
  const first = await startApp();
  services = [first, await startApp({ database: first.database })];
  calls = [client(services[0]), client(services[1])];
  shop = await makeShop(first, calls[0], { products: { p0: "v0", p1: "v1", p2: "v2", p3: "v3" } });
});
afterAll(async () => {
  await closeDatabase();
  await services[1].dispose();
  await services[0].dispose();
});

/** Returns the process for a request when requests are spread over `count` processes. */
function process(processes: 1 | 2, index: number): Call {
  return calls[processes === 2 && index % 2 === 1 ? 1 : 0];
}

function newCustomer(): string {
  return `customer-${randomUUID()}`;
}

function statuses(responses: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

type Operation =
  | { kind: "add"; product: string; variant: string | undefined }
  | { kind: "remove"; product: string; variant: string | undefined }
  | { kind: "merge"; items: { productId: string; variantId: string | undefined; addedAt: string }[] };

const product = fc.constantFrom("p0", "p1", "p2", "p3");
const variant = fc.constantFrom(undefined, "v0", "v1", "v2");
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), product, variant }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove" as const), product, variant }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      items: fc.array(
        fc.record({
          productId: product,
          variantId: variant,
          addedAt: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"),
        }),
        { maxLength: 6 },
      ),
    }),
  },
);

async function perform(call: Call, customer: string, operation: Operation): Promise<ApiResponse> {
  const base = `/v1/wishlists/${customer}`;
  const { token } = shop;
  switch (operation.kind) {
    case "add":
      return call("POST", `${base}/items`, {
        token,
        json: { product_id: operation.product, variant_id: operation.variant },
      });
    case "remove": {
      const query = operation.variant === undefined ? "" : `?variant_id=${operation.variant}`;
      return call("DELETE", `${base}/items/${operation.product}${query}`, { token });
    }
    case "merge":
      return call("POST", `${base}/merge`, { token, json: { items: operation.items } });
  }
}

/** Returns whether the response reports a change of the wishlist. */
function changed(response: ApiResponse): boolean {
  const data = response.data<{ added?: boolean; removed?: boolean; addedCount?: number }>();
  return data.added === true || data.removed === true || (data.addedCount ?? 0) > 0;
}

describe.each([1, 2] as const)("with %i process(es) on one database", (processes) => {
  test("50 concurrent identical adds leave one row, count and log entry", async () => {
    const customer = newCustomer();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        perform(process(processes, index), customer, { kind: "add", product: "p1", variant: "v1" }),
      ),
    );
    const data = responses.map((response) => response.data<{ added: boolean; itemCount: number }>());
    expect(data.filter(({ added }) => added)).toHaveLength(1);
    expect(data.map(({ itemCount }) => itemCount)).toEqual(Array.from({ length: 50 }, () => 1));
    expect(await accountOf(services[0].database, shop.id, customer)).toEqual({
      rows: 1,
      itemCount: 1,
      version: 1,
      added: 1,
      removed: 0,
      shared: 0,
    });
  });

  test("50 concurrent identical removes remove and log once", async () => {
    const customer = newCustomer();
    await perform(calls[0], customer, { kind: "add", product: "p1", variant: "v1" });
    await perform(calls[0], customer, { kind: "add", product: "p2", variant: "v1" });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        perform(process(processes, index), customer, { kind: "remove", product: "p1", variant: undefined }),
      ),
    );
    const data = responses.map((response) => response.data<{ removed: boolean; itemCount: number }>());
    expect(data.filter(({ removed }) => removed)).toHaveLength(1);
    expect(data.map(({ itemCount }) => itemCount)).toEqual(Array.from({ length: 50 }, () => 1));
    expect(await accountOf(services[0].database, shop.id, customer)).toMatchObject({
      rows: 1,
      itemCount: 1,
      version: 3,
      added: 2,
      removed: 1,
    });
  });

  test("20 concurrent copies of a merge take effect once", async () => {
    const customer = newCustomer();
    const items = Array.from({ length: 30 }, (_, i) => ({
      productId: `m${i}`,
      variantId: "v",
      addedAt: "2026-01-01T00:00:00.000Z",
    }));
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => perform(process(processes, index), customer, { kind: "merge", items })),
    );
    const data = responses.map((response) => response.data<{ addedCount: number; itemCount: number }>());
    expect(data.map(({ addedCount }) => addedCount).sort((a, b) => b - a)).toEqual([
      30,
      ...Array.from({ length: 19 }, () => 0),
    ]);
    expect(data.every(({ itemCount }) => itemCount === 30)).toBe(true);
    expect(await accountOf(services[0].database, shop.id, customer)).toMatchObject({ rows: 30, version: 1, added: 30 });
  });

  test("rows, count, version and activity agree after concurrent changes", async () => {
    const { database } = services[0];
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (operations) => {
        const customer = newCustomer();
        const responses = await Promise.all(
          operations.map((operation, index) => perform(process(processes, index), customer, operation)),
        );
        expect(statuses(responses)).toEqual({ 200: operations.length });
        expect(await disagreements(database)).toEqual([]);

        const account = await accountOf(database, shop.id, customer);
        const changes = responses.filter(changed);
        expect(account?.version ?? 0).toBe(changes.length);
        expect((account?.added ?? 0) - (account?.removed ?? 0)).toBe(account?.rows ?? 0);
        // The response of every change has the count that the log recorded.
        const reported = changes.map((response) => response.data<{ itemCount: number }>().itemCount);
        const logged = await database.rows<{ item_count: number }>(
          `SELECT DISTINCT a.version, a.item_count FROM activity a
             JOIN wishlist w ON w.shop_id = a.shop_id AND w.id = a.wishlist_id
            WHERE w.shop_id = $1 AND w.owner_id = $2 AND a.kind <> 'shared'`,
          [shop.id, customer],
        );
        expect(reported.sort()).toEqual(logged.map(({ item_count }) => item_count).sort());
      }),
      { numRuns: 12 },
    );
  });

  test("20 concurrent first adds of a customer make one wishlist", async () => {
    const customer = newCustomer();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        perform(process(processes, index), customer, { kind: "add", product: `q${index}`, variant: "v" }),
      ),
    );
    const counts = responses.map((response) => response.data<{ added: true; itemCount: number }>().itemCount);
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const wishlists = await services[0].database.rows("SELECT id FROM wishlist WHERE owner_id = $1", [customer]);
    expect(wishlists).toHaveLength(1);
    expect(await accountOf(services[0].database, shop.id, customer)).toMatchObject({ rows: 20, version: 20 });
  });

  test("concurrent adds and merges never exceed the cap or split a merge", async () => {
    const { database } = services[0];
    const cap = 20;
    const small = await makeShop(services[0], calls[0]);
    await database.rows("UPDATE shop SET item_cap = $2 WHERE id = $1", [small.id, cap]);
    const customer = newCustomer();
    const merges = Array.from({ length: 10 }, (_, m) =>
      Array.from({ length: 5 }, (_, i) => ({
        productId: `merge-${m}-${i}`,
        variantId: "v",
        addedAt: "2026-01-01T00:00:00.000Z",
      })),
    );
    const sent = [
      ...Array.from({ length: 12 }, (_, i) => ({ path: "items", json: { product_id: `add-${i}`, variant_id: "v" } })),
      ...merges.map((items) => ({ path: "merge", json: { items } })),
    ];
    const responses = await Promise.all(
      sent.map(({ path, json }, index) =>
        process(processes, index)("POST", `/v1/wishlists/${customer}/${path}`, { token: small.token, json }),
      ),
    );
    const taken = sent.filter((_, i) => responses[i]?.status === 200).flatMap(({ json }) => productsOf(json));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expect(response.status).toBe(409);
      expect(response.error().code).toBe("wishlist_full");
    }
    const page = await calls[0]("GET", `/v1/wishlists/${customer}`, { token: small.token });
    const { items, total } = page.data<{ items: { productId: string }[]; total: number }>();
    expect(total).toBeLessThanOrEqual(cap);
    expect(items.map(({ productId }) => productId).sort()).toEqual(taken.sort());
    expect(await disagreements(database)).toEqual([]);

    const more = await calls[0]("POST", `/v1/wishlists/${customer}/merge`, {
      token: small.token,
      json: {
        items: Array.from({ length: cap - total + 1 }, (_, i) => ({
          productId: `more-${i}`,
          variantId: "v",
          addedAt: "2026-01-01T00:00:00.000Z",
        })),
      },
    });
    expect(more.error().code).toBe("wishlist_full");
    expect(await accountOf(database, small.id, customer)).toMatchObject({ rows: total });
  });

  test("20 concurrent shares make and log one link", async () => {
    const customer = newCustomer();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        process(processes, index)("GET", `/v1/wishlists/${customer}/share`, { token: shop.token }),
      ),
    );
    expect(new Set(responses.map((response) => response.data<{ shareToken: string }>().shareToken)).size).toBe(1);
    expect(await accountOf(services[0].database, shop.id, customer)).toMatchObject({ shared: 1, version: 0 });
  });

  test("concurrent sharing and revoking leaves at most one open link", async () => {
    const customer = newCustomer();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        process(processes, index)(index % 4 < 2 ? "GET" : "DELETE", `/v1/wishlists/${customer}/share`, {
          token: shop.token,
        }),
      ),
    );
    expect(statuses(responses)).toEqual({ 200: 40 });
    const tokens = new Set(responses.flatMap((response) => response.data<{ shareToken?: string }>().shareToken ?? []));
    const reads = await Promise.all([...tokens].map((token) => calls[0]("GET", `/v1/wishlists/shared/${token}`)));
    expect(reads.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const read of reads.filter(({ status }) => status !== 200)) expect(read.error().code).toBe("share_expired");
  });

  test("a page read during writes is consistent", async () => {
    const customer = newCustomer();
    const writes = Array.from({ length: 60 }, (_, index) =>
      perform(process(processes, index), customer, {
        kind: index % 3 === 2 ? "remove" : "add",
        product: `r${index % 10}`,
        variant: "v",
      }),
    );
    const reads = Array.from({ length: 60 }, (_, index) =>
      process(processes, index)("GET", `/v1/wishlists/${customer}?limit=200`, { token: shop.token }),
    );
    const pages = (await Promise.all(reads)).map((response) =>
      response.data<{ items: unknown[]; count: number; total: number; has_more: boolean }>(),
    );
    for (const { items, count, total, has_more } of pages) {
      expect({ count, total, has_more }).toEqual({ count: items.length, total: items.length, has_more: false });
    }
    await Promise.all(writes);
  });
});

function productsOf(json: { product_id: string } | { items: { productId: string }[] }): string[] {
  return "items" in json ? json.items.map(({ productId }) => productId) : [json.product_id];
}
