// @module-tag matrix

import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { violations } from "../../../tests/support/browser/axe.ts";
import { DESKTOP, launchBrowser, LIKE_A_PERSON, PHONE } from "../../../tests/support/browser/browser.ts";
import { EXTENSION } from "../../../tests/support/browser/theme-blocks.ts";
import { liquid } from "./fixtures/app.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const PRODUCT = "/products/hollowbrook-2-trekking-tent";

let stage: Stage;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stage = await startStage();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(async () => {
  await stage.control("reset");
  stage.app.respondWith(liquid('<div class="page-width"><h1>Wishlist</h1></div>'));
  complaints = [];
  page = await (await browser.newContext(LIKE_A_PERSON)).newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

const open = (path: string) => page.goto(stage.devstore.storefrontUrl + path);
const text = async (path: string) => (await fetch(stage.devstore.storefrontUrl + path)).text();

const PAGES = [
  "/",
  "/collections",
  "/collections/all?page=2",
  PRODUCT,
  "/cart",
  // a permalink, which leads to the checkout
  "/cart/44003118551387:1",
  "/search?q=tent",
  "/account/login",
  "/account",
  "/pages/wishlist",
  "/apps/wishlist",
];

test.each(PAGES)("%s has no accessibility violation and no overflow on phone and desktop", async (path) => {
  await open(path);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await violations(page.locator("html"))).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

describe("the extension", () => {
  test("renders its block with its settings, translations, snippets and assets", async () => {
    await open(PRODUCT);
    await expect.poll(() => page.textContent(".fixture-heart")).toBe("Save Hollowbrook 2 Trekking Tent");
    expect(await page.getAttribute(".fixture-heart", "style")).toContain("#b4235a");
    expect(await page.textContent(".fixture-hint")).toBe("Saved for you");
    expect(await page.locator('link[href$="/assets/heart.css"]').count()).toBe(1);
    expect(await (await fetch((await page.getAttribute('img[src$="heart.svg"]', "src")) ?? "")).text()).toContain(
      "<svg",
    );
    expect(await text("/de/collections/all")).not.toContain("fixture-heart");
    expect(await text(`/de${PRODUCT}`)).toContain("Hollowbrook 2 Trekking Tent merken");
  });

  test("loads its embed and its script on every page, the app's included", async () => {
    for (const path of ["/", "/apps/wishlist"]) {
      await open(path);
      const embed = z.object({ proxy: z.string(), root: z.string(), template: z.string() });
      expect(embed.parse(JSON.parse((await page.textContent("#fixture-embed")) ?? ""))).toMatchObject({
        proxy: "/apps/wishlist",
        root: "/",
      });
      await expect.poll(() => page.getAttribute("html", "data-embed")).toBe("ran");
    }
  });

  test("is switched, configured and deep-linked in the theme editor", async () => {
    await open("/admin/themes/current/editor?context=apps&template=product&activateAppId=an-api-key/heart");
    const form = page.locator("form", { has: page.locator('input[value="heart"]') });
    await form.getByLabel("Hint").fill("Kept");
    await form.getByRole("button", { name: "Save" }).click();
    expect(await text(PRODUCT)).toContain('<small class="fixture-hint">Kept</small>');
    await stage.control("block", { block: "heart", on: false });
    expect(await text(PRODUCT)).not.toContain("fixture-heart");
  });

  test("has translated setting labels and keeps an empty colour unset", async () => {
    const own = await startStage({
      extension: EXTENSION,
    });
    try {
      await page.goto(`${own.devstore.url}/admin/themes/current/editor`);
      expect(await page.locator("main").innerText()).not.toMatch(/t:\w|Translation missing/);
      const form = page.locator("form", { has: page.getByRole("heading", { name: "Wishlist button" }) });
      await form.getByLabel("Full width").uncheck();
      await form.getByRole("button", { name: "Save" }).click();
      await page.goto(own.devstore.storefrontUrl + PRODUCT);
      const style = await page.locator("main .whl-button--button").getAttribute("style");
      expect(style).toContain("--whl-size: 22px;");
      expect(style).not.toMatch(/--whl-(?:color|active|background)/);
    } finally {
      await own.close();
    }
  });

  test("passes the page and the picture of a setting to Liquid", async () => {
    const own = await startStage({ extension: EXTENSION });
    try {
      await page.goto(`${own.devstore.url}/admin/themes/current/editor`);
      const form = page.locator("form", { has: page.locator('input[value="wishlist-embed"]') });
      await form.locator("[name=page]").fill("wishlist");
      await form.locator("[name=icon]").selectOption("own");
      await form.locator("[name=own_icon]").fill("/files/leaf.svg");
      await form.getByRole("button", { name: "Save" }).click();
      const html = await (await fetch(`${own.devstore.storefrontUrl}/de/collections/all`)).text();
      expect(html).not.toMatch(/Liquid error|Translation missing/);
      expect(html).toContain('data-page="/de/pages/wishlist"');
      expect(html).toContain("--whl-own: url('/files/leaf.svg?width=96')");
    } finally {
      await own.close();
    }
  });

  test("is in design mode only in the preview that the theme editor links to", async () => {
    const own = await startStage({ extension: EXTENSION });
    try {
      for (const [query, isDesign] of [
        ["", false],
        ["?design_mode", true],
      ] as const) {
        await page.goto(`${own.devstore.storefrontUrl}/${query}`);
        expect(await page.evaluate(() => window.Shopify?.designMode === true)).toBe(isDesign);
        expect(await page.locator("template[data-editor-part]").count()).toBe(isDesign ? 1 : 0);
      }
    } finally {
      await own.close();
    }
  });

  test("may be missing", async () => {
    const bare = await startStage({ extension: "/no/such/folder" });
    try {
      const html = await (await fetch(bare.devstore.storefrontUrl + PRODUCT)).text();
      expect(html).toContain("Hollowbrook 2 Trekking Tent");
      expect(html).not.toContain("Liquid error");
    } finally {
      await bare.close();
    }
  });
});

test("every page of the theme is fully translated in every language", async () => {
  for (const root of ["", "/de", "/fr", "/es", "/ja"]) {
    for (const path of PAGES) expect(await text(root + path)).not.toMatch(/Translation missing|Liquid error/);
  }
});

test("selecting a variant updates the form, the address, the price and the button", async () => {
  await open(PRODUCT);
  await page.evaluate(() => {
    document.querySelector('input[name="id"]')?.addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) document.title = `chosen ${event.target.value}`;
    });
  });
  await page.getByText("Moss", { exact: true }).click();
  expect(await page.title()).toBe("chosen 44000287612134");
  expect(page.url()).toContain("?variant=44000287612134");
  expect(await page.getByRole("button", { name: "Sold out" }).isDisabled()).toBe(true);
  await page.getByText("Slate", { exact: true }).click();
  expect(await page.getByRole("button", { name: "Add to cart" }).isEnabled()).toBe(true);
});

