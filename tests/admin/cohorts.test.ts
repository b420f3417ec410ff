import { text as textOf } from "node:stream/consumers";
import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { enter, expectAccessibleOnAllSizes } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

/** Saves a product as a customer some days ago. */
async function saveInPast(store: LiveStore, customer: string, index: number, daysAgo: number): Promise<void> {
  const { productId, variants } = productAt(index);
  await store.database.rows(
    `SELECT wishlist_add(id, 'customer', $2, $3, $4, 'api', now() - $5::integer * interval '1 day') FROM shop WHERE domain = $1`,
    [store.shop, customer, productId, variants[0]?.variantId, daysAgo],
  );
}

test("the cohorts of new shoppers show their later weeks as numbers, on a phone as well", async ({ arrive, store }) => {
  for (const [index, daysAgo] of [20, 13, 6].entries()) await saveInPast(store, "a", index, daysAgo);
  await saveInPast(store, "b", 0, 20);
  const admin = await enter(await arrive(), "/app/analytics?period=30");
  const { app, page } = admin;
  const table = app.getByRole("table", { name: "New shoppers by the week of their first save" });
  const row = table.getByRole("row").filter({ has: app.getByRole("cell", { name: "2", exact: true }) });
  await expect(row.getByRole("cell", { name: "1 50%" }).first()).toBeVisible();
  await expect(row.getByRole("cell", { name: /^50%\s*1$/ })).toHaveCount(2);
  await expect(table.getByRole("row", { name: "All 2 1 50%" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await page.setViewportSize(PHONE);
  const list = app.getByRole("list", { name: "New shoppers by the week of their first save" });
  await expect(list.getByText("1 came back (50%)")).toBeVisible();
  await expect(list.getByText("Week 1", { exact: true }).first()).toBeVisible();
  await page.setViewportSize(DESKTOP);
  const downloading = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export CSV: new shoppers" }).click();
  const lines = (await textOf(await (await downloading).createReadStream())).trimEnd().split("\r\n");
  expectValue(lines.filter((line) => line.includes(",2,2,1,0,"))).toHaveLength(1);
});

test("a period without first saves says so", MATRIX, async ({ arrive, store }) => {
  await saveInPast(store, "a", 0, 20);
  await saveInPast(store, "a", 1, 2);
  const admin = await enter(await arrive(), "/app/analytics?period=7");
  await expect(admin.app.getByText("No shopper saved a first item in this period.")).toBeVisible();
  await expect(admin.app.getByRole("button", { name: "Export CSV: new shoppers" })).toHaveCount(0);
});

test("a period before the first save says since when new shoppers are counted", async ({ arrive, store }) => {
  await saveInPast(store, "a", 0, 20);
  const admin = await enter(await arrive(), "/app/analytics?from=2020-01-01&to=2020-01-31");
  const card = admin.app.getByRole("heading", { name: "New shoppers" }).locator("..");
  await expect(card.getByText(/^Counting began on .*\. Select a later period\.$/)).toBeVisible();
});
