import { MATRIX } from "../support/matrix.ts";
import { expect as expectValue } from "vitest";
import { PHONE } from "../support/browser/browser.ts";
import { test } from "../e2e/fixtures/journey.ts";
import { expect, press, heartOf, COLLECTION } from "../e2e/fixtures/visitor.ts";
import { productAt } from "../e2e/fixtures/live-store.ts";
import {
  endSession,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  pathOf,
  clickTwice,
  renewSession,
} from "./fixtures.ts";

test("the home page and an unknown page are accessible and fit phones and desktops", MATRIX, async ({ arrive }) => {
  const merchant = await arrive();
  const admin = await enter(merchant, "/app");
  const { app } = admin;
  await expect(app.getByRole("heading", { name: "Setup guide" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Dismiss" }).click();
  await expect(app.getByRole("button", { name: "Show setup guide" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Show setup guide" }).click();
  await expect(app.getByRole("heading", { name: "Setup guide" })).toBeVisible();

  await admin.open("/app/nowhere");
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  merchant.expectFailures("404 GET /app/nowhere");
});

/** Adds up how far the content of a page moves by itself, by the definition of Cumulative Layout Shift. */
const COUNT_SHIFTS = `
  let shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
    document.documentElement.dataset.shifted = shifted;
  }).observe({ type: "layout-shift", buffered: true });`;

const PHONE_BROWSER =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

test("pages with lists don't shift while they start on a phone", MATRIX, async ({ arrive, store }) => {
  const token = await store.token();
  for (let index = 0; index < 8; index++) {
    const json = { product_id: productAt(index).productId };
    (await store.call("POST", "/v1/wishlists/c1/items", { token, json })).data();
  }
  const merchant = await arrive({ viewport: PHONE, userAgent: PHONE_BROWSER });
  await merchant.context.addInitScript(COUNT_SHIFTS);
  const admin = await enter(merchant, "/app/analytics/products");
  await expect(admin.app.getByRole("link", { name: productAt(0).title })).toBeVisible();
  for (const path of ["/app/analytics/products", "/app/wishlists", "/app/alerts"]) {
    await admin.open(path);
    const shifted = await admin.app.locator("html").evaluate(async ({ dataset }) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return Number(dataset["shifted"] ?? 0);
    });
    expectValue(shifted, path).toBeLessThan(0.02);
  }
});

test("an ended session keeps the page and is reported by forms and navigation", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, "/app");
  const { app, page } = admin;
  const notice = app.getByText("Your session has ended, and nothing was saved.");
  await endSession(admin);
  await app.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toBeVisible();
  await expectAccessible(admin);
  await renewSession(admin);
  await clickTwice(app.getByRole("button", { name: "Dismiss" }));
  await app.getByRole("button", { name: "Show setup guide" }).waitFor();
  await endSession(admin);
  await app.getByRole("button", { name: "Show setup guide" }).click();
  await expect(notice).toBeVisible();
  await expectAccessible(admin);
  await page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
  await expect(app.getByText("Open the app again to continue.")).toBeVisible();
  await expectAccessible(admin);
  const home = "401 POST /app.data";
  const keys = "401 GET /app/api-keys.data";
  visitor.expectFailures(home, home, home, home, keys, keys);
});

test("the admin's menu navigates without reloading the app, and the URL survives a reload", async ({ visitor }) => {
  const admin = await enter(visitor, "/app");
  const { page, app } = admin;
  await app.locator("body").evaluate((body) => body.setAttribute("data-same", ""));
  await page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
  await expect(app.getByText("Connect a storefront or app")).toBeVisible();
  await expect(app.locator("body[data-same]")).toHaveCount(1);
  await expect.poll(() => pathOf(admin)).toBe("/app/api-keys");
  await admin.reload();
  await expect(app.getByText("Connect a storefront or app")).toBeVisible();
  await expect(app.locator("body[data-same]")).toHaveCount(0);
});

test("the home page shows completed setup steps and today's numbers", MATRIX, async ({ arrive, store }) => {
  const shopper = await arrive();
  const shop = await shopper.open(COLLECTION);
  await press(heartOf(shop, productAt(0).handle));
  await store.token();

  const admin = await enter(await arrive(), "/app");
  const { app } = admin;
  await expect(app.getByText("2 of 5 steps completed")).toBeVisible();
  await expect(app.getByText("Items saved", { exact: true }).locator("xpath=following-sibling::*")).toHaveText("1");
  for (const [button, block] of [
    ["Add to product cards", "wishlist-embed"],
    ["Add to product pages", "wishlist-button"],
  ] as const) {
    await app.getByRole("button", { name: "Show all steps" }).click();
    await app.getByRole("link", { name: button }).click();
    await expect(admin.page.getByText(`blocks/${block}.liquid`)).toBeVisible();
    await expect(admin.page.getByText("(from the app's link)")).toHaveCount(1);
    await admin.open("/app");
  }
  // The blocks are still in the theme, but disabled.
  for (const block of ["wishlist-embed", "wishlist-button"]) await store.control("block", { block, on: false });
  await admin.open("/app");
  await expect(app.getByText("1 of 5 steps completed")).toBeVisible();
  await app.getByRole("button", { name: "Dismiss" }).click();
  await expect(app.getByText("Your theme shows no wishlist buttons.")).toBeVisible();
  await expectAccessible(admin);
  await expect(app.getByRole("link", { name: "Add to theme" })).toBeVisible();
  await store.control("block", { block: "wishlist-embed", on: true });
  await admin.open("/app");
  await expect(app.getByText("Your theme shows wishlist buttons.")).toBeVisible();
});

test(
  "the home page shows a disabled webhook, an expiring key and the product sync",
  MATRIX,
  async ({ arrive, store: { database, token, shop } }) => {
    await token();
    await database.rows("UPDATE api_key SET expires_at = now() + interval '5 days'");
    await database.rows(
      `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at, disabled_at, disabled_reason)
     SELECT id, 'whk_1', 'https://erp.example.com/hook', '{wishlist.item.added}', '', now(), now(), 'gone' FROM shop WHERE domain = $1`,
      [shop],
    );
    const sync = "UPDATE catalog_sync SET seen = 30, total = 120";
    await database.rows(sync);
    await database.rows("UPDATE shop SET catalog = 'syncing' WHERE domain = $1", [shop]);
    const admin = await enter(await arrive(), "/app");
    const { app } = admin;
    await expect(app.getByText("The webhook to erp.example.com is turned off")).toBeVisible();
    await expect(app.getByText("The API key “Test” expires on")).toBeVisible();
    await expect(app.getByText("30 of 120")).toBeVisible();
    await expectAccessible(admin);
    await database.rows("UPDATE shop SET catalog = 'ready' WHERE domain = $1", [shop]);
    // The page polls.
    await expect(app.getByText("Syncing your products")).toHaveCount(0);
    expectValue(await app.getByText("The webhook to erp.example.com is turned off").count()).toBe(1);
  },
);
