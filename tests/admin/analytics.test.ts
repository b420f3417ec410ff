import { MATRIX } from "../support/matrix.ts";
import { text } from "node:stream/consumers";
import type { Locator, Route } from "playwright";
import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { COLLECTION, expect, heartOf, press, storedRecord, type Visitor } from "../e2e/fixtures/visitor.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { enter, expectAccessible, expectAccessibleOnAllSizes, pathOf, type Admin } from "./fixtures.ts";

const PAGE = "/app/analytics";

/** SQL: the current time, $5 days ago in the shop's time zone, where days can have 23 or 25 hours. */
const DAYS_AGO = "(now() AT TIME ZONE time_zone - make_interval(days => $5)) AT TIME ZONE time_zone";

/** Adds or removes a product for a customer as if it happened days ago. */
async function changeInPast(
  { database, shop }: LiveStore,
  change: "add" | "remove",
  index: number,
  customerId: string,
  ago: number,
) {
  const { productId, variants } = productAt(index);
  await database.rows(
    `SELECT wishlist_${change}(id, 'customer', $2, $3, $4, 'api', ${DAYS_AGO}) FROM shop WHERE domain = $1`,
    [shop, customerId, productId, variants[0]?.variantId, ago],
  );
}

/** Sets the installation date, because the tests share a shop. */
async function setInstalled({ database }: LiveStore, daysAgo: number): Promise<void> {
  await database.rows("UPDATE shop SET installed_at = now() - make_interval(days => $1)", [daysAgo]);
}

/** Saves a product in the store and adds it to the cart. */
async function saveAndAddToCart(shopper: Visitor, index: number): Promise<void> {
  const { handle, productId, variants } = productAt(index);
  const page = await shopper.open(COLLECTION);
  await press(heartOf(page, handle));
  const record = await storedRecord(page, 1);
  const status = await page.evaluate(
    async ({ state, item }) => {
      const { guest } = JSON.parse(state) as { guest?: string };
      const body = JSON.stringify({
        guestId: guest,
        event_id: "once",
        items: [{ product_id: item.productId, variant_id: item.variantId }],
      });
      const headers = { "content-type": "application/json" };
      return (await fetch("/apps/wishlist/api/recordCart", { method: "POST", headers, body })).status;
    },
    { state: record, item: { productId, variantId: variants[0]?.variantId ?? "" } },
  );
  expectValue(status).toBe(200);
}

function figure({ app }: Admin, label: string): Locator {
  return app.getByRole("heading", { name: label, exact: true }).locator("xpath=following-sibling::p[1]");
}

function changeOf({ app }: Admin, label: string): Locator {
  return app.getByRole("heading", { name: label, exact: true }).locator("xpath=following-sibling::div/p");
}

/** Returns the rows of the chart's data table. */
async function tableRows({ app }: Admin): Promise<string[][]> {
  const rows = app
    .getByRole("table")
    .filter({ has: app.locator("caption") })
    .locator("tbody tr");
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
}

interface Day {
  date: string;
  itemsAdded: number;
  itemsRemoved: number;
  uniqueShoppers: number;
  addToCartFromWishlist: number;
}

async function report<Data>(store: LiveStore, token: string, path: string): Promise<Data> {
  return (await store.call("GET", `/v1/analytics/${path}`, { token })).data<Data>();
}

function sum(days: readonly Day[], of: Exclude<keyof Day, "date">): number {
  return days.reduce((all, day) => all + day[of], 0);
}

