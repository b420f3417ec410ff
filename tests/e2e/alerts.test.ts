import { afterAll, beforeAll, expect as expectValue, test } from "vitest";
import { turnOn } from "../support/app/alerts.ts";
import { enter } from "../admin/fixtures.ts";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const product = productAt(0);

let store: LiveStore;

beforeAll(async () => {
  // Addresses of customers and revenue need the app's optional scopes.
  store = await openStore({
    devstore: { scopes: ["read_products", "write_app_proxy", "read_customers", "read_orders"], smtp: {} },
  });
});
afterAll(() => store.close());

/** Turns on emails of price drops in the admin. */
async function emailPriceDrops(merchant: Visitor): Promise<void> {
  const { app, page } = await enter(merchant, "/app/alerts/email");
  await expect(app.getByLabel("Sender's name")).toHaveValue("Larkfell Outdoor");
  await app.getByLabel("Price drops", { exact: true }).check();
  await page.locator("#save-bar").getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("link", { name: "View what was sent" })).toBeVisible();
  await app.getByLabel("Send a test to").fill("staff@example.com");
  await app.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Test sent")).toBeVisible();
}

test("a customer asks for price drops, gets an email, buys, which is revenue in Analytics, and ends them", async () => {
  await turnOn(await store.shopId(), ["price_dropped"]);
  const merchant = await Visitor.arrive(store);
  await emailPriceDrops(merchant);
  const shopper = await Visitor.arrive(store);
  const customer = store.newCustomer();
  const page = await shopper.open("/");
  await shopper.logIn(page, customer);
  await shopper.visit(page, COLLECTION);
  await press(heartOf(page, product.handle));
  await expectSaved(heartOf(page, product.handle));

  await shopper.visit(page, WISHLIST);
  await page.getByText("Alerts", { exact: true }).click();
  await page.getByLabel("Tell me when a price drops").check();
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect(page.getByText("Your alerts are saved")).toBeVisible();
  await expect(page).toHaveURL(store.url + WISHLIST);
  await page.reload();
  await page.getByText("Alerts", { exact: true }).click();
  await expect(page.getByLabel("Tell me when a price drops")).toBeChecked();

  await store.control("lower-price", { productId: product.productId });
  const inbox = await shopper.context.newPage();
  const email = inbox.getByText(customer.email).first();
  await expect
    .poll(async () => {
      await inbox.goto("https://admin.shopify.com/store/larkfell-outdoor/inbox");
      return email.count();
    })
    .toBe(1);
  const message = inbox.frameLocator('iframe[title="Message"]');
  await expect(message.getByRole("link", { name: product.title })).toBeVisible();
  const hrefOf = (name: string) => message.getByRole("link", { name }).getAttribute("href");
  const withdrawal = (await hrefOf("Unsubscribe")) ?? "";

  // The link leads to the product, without login.
  const reader = await Visitor.arrive(store);
  const opened = await reader.context.newPage();
  await opened.goto((await hrefOf("View product")) ?? "");
  await opened.waitForURL(`**/products/${product.handle}?variant=*`);

  await page.goto(`${store.url}/cart/${product.variants[0]?.variantId ?? ""}:1`);
  await page.goto(`${store.url}/checkout`);
  await page.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  const { app, reload, open } = await enter(merchant, "/app/analytics");
  await expect
    .poll(async () => {
      await reload();
      return app.getByText("Of 1 order in your store").count();
    })
    .toBe(1);
  const earned = app.getByRole("table", { name: "Products with the highest revenue from wishlists" });
  await expect(earned.getByRole("row", { name: product.title })).toBeVisible();
  await open("/app/alerts/log");
  await app.getByRole("link", { name: product.title }).click();
  await expect(app.getByText("bought for €").first()).toBeVisible();
  await expect(app.getByText("Email: sent").first()).toBeVisible();

  await opened.goto(withdrawal);
  await opened.getByRole("button", { name: "End messages" }).click();
  await expect(opened.getByText("You will get no more of these messages")).toBeVisible();
  const path = `/v1/wishlists/${customer.customerId}/alerts`;
  const choices = await store.call("GET", path, { token: await store.token() });
  expectValue(choices.data<{ alerts: { kind: string; on: boolean }[] }>().alerts[0]).toMatchObject({
    kind: "price_dropped",
    on: false,
  });
});
