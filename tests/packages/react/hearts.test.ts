import { describe, expect } from "vitest";
import { expect as expectPage } from "../../support/browser/expect.ts";
import {
  expectCounts,
  expectItems,
  expectSaved,
  heart,
  hold,
  holdResponses,
  isChange,
  press,
  test,
} from "./fixtures/shop-front.ts";

describe("reads", () => {
  test("a new guest's page makes no request", async ({ visit }) => {
    const page = await visit.open("cards=3&list");
    await expectCounts(page, "0");
    await visit.quiet(page);
    expect(visit.requests).toEqual([]);
  });

  test("the hearts of 250 products are read by one request, and later cards by one more", async ({ visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open("cards=250");
    await expectSaved(page, 1);
    expect(visit.reads()).toEqual(["GET contains"]);
    const [more] = await Promise.all([
      page.waitForRequest((request) => request.url().includes("/contains")),
      page.locator("#more").click(),
    ]);
    expect(new URL(more.url()).searchParams.getAll("product_id")).toEqual(["251", "252", "253"]);
  });

  test("more than 250 products are read in parts of 250", async ({ visit }) => {
    await visit.saveAsGuest();
    const read: string[][] = [];
    visit.context.on("request", (request) => {
      if (request.url().includes("/contains")) read.push(new URL(request.url()).searchParams.getAll("product_id"));
    });
    const page = await visit.open("cards=300");
    await expectSaved(page, 1);
    await visit.quiet(page);
    expect(read.map(({ length }) => length)).toEqual([250, 50]);
    expect(new Set(read.flat()).size).toBe(300);
  });

  test("an outage is reported once for all reads of a page", async ({ visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open("cards=1&list&later");
    await visit.context.setOffline(true);
    await page.evaluate(() => window.front.mount());
    await visit.quiet(page);
    expect(await page.evaluate(() => window.front.errors)).toEqual(["network_error"]);
    expect(await page.evaluate(() => window.front.lists?.status)).toBe("failed");
  });
});

describe("a press", () => {
  test("shows in heart and counts before the service has responded, and stays", async ({ visit }) => {
    const page = await visit.open("cards=1&list");
    const release = await holdResponses(page, /items/, isChange);
    await heart(page, 1).click();
    await expectSaved(page, 1);
    await expectCounts(page, "1");
    release();
    await expectItems(page, ["1"]);
    const history = await page.evaluate(() => window.front.history);
    const pressed = history.slice(history.findIndex(({ saved }) => saved.length > 0));
    expect(new Set(pressed.map(({ saved, counts }) => `${saved.join()}: ${counts}`))).toEqual(new Set(["Save 1: 1"]));
  });

  test("that fails is taken back with its message, in heart and counts", async ({ visit }) => {
    const page = await visit.open("cards=2&list");
    await page.route(/items/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await expectCounts(page, "1");
      return route.fulfill({
        status: 409,
        headers: { "access-control-allow-origin": "*" },
        contentType: "application/json",
        body: JSON.stringify({
          ok: false,
          error: { code: "wishlist_full", message: "The list is full.", requestId: "r" },
        }),
      });
    });
    await heart(page, 1).click();
    await expectPage(page.locator("output")).toHaveText("The list is full.");
    await expectSaved(page, 1, false);
    await expectCounts(page, "0");
  });

  test("of an offline shopper is reported once, although everything is read again", async ({ visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open("cards=2&list");
    await expectItems(page, ["1"]);
    await page.evaluate(async () => {
      const list = await window.front.lists?.create("Birthday");
      await window.front.client.lists.items.add({ listId: list?.listId ?? "", product_id: "1" });
      window.front.lists?.reload();
    });
    await expectCounts(page, "1 1");
    await visit.quiet(page);
    await visit.context.setOffline(true);
    // It is removed from two lists, which takes two requests.
    await heart(page, 1).click();
    await expectSaved(page, 1);
    await visit.quiet(page);
    expect(await page.evaluate(() => window.front.errors)).toEqual(["network_error"]);
    await expectCounts(page, "1 1");
  });

  test("that follows while a change is sent waits for it, and the last one wins", async ({ visit }) => {
    const page = await visit.open("cards=1");
    const release = await hold(page, "**/items");
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/items"));
    await heart(page, 1).click();
    await sent;
    await heart(page, 1).click();
    await heart(page, 1).click();
    await heart(page, 1).click();
    await expectSaved(page, 1, false);
    expect(visit.requests.filter((request) => request.endsWith("items/1"))).toEqual([]);
    const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
    release();
    expect((await (await removed).json()) as unknown).toMatchObject({ data: { removed: true, itemCount: 0 } });
    await expectSaved(page, 1, false);
  });

  test("before the first read stays when the response of the read is older", async ({ visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open("cards=3&later");
    const release = await holdResponses(page, "**/contains*");
    const reading = page.waitForRequest("**/contains*");
    await page.evaluate(() => window.front.mount());
    await reading;
    await press(page, 3);
    const read = page.waitForResponse("**/contains*");
    release();
    await read;
    await expectSaved(page, 1);
    await expectSaved(page, 3);
    const shown = await page.evaluate(() => window.front.history.map(({ saved }) => saved.includes("Save 3")));
    expect(shown.slice(shown.indexOf(true))).not.toContain(false);
  });

  test("brings the item back to the lists from which an unconfirmed press removed it", async ({ visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open("cards=1&list");
    await expectItems(page, ["1"]);
    const listId = await page.evaluate(async () => {
      const list = await window.front.lists?.create("Birthday");
      const item = window.front.pages["default"]?.items[0];
      if (!list || !item) return "";
      await window.front.pages["default"]?.move(item, list.listId);
      return list.listId;
    });
    await expectCounts(page, "0 1");
    const release = await hold(page, /items/, isChange);
    await heart(page, 1).click();
    await expectCounts(page, "0 0");
    await heart(page, 1).click();
    await expectCounts(page, "0 1");
    release();
    await visit.quiet(page);
    const { products } = await page.evaluate(() => window.front.client.lists.containing({ product_id: ["1"] }));
    expect(products[0]?.variants).toEqual([{ variantId: "1001", listIds: [listId] }]);
    await expectCounts(page, "0 1");
  });
});

test("counts are right after responses that have overtaken each other", async ({ visit }) => {
  const page = await visit.open("cards=3&list");
  await press(page, 3);
  await expectCounts(page, "1");
  const releaseFirst = await holdResponses(page, /items/, (request) => request.postData()?.includes('"1"') ?? false);
  const releaseSecond = await holdResponses(page, /items/, (request) => request.postData()?.includes('"2"') ?? false);
  const first = page.waitForRequest((request) => request.postData()?.includes('"1"') ?? false);
  await heart(page, 1).click();
  await first;
  // The list's order is that of the service's work.
  await expect
    .poll(() => page.evaluate(() => window.front.client.lists.containing({ product_id: ["1"] })))
    .toMatchObject({ products: [{ productId: "1" }] });
  await heart(page, 2).click();
  const second = page.waitForResponse((response) => response.request().postData()?.includes('"2"') ?? false);
  releaseSecond();
  await second;
  releaseFirst();
  await expectItems(page, ["2", "1", "3"]);
  await visit.quiet(page);
  await expectCounts(page, "3");
});

test("a heart of a variant is pressed for this variant only, and saves it", async ({ visit }) => {
  const page = await visit.open("cards=1&variants=1001,2001&counts");
  await press(page, "variant 2001");
  await expectSaved(page, "variant 2001");
  await expectSaved(page, "variant 1001", false);
  await expectSaved(page, 1);
  await press(page, "variant 1001");
  await expectCounts(page, "2");
  await press(page, "variant 2001");
  await expectSaved(page, "variant 2001", false);
  await expectSaved(page, "variant 1001");
  await expectCounts(page, "1");
});

test("a press of a product's heart shows in the heart of its default variant", async ({ visit }) => {
  const page = await visit.open("cards=1&variants=1001,2001");
  await press(page, 1);
  await expectSaved(page, "variant 1001");
  await expectSaved(page, "variant 2001", false);
});

test("a press of a product's heart removes all its variants", async ({ visit }) => {
  const page = await visit.open("cards=1&variants=1001,2001&counts");
  await press(page, "variant 1001");
  await press(page, "variant 2001");
  await expectCounts(page, "2");
  await heart(page, 1).click();
  await expectCounts(page, "0");
  await visit.quiet(page);
  const { products } = await page.evaluate(() => window.front.client.lists.containing({ product_id: ["1"] }));
  expect(products).toEqual([]);
});

test("a heart that is pressed in one tab changes in the others, and in their lists", async ({ visit }) => {
  const other = await visit.open("cards=3&list");
  const page = await visit.open("cards=3");
  await heart(page, 2).click();
  await expectSaved(other, 2);
  await expectItems(other, ["2"]);
  await expectCounts(other, "1");
});

test("hearts work with React 19", async ({ visit }) => {
  const page = await visit.open("react=19&cards=3");
  await press(page, 1);
  await expectSaved(page, 1);
  expect(visit.requests.filter((request) => request.endsWith("default/items"))).toHaveLength(1);
});
