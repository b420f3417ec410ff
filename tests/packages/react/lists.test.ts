import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { connectShop } from "../../support/app/merchant.ts";
import { publishKey } from "../../support/app/shop.ts";
import { expect as expectPage } from "../../support/browser/expect.ts";
import {
  expectCounts,
  expectItems,
  expectSaved,
  hold,
  isChange,
  press,
  test,
  type Visit,
} from "./fixtures/shop-front.ts";

/** Opens the page of a guest who has saved products 1 to `count`. */
async function openList(visit: Visit, count: number, options = ""): Promise<Page> {
  await visit.saveAsGuest(count);
  const page = await visit.open(`list&${options}`);
  await expectPage(page.locator('[data-list="default"] .total')).toHaveText(String(count));
  return page;
}

const errors = (page: Page) => page.evaluate(() => window.front.errors);
const loadMore = (page: Page) => page.evaluate(() => window.front.pages["default"]?.loadMore());

/** Returns product ids from the first to the last, downwards. */
const ids = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => String(first - index));

describe("a long list", () => {
  test("is read page by page, without the items that are loaded", async ({ visit }) => {
    const page = await openList(visit, 12, "limit=5");
    await expectItems(page, ids(12, 8));
    const offsets: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/items")) offsets.push(searchParams.get("offset"));
    });
    await page.evaluate(async () => {
      const list = window.front.pages["default"];
      await Promise.all([list?.loadMore(), list?.loadMore()]);
    });
    await expectItems(page, ids(12, 3));
    await loadMore(page);
    await expectItems(page, ids(12, 1));
    expect(await page.evaluate(() => window.front.pages["default"]?.hasMore)).toBe(false);
    await loadMore(page);
    expect(offsets).toEqual(["5", "10"]);
  });

  test("loses and repeats no item after a removal on the page", async ({ visit }) => {
    const page = await openList(visit, 12, "limit=5");
    await page.evaluate(() => window.front.pages["default"]?.remove({ productId: "10" }));
    await loadMore(page);
    await expectItems(page, ["12", "11", ...ids(9, 3)]);
  });

  test("loses and repeats no item while a removal is sent", async ({ visit }) => {
    const page = await openList(visit, 12, "limit=5");
    const release = await hold(page, /items/, isChange);
    await page.locator(".item").first().click();
    await expectItems(page, ids(11, 8));
    await loadMore(page);
    release();
    await visit.quiet(page);
    await loadMore(page);
    await expectItems(page, ids(11, 1));
  });

  test("loses and repeats no item after a removal on another device", async ({ visit }) => {
    const page = await openList(visit, 12, "limit=5");
    await page.evaluate(() => window.front.client.wishlists.items.remove({ productId: "10" }));
    await loadMore(page);
    await expectItems(page, ["12", "11", ...ids(9, 2)]);
    expect(await page.evaluate(() => window.front.pages["default"]?.total)).toBe(11);
  });

  test("never shows less while it is read again for an added item", async ({ visit }) => {
    const page = await openList(visit, 7, "limit=5&cards=8");
    await loadMore(page);
    await expectItems(page, ids(7, 1));
    await page.evaluate(() => {
      window.front.history = [];
    });
    await press(page, 8);
    await expectItems(page, ids(8, 1));
    const history = await page.evaluate(() => window.front.history);
    expect(new Set(history.map(({ items }) => items.join()))).toEqual(new Set([ids(7, 1).join(), ids(8, 1).join()]));
  });
});

