import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { disagreements } from "../support/app/audit.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import type { TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";
import { randomRuns } from "../support/matrix.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

/** Products of the shop's catalog with their default variants. */
const DEFAULT_VARIANTS: Record<string, string> = { p0: "v0", p1: "v1", p2: "v2", p3: "v3", p4: "v4" };

test.override("shopOptions", { products: DEFAULT_VARIANTS });
test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

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

interface Given {
  productId: string;
  variantId: string | undefined;
  addedAt: string;
}

interface Merged {
  merged: boolean;
  itemCount: number;
  addedCount: number;
  skipped: { productId: string; reason: string }[];
}

function newCustomer(): string {
  return `customer-${randomUUID()}`;
}

function read(customer: string, query: string): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/${customer}${query}`, { token: shop.token });
}

async function readAll(customer: string): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = (await read(customer, `?limit=200&offset=${items.length}`)).data<Page>();
    items.push(...page.items);
    if (!page.has_more) return items;
  }
}

async function merge(customer: string, items: readonly Given[]): Promise<Merged> {
  return (await call("POST", `/v1/wishlists/${customer}/merge`, { token: shop.token, json: { items } })).data();
}

/** Returns the sorted identities of items, to compare lists as sets. */
function products(items: readonly { productId: string; variantId: string }[]): string[] {
  return items.map(({ productId, variantId }) => `${productId}/${variantId}`).sort();
}

function day(n: number): string {
  return new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
}

/** Splits a list into consecutive parts of the given sizes, repeating them as often as needed. */
function split<T>(list: readonly T[], sizes: readonly number[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += sizes[(parts.length - 1) % sizes.length] ?? 1) {
    parts.push(list.slice(at, at + (sizes[parts.length % sizes.length] ?? 1)));
  }
  return parts;
}

// Few distinct times, so that many items share one.
const manyItems = fc.array(
  fc.record({ productId: fc.nat(120).map((n) => `product-${n}`), day: fc.nat(4), call: fc.nat(2) }),
  { maxLength: 400 },
);

test("consecutive pages are the list, newest first and latest saved first", async () => {
  await fc.assert(
    fc.asyncProperty(
      manyItems,
      fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(450)), { maxLength: 5 }),
      async (given, splits, slices) => {
        const customer = newCustomer();
        const saved = new Map<string, { time: string; call: number }>();
        for (const turn of [0, 1, 2]) {
          const now = given.flatMap((item, i) =>
            item.call === turn ? [{ productId: item.productId, variantId: `v${i}`, addedAt: day(item.day) }] : [],
          );
          for (const { variantId, addedAt } of now) saved.set(variantId, { time: addedAt, call: turn });
          await merge(customer, now);
        }

        const all = await readAll(customer);
        expect(all.map(({ variantId }) => variantId).sort()).toEqual([...saved.keys()].sort());
        for (const [i, item] of all.entries()) {
          const [before, own] = [all[i - 1], saved.get(item.variantId)];
          expect(item.addedAt).toBe(own?.time);
          if (before === undefined) continue;
          expect(before.addedAt >= item.addedAt).toBe(true);
          if (before.addedAt === item.addedAt) {
            expect(saved.get(before.variantId)?.call).toBeGreaterThanOrEqual(own?.call ?? Infinity);
          }
        }

        for (const sizes of splits) {
          const laid: Item[] = [];
          for (let turn = 0; ; turn++) {
            const limit = sizes[turn % sizes.length] ?? 1;
            const page = (await read(customer, `?limit=${limit}&offset=${laid.length}`)).data<Page>();
            laid.push(...page.items);
            expect(page).toMatchObject({
              count: Math.min(limit, all.length - (laid.length - page.items.length)),
              total: all.length,
              has_more: laid.length < all.length,
            });
            expect(page.count).toBe(page.items.length);
            if (!page.has_more) break;
          }
          expect(laid).toEqual(all);
        }
        for (const [limit, offset] of slices) {
          const page = (await read(customer, `?limit=${limit}&offset=${offset}`)).data<Page>();
          const items = all.slice(offset, offset + limit);
          expect(page).toEqual({
            items,
            count: items.length,
            total: all.length,
            has_more: offset + items.length < all.length && offset < all.length,
          });
        }
        const first = (await read(customer, "")).data<Page>();
        expect(first.items).toEqual(all.slice(0, 50));
      },
    ),
    { numRuns: 20 },
  );
});

const UNKNOWN = ["gone-1", "gone-2"];
const given: fc.Arbitrary<Given> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      productId: fc.constantFrom(...Object.keys(DEFAULT_VARIANTS)),
      variantId: fc.constantFrom(undefined, "v0", "v1", "v2", "x"),
      addedAt: fc.nat(9).map(day),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      productId: fc.constantFrom(...UNKNOWN),
      variantId: fc.constantFrom(undefined, "x"),
      addedAt: fc.nat(9).map(day),
    }),
  },
);

/** Returns the given items with their default variants, without products that have none. */
function resolved(items: readonly Given[]): Item[] {
  return items.flatMap(({ productId, variantId, addedAt }) => {
    const variant = variantId ?? DEFAULT_VARIANTS[productId];
    return variant === undefined ? [] : [{ productId, variantId: variant, addedAt }];
  });
}

test("merges in any order and split save the same items, and repeats change nothing", async () => {
  const shuffled = fc
    .array(given, { maxLength: 60 })
    .chain((items) =>
      fc.tuple(
        fc.constant(items),
        fc.shuffledSubarray(items, { minLength: items.length }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
      ),
    );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([items, other, sizes]) => {
      const expected = [...new Set(products(resolved(items)))];
      const [whole, parts] = [newCustomer(), newCustomer()];
      const once = await merge(whole, items);
      expect(once).toMatchObject({ merged: true, itemCount: expected.length, addedCount: expected.length });
      expect(once.skipped.map(({ productId }) => productId).sort()).toEqual(
        UNKNOWN.filter((id) => items.some(({ productId, variantId }) => productId === id && variantId === undefined)),
      );

      let count = 0;
      for (const part of split(other, sizes)) {
        const { itemCount, addedCount } = await merge(parts, part);
        count += addedCount;
        expect(itemCount).toBe(count);
      }
      const [list, otherList] = [await readAll(whole), await readAll(parts)];
      expect(products(list)).toEqual(expected);
      expect(products(otherList)).toEqual(expected);

      // Duplicates in one call are merged to the earliest time.
      for (const item of list) {
        const times = resolved(items)
          .filter(({ productId, variantId }) => productId === item.productId && variantId === item.variantId)
          .map(({ addedAt }) => addedAt);
        expect(item.addedAt).toBe(times.sort()[0]);
      }

      const tag = (await read(parts, "")).headers.get("etag");
      for (const part of [other, items.toReversed(), ...split(items, sizes)]) {
        expect(await merge(parts, part)).toMatchObject({ merged: true, itemCount: count, addedCount: 0 });
      }
      expect((await read(parts, "")).headers.get("etag")).toBe(tag);
      expect(await readAll(parts)).toEqual(otherList);
    }),
    { numRuns: 20 },
  );
  expect(await disagreements(service.database)).toEqual([]);
});

test("any future time is stored as now", async () => {
  for (const addedAt of ["2999-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59"]) {
    const customer = newCustomer();
    const before = Date.now();
    expect(await merge(customer, [{ productId: "p0", variantId: "v0", addedAt }])).toMatchObject({ addedCount: 1 });
    const [item] = await readAll(customer);
    expect(Date.parse(item?.addedAt ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(item?.addedAt ?? "")).toBeLessThanOrEqual(Date.now());
  }
});

type Step =
  | { kind: "add"; productId: string; variantId: string | undefined }
  | { kind: "remove"; productId: string; variantId: string | undefined }
  | { kind: "merge"; items: Given[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      productId: fc.constantFrom(...Object.keys(DEFAULT_VARIANTS)),
      variantId: fc.constantFrom(undefined, "v0", "v1", "v2"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("remove" as const),
      productId: fc.constantFrom(...Object.keys(DEFAULT_VARIANTS), "never-saved"),
      variantId: fc.constantFrom(undefined, "v0", "v1", "v2"),
    }),
  },
  {
    weight: 2,
    // Within a call the times differ, because the order of items with one time is undefined.
    arbitrary: fc.record({
      kind: fc.constant("merge" as const),
      items: fc.uniqueArray(given, { selector: ({ addedAt }) => addedAt, maxLength: 8 }),
    }),
  },
);

interface Kept {
  productId: string;
  variantId: string;
  /** time of an added item: later than every merged time and every earlier add */
  time: string;
}

/** The wishlist as a plain list: newest time first, and latest saved first among equal times. */
class Model {
  private kept: Kept[] = [];

  private has(productId: string, variantId: string): boolean {
    return this.kept.some((item) => item.productId === productId && item.variantId === variantId);
  }

  private save(item: Kept): boolean {
    if (this.has(item.productId, item.variantId)) return false;
    this.kept.unshift(item);
    this.kept.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
    return true;
  }

  list(): { productId: string; variantId: string }[] {
    return this.kept.map(({ productId, variantId }) => ({ productId, variantId }));
  }

  apply(step: Step): { status: number; data: object } {
    switch (step.kind) {
      case "add": {
        const variantId = step.variantId ?? DEFAULT_VARIANTS[step.productId] ?? "";
        const added = this.save({ productId: step.productId, variantId, time: "now" });
        return { status: 200, data: { added, itemCount: this.kept.length } };
      }
      case "remove": {
        const before = this.kept.length;
        this.kept = this.kept.filter(
          ({ productId, variantId }) =>
            productId !== step.productId || (step.variantId !== undefined && variantId !== step.variantId),
        );
        return { status: 200, data: { removed: this.kept.length < before, itemCount: this.kept.length } };
      }
      case "merge": {
        // The earliest duplicate is saved.
        const inOrder = resolved(step.items).sort((a, b) => (a.addedAt < b.addedAt ? -1 : 1));
        const added = inOrder.filter(({ addedAt, ...item }) => this.save({ ...item, time: addedAt }));
        const skipped = step.items.filter(
          ({ productId, variantId }) => variantId === undefined && UNKNOWN.includes(productId),
        );
        return {
          status: 200,
          data: {
            merged: true,
            itemCount: this.kept.length,
            addedCount: added.length,
            skipped: [...new Set(skipped.map(({ productId }) => productId))].map((productId) => ({
              productId,
              reason: "product_not_found",
            })),
          },
        };
      }
    }
  }
}

function perform(customer: string, step: Step): Promise<ApiResponse> {
  const base = `/v1/wishlists/${customer}`;
  const { token } = shop;
  switch (step.kind) {
    case "add":
      return call("POST", `${base}/items`, {
        token,
        json: { product_id: step.productId, variant_id: step.variantId },
      });
    case "remove": {
      const query = step.variantId === undefined ? "" : `?variant_id=${step.variantId}`;
      return call("DELETE", `${base}/items/${step.productId}${query}`, { token });
    }
    case "merge":
      return call("POST", `${base}/merge`, { token, json: { items: step.items } });
  }
}

for (const { numRuns, options } of randomRuns(10, 30)) {
  test(`any sequence of adds, removes and merges equals the model list, ${numRuns} times`, options, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const customer = newCustomer();
        const model = new Model();
        let tag = (await read(customer, "")).headers.get("etag");
        for (const step of steps) {
          const before = model.list();
          const response = await perform(customer, step);
          const expected = model.apply(step);
          expect({ status: response.status, data: response.data() }).toEqual(expected);

          // The tag changes with the list only.
          const page = await read(customer, "");
          const now = page.headers.get("etag");
          const changed = JSON.stringify(before.toSorted()) !== JSON.stringify(model.list().toSorted());
          expect(now !== tag).toBe(changed || before.length !== model.list().length);
          tag = now;
          const { items, total } = page.data<Page>();
          expect(items.map(({ productId, variantId }) => ({ productId, variantId }))).toEqual(model.list());
          expect(total).toBe(model.list().length);
        }
      }),
      { numRuns },
    );
    expect(await disagreements(service.database)).toEqual([]);
  });
}