test("the analytics pages and the CSV show the API's numbers for each period", async ({ arrive, store }) => {
  const token = await store.token();
  for (const [index, ago] of [
    [0, 400],
    [1, 300],
    [0, 60],
    [2, 20],
    [1, 20],
    [0, 5],
    [3, 5],
  ] as const) {
    await changeInPast(store, "add", index, `c${ago}`, ago);
  }
  await changeInPast(store, "remove", 2, "c20", 10);
  await saveAndAddToCart(await arrive(), 0);
  const json = { product_id: productAt(0).productId };
  for (const customer of ["c1", "c2"]) await store.call("POST", `/v1/wishlists/${customer}/items`, { token, json });
  await store.call("DELETE", `/v1/wishlists/c1/items/${json.product_id}`, { token });

  const admin = await enter(await arrive(), PAGE);
  const { app, page } = admin;
  await app.getByRole("button", { name: "Show table" }).click();
  for (const period of [30, 7, 90, 365]) {
    await app.getByLabel("Period", { exact: true }).selectOption(String(period));
    await expect.poll(() => pathOf(admin)).toBe(period === 30 ? PAGE : `${PAGE}?period=${period}`);
    const overview = await report<Record<string, number>>(store, token, `overview?days=${period}`);
    const { days } = await report<{ days: Day[] }>(store, token, `daily?days=${period}`);
    for (const [label, value] of [
      ["Items saved", sum(days, "itemsAdded")],
      ["Items removed", sum(days, "itemsRemoved")],
      ["Net change", overview["totalWishlistedItems"]],
      ["Active shoppers", overview["activeShoppers"]],
      ["Added to cart", sum(days, "addToCartFromWishlist")],
      ["Wishlist-to-cart rate", `${String(overview["wishlistToCartRate"])}%`],
    ] as const) {
      await expect(figure(admin, label)).toHaveText(String(value));
    }
    const rows = await tableRows(admin);
    if (period < 365) {
      const numbers = days
        .toReversed()
        .map((day) => [day.itemsAdded, day.itemsRemoved, day.addToCartFromWishlist, day.uniqueShoppers].map(String));
      await expect.poll(async () => (await tableRows(admin)).map((row) => row.slice(1))).toEqual(numbers);
    } else {
      await expect(app.getByRole("heading", { name: "Activity by week" })).toBeVisible();
      await expect.poll(async () => (await tableRows(admin)).length).toBe(52);
      const total = (await tableRows(admin)).reduce((all, row) => all + Number(row[1]), 0);
      expectValue(total).toBe(sum(days, "itemsAdded"));
    }
    expectValue(rows.length).toBeGreaterThan(0);
  }

  const downloading = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export CSV: activity by day" }).click();
  const file = await downloading;
  const { days } = await report<{ days: Day[] }>(store, token, "daily?days=365");
  const [oldest = "", today = ""] = [days[0]?.date, days.at(-1)?.date];
  expectValue(file.suggestedFilename()).toBe(`wishlist-daily-larkfell-outdoor-${oldest}-to-${today}.csv`);
  const [, ...lines] = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expectValue(lines).toEqual(
    days.map((day) =>
      [day.date, day.itemsAdded, day.itemsRemoved, day.uniqueShoppers, day.addToCartFromWishlist].join(","),
    ),
  );
  await expect(page.getByText("CSV exported")).toBeVisible();

  const { products } = await report<{ products: { productId: string; wishlistCount: number }[] }>(
    store,
    token,
    "top-products",
  );
  const counts = app.getByRole("table").last().locator("tbody tr td:last-child");
  await expect(counts).toHaveText(products.map(({ wishlistCount }) => String(wishlistCount)));
  await app
    .getByRole("link", { name: productAt(0).title })
    .last()
    .click();
  await expect.poll(() => pathOf(admin)).toBe(`${PAGE}/products/${productAt(0).productId}?period=365`);
  const { wishlistCount } = await report<{ wishlistCount: number }>(store, token, `product/${productAt(0).productId}`);
  await expect(figure(admin, "Saves")).toHaveText(String(wishlistCount));
  await expect(figure(admin, "New saves")).toHaveText("5");
  await expect(figure(admin, "Removals")).toHaveText("1");
  await expect(figure(admin, "Added to cart")).toHaveText("1");
});

test("a comparison with days before the installation shows no data", MATRIX, async ({ visitor, store }) => {
  await setInstalled(store, 10);
  await changeInPast(store, "add", 0, "a", 1);
  const admin = await enter(visitor, `${PAGE}?period=7&compare=1`);
  for (const label of ["Items saved", "Net change", "Active shoppers", "Wishlist-to-cart rate"]) {
    await expect(changeOf(admin, label)).toHaveText("Previous period: no data");
  }
  await expect(admin.app.getByText("Previous period", { exact: true })).toHaveCount(0);
  // The previous period now starts on the day of the installation.
  await setInstalled(store, 13);
  await admin.reload();
  await expect(changeOf(admin, "Items saved")).toHaveText("Up from 0");
});

test("the URL keeps the period and comparison across reload and Back", MATRIX, async ({ visitor, store }) => {
  await setInstalled(store, 365);
  await changeInPast(store, "add", 0, "a", 8);
  await changeInPast(store, "add", 1, "a", 9);
  await changeInPast(store, "add", 0, "b", 1);
  const admin = await enter(visitor, `${PAGE}?period=12&compare=yes`);
  const { app, page } = admin;
  const picker = app.getByLabel("Period", { exact: true });
  await expect(picker).toHaveValue("30");
  await picker.selectOption("7");
  await expect(figure(admin, "Items saved")).toHaveText("1");
  await app.getByLabel("Compare to previous period").check();
  await expect(changeOf(admin, "Items saved")).toHaveText("Down 50% from 2");
  await expect(changeOf(admin, "Active shoppers")).toHaveText("No change");
  await expect.poll(() => pathOf(admin)).toBe(`${PAGE}?period=7&compare=1`);
  await expect(app.getByLabel("Compare to previous period")).toBeChecked();
  await picker.selectOption("90");
  await expect(figure(admin, "Items saved")).toHaveText("3");
  await page.goBack();
  await expect(picker).toHaveValue("7");
  await expect(figure(admin, "Items saved")).toHaveText("1");
});

