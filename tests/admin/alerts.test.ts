import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { enter, expectAccessibleOnAllSizes, save } from "./fixtures.ts";

const ALERTS = "/app/alerts";

test("saved alert settings appear after a reload and in the audit log", async ({ visitor, store }) => {
  const admin = await enter(visitor, ALERTS);
  const { app, page } = admin;
  await expect(app.getByText("Alerts are off")).toBeVisible();
  await app.getByRole("checkbox", { name: "Price drops" }).check();
  await app.getByLabel("Smallest price drop").fill("15");
  await app.getByText("All customers who saved the product").click();
  await expect(app.getByText("You are responsible for the consent")).toBeVisible();
  await save(admin.page);
  await expect(page.getByText("Alert settings saved")).toBeVisible();
  await expect(app.getByText("Some alerts have no receiver")).toBeVisible();
  await expect(app.getByRole("link", { name: "Use Shopify Flow (no code)" })).toBeVisible();
  await app.getByRole("link", { name: "Add a webhook" }).click();
  await expect(app.getByRole("checkbox", { name: "Alert: price drop" })).toBeChecked();
  await expect(app.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await expect(app.getByRole("group").filter({ hasText: "Alert: price drop" })).toContainText("Alerts");
  await expectAccessibleOnAllSizes(admin);
  await admin.open(ALERTS);
  await expect(app.getByLabel("Smallest price drop")).toHaveValue("15");
  await expect(app.getByRole("checkbox", { name: "Price drops" })).toBeChecked();
  expectValue(
    await store.database.rows("SELECT details->>'name' AS name, details->>'to' AS to FROM audit ORDER BY id"),
  ).toEqual([
    { name: "the kinds of alerts", to: "price dropped" },
    { name: "the consent for alerts", to: "merchant managed" },
    { name: "the threshold of price drops in percent", to: "15" },
  ]);
  await expectAccessibleOnAllSizes(admin);
});

test("alert settings that another tab has changed are not overwritten", async ({ visitor }) => {
  const one = await enter(visitor, ALERTS);
  const two = await enter(visitor, ALERTS);
  await one.app.getByLabel("Smallest price drop").fill("15");
  await save(one.page);
  await expect(one.page.getByText("Alert settings saved")).toBeVisible();
  await two.app.getByLabel("Smallest price drop").fill("20");
  await save(two.page);
  await expect(two.app.getByText("Your settings weren't saved")).toBeVisible();
});

/** Stores an alert that was sent and opened, and one that was not sent. */
async function storeAlerts(store: LiveStore): Promise<void> {
  const { productId, variants } = productAt(0);
  await store.database.rows(
    `INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, reference_price, price, status,
                        reason, created_at, due_at, sent_at, opened_at)
     SELECT s.id, uuid_v7(), t.occurrence, t.kind, '7012503486663', 1, $1, $2, now(), 99, 79, t.status, t.reason, now(), now(), now(), t.opened
       FROM shop s, (VALUES (1, 'price_dropped', 'sent', NULL, now()), (2, 'low_stock', 'suppressed', 'cool_down', NULL))
              AS t(occurrence, kind, status, reason, opened)`,
    [productId, variants[0]?.variantId ?? ""],
  );
}

test("the alert log shows alerts with their outcome and filters them", async ({ visitor, store }) => {
  const { title } = productAt(0);
  await storeAlerts(store);
  const admin = await enter(visitor, `${ALERTS}/log`);
  const { app } = admin;
  const rows = app.getByRole("table", { name: "Alerts" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(title);
  await app.getByLabel("Outcome").selectOption("suppressed");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("The customer got another alert about the product shortly before.");
  await app.getByLabel("Outcome").selectOption("sent");
  await expect(rows.first()).toContainText("Opened");
  await expectAccessibleOnAllSizes(admin);
});

test("a plan without alerts offers them with the shop's figures and keeps results readable", async ({
  visitor,
  store,
}) => {
  const { productId, title, variants } = productAt(0);
  const [variant] = variants;
  await storeAlerts(store);
  await store.database.rows("UPDATE variant SET available = variant_id <> $1", [variant?.variantId]);
  const save = "SELECT wishlist_add(id, $1, $2, $3, $4, 'api', now()) FROM shop";
  for (const [kind, owner] of [
    ["customer", "a"],
    ["customer", "b"],
    ["guest", "c"],
  ]) {
    await store.database.rows(save, [kind, owner, productId, variant?.variantId]);
  }
  await store.database.rows("UPDATE shop SET plan = 'starter'");
  try {
    const admin = await enter(visitor, ALERTS);
    const { app } = admin;
    await expect(app.getByText(`3 people saved ${title}`)).toContainText(
      "which is sold out. 2 of them are customers, whom an alert could reach.",
    );
    await expect(app.getByText("Alerts require the Growth plan.")).toBeVisible();
    await expect(app.getByRole("checkbox")).toHaveCount(0);
    await expect(app.getByRole("table", { name: "Alerts by kind" })).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await app.getByRole("link", { name: "View alerts" }).click();
    await expect(app.getByRole("table", { name: "Alerts" })).toBeVisible();
  } finally {
    await store.database.rows("UPDATE shop SET plan = 'growth'");
    await store.database.rows("UPDATE variant SET available = true");
  }
});