describe("an item", () => {
  test("that is removed goes at once, from its heart and the counts as well", async ({ visit }) => {
    const page = await openList(visit, 2, "cards=1");
    const release = await hold(page, /items/, isChange);
    await page.locator(".item").last().click();
    await expectItems(page, ["2"]);
    await expectSaved(page, 1, false);
    await expectCounts(page, "1");
    release();
    await visit.quiet(page);
    await expectCounts(page, "1");
  });

  test("that is removed leaves the counts at once on a page without hearts", async ({ visit }) => {
    const page = await openList(visit, 2);
    const release = await hold(page, /items/, isChange);
    await page.locator(".item").last().click();
    await expectCounts(page, "1");
    release();
    await visit.quiet(page);
    await expectCounts(page, "1");
  });

  test("shows changed details at once, and null clears one", async ({ visit }) => {
    const page = await openList(visit, 1);
    const release = await hold(page, /items/, isChange);
    const updated = page.evaluate(() =>
      window.front.pages["default"]?.update({ productId: "1" }, { quantity: 2, note: "in green" }),
    );
    await expectItems(page, ["1 ×2 in green"]);
    release();
    expect(await updated).toBe(true);
    await page.evaluate(() => window.front.pages["default"]?.update({ productId: "1" }, { note: null }));
    await expectItems(page, ["1 ×2"]);
    await page.reload();
    await expectItems(page, ["1 ×2"]);
  });

  test("gets its details back when the service refuses the change", async ({ visit }) => {
    const page = await openList(visit, 1);
    await page.evaluate(() => window.front.pages["default"]?.update({ productId: "1" }, { quantity: 2 }));
    const release = await hold(page, /items/, isChange);
    const updated = page.evaluate(() => window.front.pages["default"]?.update({ productId: "1" }, { quantity: 1000 }));
    await expectItems(page, ["1 ×1000"]);
    release();
    expect(await updated).toBe(false);
    await expectItems(page, ["1 ×2"]);
    expect(await errors(page)).toEqual(["invalid_request"]);
    expect(await page.evaluate(() => window.front.pages["default"]?.error?.code)).toBe("invalid_request");
  });

  test("moves to another list with its details, in pages and counts at once", async ({ visit }) => {
    const page = await openList(visit, 2);
    await page.evaluate(() => window.front.pages["default"]?.update({ productId: "1" }, { note: "in green" }));
    const listId = await page.evaluate(async () => (await window.front.lists?.create("Birthday"))?.listId ?? "");
    await page.evaluate((id) => window.front.show(id), listId);
    const release = await hold(page, /items/, isChange);
    const moved = page.evaluate((to) => {
      const item = window.front.pages["default"]?.items[1];
      return item && window.front.pages["default"]?.move(item, to);
    }, listId);
    await expectItems(page, ["2"]);
    await expectCounts(page, "1 1");
    release();
    expect(await moved).toBe(true);
    await expectItems(page, ["1 in green"], listId);
    await expectItems(page, ["2"]);
    await expectCounts(page, "1 1");
  });
});

describe("the number of saved variants", () => {
  test("counts a variant of two lists once, before and after the service has responded", async ({ visit }) => {
    const page = await visit.open("cards=1&variants=1001&counts");
    await press(page, "variant 1001");
    const listId = await page.evaluate(async () => (await window.front.lists?.create("Birthday"))?.listId ?? "");
    await page.evaluate((id) => window.front.show(id), listId);
    await visit.quiet(page);
    await page.evaluate(() => (window.front.history = []));
    const item = { productId: "1", variantId: "1001" };
    await page.evaluate(([id, one]) => window.front.pages[id]?.add(one), [listId, item] as const);
    await expectCounts(page, "1 1");
    await visit.quiet(page);
    const shown = await page.evaluate(() => window.front.history.map(({ savedCount }) => savedCount));
    expect(new Set(shown)).toEqual(new Set(["1"]));
  });
});

