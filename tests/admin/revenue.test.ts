import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore, type Login } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { enter, expectAccessibleOnAllSizes } from "./fixtures.ts";

const ANALYTICS = "/app/analytics";

const { productId, title, variants } = productAt(0);
const [variant] = variants;

/** Saves the product for a customer. */
async function save(store: LiveStore): Promise<Login> {
  const customer = store.newCustomer();
  const path = `/v1/wishlists/${customer.customerId}/items`;
  (await store.call("POST", path, { token: await store.token(), json: { product_id: productId } })).data();
  return customer;
}

test("a merchant allows access to orders, and sees what a saved item earned", async ({ arrive, store }) => {
  const { customerId } = await save(store);
  const admin = await enter(await arrive(), ANALYTICS);
  const { app, page } = admin;
  await app.getByRole("button", { name: "Allow access to orders" }).click();
  const dialog = page.getByRole("dialog", { name: "Update permissions" });
  await expect(dialog.getByText("read orders")).toBeVisible();
  await dialog.getByRole("button", { name: "Update permissions" }).click();
  await expect(app.getByText("Orders are counted from now on.")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);

  await store.control("place-order", { customerId, lines: [{ variantId: variant?.variantId, quantity: 2 }] });
  await store.control("place-order", { email: "guest@example.com", lines: [{ variantId: variant?.variantId }] });
  const card = app.locator("div", { has: app.getByRole("heading", { name: "Revenue from wishlists" }) });
  await expect
    .poll(async () => {
      await admin.reload();
      return card.getByText("Of 2 orders in your store").count();
    })
    .toBeGreaterThan(0);
  await expect(card.getByText("50%", { exact: true }).first()).toBeVisible();
  // Days before the first counted order are unknown, so today is the only one, as it is for the activity of a new shop. The axis shows amounts of money.
  await expect(card.getByText("Counted since").first()).toBeVisible();
  await expect(app.locator(".recharts-cartesian-axis-tick-value", { hasText: "€" }).first()).toBeVisible();
  await expect(app.getByText("Today, so far")).toHaveCount(4);
  const earned = app.getByRole("table", { name: "Products with the highest revenue from wishlists" });
  await expect(earned.getByRole("row", { name: title })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);

  await earned.getByRole("link", { name: title }).click();
  await expect(app.getByRole("heading", { name: "Units bought" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);

  // What was counted stays when the permission is withdrawn.
  await app.locator("body").evaluate("shopify.scopes.revoke(['read_orders'])");
  await admin.open(ANALYTICS);
  // The app learns of the change by a webhook.
  await expect
    .poll(async () => {
      await admin.reload();
      await expect(card).not.toHaveCount(0);
      return app.getByText("Further orders aren't counted, because this app may no longer read them.").count();
    })
    .toBe(1);
  await expect(app.getByRole("button", { name: "Allow access to orders" })).toBeVisible();
  await expect(earned.getByRole("row", { name: title })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
});
