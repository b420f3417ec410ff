import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { z } from "zod";
import { dump } from "../support/dump.ts";
import { until } from "../support/until.ts";
import { openStore, productAt, type LiveStore, type Login } from "./fixtures/live-store.ts";
import { COLLECTION, expect, heartOf, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

let store: LiveStore;
let visitor: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  visitor = await Visitor.arrive(store);
});
afterEach(() => visitor.leave());

/** Somebody who saved something as a guest, logged in, saved more and shared it. @returns the link and the guest's id */
async function history(customer: Login): Promise<{ link: string; guest: string }> {
  const page = await visitor.open(COLLECTION);
  await press(heartOf(page, first.handle));
  const state = await page.evaluate(() => localStorage.getItem("wishlist") ?? "");
  const { guest } = z.object({ guest: z.string() }).parse(JSON.parse(state));
  await visitor.logIn(page, customer);
  await visitor.visit(page, COLLECTION);
  await press(heartOf(page, second.handle));
  await visitor.visit(page, WISHLIST);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Share link" });
  await expect(field).not.toHaveValue("");
  const link = await field.inputValue();
  await page.close();
  return { link, guest };
}

/** Presses a button of the devstore's page, which sends what Shopify sends. */
async function ask(label: string, { customerId }: Login): Promise<void> {
  const response = await fetch(`${store.devstore.url}/devstore/api/${label}`, {
    method: "POST",
    body: JSON.stringify({ customerId }),
  });
  expectValue(response.status).toBe(200);
  await store.control("settle");
}

async function completed(kind: string): Promise<string> {
  return until(`the ${kind}`, async () => {
    const [row] = await store.database.rows<{ id: string }>(
      "SELECT id FROM privacy_request WHERE kind = $1 AND status = 'completed'",
      [kind],
    );
    return row?.id;
  });
}

test("a customer's data becomes a record that the merchant downloads, and goes when Shopify asks", async () => {
  const customer = store.newCustomer();
  const { link, guest } = await history(customer);
  expectValue(await dump(store.database)).toContain(customer.customerId);

  await ask("data-request", customer);
  const request = await completed("data_request");
  const merchant = await Visitor.arrive(store);
  const admin = await merchant.context.newPage();
  await admin.goto("https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist/app");
  const frame = admin.frameLocator("#app-frame");
  await expect(frame.getByText("is connected")).toBeVisible();
  const record = await frame
    .locator("body")
    .evaluate(async (_, id) => (await fetch(`/app/privacy/${id}`)).text(), request);
  for (const known of [customer.customerId, first.title, second.productId]) expectValue(record).toContain(known);
  expectValue(record).not.toContain(new URL(link).pathname.split("/").at(-1));
  await merchant.leave();

  await ask("redact-customer", customer);
  await completed("redact");
  const left = await dump(store.database);
  for (const gone of [customer.customerId, guest]) expectValue(left).not.toContain(gone);
  for (const table of ["wishlist", "wishlist_item", "share_link", "folded_guest"]) {
    expectValue(await store.database.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
  }

  const page = await visitor.context.newPage();
  expectValue((await page.goto(link))?.status()).toBe(404);
  await visitor.visit(page, WISHLIST);
  await expect(page.getByText("Nothing saved yet")).toBeVisible();
  visitor.forgive(404);
});