describe("a named list", () => {
  test("appears when it is created, and a second of its name is refused", async ({ visit }) => {
    const page = await openList(visit, 1);
    const created = await page.evaluate(() => window.front.lists?.create("Birthday"));
    expect(created).toMatchObject({ name: "Birthday", itemCount: 0 });
    await expectCounts(page, "1 0");
    expect(await page.evaluate(() => window.front.lists?.create("birthday"))).toBeUndefined();
    expect(await page.evaluate(() => window.front.lists?.error?.code)).toBe("list_name_taken");
    expect(await errors(page)).toEqual(["list_name_taken"]);
    await visit.quiet(page);
    await expectCounts(page, "1 0");
  });

  test("is there once when its creation overtakes a read of the lists", async ({ visit }) => {
    const page = await openList(visit, 1);
    const isRead = (method: string) => method === "GET";
    const reading = page.waitForRequest((request) => request.url().endsWith("/lists") && isRead(request.method()));
    const release = await hold(page, /lists$/, (request) => isRead(request.method()));
    await page.evaluate(() => window.front.lists?.reload());
    await reading;
    await page.evaluate(() => window.front.lists?.create("Birthday"));
    release();
    await visit.quiet(page);
    await expectCounts(page, "1 0");
  });

  test("has its new name at once, and the old one after a refusal", async ({ visit }) => {
    const page = await openList(visit, 1);
    await page.evaluate(() => window.front.lists?.create("Birthday"));
    const listId = await page.evaluate(async () => (await window.front.lists?.create("Party"))?.listId ?? "");
    const names = () => page.evaluate(() => window.front.lists?.lists.map(({ name }) => name));
    const release = await hold(page, /lists/, isChange);
    const renamed = page.evaluate((id) => window.front.lists?.rename(id, "Birthday"), listId);
    await expect.poll(names).toEqual([null, "Birthday", "Birthday"]);
    release();
    expect(await renamed).toBeUndefined();
    await expect.poll(names).toEqual([null, "Birthday", "Party"]);
    expect(await page.evaluate((id) => window.front.lists?.rename(id, "Picnic"), listId)).toMatchObject({
      name: "Picnic",
    });
    await expect.poll(names).toEqual([null, "Birthday", "Picnic"]);
  });

  test("goes at once with its items when it is deleted", async ({ visit }) => {
    const page = await openList(visit, 1, "cards=1");
    const listId = await page.evaluate(async () => {
      const list = await window.front.lists?.create("Birthday");
      const item = window.front.pages["default"]?.items[0];
      if (list && item) await window.front.pages["default"]?.move(item, list.listId);
      return list?.listId ?? "";
    });
    await expectCounts(page, "0 1");
    const release = await hold(page, /lists/, isChange);
    const removed = page.evaluate((id) => window.front.lists?.remove(id), listId);
    await expectCounts(page, "0");
    await expectSaved(page, 1, false);
    release();
    expect(await removed).toMatchObject({ deleted: true });
    await visit.quiet(page);
    await expectCounts(page, "0");
    await expectSaved(page, 1, false);
  });
});

test("a store without named lists refuses a new one, and everything else works", async ({ front, visit }) => {
  const { service, shopify } = front.connected;
  const free = await connectShop(service, shopify, {
    plan: "Free",
    products: [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 1001 }] }],
  });
  const page = await visit.context.newPage();
  await page.goto(front.address("list&cards=1", { key: await publishKey(free, [front.origin]) }));
  await press(page, 1);
  expect(await page.evaluate(() => window.front.lists?.create("Birthday"))).toBeUndefined();
  expect(await page.evaluate(() => window.front.lists?.error?.code)).toBe("plan_required");
  await expectItems(page, ["1"]);
  await expectCounts(page, "1");
  expect(await page.evaluate(() => window.front.lists?.status)).toBe("ready");
});

test("a store without lists of guests reports a press, but no read", async ({ front, visit }) => {
  const { service, shopify } = front.connected;
  const customersOnly = await connectShop(service, shopify, {
    products: [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 1001 }] }],
  });
  const address = front.address("list&cards=1", { key: await publishKey(customersOnly, [front.origin]) });
  const page = await visit.context.newPage();
  await page.goto(address);
  await press(page, 1);
  await service.database.rows("UPDATE shop SET guest_lists = false, changed_at = now() WHERE id = $1", [
    customersOnly.id,
  ]);
  await expect
    .poll(() =>
      page.evaluate(() =>
        window.front.client.wishlists.get().then(
          () => 200,
          (error: unknown) => (error instanceof Error && "status" in error ? error.status : undefined),
        ),
      ),
    )
    .toBe(403);
  await page.reload();
  await expect.poll(() => page.evaluate(() => window.front.lists?.status)).toBe("failed");
  await visit.quiet(page);
  expect(await errors(page)).toEqual([]);
  await page.getByRole("button", { name: "Save 1" }).click();
  await expect.poll(() => errors(page)).toEqual(["guest_lists_off"]);
  await expectSaved(page, 1, false);
  await visit.quiet(page);
  expect(await errors(page)).toEqual(["guest_lists_off"]);
});
