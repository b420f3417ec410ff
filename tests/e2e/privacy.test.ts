import type { Locator, Page } from "playwright";
import { expect as expectValue } from "vitest";
import { z } from "zod";
import { dump } from "../support/database/dump.ts";
import { until } from "../support/until.ts";
import { test } from "./fixtures/journey.ts";
import { productAt, type LiveStore, type Login } from "./fixtures/live-store.ts";
import { expect, saveAll, share, storedRecord, WISHLIST, type Visitor } from "./fixtures/visitor.ts";

const [first, second, third] = [productAt(0), productAt(1), productAt(2)];

/**
 * Creates a customer who saved items as a guest, logged in, saved more and shared.
 * @returns the link and the guest's id
 */
async function history(visitor: Visitor, customer: Login): Promise<{ link: string; guest: string }> {
  const page = await visitor.open("/");
  await saveAll(visitor, page, [first]);
  const { guest } = z.object({ guest: z.string() }).parse(JSON.parse(await storedRecord(page, 1)));
  await visitor.logIn(page, customer);
  await saveAll(visitor, page, [second]);
  await visitor.visit(page, WISHLIST);
  const link = await share(page);
  await page.close();
  return { link, guest };
}

/** Selects the customer on the devstore's page and presses a button, which sends Shopify's webhook. */
async function ask(page: Page, label: string, { name }: Login): Promise<void> {
  await page.goto("https://larkfell-outdoor.myshopify.com/devstore");
  await page.getByLabel("Customer").selectOption({ label: name });
  const shown = page.waitForEvent("load");
  await page.getByRole("button", { name: label }).click();
  await shown;
}

/** Presses a button that saves a file. @returns the file */
async function download(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const downloaded = page.waitForEvent("download");
  await button.click();
  const file = await downloaded;
  const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString();
  return { name: file.suggestedFilename(), text };
}

async function completed({ database }: LiveStore, kind: string): Promise<string> {
  return until(`the ${kind}`, async () => {
    const [row] = await database.rows<{ id: string }>(
      "SELECT id FROM privacy_request WHERE kind = $1 AND status = 'completed'",
      [kind],
    );
    return row?.id;
  });
}

test("a customer's data can be downloaded by the merchant and is erased on Shopify's request", async ({
  store,
  visitor,
  arrive,
}) => {
  const [customer, other] = [store.newCustomer(), store.newCustomer()];
  const { link, guest } = await history(visitor, customer);
  const neighbour = await arrive();
  await neighbour.startSession(other);
  const page = await neighbour.context.newPage();
  await saveAll(neighbour, page, [third]);

  const merchant = await arrive();
  const admin = await merchant.context.newPage();
  await ask(admin, "Request customer's data", customer);
  await completed(store, "data_request");
  await admin.goto("https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist/app/settings/privacy");
  const frame = admin.frameLocator("#app-frame");
  await expect(frame.getByText("Ready to send")).toBeVisible();
  const readable = await download(admin, frame.getByRole("button", { name: /^Download data of/ }));
  expectValue(readable.name).toMatch(/^customer-data-.*\.html$/);
  expectValue(readable.text).toContain(first.title);
  await expect(frame.getByText("Downloaded", { exact: true })).toBeVisible();
  await frame.getByRole("button", { name: /^Mark as sent/ }).click();
  await expect(frame.getByText("Sent", { exact: true })).toBeVisible();
  const { name, text: record } = await download(admin, frame.getByRole("button", { name: /^Download as JSON/ }));
  expectValue(name).toMatch(new RegExp(`^customer-data-${customer.customerId}-\\d{4}-\\d{2}-\\d{2}\\.json$`));
  JSON.parse(record);
  for (const known of [customer.customerId, first.title, first.productId, second.title, second.productId]) {
    expectValue(record).toContain(known);
  }
  for (const foreign of [other.customerId, third.title, third.productId, new URL(link).pathname.split("/").at(-1)]) {
    expectValue(record).not.toContain(foreign);
  }

  await ask(admin, "Redact customer", customer);
  await completed(store, "redact");
  const left = await dump(store.database);
  for (const gone of [customer.customerId, guest]) expectValue(left).not.toContain(gone);
  // All data of another customer is kept.
  expectValue(await store.database.rows("SELECT owner_id FROM wishlist")).toEqual([{ owner_id: other.customerId }]);
  expectValue(await store.database.rows("SELECT product_id FROM wishlist_item")).toEqual([
    { product_id: third.productId },
  ]);
  for (const table of ["share_link", "merged_guest"]) {
    expectValue(await store.database.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
  }

  const after = await visitor.context.newPage();
  expectValue((await after.goto(link))?.status()).toBe(200);
  await expect(after.getByRole("heading", { level: 1 })).toHaveText("No wishlist found for this link");
  await visitor.visit(after, WISHLIST);
  await expect(after.getByText("Nothing saved yet")).toBeVisible();
});
