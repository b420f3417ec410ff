import type { Page } from "playwright";
import { afterAll, beforeAll, expect as expectValue, test } from "vitest";
import { openStore, productAt, products, type LiveStore } from "./fixtures/live-store.ts";
import { untilSynced } from "../support/shopify/synced.ts";
import { COLLECTION, expect, expectSaved, heartOf, listed, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const first = productAt(0);

let store: LiveStore;

beforeAll(async () => {
  store = await openStore({ connected: false, devstore: { installed: false } });
});
afterAll(() => store.close());

/** Opens the app like a merchant: in the admin's frame, under Shopify's host names. */
async function openApp(page: Page): Promise<void> {
  await page.goto("https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist");
  const install = page.getByRole("button", { name: "Install" });
  if ((await install.count()) > 0) await install.click();
  await expect(page.frameLocator("#app-frame").getByRole("heading", { name: "Setup guide" })).toBeVisible();
}

test("opening the app installs it, and opening it after uninstalling restores all data", async () => {
  const merchant = await Visitor.arrive(store);
  const admin = await merchant.context.newPage();
  expectValue(await store.database.rows("SELECT 1 FROM shop")).toEqual([]);
  await openApp(admin);
  await untilSynced(store.database, store.shop);
  const synced = await store.database.rows("SELECT product_id FROM product WHERE deleted_at IS NULL ORDER BY 1");
  expectValue(synced).toEqual(
    products.map(({ productId }) => ({ product_id: productId })).sort((a, b) => (a.product_id < b.product_id ? -1 : 1)),
  );

  const shopper = await Visitor.arrive(store);
  const customer = store.newCustomer();
  const page = await shopper.open("/");
  await shopper.logIn(page, customer);
  await shopper.visit(page, COLLECTION);
  await press(heartOf(page, first.handle));
  await expectSaved(heartOf(page, first.handle));
  const token = await store.token();
  const read = () => store.call("GET", `/v1/wishlists/${customer.customerId}`, { token });
  expectValue((await read()).data()).toMatchObject({ total: 1 });

  // Shopify's admin leaves the app's page as well. An open one would ask for more, and be refused.
  await admin.goto("about:blank");
  await store.control("uninstall");
  await store.control("await-deliveries");
  await expect.poll(async () => (await read()).status).toBe(401);
  expectValue((await page.goto(store.url + WISHLIST))?.status()).toBe(404);
  // The shop's data is kept for a reinstallation.
  expectValue(await store.database.rows("SELECT count(*)::integer AS items FROM wishlist_item")).toEqual([
    { items: 1 },
  ]);
  expectValue(await store.database.rows("SELECT 1 FROM session")).toEqual([]);

  await openApp(admin);
  await expect.poll(async () => (await read()).status).toBe(200);
  await expect
    .poll(async () => {
      await shopper.visit(page, WISHLIST);
      return listed(page).allInnerTexts();
    })
    .toEqual([first.title]);
  shopper.expectFailures(`404 GET ${WISHLIST}`);
  for (const one of [shopper, merchant]) {
    await one.leave();
    one.expectNoComplaints();
  }
});
