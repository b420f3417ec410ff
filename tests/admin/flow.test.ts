import { afterAll, beforeAll, expect as expectValue, test } from "vitest";
import { openStore, productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect, Visitor } from "../e2e/fixtures/visitor.ts";
import { turnOn } from "../support/app/alerts.ts";
import { enter, expectAccessibleOnAllSizes, inModal, pathOf } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

const product = productAt(0);
const PATH = "/app/webhooks/flow";

let store: LiveStore;

beforeAll(async () => {
  // Flow names a customer only to an app that may read customers.
  store = await openStore({ devstore: { scopes: ["read_products", "write_app_proxy", "read_customers"] } });
});
afterAll(() => store.close());

/** Saves a product for a customer while Shopify fails, and waits for an attempt to reach Flow. */
async function saveInVain(customerId: string): Promise<void> {
  const json = { product_id: product.productId, variant_id: product.variants[0]?.variantId };
  (await store.call("POST", `/v1/wishlists/${customerId}/items`, { token: await store.token(), json })).data();
  const failed = "SELECT 1 FROM webhook_attempt WHERE endpoint_id = 'flow' AND status = 500";
  await expect.poll(() => store.database.rows(failed)).not.toHaveLength(0);
}

test("Shopify Flow is shown beside webhooks with its triggers, and its deliveries can be sent again", async () => {
  const merchant = await Visitor.arrive(store);
  const admin = await enter(merchant, PATH);
  const { app, page } = admin;
  await expect(app.getByText("Create a workflow in Shopify Flow")).toBeVisible();
  await admin.go("/app/webhooks");
  await expect(app.getByText("Create a workflow in Shopify Flow")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);

  await store.control("create-workflow", { trigger: "wishlist-item-saved" });
  await store.control("faults", { faults: { graphql: "error" } });
  const { customerId } = store.newCustomer();
  await saveInVain(customerId);
  await admin.reload();
  await expect(app.getByText("Triggers in use: Item saved")).toBeVisible();
  await expect(app.getByText("Failing", { exact: true })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("link", { name: "View deliveries" }).click();
  await expect.poll(() => pathOf(admin)).toBe(PATH);
  await expect(app.getByText("are sent when Shopify Flow recovers")).toBeVisible();
  // The endpoint is Shopify's: there is nothing to edit, and no event that the app could invent.
  for (const name of ["Edit", "Delete", "Pause"]) await expect(page.getByRole("button", { name })).toHaveCount(0);
  for (const text of ["Rotate secret", "Send test"]) await expect(app.getByText(text)).toHaveCount(0);
  await expect(app.getByLabel("Event").locator("option")).toHaveCount(9);
  await expectAccessibleOnAllSizes(admin);

  await store.control("faults", { faults: { graphql: "none" } });
  await app.getByRole("row", { name: "Waiting" }).getByRole("link").click();
  await expect(app.getByText("Attempt 1: response 500")).toBeVisible();
  await expect(app.getByLabel("Body")).toContainText(`"customer_id": ${customerId}`);
  await expectAccessibleOnAllSizes(admin);
  await page.getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("Delivery queued")).toBeVisible();
  await expect(app.getByText("Succeeded")).toBeVisible();
  await page.goto("https://admin.shopify.com/store/larkfell-outdoor/flow");
  await expect(page.getByText(`"customer_id": ${customerId}`).first()).toBeVisible();
  await merchant.leave();
  merchant.expectNoComplaints();
});

test("deliveries to Shopify Flow that were turned off are turned on, and failed ones sent again", async () => {
  await store.database.rows(
    `WITH off AS (UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'failing', failing_since = now() - interval '5 days'
                   WHERE id = 'flow' RETURNING shop_id)
     UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL, redelivered_at = NULL
      WHERE shop_id = (SELECT shop_id FROM off) AND endpoint_id = 'flow' AND kind = 'event'`,
  );
  const merchant = await Visitor.arrive(store);
  const admin = await enter(merchant, "/app");
  const { app, page } = admin;
  await expect(app.getByText("The connection to Shopify Flow is turned off")).toBeVisible();
  await app.getByRole("link", { name: "View connection" }).click();
  await expect.poll(() => pathOf(admin)).toBe(PATH);
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Turn on and redeliver" }).click();
  await expect(page.getByText("Connection resumed. 1 delivery queued")).toBeVisible();
  await expect(app.getByText("On", { exact: true })).toBeVisible();
  await expect(app.getByRole("row", { name: "Redelivery" }).first()).toContainText("Succeeded");
  expectValue(
    await store.database.rows("SELECT details->>'name' AS name FROM audit WHERE action = 'webhook.resumed'"),
  ).toEqual([{ name: "Shopify Flow" }]);
  await merchant.leave();
  merchant.expectNoComplaints();
});

test("a withdrawn permission is named where it stops workflows, and granted there", MATRIX, async () => {
  for (const trigger of ["wishlist-item-saved", "wishlist-price-dropped"]) {
    await store.control("create-workflow", { trigger });
  }
  await turnOn(await store.shopId(), ["price_dropped"]);
  const merchant = await Visitor.arrive(store);
  const admin = await enter(merchant, "/app/wishlists");
  const { app, page } = admin;
  await app.getByRole("button", { name: "Withdraw access to customers" }).click();

  await expect(app.getByText("2 triggers of this app (Item saved, Alert: price drop)")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await inModal(admin, "Withdraw access").click();
  await expect(app.getByRole("button", { name: "Allow access to customers" })).toBeVisible();
  for (const path of ["/app/webhooks", PATH, "/app/alerts", "/app"]) {
    await admin.go(path);
    await expect(app.getByText("Flow needs access to customers")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
  }
  await expect(app.getByText("The connection to Shopify Flow is failing")).toHaveCount(0);
  await app.getByRole("button", { name: "Allow access to customers" }).click();
  await page
    .getByRole("dialog", { name: "Update permissions" })
    .getByRole("button", { name: "Update permissions" })
    .click();
  await expect(app.getByText("Flow needs access to customers")).toHaveCount(0);
  await merchant.leave();
  merchant.expectNoComplaints();
});

test("no form of a webhook's page changes the connection to Shopify Flow", async () => {
  const merchant = await Visitor.arrive(store);
  const { app } = await enter(merchant, "/app/webhooks");
  const configured = "SELECT id, url, events, secret_sealed, old_secret_sealed, disabled_at FROM webhook_endpoint";
  const before = await store.database.rows(configured);
  expectValue(before).toMatchObject([{ id: "flow" }]);
  const statuses = await app.locator("body").evaluate(async (_, path) => {
    const send = async (fields: Record<string, string>) => {
      const response = await fetch(`${path}.data`, { method: "POST", body: new URLSearchParams(fields) });
      return response.status;
    };
    return Promise.all(["pause", "delete", "rotate", "test", "save"].map((intent) => send({ intent })));
  }, PATH);
  expectValue(statuses).toEqual([400, 400, 400, 400, 400]);
  expectValue(await store.database.rows(configured)).toEqual(before);
  await merchant.leave();
});
