import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { expectSaved, heartOf, Shopper } from "../support/shopper.ts";

let browser: Browser;
let shopper: Shopper;
let store: Shopper["store"];
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  shopper = await Shopper.arrive(browser);
  store = shopper.store;
  page = await shopper.open("/products/trail-shoe-1");
});
afterEach(() => shopper.leave());

async function save(): Promise<void> {
  await heartOf(page, 1).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("wishlist"))).toContain("9001");
  await expect.poll(() => store.service.lists.size).toBe(1);
  await shopper.quiet(page);
}

describe("the product page's heart speaks of the chosen variant", () => {
  test.each<[string, (variant: string) => Promise<unknown>]>([
    ["the form", (variant) => page.selectOption("#variant", variant)],
    [
      "the address",
      (variant) =>
        page.evaluate((id) => {
          history.replaceState(null, "", `?variant=${id}`);
          document.querySelector("h1")?.append(" ");
        }, variant),
    ],
    [
      "Shopify's event",
      (variant) =>
        page.evaluate((id) => {
          const promise = Promise.resolve({ variant: { id: `gid://shopify/ProductVariant/${id}` } });
          document.body.dispatchEvent(
            Object.assign(new Event("shopify:product:select", { bubbles: true }), { promise }),
          );
        }, variant),
    ],
    [
      "a theme's event",
      (variant) =>
        page.evaluate((id) => {
          const detail = { variant: { id: Number(id) } };
          document.body.dispatchEvent(new CustomEvent("variant:change", { bubbles: true, detail }));
        }, variant),
    ],
  ])("as said by %s", async (_, choose) => {
    await save();
    expect(store.asked[0]?.body).toMatchObject({ productId: "9001", variantId: "90011" });
    await choose("90012");
    await expectSaved(heartOf(page, 1), false);
    await choose("90011");
    await expectSaved(heartOf(page, 1));
    // Another product's variant, of a quick view say, is none of this heart's.
    await page.evaluate(() =>
      document.body.dispatchEvent(
        new CustomEvent("variant:change", { bubbles: true, detail: { variant: { id: 90021 } } }),
      ),
    );
    expect(await heartOf(page, 1).getAttribute("data-variant-id")).toBe("90011");
  });
});

describe("the cart", () => {
  const reports = (): unknown[] => store.asked.filter(({ path }) => path === "cart").map(({ body }) => body["items"]);
  const shoe = [{ productId: "9001", variantId: "90011" }];

  async function announce(userErrors: unknown[] = []): Promise<void> {
    await page.evaluate((errors) => {
      const promise = Promise.resolve({ cart: { id: "gid://shopify/Cart/cart-1?key=secret" }, userErrors: errors });
      const lines = [{ merchandiseId: "gid://shopify/ProductVariant/90011", quantity: 1 }];
      document.body.dispatchEvent(
        Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), { action: "add", lines, promise }),
      );
    }, userErrors);
    await shopper.quiet(page);
  }

  test("Shopify's event reports a saved variant once, without the cart's key and without a look into it", async () => {
    await save();
    await announce([{ message: "sold out" }]);
    expect(reports()).toEqual([]);
    await announce();
    await announce();
    await expect.poll(reports).toEqual([shoe]);
    expect(store.asked.at(-1)?.body["eventId"]).toBe("cart-1");
    expect(store.cartReads).toBe(0);
  });

  test("a form that leads to another page reports there", async () => {
    await save();
    await page.click(".add");
    await page.waitForURL("**/cart");
    await expect.poll(reports).toEqual([shoe]);
    expect(store.asked.at(-1)?.body["eventId"]).toBe("cart-1");
    await shopper.visit(page, "/collections/all");
    expect([reports().length, store.cartReads]).toEqual([1, 1]);
  });

  test("a form that the theme sends by itself reports on the page, and not what the cart refuses", async () => {
    await save();
    await page.evaluate(() => {
      document.querySelector("form")?.addEventListener("submit", (event) => {
        event.preventDefault();
        void fetch("/cart/add.js", { method: "POST", body: new URLSearchParams({ id: "90011" }) });
      });
    });
    store.isSoldOut = true;
    await page.click(".add");
    await expect.poll(() => store.cartReads).toBe(1);
    await shopper.quiet(page);
    expect(reports()).toEqual([]);
    store.isSoldOut = false;
    await page.click(".add");
    await expect.poll(reports).toEqual([shoe]);
  });

  test("where nothing saved is involved, nothing is asked or sent", async () => {
    await page.click(".add");
    await page.waitForURL("**/cart");
    await shopper.quiet(page);
    expect([store.asked, store.cartReads]).toEqual([[], 0]);
  });
});
