import type { FrameLocator, Page } from "playwright";
import { afterAll, beforeAll, expect as expectValue, test } from "vitest";
import type { SeedProduct } from "../../prisma/seed/model.ts";
import { turnOn } from "../support/app/alerts.ts";
import { enter } from "../admin/fixtures.ts";
import { until } from "../support/until.ts";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const product = productAt(0);

type Frame = Awaited<ReturnType<typeof enter>>;

let store: LiveStore;

beforeAll(async () => {
  // Addresses of customers and revenue need the app's optional scopes.
  store = await openStore({
    devstore: { scopes: ["read_products", "write_app_proxy", "read_customers", "read_orders"], smtp: {} },
  });
});
afterAll(() => store.close());

/** Turns on emails of a kind in the admin. */
async function emailKind(merchant: Visitor, kind: "Price drops" | "Back in stock" | "Reminders"): Promise<Frame> {
  const entered = await enter(merchant, "/app/alerts/email");
  const { app, page } = entered;
  await expect(app.getByLabel("Sender's name")).toHaveValue("Larkfell Outdoor");
  await app.getByLabel(kind, { exact: true }).check();
  await page.locator("#save-bar").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Email settings saved")).toBeVisible();
  return entered;
}

async function sendTest({ app, page }: Frame): Promise<void> {
  await app.getByLabel("Send a test to").fill("staff@example.com");
  await app.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Test sent")).toBeVisible();
}

/** Opens the inbox of the devstore's mail server, which shows the newest message, once that is one to an address. */
async function openMessage(inbox: Page, to: string, subject = ""): Promise<FrameLocator> {
  const shown = inbox.getByRole("article").filter({ hasText: to }).filter({ hasText: subject });
  await expect
    .poll(async () => {
      await inbox.goto("https://admin.shopify.com/store/larkfell-outdoor/inbox");
      return shown.count();
    })
    .toBe(1);
  return inbox.frameLocator('iframe[title="Message"]');
}

function linkIn(message: FrameLocator, name: string): Promise<string> {
  return message
    .getByRole("link", { name })
    .getAttribute("href")
    .then((href) => href ?? "");
}

async function buy(page: Page, { variants }: SeedProduct, email?: string): Promise<void> {
  await page.goto(`${store.url}/cart/${variants[0]?.variantId ?? ""}:1`);
  await page.goto(`${store.url}/checkout`);
  if (email !== undefined) await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
}

/** Finds a purchase in the merchant's reports, and as the outcome of its alert. */
async function expectRevenue(merchant: Visitor, { title }: SeedProduct): Promise<void> {
  const { app, reload, open } = await enter(merchant, "/app/analytics");
  const earned = app.getByRole("table", { name: "Products with the highest revenue from wishlists" });
  await expect
    .poll(async () => {
      await reload();
      return earned.getByRole("row", { name: title }).count();
    })
    .toBe(1);
  await open("/app/alerts/log");
  await app.getByRole("link", { name: title }).click();
  await expect(app.getByText("bought for €").first()).toBeVisible();
  await expect(app.getByText("Email: sent").first()).toBeVisible();
}

test("a customer asks for price drops, gets an email, buys, which is revenue in Analytics, and ends them", async () => {
  await turnOn(await store.shopId(), ["price_dropped"]);
  const merchant = await Visitor.arrive(store);
  await sendTest(await emailKind(merchant, "Price drops"));
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
  const message = await openMessage(inbox, customer.email);
  await expect(message.getByRole("link", { name: product.title })).toBeVisible();
  const withdrawal = await linkIn(message, "Unsubscribe");

  // The link leads to the product, without login.
  const reader = await Visitor.arrive(store);
  const opened = await reader.context.newPage();
  await opened.goto(await linkIn(message, "View product"));
  await opened.waitForURL(`**/products/${product.handle}?variant=*`);

  await buy(page, product);
  await expectRevenue(merchant, product);

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

test("a guest asks for a sold-out product, confirms in the inbox, is told when it is back and buys it, which is revenue", async () => {
  const sought = productAt(1);
  const email = "guest@example.com";
  await turnOn(await store.shopId(), ["price_dropped", "back_in_stock"], { version: 1 });
  const merchant = await Visitor.arrive(store);
  await emailKind(merchant, "Back in stock");
  await store.control("sell-out", { productId: sought.productId });
  await untilAvailable(sought, false);

  const guest = await Visitor.arrive(store);
  const page = await guest.open(`/products/${sought.handle}`);
  await page.getByRole("button", { name: "Tell me when it is back" }).first().click();
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Tell me", exact: true }).click();
  await expect(page.getByText("Check your inbox")).toBeVisible();

  const inbox = await guest.context.newPage();
  const confirmation = await openMessage(inbox, email, "Please confirm");
  await page.goto(await linkIn(confirmation, "Confirm"));
  await expect(page.getByRole("heading", { name: "when this is back in stock?" })).toBeVisible();
  await expect(page.getByText(sought.title).last()).toBeVisible();
  await page.getByRole("button", { name: "Yes, email me" }).click();
  await expect(page.getByText("We will email you")).toBeVisible();

  await store.control("restock", { productId: sought.productId, quantity: 5 });
  await untilAvailable(sought, true);
  // Five minutes pass.
  await until("the return to stock", async () => {
    const due = await store.database.rows(
      "UPDATE alert_occurrence SET due_at = now() WHERE product_id = $1 AND status = 'open' RETURNING id",
      [sought.productId],
    );
    return due.length > 0;
  });
  await store.database.rows("UPDATE alert_settings SET due_at = now()");
  const alert = await openMessage(inbox, email, "back in stock");
  await page.goto(await linkIn(alert, "View product"));
  await page.waitForURL(`**/products/${sought.handle}?variant=*`);
  await buy(page, sought, email);
  await expectRevenue(merchant, sought);
  guest.expectNoComplaints();
});

test("emails that stop for lack of a permission are named in the admin, which offers it again", MATRIX, async () => {
  const merchant = await Visitor.arrive(store);
  const { app, page, open } = await emailKind(merchant, "Reminders");
  await store.database.rows(
    `INSERT INTO alert_settings (shop_id, kinds, version) SELECT id, '{reminder_due}', 1 FROM shop
     ON CONFLICT (shop_id) DO UPDATE SET kinds = EXCLUDED.kinds`,
  );
  await app.locator("body").evaluate("shopify.scopes.revoke(['read_customers'])");
  await store.control("await-deliveries");
  const title = app.getByText("Email needs access to customers");
  await open("/app");
  await expect(title).toBeVisible();
  await expect(app.getByText("Some alerts have no receiver")).toHaveCount(0);
  await open("/app/alerts");
  await expect(title).toBeVisible();
  await expect(app.getByRole("link", { name: "Edit email" })).toBeVisible();
  await app.getByRole("button", { name: "Allow access to customers" }).click();
  await page.getByRole("button", { name: "Update permissions" }).click();
  await expect(title).toHaveCount(0);
  merchant.expectNoComplaints();
});

/** Waits until the app knows whether a product can be bought. */
async function untilAvailable({ variants }: SeedProduct, isAvailable: boolean): Promise<void> {
  await until("the stock", async () => {
    const [row] = await store.database.rows<{ available: boolean }>(
      "SELECT available FROM variant WHERE variant_id = $1",
      [variants[0]?.variantId],
    );
    return row?.available === isAvailable;
  });
}
