import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { enter, expectAccessibleOnAllSizes, type Admin } from "./fixtures.ts";

const ALERTS = "/app/alerts";

async function save({ page }: Admin): Promise<void> {
  await page.locator("#save-bar").getByRole("button", { name: "Save" }).click();
}

test("saved alert settings appear after a reload and in the audit log", async ({ visitor, store }) => {
  const admin = await enter(visitor, ALERTS);
  const { app, page } = admin;
  await expect(app.getByText("Alerts are off")).toBeVisible();
  await app.getByRole("checkbox", { name: "Price drops" }).check();
  await app.getByLabel("Smallest price drop").fill("15");
  await app.getByText("All customers who saved the product").click();
  await expect(app.getByText("You are responsible for the consent")).toBeVisible();
  await save(admin);
  await expect(page.getByText("Alert settings saved")).toBeVisible();
  await expect(app.getByText("Some alerts have no receiver")).toBeVisible();
  await admin.reload();
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
  await save(one);
  await expect(one.page.getByText("Alert settings saved")).toBeVisible();
  await two.app.getByLabel("Smallest price drop").fill("20");
  await save(two);
  await expect(two.app.getByText("Your settings weren't saved")).toBeVisible();
});

test("alert settings are disabled on a plan without alerts", async ({ visitor, store }) => {
  await store.database.rows("UPDATE shop SET plan = 'starter'");
  const { app } = await enter(visitor, ALERTS);
  await expect(app.getByText("Alerts require the Growth plan.")).toBeVisible();
  await expect(app.getByRole("checkbox", { name: "Price drops" })).toBeDisabled();
  await store.database.rows("UPDATE shop SET plan = 'growth'");
});

test("the alert log shows alerts with their outcome and filters them", async ({ visitor, store }) => {
  const { productId, title, variants } = productAt(0);
  await store.database.rows(
    `INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, reference_price, price, status,
                        reason, created_at, due_at, sent_at, opened_at)
     SELECT s.id, uuid_v7(), t.occurrence, t.kind, '7012503486663', 1, $1, $2, now(), 99, 79, t.status, t.reason, now(), now(), now(), t.opened
       FROM shop s, (VALUES (1, 'price_dropped', 'sent', NULL, now()), (2, 'low_stock', 'suppressed', 'cool_down', NULL))
              AS t(occurrence, kind, status, reason, opened)`,
    [productId, variants[0]?.variantId ?? ""],
  );
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
