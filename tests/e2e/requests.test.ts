import { describe, expect as expectValue } from "vitest";
import { z } from "zod";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { layoutShifts } from "../support/browser/layout-shifts.ts";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectCount, expectSaved, heartOf, press } from "./fixtures/visitor.ts";

const first = productAt(0);
const PRODUCT = `/products/${first.handle}`;

test("a new guest's pages send no request before the first press, and store only which products were viewed", async ({
  visitor,
}) => {
  const page = await visitor.open("/");
  for (const path of [COLLECTION, PRODUCT, "/search?q=tent", "/cart"]) await visitor.visit(page, path);
  expectValue(visitor.proxyRequests).toEqual([]);
  const stored = await page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)));
  expectValue(stored).toEqual(["wishlist:viewed"]);
  await visitor.visit(page, COLLECTION);
  await press(heartOf(page, first.handle));
  expectValue(visitor.proxyRequests).toEqual(["add"]);
  // The browser has stored the list now.
  for (const path of ["/", COLLECTION, PRODUCT]) await visitor.visit(page, path);
  expectValue(visitor.proxyRequests).toEqual(["add"]);
});

test("a customer's page sends one request for all its products", async ({ store, visitor }) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  for (const path of [COLLECTION, PRODUCT, "/"]) {
    visitor.proxyRequests = [];
    await visitor.visit(page, path);
    expectValue(await page.locator("[data-wishlist-button]").count()).toBeGreaterThan(3);
    expectValue(visitor.proxyRequests).toEqual(["saved"]);
  }
});

test("a page of 250 cards sends one request", async ({ store, visitor }) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  // Like a theme with a very long collection: the cards exist before the deferred scripts run.
  await page.addInitScript((count) => {
    document.addEventListener("readystatechange", () => {
      const grid = document.querySelector(".card-wrapper")?.closest("ul");
      if (document.readyState !== "interactive" || !grid) return;
      const [card] = grid.children;
      if (!card) return;
      while (grid.childElementCount < count) {
        const copy = document.createElement("div");
        copy.innerHTML = card.outerHTML.replaceAll(/\/products\/[\w-]+/g, `/products/card-${grid.childElementCount}`);
        grid.append(...copy.children);
      }
    });
  }, 250);
  visitor.proxyRequests = [];
  const savedRequest = page.waitForRequest(/\/api\/saved$/);
  await visitor.visit(page, COLLECTION);
  await expect(page.locator(".card-wrapper [data-wishlist-button]")).toHaveCount(250);
  expectValue(
    new Set(z.object({ handles: z.array(z.string()) }).parse((await savedRequest).postDataJSON()).handles).size,
  ).toBe(250);
  expectValue(visitor.proxyRequests).toEqual(["saved"]);
});

function layoutTests(_: string, viewport: typeof PHONE): void {
  test("pages have no layout shifts, with and without saved items", async ({ store, visitor }) => {
    const page = await visitor.open("/");
    await page.setViewportSize(viewport);
    const look = async (): Promise<void> => {
      for (const path of ["/", COLLECTION, PRODUCT]) {
        await visitor.visit(page, path);
        await expect(page.locator(".whl-counter")).toHaveCount(1);
        expectValue([path, await layoutShifts(page)]).toEqual([path, []]);
      }
    };
    await look();
    await visitor.visit(page, COLLECTION);
    await press(heartOf(page, first.handle));
    await expectSaved(heartOf(page, first.handle));
    await expectCount(page, 1);
    await look();
    await visitor.logIn(page, store.newCustomer());
    await look();
  });
}

describe.each([["a phone", PHONE] as const])("on %s", layoutTests);
describe.each([["a desktop", DESKTOP] as const])("on %s", MATRIX, layoutTests);
