import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { isBuyable, openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, mainButton, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const [saved, other, unsaved] = [productAt(0, isBuyable), productAt(1, isBuyable), productAt(2, isBuyable)];

let store: LiveStore;
let visitor: Visitor;
let token: string;

beforeAll(async () => {
  store = await openStore();
  token = await store.token();
});
afterAll(() => store.close());
beforeEach(async () => {
  visitor = await Visitor.arrive(store);
});
afterEach(() => visitor.leave());

interface Overview {
  totalWishlistedItems: number;
  activeShoppers: number;
  wishlistToCartRate: number;
}
interface Day {
  addToCartFromWishlist: number;
}

/** What the reports say has come into carts, and of how many saves in percent. */
async function reported(): Promise<{ carted: number; rate: number }> {
  const { wishlistToCartRate } = (await store.call("GET", "/v1/analytics/overview", { token })).data<Overview>();
  const { days } = (await store.call("GET", "/v1/analytics/daily?days=3", { token })).data<{ days: Day[] }>();
  return { carted: days.reduce((sum, day) => sum + day.addToCartFromWishlist, 0), rate: wishlistToCartRate };
}

test("what was saved and goes into the cart counts once, from the wishlist and from its own page", async () => {
  const page = await visitor.open(COLLECTION);
  await press(heartOf(page, saved.handle));
  await press(heartOf(page, other.handle));
  expectValue(await reported()).toEqual({ carted: 0, rate: 0 });

  await visitor.visit(page, WISHLIST);
  const card = page.locator("[data-wishlist-item]", { hasText: saved.title });
  const fromList = page.waitForResponse(/\/api\/cart$/);
  await card.getByRole("button", { name: "Add to cart" }).click();
  expectValue(await (await fromList).json()).toMatchObject({ data: { recorded: 1 } });
  await expect(page.getByRole("link", { name: "View cart" })).toBeVisible();
  await expect.poll(reported).toEqual({ carted: 1, rate: 50 });

  await visitor.visit(page, `/products/${other.handle}`);
  await expectSaved(mainButton(page));
  const fromProduct = page.waitForResponse(/\/api\/cart$/);
  await page.getByRole("button", { name: "Add to cart", exact: true }).click();
  expectValue(await (await fromProduct).json()).toMatchObject({ data: { recorded: 1 } });
  await expect.poll(reported).toEqual({ carted: 2, rate: 100 });

  // Nothing of what follows is a new decision for something saved.
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Add to cart", exact: true }).click();
  await expect(page.locator("#cart-notification")).toHaveClass(/active/);
  await visitor.visit(page, "/cart");
  await page.getByRole("spinbutton").first().fill("3");
  await page.getByRole("button", { name: "Update" }).first().click();
  await page.waitForLoadState("networkidle");
  await visitor.visit(page, `/products/${unsaved.handle}`);
  await page.getByRole("button", { name: "Add to cart", exact: true }).click();
  await expect(page.locator("#cart-notification")).toHaveClass(/active/);
  await page.waitForLoadState("networkidle");
  expectValue(await reported()).toEqual({ carted: 2, rate: 100 });
});