test("fields for dates that are opened while a period loads stay open", MATRIX, async ({ visitor, store }) => {
  await setInstalled(store, 365);
  await changeInPast(store, "add", 0, "a", 1);
  await changeInPast(store, "add", 1, "a", 40);
  const admin = await enter(visitor, PAGE);
  const { app, page } = admin;
  const held = new Promise<Route>((resolve) => void page.route(/\/app\/analytics\.data\?.*period=90/, resolve));
  const picker = app.getByLabel("Period", { exact: true });
  await picker.selectOption("90");
  const request = await held;
  await picker.selectOption("custom");
  await expect(app.getByLabel("First day")).toBeVisible();
  await request.continue();
  await expect(figure(admin, "Items saved")).toHaveText("2");
  await admin.quiet();
  await expect(picker).toHaveValue("custom");
  await expect(app.getByLabel("First day")).toBeVisible();
});

test("custom dates in the URL survive the navigation among the analytics pages", MATRIX, async ({ visitor, store }) => {
  await setInstalled(store, 365);
  await changeInPast(store, "add", 0, "a", 8);
  await changeInPast(store, "add", 0, "b", 1);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const admin = await enter(visitor, PAGE);
  const { app, page } = admin;
  await app.getByLabel("Period", { exact: true }).selectOption("custom");
  await app.getByLabel("First day").fill(day(12));
  await app.getByLabel("Last day").fill(day(4));
  await app.getByRole("button", { name: "Show dates" }).click();
  const query = `?from=${day(12)}&to=${day(4)}`;
  await expect.poll(() => pathOf(admin)).toBe(PAGE + query);
  await expect(figure(admin, "Items saved")).toHaveText("1");
  await expect(figure(admin, "Active shoppers")).toHaveText("1");
  await expect(app.getByText("Today, so far")).toHaveCount(0);
  await app
    .getByRole("link", { name: productAt(0).title })
    .last()
    .click();
  await expect.poll(() => pathOf(admin)).toBe(`${PAGE}/products/${productAt(0).productId}${query}`);
  await expect(figure(admin, "New saves")).toHaveText("1");
  await page.getByRole("button", { name: "Analytics" }).click();
  await expect.poll(() => pathOf(admin)).toBe(PAGE + query);
  await expect(app.getByLabel("First day")).toHaveValue(day(12));

  await app.getByLabel("Last day").fill(day(20));
  await app.getByRole("button", { name: "Show dates" }).click();
  await expect(app.getByText("The first day is after the last day.")).toBeVisible();
  await expect(figure(admin, "Items saved")).toHaveText("2");
  await expectAccessible(admin);
});

test("a product page lists out-of-stock variants first and links to Shopify", async ({ visitor, store }) => {
  const { productId, variants, title } = productAt(0, (product) => product.variants.length > 1);
  const [first, second] = variants;
  const save = (id: string, variant: string | undefined, customerId: string) =>
    store.database.rows("SELECT wishlist_add(id, 'customer', $2, $3, $4, 'api', now()) FROM shop WHERE domain = $1", [
      store.shop,
      customerId,
      id,
      variant,
    ]);
  for (const customerId of ["a", "b"]) await save(productId, first?.variantId, customerId);
  await save(productId, second?.variantId, "a");
  const odd = `../%2F<img src=x onerror=alert(1)>?.data`.replaceAll(" ", "_");
  await save(odd, "1", "a");
  const stocked = await store.database.rows<{ id: string; available: boolean }>(
    "SELECT variant_id AS id, available FROM variant WHERE product_id = $1",
    [productId],
  );
  await store.database.rows("UPDATE variant SET available = variant_id <> $2 WHERE product_id = $1", [
    productId,
    second?.variantId,
  ]);
  const admin = await enter(visitor, PAGE);
  const { app, page, open } = admin;
  await expect(app.getByText("Not in your catalog")).toBeVisible();
  await app.getByRole("link", { name: `Product ${odd}` }).click();
  await expect(app.getByText("This product isn't in your catalog")).toBeVisible();
  await admin.reload();
  await expect(figure(admin, "Saves")).toHaveText("1");
  await expect(page.getByRole("button", { name: "View in Shopify" })).toHaveCount(0);
  await page.getByRole("button", { name: "Analytics" }).click();

  // The first link is in the out-of-stock list.
  await app.getByRole("link", { name: title }).first().click();
  await expect(app.getByText("1 variant is out of stock and listed first.")).toBeVisible();
  await expect(app.locator("tbody tr").first()).toContainText("Out of stock");
  await expect(app.locator("tbody tr").nth(1)).toContainText("In stock");
  await app.getByLabel("Period", { exact: true }).selectOption("7");
  await expect.poll(() => pathOf(admin)).toBe(`${PAGE}/products/${productId}?period=7`);
  for (const { id, available } of stocked) {
    await store.database.rows("UPDATE variant SET available = $2 WHERE variant_id = $1", [id, available]);
  }

  await expect(app.getByText("2 customers have it in a list now.")).toBeVisible();
  await app.getByRole("link", { name: "View customers" }).click();
  await expect.poll(() => pathOf(admin)).toBe(`${PAGE}/products/${productId}/customers`);
  await expect(app.locator("tbody tr")).toHaveCount(3);
  await expect(app.locator("tbody tr").first()).toContainText("Customer a");
  await expectAccessible(admin);
  const downloaded = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export CSV: customers who saved it" }).click();
  expectValue((await downloaded).suggestedFilename()).toMatch(/^wishlist-customers-\d+-larkfell-outdoor-.*\.csv$/);
  await app.locator("tbody tr").first().getByRole("link").click();
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/wishlists\/\d+$/);

  await open(`${PAGE}/products/unknown/customers`);
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  visitor.expectFailures(`404 GET ${PAGE}/products/unknown/customers`);
  await open(`${PAGE}/products/unknown`);
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  visitor.expectFailures(`404 GET ${PAGE}/products/unknown`);
  await admin.go(`${PAGE}/products/${productId}`);
  await page.getByRole("button", { name: "View in Shopify" }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  expectValue(new URL(page.url()).pathname).toBe(`/store/larkfell-outdoor/products/${productId}`);
});

