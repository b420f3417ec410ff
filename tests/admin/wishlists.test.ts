import { describe, expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore, type Login } from "../e2e/fixtures/live-store.ts";
import { expect, listed, WISHLIST } from "../e2e/fixtures/visitor.ts";
import { DESKTOP, PHONE } from "../support/browser.ts";
import { cancel, endSession, enter, expectSound, inModal, pathOf, renewSession, type Admin } from "./fixtures.ts";

/** Saves products for a new customer. */
async function saved(store: LiveStore, count: number): Promise<Login> {
  const customer = store.newCustomer();
  const token = await store.token();
  for (let place = 0; place < count; place++) {
    const json = { product_id: productAt(place).productId };
    (await store.call("POST", `/v1/wishlists/${customer.customerId}/items`, { token, json })).data();
  }
  return customer;
}

async function find({ app }: Admin, who: string): Promise<void> {
  await app.getByLabel("Customer or guest").fill(who);
  await app.getByRole("button", { name: "Find" }).click();
}

test("support finds a customer's list, removes an item after asking, shares and unshares it, and all of it is in the list of changes", async ({
  arrive,
  store,
}) => {
  const customer = await saved(store, 3);
  const shopper = await arrive();
  const shop = await shopper.open("/");
  await shopper.logIn(shop, customer);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  await find(admin, "4711");
  await expect(app.getByText("No wishlist is saved for this ID.", { exact: true })).toBeVisible();
  await find(admin, `https://admin.shopify.com/store/larkfell-outdoor/customers/${customer.customerId}`);
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/wishlists\/\d+$/);
  const { title } = productAt(1);
  await expect(app.getByText(title, { exact: true })).toBeVisible();
  await admin.reload();

  // A press anywhere in a row ticks its box; with the shift key, all from the last one on.
  await app.getByText(productAt(2).title, { exact: true }).click();
  await app.getByText(productAt(0).title, { exact: true }).click({ modifiers: ["Shift"] });
  await expect(app.getByText("3 selected")).toBeVisible();
  const all = app.getByRole("checkbox", { name: "Select all items" });
  await expect(all).toBeChecked();
  await all.click();
  await expect(app.getByText(/^\d selected$/)).toHaveCount(0);
  await app.getByRole("row", { name: title }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(app.getByText("The customer sees the change right away.")).toBeVisible();
  await expectSound(admin);
  await cancel(admin);
  await expect(app.getByText(title, { exact: true })).toBeVisible();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await inModal(admin, "Remove").click();
  await expect(page.getByText("1 item removed")).toBeVisible();
  await expect(app.getByText(title)).toHaveCount(0);
  await expect(app.getByText("2 items", { exact: true })).toBeVisible();
  await shopper.visit(shop, WISHLIST);
  await expect(listed(shop)).toHaveText([productAt(2).title, productAt(0).title]);

  await app.getByRole("button", { name: "Create link" }).click();
  const url = await app.getByLabel("Link", { exact: true }).inputValue();
  await shopper.visit(shop, new URL(url).pathname);
  await expect(listed(shop)).toHaveCount(2);
  await admin.reload();
  await expect(app.getByText("1 view.")).toBeVisible();
  await app.getByRole("button", { name: "Revoke link" }).click();
  await inModal(admin, "Revoke link").click();
  await expect(page.getByText("Share link revoked")).toBeVisible();
  await expect(app.getByText("Previous links")).toBeVisible();
  await expect(app.getByRole("button", { name: "Create link" })).toBeEnabled();

  await app.getByRole("link", { name: "Staff activity" }).click();
  await expect(app.getByRole("row")).toHaveCount(4);
  await expect(app.getByText("Revoked a share link")).toBeVisible();
  await expect(app.getByText("Removed 1 item from a wishlist")).toBeVisible();
  await expect(app.getByText(title)).toBeVisible();
  await expect(app.getByRole("cell", { name: "You", exact: true }).first()).toBeVisible();
  await expect(app.getByText(url)).toHaveCount(0);
  await app.getByLabel("Activity", { exact: true }).selectOption("Plan");
  await expect(app.getByText("No matching entries")).toBeVisible();
  await page.goBack();
  await expect(app.getByText("Revoked a share link")).toBeVisible();
});