test("adding to the cart dispatches Shopify's standard event with a promise of the result", async () => {
  await open(PRODUCT);
  const dispatched = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("shopify:cart:lines-update", (event) => {
          const { action, context, lines, promise } = event as unknown as {
            action: string;
            context: string;
            lines: unknown;
            promise: Promise<{ cart: { totalQuantity: number; cost: unknown } }>;
          };
          void promise.then(({ cart }) =>
            resolve({ action, context, lines, quantity: cart.totalQuantity, cost: cart.cost }),
          );
        });
      }),
  );
  await page.getByRole("button", { name: "Add to cart" }).click();
  expect(await dispatched).toEqual({
    action: "add",
    context: "product",
    lines: [{ merchandiseId: "gid://shopify/ProductVariant/44001525933266", quantity: 1 }],
    quantity: 1,
    cost: { totalAmount: { amount: "329.00", currencyCode: "EUR" } },
  });
  await page.getByText("Added to your cart").waitFor();
  await open("/cart");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Your cart is empty.").waitFor();
});

test("__st contains the logged-in customer only in their own pages", async () => {
  const cid = () => page.evaluate(() => (window as unknown as { __st: { cid?: number } }).__st.cid);
  await open("/account/login");
  const [customer] = (await stage.state()).customers;
  await page.getByRole("button", { name: customer?.firstName ?? "" }).click();
  await page.waitForURL(`${stage.devstore.storefrontUrl}/`);
  expect(String(await cid())).toBe(customer?.id);
  expect(await text("/")).not.toContain('"cid"');
  await open("/account/logout");
  expect(await cid()).toBeUndefined();
});

test("the full-page cache serves one page to all shoppers until a change", async () => {
  await stage.control("page-cache", { on: true });
  await open("/account/login");
  const [customer] = (await stage.state()).customers;
  await page.getByRole("button", { name: customer?.firstName ?? "" }).click();
  await open(PRODUCT);
  const served = await text(PRODUCT);
  expect(served).not.toContain('"cid"');
  expect(await page.evaluate(async (url) => (await fetch(url)).text(), PRODUCT)).toBe(served);
  await stage.control("edit-product", { productId: "8402095167416", title: "Renamed" });
  expect(await text(PRODUCT)).toContain("Renamed");
});