test("the full lists of an empty store say what will be in them", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, `${PAGE}/out-of-stock`);
  const { app } = admin;
  await expect(app.getByText("Nothing is out of stock")).toBeVisible();
  await expectAccessible(admin);
  await admin.go(`${PAGE}/products`);
  await expect(app.getByText("No products are saved right now")).toBeVisible();
  await expectAccessible(admin);
});

test("a card that can't be loaded offers a retry and leaves the other cards", MATRIX, async ({ visitor, store }) => {
  await changeInPast(store, "add", 0, "a", 1);
  await store.database.rows("ALTER TABLE variant RENAME TO mislaid");
  const admin = await enter(visitor, PAGE);
  const { app } = admin;
  try {
    await expect(app.getByText("This section couldn't be loaded")).toBeVisible();
    await expect(figure(admin, "Items saved")).toHaveText("1");
    await expect(app.getByRole("link", { name: productAt(0).title })).toBeVisible();
    await expectAccessible(admin);
  } finally {
    await store.database.rows("ALTER TABLE mislaid RENAME TO variant");
  }
  await app.getByRole("button", { name: "Try again" }).click();
  await expect(app.getByText("Saved variants that shoppers can't buy right now.")).toBeVisible();
  await expect(app.getByText("This section couldn't be loaded")).toHaveCount(0);
});

test(
  "the analytics pages are accessible, fit phones and desktops, and do not shift",
  MATRIX,
  async ({ arrive, store }) => {
    const admin = await enter(await arrive({ reducedMotion: "reduce" }), PAGE);
    const { app, page, open } = admin;
    await expect(app.getByText("See what your shoppers want")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    for (let index = 0; index < 12; index++) await changeInPast(store, "add", index, "a", index % 9);
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift = "value" in entry && typeof entry.value === "number" ? entry.value : 0;
          document.documentElement.dataset["shift"] = String(
            Number(document.documentElement.dataset["shift"] ?? 0) + shift,
          );
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await setInstalled(store, 365);
    await open(`${PAGE}?period=7`);
    await expect(app.getByRole("table", { name: "Who uses wishlists, and where" })).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(app.getByRole("button", { name: /^Export CSV/ })).toHaveCount(0);
    await expect(app.getByLabel("Period", { exact: true })).toBeHidden();
    await page.emulateMedia({ media: "screen" });
    const chart = app.getByRole("application", { name: "Saved and removed per day" });
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await open(`${PAGE}?period=7&compare=1`);
      await expect(chart).toBeVisible();
      expectValue(Number(await app.locator("html").getAttribute("data-shift"))).toBeLessThanOrEqual(0.1);
    }
    await chart.focus();
    await page.keyboard.press("ArrowRight");
    await expect(app.getByRole("status").filter({ hasText: "previous period" })).toBeVisible();
    await app.getByRole("button", { name: "Show table" }).click();
    await expect(app.getByRole("region", { name: /^Wishlist activity by day/ })).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    for (const path of ["/products", "/out-of-stock", `/products/${productAt(0).productId}?period=365`]) {
      await admin.go(PAGE + path);
      await expect(app.locator("main")).toBeVisible();
      await expectAccessibleOnAllSizes(admin);
    }
  },
);
