import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { endSession, enter, goTo, pathOf, reloadFrame, renewSession, save, type Admin } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

/** Creates a webhook. @returns its page's path */
async function webhookPage({ call, token }: LiveStore): Promise<string> {
  const json = { url: "https://hooks.example.com/wishlist", events: ["wishlist.item.added"] };
  const response = await call("POST", "/v1/webhooks", { token: await token(), json });
  return `/app/webhooks/${response.data<{ webhookId: string }>().webhookId}`;
}

async function expectPage(admin: Admin, title: string): Promise<void> {
  await expect(admin.app.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(admin.page.locator("#app-menu").getByRole("link", { name: "Webhooks" })).toBeVisible();
}

// tests/shopify/admin.test.ts shows that each page responds with 401 and has this error boundary. Here are the index, a page and one with a parameter.
test("pages recover from an ended session and from a reload of the frame", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, "/app");
  for (const path of ["/app", "/app/plan", await webhookPage(store)]) {
    await goTo(admin, path === "/app/plan" ? "/app" : "/app/plan");
    await endSession(admin);
    await goTo(admin, path);
    await expectPage(admin, "Your session has ended");
    await renewSession(admin);
    await reloadFrame(admin, () => admin.app.getByRole("button", { name: "Open the app again" }).click());
    const title = await admin.app.getByRole("heading", { level: 1 }).innerText();
    expectValue(title, path).not.toMatch(/Your session has ended|Something went wrong|Not found/);
    await expectPage(admin, title);
    expectValue(pathOf(admin)).toBe(path);
    await reloadFrame(admin);
    await expectPage(admin, title);

    const search = new URLSearchParams(await admin.app.locator("body").evaluate(() => location.search));
    expectValue([...search.keys()].sort(), path).toEqual(["embedded", "host", "locale", "shop"]);
    visitor.expectFailures(`401 GET ${path}.data`, `401 GET ${path}.data`);
  }
});

test("a page that failed to load opens after Try again", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, "/app");
  await admin.page.route(/\/app\/settings\.data/, (route) => route.abort());
  await goTo(admin, "/app/settings");
  await expectPage(admin, "Something went wrong");
  await admin.page.unroute(/\/app\/settings\.data/);
  await reloadFrame(admin, () => admin.app.getByRole("button", { name: "Try again" }).click());
  await expectPage(admin, "Settings");
  visitor.expectFailures("Failed to load resource: net::ERR_FAILED");
});

test(
  "a save that fails shows why in view, wherever the page is scrolled to, and keeps the values",
  MATRIX,
  async ({ visitor }) => {
    const admin = await enter(visitor, "/app/alerts");
    const { app, page } = admin;
    const field = app.getByLabel("Smallest price drop");
    await field.fill("7");
    const problem = app.getByText("The app can't be reached. Your changes may not have been saved. Try again.");
    await page.route(/\/app\/alerts\.data/, (route) => route.abort());
    for (const _ of [1, 2]) {
      await app.locator("body").evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expect(problem).not.toBeInViewport();
      await save(page);
      await expect(problem).toBeInViewport();
    }
    await page.unroute(/\/app\/alerts\.data/);
    await app.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("Alert settings saved")).toBeVisible();
    await expect(field).toHaveValue("7");
    visitor.expectFailures("Failed to load resource: net::ERR_FAILED", "Failed to load resource: net::ERR_FAILED");
  },
);

test("a page whose script was removed by a deploy reloads and opens", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, "/app/plan");
  let script: string | undefined;
  const body = admin.app.locator("body");
  const hasData = () =>
    body.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname === "/app/settings.data"),
    );
  await admin.page.route(/\/assets\/app\.settings\._index-/, async (route) => {
    // Only the open page belongs to the old build.
    if (script !== undefined) return route.continue();
    script = new URL(route.request().url()).pathname;
    // Remix logs an error of its own when the reload interrupts the page's data. The browser lists a resource once it has all of it.
    await expect.poll(hasData, { intervals: [20] }).toBe(true);
    return route.fulfill({ status: 404 });
  });
  await reloadFrame(admin, () => goTo(admin, "/app/settings"));
  await expectPage(admin, "Settings");
  expectValue(pathOf(admin)).toBe("/app/settings");
  visitor.expectFailures(
    `404 GET ${script ?? ""}`,
    `Error loading route module \`${script ?? ""}\`, reloading page...`,
    `TypeError: Failed to fetch dynamically imported module: ${SHOPIFY_ENV.SHOPIFY_APP_URL}${script ?? ""}`,
  );
});

// A toast disappears before everybody has read it, so Shopify allows none for errors.
test(
  "what fails in the browser says so where the merchant acted, until it succeeds",
  MATRIX,
  async ({ visitor, store }) => {
    const json = { product_id: productAt(0).productId };
    await store.call("POST", "/v1/wishlists/c1/items", { token: await store.token(), json });
    const admin = await enter(visitor, "/app/analytics");
    const { app, page } = admin;
    const failures = app.getByRole("alert");
    const toasts = page.locator(".toast");
    let isFirst = true;
    await page.route(/\/app\/analytics\/csv/, (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      return route.abort();
    });
    const exportButton = app.getByRole("button", { name: "Export CSV: activity by day" });
    await app.getByRole("button", { name: "Show table" }).click();
    await exportButton.click();
    await expect(failures).toHaveText("Couldn't export the CSV. Try again in a moment.");
    await expect(toasts).toHaveCount(0);
    await exportButton.click();
    await expect(toasts).toHaveText(/CSV exported/);
    await expect(failures).toHaveCount(0);
    visitor.expectFailures("Failed to load resource: net::ERR_FAILED");

    await goTo(admin, "/app/wishlists");
    await app.locator("body").evaluate(() => {
      shopify.scopes.request = () => Promise.reject(new Error("unreachable"));
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
    });
    await app.getByRole("button", { name: "Allow access to customers" }).click();
    await expect(failures).toHaveText("Couldn't change the permission. Try again.");
    await goTo(admin, "/app/api-keys/new");
    await app.getByLabel("Name").fill("Storefront");
    await save(page);
    await app.getByRole("button", { name: "Copy: Key ID" }).click();
    await expect(app.getByText("Couldn't copy. Select the text and copy it manually.")).toBeVisible();
  },
);

test("a Ctrl+click on a link opens the page in a new tab of Shopify's admin", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, "/app");
  await goTo(admin, "/app/plan");
  await goTo(admin, "/app");
  const opened = visitor.context.waitForEvent("page");
  await admin.app.getByRole("link", { name: "View analytics" }).click({ modifiers: ["Control"] });
  const tab = await opened;
  await expect(tab.frameLocator("#app-frame").getByRole("heading", { level: 1 })).toHaveText("Analytics");
  await expect.poll(() => pathOf({ ...admin, page: tab })).toBe("/app/analytics");
  // The link still works with a plain click.
  await admin.app.getByRole("link", { name: "View analytics" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/analytics");
});

test("the iframe's URL contains no token or signature after the page opened", async ({ visitor }) => {
  const { app } = await enter(visitor, "/app/analytics?period=90");
  const search = new URLSearchParams(await app.locator("body").evaluate(() => location.search));
  expectValue([...search.keys()].sort()).toEqual(["embedded", "host", "locale", "period", "shop"]);
});