test("what is said of a guest is not who they are; what is gone is nowhere, also on the way back", async ({
  arrive,
  store: { database, shop },
}) => {
  await database.rows(
    "SELECT wishlist_add(id, 'guest', 'a-guests-hash', 'no-product', 'v', 'storefront', now()) FROM shop WHERE domain = $1",
    [shop],
  );
  const merchant = await arrive();
  const admin = await enter(merchant, "/app/wishlists");
  const { app } = admin;
  await app.getByRole("link", { name: /^Guest, list \d+$/ }).click();
  await expect(app.getByText("Product no-product", { exact: true })).toBeVisible();
  await expect(app.getByText("Not in your catalog")).toBeVisible();
  await expect(app.getByText("A guest wishlist can't be shared.")).toBeVisible();
  expectValue(await app.locator("html").innerHTML()).not.toContain("a-guests-hash");
  const path = pathOf(admin);
  await database.rows("SELECT wishlist_merge_guest(id, 'a-guests-hash', '4711', now()) FROM shop WHERE domain = $1", [
    shop,
  ]);
  await app.getByRole("row", { name: "no-product" }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await inModal(admin, "Remove").click();
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  await admin.open("/app/wishlists");
  await app.getByRole("row", { name: "Customer 4711" }).getByText("1 item", { exact: true }).click();
  await expect(app.getByText("Product no-product", { exact: true })).toBeVisible();
  await admin.open(path);
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  merchant.forgive(`404 GET ${path}.data`, `404 GET ${path}`);
});

test("a session that ends while somebody is looked for loses nothing typed", async ({ arrive, store }) => {
  const { customerId } = await saved(store, 1);
  const merchant = await arrive();
  const admin = await enter(merchant, "/app/wishlists");
  const { app, page } = admin;
  await endSession(admin);
  await find(admin, customerId);
  await expect(app.getByText("Your session has ended")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(app.getByLabel("Customer or guest")).toHaveValue(customerId);
  await renewSession(admin);
  await app.getByRole("button", { name: "Find" }).click();
  await expect(app.getByText(productAt(0).title, { exact: true })).toBeVisible();
  merchant.forgive("401 POST /app/wishlists.data", "401 POST /app/wishlists.data");
});

describe.each([
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
])("on %s", (_, viewport) => {
  test("the page buttons of staff activity have the same height and stand level", async ({ arrive, store }) => {
    await store.database.rows(
      `INSERT INTO audit (shop_id, id, at, area, act, details)
       SELECT id, overlay(uuid_v7_min(now())::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, now(), 'data', 'data.exported', '{}'
         FROM shop, generate_series(1, 60) n WHERE domain = $1`,
      [store.shop],
    );
    const admin = await enter(await arrive({ viewport }), "/app/wishlists/audit");
    const pages = admin.app.getByRole("navigation", { name: "Pages of staff activity" });
    const previous = await pages.getByRole("button", { name: "Previous" }).boundingBox();
    const next = await pages.getByRole("link", { name: "Next" }).boundingBox();
    expectValue({ y: previous?.y, height: previous?.height }).toEqual({ y: next?.y, height: next?.height });
    await expectSound(admin);
  });

  test("every state of the wishlist pages: axe finds nothing, and nothing sticks out", async ({ arrive, store }) => {
    const admin = await enter(await arrive({ viewport }), "/app/wishlists");
    const { app } = admin;
    await expect(app.getByText("No wishlists yet")).toBeVisible();
    await expectSound(admin);
    await admin.open("/app/wishlists/audit?area=data");
    await expect(app.getByText("No matching entries")).toBeVisible();
    await expectSound(admin);
    const { customerId } = await saved(store, 4);
    const token = await store.token();
    const odd = {
      product_id: "<script>document.title='run'</script>".replaceAll(" ", ""),
      variant_id: "v".repeat(255),
    };
    (await store.call("POST", `/v1/wishlists/${"c".repeat(255)}/items`, { token, json: odd })).data();
    await store.call("GET", `/v1/wishlists/${customerId}/share`, { token });
    await store.call("DELETE", `/v1/wishlists/${customerId}/share`, { token });
    await store.call("GET", `/v1/wishlists/${customerId}/share`, { token });
    await admin.open("/app/wishlists");
    await find(admin, "");
    await expect(app.getByText("Enter a customer or guest.")).toBeVisible();
    await expectSound(admin);
    await app.getByRole("link", { name: "Customer cccc" }).click();
    await expect(app.getByText(/^Product <script>/)).toBeVisible();
    await expectSound(admin);
    await admin.open("/app/wishlists");
    await app.getByRole("link", { name: `Customer ${customerId}` }).click();
    await expect(app.getByLabel("Link", { exact: true })).toBeVisible();
    await expectSound(admin);
    // A phone has a button at each item.
    if (viewport === DESKTOP) await app.getByRole("checkbox").last().check();
    await app.getByRole("button", { name: "Remove" }).first().click();
    await expect(app.getByText("The customer sees the change right away.")).toBeVisible();
    await expectSound(admin);
    await inModal(admin, "Remove").click();
    await expect(app.getByText("3 items", { exact: true })).toBeVisible();
    await admin.open("/app/wishlists/audit");
    await expect(app.getByText("Removed 1 item from a wishlist")).toBeVisible();
    await expectSound(admin);
  });
});
