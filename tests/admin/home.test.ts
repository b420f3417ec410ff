import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { turnOn } from "../support/app/alerts.ts";
import { enter, expectAccessibleOnAllSizes, pathOf, type Admin } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

/** Saves a product for a new customer. */
async function saveProduct(store: LiveStore): Promise<void> {
  const { customerId } = store.newCustomer();
  const { productId, variants } = productAt(0);
  const json = { product_id: productId, variant_id: variants[0]?.variantId };
  (await store.call("POST", `/v1/wishlists/${customerId}/items`, { token: await store.token(), json })).data();
}

/** Adds a webhook that receives price drops. */
async function addWebhook({ database, shop }: LiveStore, disabledReason: "paused" | null): Promise<void> {
  await database.rows(
    `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at, disabled_at, disabled_reason)
     SELECT id, 'whk_1', 'https://crm.example.com/hook', '{wishlist.alert.price_dropped}', '', now(),
            CASE WHEN $2::text IS NOT NULL THEN now() END, $2 FROM shop WHERE domain = $1`,
    [shop, disabledReason],
  );
}

/** Returns to the tab from another one, after which the page reloads its data at once. */
async function returnToTab({ app, quiet }: Admin): Promise<void> {
  // A reload that is under way would have begun before what the test has changed.
  await quiet();
  await app.locator("body").evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

test("the home page says what is saved, and what to do where nothing is known yet", async ({ arrive, store }) => {
  const admin = await enter(await arrive(), "/app");
  const { app } = admin;
  await expect(app.getByText("Nothing is saved right now.")).toBeVisible();
  await expect(app.getByText("Allow this app to read orders to see what customers bought")).toBeVisible();
  await expect(app.getByText("When a saved product sells out, it appears here")).toBeVisible();
  await expect(app.getByText("Alerts are off.")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await saveProduct(store);
  await returnToTab(admin);
  await expect(app.getByText("1 item, saved by 1 person")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
});

test("the home page lists what needs a hand with links to where it is mended", MATRIX, async ({ arrive, store }) => {
  const { database, shop } = store;
  await turnOn(await store.shopId(), ["price_dropped"]);
  await addWebhook(store, "paused");
  await database.rows(
    `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at)
     SELECT id, 'prq_1', 'data_request', 'w1', 'pending', now(), now() - interval '1 day' FROM shop WHERE domain = $1`,
    [shop],
  );
  const [billing] = await database.rows<{ plan: string | null; status: string | null }>(
    "SELECT plan, status FROM billing",
  );
  await database.rows("UPDATE billing SET plan = 'growth', status = 'frozen'");
  const admin = await enter(await arrive(), "/app");
  const { app } = admin;
  for (const [title, link, path] of [
    ["Your Growth subscription is frozen", "View plan", "/app/plan"],
    ["1 request for customer data overdue since", "View privacy requests", "/app/settings/privacy"],
    ["The webhook to crm.example.com is paused", "View webhook", "/app/webhooks/whk_1"],
    ["Some alerts have no receiver", "View alerts", "/app/alerts"],
  ] as const) {
    await expect(app.getByRole("heading", { name: title })).toBeVisible();
    await expect(app.getByRole("link", { name: link, exact: true }).first()).toHaveAttribute("href", path);
  }
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("link", { name: "View privacy requests" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/settings/privacy");
  await database.rows("UPDATE billing SET plan = $1, status = $2", [billing?.plan, billing?.status]);
});

test(
  "a part of the home page that can't be read leaves the others and can be tried again",
  MATRIX,
  async ({ arrive, store }) => {
    await saveProduct(store);
    const admin = await enter(await arrive(), "/app");
    const { app } = admin;
    // While the guide is open, the page polls.
    await app.getByRole("button", { name: "Dismiss" }).click();
    await expect(app.getByRole("button", { name: "Show setup guide" })).toBeVisible();
    await store.database.rows("ALTER TABLE revenue_daily RENAME TO revenue_daily_away");
    try {
      await admin.reload();
      await expect(app.getByText("This section couldn't be loaded")).toHaveCount(1);
      await expect(app.getByText("1 item, saved by 1 person")).toBeVisible();
      await expectAccessibleOnAllSizes(admin);
    } finally {
      await store.database.rows("ALTER TABLE revenue_daily_away RENAME TO revenue_daily");
    }
    await app.getByRole("button", { name: "Try again" }).click();
    await expect(app.getByText("This section couldn't be loaded")).toHaveCount(0);
  },
);

test("the setup guide follows what happens elsewhere, and shrinks to a line when it is complete", async ({
  arrive,
  store,
}) => {
  const admin = await enter(await arrive(), "/app");
  const { app, page } = admin;
  const primary = app.locator(".Polaris-Button--variantPrimary");
  await expect(app.getByText("1 of 5 steps completed")).toBeVisible();
  await expect(primary).toHaveText(["View your store"]);
  await app.getByRole("button", { name: "Mark as done" }).click();
  await expect(app.getByText("2 of 5 steps completed")).toBeVisible();
  await saveProduct(store);
  await returnToTab(admin);
  await expect(app.getByText("3 of 5 steps completed")).toBeVisible();
  await expect(primary).toHaveText(["Allow access to orders"]);
  await turnOn(await store.shopId(), ["price_dropped"]);
  await addWebhook(store, null);
  await returnToTab(admin);
  await expect(app.getByText("4 of 5 steps completed")).toBeVisible();
  await app.getByRole("button", { name: "Allow access to orders" }).first().click();
  await page
    .getByRole("dialog", { name: "Update permissions" })
    .getByRole("button", { name: "Update permissions" })
    .click();
  await expect(app.getByRole("heading", { name: "Setup is complete" })).toBeVisible();
  await expect(app.getByText("Add the wishlist page to your menu")).toHaveCount(0);
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Show steps" }).click();
  await app.getByRole("button", { name: "Show all steps" }).click();
  await expect(app.getByRole("heading", { name: "Create an API key" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Mark as not done" }).click();
  await expect(app.getByText("4 of 5 steps completed")).toBeVisible();
  await app.locator("body").evaluate("shopify.scopes.revoke(['read_orders'])");
});
