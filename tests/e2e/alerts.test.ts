import { afterAll, beforeAll, expect as expectValue, test } from "vitest";
import { turnOn } from "../support/app/alerts.ts";
import { enter } from "../admin/fixtures.ts";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const product = productAt(0);

let store: LiveStore;

beforeAll(async () => {
  // Flow names a customer only to an app that may read customers; revenue needs orders.
  store = await openStore({
    devstore: { scopes: ["read_products", "write_app_proxy", "read_customers", "read_orders"] },
  });
});
afterAll(() => store.close());

test("a customer asks for price drops, gets an email, buys, which is revenue in Analytics, and ends them", async () => {
  await turnOn(await store.shopId(), ["price_dropped"]);
  await store.control("create-workflow", { trigger: "wishlist-price-dropped" });
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
  const email = inbox.getByText(`To ${customer.email}`);
  await expect
    .poll(async () => {
      await inbox.goto("https://admin.shopify.com/store/larkfell-outdoor/inbox");
      return email.count();
    })
    .toBe(1);
  await expect(inbox.getByText(`Product: ${product.title}`)).toBeVisible();
  const [withdrawal = ""] = /https:\S+\/withdraw/.exec(await inbox.locator("main").innerText()) ?? [];

  // The link leads to the product, without login.
  const reader = await Visitor.arrive(store);
  const opened = await reader.context.newPage();
  await opened.goto(withdrawal.replace("/withdraw", ""));
  await opened.waitForURL(`**/products/${product.handle}?variant=*`);

  await page.goto(`${store.url}/cart/${product.variants[0]?.variantId ?? ""}:1`);
  await page.goto(`${store.url}/checkout`);
  await page.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  const merchant = await Visitor.arrive(store);
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
