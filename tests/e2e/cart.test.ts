import type { Page } from "playwright";
import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { isBuyable, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { expect, expectSaved, mainButton, saveAll, WISHLIST } from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [saved, other, unsaved] = [productAt(0, isBuyable), productAt(1, isBuyable), productAt(2, isBuyable)];

interface Overview {
  totalWishlistedItems: number;
  activeShoppers: number;
  wishlistToCartRate: number;
}
interface Day {
  addToCartFromWishlist: number;
}

/** Returns added cart items and the cart rate in percent from the reports. */
async function reports({ call, token }: LiveStore): Promise<() => Promise<{ addedToCart: number; rate: number }>> {
  const access = { token: await token() };
  return async () => {
    const { wishlistToCartRate } = (await call("GET", "/v1/analytics/overview", access)).data<Overview>();
    const { days } = (await call("GET", "/v1/analytics/daily?days=3", access)).data<{ days: Day[] }>();
    return { addedToCart: days.reduce((sum, day) => sum + day.addToCartFromWishlist, 0), rate: wishlistToCartRate };
  };
}

/**
 * Resolves with the page's report of a cart event after the app's response. Chromium never reveals the response's body,
 * because the request uses keepalive.
 */
async function cartReport(page: Page, act: () => Promise<void>): Promise<unknown> {
  const [response] = await Promise.all([page.waitForResponse(/\/apps\/wishlist\/api\/recordCart$/), act()]);
  expectValue(response.status()).toBe(200);
  return response.request().postDataJSON();
}

function addFrom(page: Page): Promise<void> {
  return page.locator("#MainProduct").getByRole("button", { name: "Add to cart", exact: true }).click();
}

function addCard(page: Page, title: string): Promise<void> {
  const card = page.locator("[data-wishlist-item]").filter({ hasText: title });
  return card.getByRole("button", { name: "Add to cart" }).click();
}

test("a saved item that is added to the cart counts once, from either page", async ({ store, visitor }) => {
  const reported = await reports(store);
  const page = await visitor.open("/");
  await saveAll(visitor, page, [saved, other]);
  expectValue(await reported()).toEqual({ addedToCart: 0, rate: 0 });

  await visitor.visit(page, WISHLIST);
  expectValue(await cartReport(page, () => addCard(page, saved.title))).toMatchObject({
    items: [{ product_id: saved.productId }],
  });
  await expect(page.getByRole("link", { name: "View cart" })).toBeVisible();
  expectValue(await reported()).toEqual({ addedToCart: 1, rate: 50 });

  await visitor.visit(page, `/products/${other.handle}`);
  await expectSaved(mainButton(page));
  expectValue(await cartReport(page, () => addFrom(page))).toMatchObject({ items: [{ product_id: other.productId }] });
  expectValue(await reported()).toEqual({ addedToCart: 2, rate: 100 });

  // None of the following actions adds a saved item to the cart.
  await page.reload();
  await visitor.quiet(page);
  await addFrom(page);
  await expect(page.locator("#cart-notification")).toHaveClass(/active/);
  await visitor.quiet(page);
  await visitor.visit(page, "/cart");
  const shownAnew = page.waitForEvent("load");
  await page.getByRole("spinbutton").first().fill("5");
  await page.getByRole("spinbutton").first().press("Enter");
  await shownAnew;
  await visitor.quiet(page);
  await expect(page.getByRole("spinbutton").first()).toHaveValue("5");
  await visitor.visit(page, `/products/${unsaved.handle}`);
  await addFrom(page);
  await expect(page.locator("#cart-notification")).toHaveClass(/active/);
  await visitor.quiet(page);
  expectValue(await reported()).toEqual({ addedToCart: 2, rate: 100 });
});

test(
  "an item that the cart rejects is not counted, and the shopper sees a message",
  MATRIX,
  async ({ store, visitor }) => {
    const reported = await reports(store);
    const page = await visitor.open("/");
    await saveAll(visitor, page, [saved]);
    await visitor.visit(page, WISHLIST);
    const shop = await visitor.open(`/products/${saved.handle}`);
    // Sold out after both pages were opened.
    await store.control("edit-product", { productId: saved.productId, available: false });
    visitor.proxyRequests = [];
    await addCard(page, saved.title);
    await expect(page.getByRole("status").filter({ hasText: "is already sold out" })).toBeVisible();
    await addFrom(shop);
    await expect(shop.getByRole("alert").filter({ hasText: "is already sold out" })).toBeVisible();
    for (const one of [page, shop]) await visitor.quiet(one);
    expectValue(visitor.proxyRequests).toEqual([]);
    expectValue(await reported()).toEqual({ addedToCart: 0, rate: 0 });
    visitor.expectFailures("422 POST /cart/add.js", "422 POST /cart/add.js");
  },
);
