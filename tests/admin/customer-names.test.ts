import { expect as expectValue } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { test } from "../e2e/fixtures/journey.ts";
import type { LiveStore, Login } from "../e2e/fixtures/live-store.ts";
import { productAt } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import {
  cancelModal,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  inModal,
  pathOf,
  type Admin,
} from "./fixtures.ts";

/** Saves a product for a new customer. */
async function saveProduct(store: LiveStore): Promise<Login> {
  const customer = store.newCustomer();
  const token = await store.token();
  const json = { product_id: productAt(0).productId };
  (await store.call("POST", `/v1/wishlists/${customer.customerId}/items`, { token, json })).data();
  return customer;
}

async function find({ app }: Admin, query: string): Promise<void> {
  await app.getByLabel("Customer or guest").fill(query);
  await app.getByRole("button", { name: "Find" }).click();
}

/** Decides the admin's permission request. */
async function decide({ app, page }: Admin, decision: "Decline" | "Update permissions"): Promise<void> {
  await app.getByRole("button", { name: "Allow access to customers" }).click();
  const dialog = page.getByRole("dialog", { name: "Update permissions" });
  await expect(dialog.getByText("read customers")).toBeVisible();
  await dialog.getByRole("button", { name: decision }).click();
}

async function withdraw({ app }: Admin): Promise<void> {
  await app.getByRole("button", { name: "Withdraw access to customers" }).click();
  await inModal({ app }, "Withdraw access").click();
  await expect(app.getByRole("button", { name: "Allow access to customers" })).toBeVisible();
}

test("a declined permission leaves customers listed by ID", MATRIX, async ({ arrive, store }) => {
  const { customerId } = await saveProduct(store);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  await decide(admin, "Decline");
  await expect(page.getByText("Permission declined. Nothing has changed.")).toBeVisible();
  await expect(app.getByRole("link", { name: `Customer ${customerId}` })).toBeVisible();
});

test("a granted permission shows customer names until it is withdrawn", MATRIX, async ({ arrive, store }) => {
  const { customerId, name, email } = await saveProduct(store);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app } = admin;
  const byId = app.getByRole("link", { name: `Customer ${customerId}` });
  await decide(admin, "Update permissions");
  await expect(app.getByRole("link", { name, exact: true })).toBeVisible();
  await expect(app.getByText(email)).toBeVisible();
  await expect(byId).toHaveCount(0);

  await app.getByRole("button", { name: "Withdraw access to customers" }).click();
  await expectAccessible(admin);
  await cancelModal(admin);
  await expect(app.getByRole("link", { name, exact: true })).toBeVisible();
  await withdraw(admin);
  await expect(byId).toBeVisible();
  await expect(app.getByText(name)).toHaveCount(0);
  await admin.reload();
  await expect(byId).toBeVisible();
});

test("hidden customer names leave the permission as it is", MATRIX, async ({ arrive, store }) => {
  const { customerId, name } = await saveProduct(store);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app } = admin;
  await decide(admin, "Update permissions");
  await app.getByRole("button", { name: "Hide customer names" }).click();
  await expect(app.getByRole("link", { name: `Customer ${customerId}` })).toBeVisible();
  expectValue(await store.database.rows("SELECT 1 FROM session WHERE scope LIKE '%read_customers%'")).not.toEqual([]);
  await admin.reload();
  await expect(app.getByText(name)).toHaveCount(0);
  await find(admin, name);
  await expect(app.getByText("To search by name or email, select Show customer names.")).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("button", { name: "Show customer names" }).click();
  await expect(app.getByRole("link", { name, exact: true })).toBeVisible();
  await admin.go("/app/wishlists/audit");
  await expect(app.getByText("Changed customer names in the admin from shown to hidden").first()).toBeVisible();
  await admin.go("/app/wishlists");
  await withdraw(admin);
});

test("a search by name opens the wishlist, which links to the customer in Shopify", async ({ arrive, store }) => {
  const { customerId, name, email } = await saveProduct(store);
  const newcomer = store.newCustomer();
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  await find(admin, name);
  await expect(app.getByText("To search by name or email, select Allow access to customers.")).toBeVisible();
  await decide(admin, "Update permissions");
  await expect(app.getByRole("link", { name, exact: true })).toBeVisible();

  await find(admin, newcomer.email);
  await expect(app.getByRole("row", { name: newcomer.name }).getByText("No wishlist")).toBeVisible();
  await find(admin, "no such customer");
  await expect(app.getByText("No customers match this search.")).toBeVisible();
  await find(admin, name.toUpperCase());
  const found = app.getByRole("table", { name: "Customers found" });
  await expect(found.getByText("1 item")).toBeVisible();
  // Neither the name nor the email appears in the URL.
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists");
  await found.getByRole("link", { name }).click();
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/wishlists\/\d+$/);
  await expect(app.getByText(email)).toBeVisible();
  await expect(page.locator("#title-bar-title")).toContainText(name);

  await app.getByRole("link", { name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/store/larkfell-outdoor/customers/${customerId}$`));
  await admin.open("/app/wishlists");
  await withdraw(admin);
});

test("every state of customer names is accessible and fits phones and desktops", MATRIX, async ({ arrive, store }) => {
  const customer = await saveProduct(store);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app } = admin;
  await expectAccessibleOnAllSizes(admin);
  await decide(admin, "Update permissions");
  await expect(app.getByRole("link", { name: customer.name, exact: true })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await find(admin, "larkfell");
  await find(admin, customer.name);
  await expect(app.getByText("1 customer found")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await store.control("faults", { faults: { graphql: "error" } });
  await admin.reload();
  await expect(app.getByText("Shopify didn't return customer names.")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await find(admin, customer.name);
  await expect(app.getByText("Shopify didn't respond, so customers can't be searched by name.")).toBeVisible();
  await store.control("faults", { faults: { graphql: "none" } });
  await admin.reload();
  await app.getByRole("link", { name: customer.name, exact: true }).click();
  await expect(app.getByText(customer.email)).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await admin.open("/app/wishlists");
  await withdraw(admin);
});
