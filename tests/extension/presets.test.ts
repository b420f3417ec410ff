import type { Page, Request } from "playwright";
import { expect, test } from "vitest";
import { presets } from "../../storefront-browser/extension/presets.ts";
import { type Shopper, withShopper } from "../support/browser/shopper.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";

/**
 * Runs before the extension: a theme with a cart button without markings, and products as text rows with a small picture.
 */
const STRANGE = `addEventListener("DOMContentLoaded", () => {
  const cart = document.querySelector(".header__icons a");
  cart.outerHTML = '<button id="cart-icon-bubble" style="width: 44px; height: 44px">Bag</button>';
  for (const image of document.querySelectorAll("main img")) image.style.width = "60px";
}, true);`;

let shopper: Shopper;

withShopper((arrival) => {
  shopper = arrival;
});

async function open(schemaName: string, options: PageOptions = {}): Promise<Page> {
  const script = `window.Shopify = { theme: { schema_name: ${JSON.stringify(schemaName)} } }; ${STRANGE}`;
  const page = await shopper.open("/collections/all", { script, ...options });
  await page.locator(".whl-counter").waitFor();
  await shopper.quiet(page);
  return page;
}

test("at least twenty themes have a preset, each with valid selectors", async () => {
  const page = await shopper.open();
  const selectors = Object.values(presets).flatMap(({ cards, cart }) => [cards, cart]);
  await page.evaluate((all) => all.forEach((selector) => document.querySelector(selector)), selectors);
  expect(selectors).not.toContain("");
  expect(Object.keys(presets).length).toBeGreaterThanOrEqual(20);
});

test("a theme with a preset has hearts and the header link where its elements tell no place", async () => {
  const page = await open("Dawn");
  await expect.poll(() => page.locator(".whl-card").count()).toBe(12);
  expect(await page.locator("li:has(.whl-card)").count()).toBe(12);
  expect(await page.locator("#cart-icon-bubble").evaluate((cart) => cart.previousElementSibling?.className)).toMatch(
    /^whl-counter (?!.*floating)/,
  );
});

test("a theme without a preset has no hearts, and a floating link", async () => {
  const page = await open("Nobody's");
  expect(await page.locator(".whl-card").count()).toBe(0);
  expect(await page.locator(".whl-counter--floating").count()).toBe(1);
});

test("a merchant's selector overrides the preset", async () => {
  const page = await open("Dawn", { embed: { card_selector: ".nothing" } });
  expect(await page.locator(".whl-card").count()).toBe(0);
});

test("the presets are not loaded where hearts and link are in place", async () => {
  const requests: string[] = [];
  shopper.context.on("request", (request: Request) => requests.push(request.url()));
  const page = await shopper.open();
  await page.locator(".whl-card").first().waitFor();
  await page.locator(".whl-counter").waitFor();
  await shopper.quiet(page);
  expect(requests.filter((url) => url.includes("wishlist-cards"))).toHaveLength(1);
  expect(requests.filter((url) => url.includes("wishlist-presets"))).toEqual([]);
});
