import { text as textOf } from "node:stream/consumers";
import { MATRIX } from "../support/matrix.ts";
import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore, type Login } from "../e2e/fixtures/live-store.ts";
import { expect, listed, WISHLIST, type Visitor } from "../e2e/fixtures/visitor.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import {
  cancelModal,
  endSession,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  inModal,
  pathOf,
  renewSession,
  type Admin,
} from "./fixtures.ts";

/** Saves products for a new customer. */
async function saveProducts(store: LiveStore, count: number): Promise<Login> {
  const customer = store.newCustomer();
  const token = await store.token();
  for (let index = 0; index < count; index++) {
    const json = { product_id: productAt(index).productId };
    (await store.call("POST", `/v1/wishlists/${customer.customerId}/items`, { token, json })).data();
  }
  return customer;
}

/** Creates a named list with products, each as a version. */
async function createList(store: LiveStore, customerId: string, name: string, count: number) {
  const token = await store.token();
  const lists = `/v1/wishlists/${customerId}/lists`;
  const { listId } = (await store.call("POST", lists, { token, json: { name } })).data<{ listId: string }>();
  const list = `${lists}/${listId}`;
  for (let index = 0; index < count; index++) {
    const json = { product_id: productAt(index).productId };
    (await store.call("POST", `${list}/items`, { token, json })).data();
  }
  return {
    remove: async (index: number) =>
      (await store.call("DELETE", `${list}/items/${productAt(index).productId}`, { token })).data(),
    change: async (index: number, json: Record<string, unknown>) =>
      (await store.call("PATCH", `${list}/items/${productAt(index).productId}`, { token, json })).data(),
    delete: async () => (await store.call("DELETE", list, { token })).data(),
  };
}

async function find({ app }: Admin, query: string): Promise<void> {
  await app.getByLabel("Customer or guest").fill(query);
  await app.getByRole("button", { name: "Find" }).click();
}

/** Opens the history of a named list from the page of the customer's default list. */
async function openHistory({ app }: Admin, name: string): Promise<void> {
  await app.getByRole("link", { name }).click();
  // The page that is left names the list, too, and has a link to its own history.
  await expect(app.getByRole("definition").getByText(name, { exact: true })).toBeVisible();
  await app.getByRole("link", { name: "History" }).click();
}

/** Opens the wishlist of a new customer. */
async function openWishlist(
  store: LiveStore,
  merchant: Visitor,
  count: number,
): Promise<{ admin: Admin; customer: Login }> {
  const customer = await saveProducts(store, count);
  const admin = await enter(merchant, "/app/wishlists");
  await find(admin, customer.customerId);
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/wishlists\/\d+$/);
  await expect(admin.app.getByText(productAt(count - 1).title, { exact: true })).toBeVisible();
  return { admin, customer };
}

test("the wishlist search opens a wishlist by the URL of the customer's page", async ({ visitor, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const admin = await enter(visitor, "/app/wishlists");
  const { app } = admin;
  await find(admin, "4711");
  await expect(app.getByText("No wishlist is saved for this ID.", { exact: true })).toBeVisible();
  await find(admin, `https://admin.shopify.com/store/larkfell-outdoor/customers/${customerId}`);
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/wishlists\/\d+$/);
  await admin.reload();
  await expect(app.getByText(productAt(0).title, { exact: true })).toBeVisible();
});

test("Shift+click selects a range of items and the header selects all", async ({ visitor, store }) => {
  const { admin } = await openWishlist(store, visitor, 3);
  const { app } = admin;
  await app.getByText(productAt(2).title, { exact: true }).click();
  await app.getByText(productAt(0).title, { exact: true }).click({ modifiers: ["Shift"] });
  await expect(app.getByText("3 selected")).toBeVisible();
  const all = app.getByRole("checkbox", { name: "Select all items" });
  await expect(all).toBeChecked();
  await all.click();
  await expect(app.getByText(/^\d selected$/)).toBeHidden();
});

test("filters and order are in the address, and Back returns to those before", async ({ arrive, store }) => {
  const { customerId } = await saveProducts(store, 1);
  await createList(store, customerId, "Party", 2);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  const rows = app.getByRole("table", { name: "Wishlists" }).getByRole("row");
  const named = rows.filter({ hasText: "Party" });
  const unnamed = rows
    .filter({ has: app.getByRole("link", { name: `Customer ${customerId}` }) })
    .filter({ hasNotText: "Party" });
  await expect(unnamed).toBeVisible();
  await app.getByRole("button", { name: "Filter wishlists" }).click();
  await app.getByRole("button", { name: "Add filter" }).click();
  await app.getByRole("menuitem", { name: "List", exact: true }).click();
  await app.getByText("Named lists", { exact: true }).click();
  await expect(unnamed).toHaveCount(0);
  await expect(named).toContainText("2");
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists?kind=named");
  await page.keyboard.press("Escape");
  await app.getByRole("button", { name: /^Sort/ }).click();
  await app.getByText("Value", { exact: true }).last().click();
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists?kind=named&sort=value&direction=desc");
  await named.getByRole("link").click();
  await expect(app.getByRole("definition").getByText("Party", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(named).toBeVisible();
  await expect(unnamed).toHaveCount(0);
  await expect(app.getByRole("button", { name: "Named lists" }).first()).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(unnamed).toBeVisible();
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists");
});

test("staff save a view, open it from its tab and delete it", async ({ arrive, store }) => {
  await saveProducts(store, 1);
  const admin = await enter(await arrive(), "/app/wishlists?owner=customer&sort=value&direction=desc");
  const { app } = admin;
  await app.getByRole("button", { name: "Save as" }).click();
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Worth a message");
  await dialog.getByRole("button", { name: "Save" }).click();
  const tab = app.getByRole("tab", { name: "Worth a message" });
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await app.getByRole("tab", { name: "All" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists");
  await expectAccessible(admin);
  await tab.click();
  await expect
    .poll(() => pathOf(admin))
    .toMatch(/^\/app\/wishlists\?owner=customer&sort=value&direction=desc&view=\d+$/);
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await tab.click();
  await app.getByRole("menuitem", { name: "Delete view" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Delete view" }).click();
  await expect(tab).toHaveCount(0);
});

test("staff export the selected wishlists", async ({ arrive, store }) => {
  const { customerId } = await saveProducts(store, 2);
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  await app
    .getByRole("row", { name: `Customer ${customerId}` })
    .getByRole("checkbox")
    .check();
  await expect(app.getByText("1 selected")).toBeVisible();
  await expectAccessible(admin);
  const downloading = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export", exact: true }).click();
  const file = await textOf(await (await downloading).createReadStream());
  const lines = file.trimEnd().split("\r\n");
  expectValue(lines).toHaveLength(3);
  expectValue(lines[1]).toContain(`gid://shopify/Customer/${customerId}`);
});

test("a filter that does not exist is named and left out", MATRIX, async ({ arrive, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const admin = await enter(await arrive(), "/app/wishlists?owner=nobody&view=99");
  await expect(admin.app.getByText("This address has values for owner that don't exist.")).toBeVisible();
  await expect(admin.app.getByRole("link", { name: `Customer ${customerId}` })).toBeVisible();
  await expectAccessible(admin);
});

test("staff remove an item after a confirmation, and the shopper's page shows it", async ({ arrive, store }) => {
  const { admin, customer } = await openWishlist(store, await arrive(), 3);
  const { app, page } = admin;
  const { title } = productAt(1);
  const shopper = await arrive();
  await shopper.startSession(customer);
  const shop = await shopper.context.newPage();
  await app.getByRole("row", { name: title }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(app.getByText("The customer sees the change right away.")).toBeVisible();
  await expectAccessible(admin);
  await cancelModal(admin);
  await expect(app.getByText(title, { exact: true })).toBeVisible();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await inModal(admin, "Remove").click();
  await expect(page.getByText("1 item removed")).toBeVisible();
  await expect(app.getByText(title)).toHaveCount(0);
  await expect(app.getByRole("group", { name: "Saved items" })).toBeFocused();
  await expect(app.getByText("2 items", { exact: true })).toBeVisible();
  await shopper.visit(shop, WISHLIST);
  await expect(listed(shop)).toHaveText([productAt(2).title, productAt(0).title]);
});

test("a customer's page shows prices, value, choices of alerts and orders with saved items", async ({
  arrive,
  store,
}) => {
  const { productId, variants, title } = productAt(0);
  const [variant] = variants;
  const { admin, customer } = await openWishlist(store, await arrive(), 1);
  const { app } = admin;
  const of = [store.shop, customer.customerId];
  await store.database.rows(
    "UPDATE wishlist_item SET saved_price = 200 WHERE product_id = $1 AND wishlist_id IN (SELECT id FROM wishlist WHERE owner_id = $2)",
    [productId, customer.customerId],
  );
  const [before] = await store.database.rows<{ price: string }>(
    "SELECT price::text FROM variant WHERE variant_id = $1",
    [variant?.variantId],
  );
  await store.database.rows("UPDATE variant SET price = 150 WHERE variant_id = $1", [variant?.variantId]);
  await store.database.rows(
    "INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source) SELECT id, $2, 'back_in_stock', true, now(), 'storefront' FROM shop WHERE domain = $1",
    of,
  );
  await store.database.rows(
    `WITH ordered AS (INSERT INTO store_order (shop_id, order_id, customer_id, reported_at, ordered_at, currency)
       SELECT id, '9001', $2, now(), now(), 'EUR' FROM shop WHERE domain = $1 RETURNING shop_id)
     INSERT INTO order_line (shop_id, order_id, line_id, customer_id, product_id, variant_id, saved_at, ordered_at, units, revenue)
     SELECT shop_id, '9001', '1', $2, $3, $4, now(), now(), 1, 149.5 FROM ordered`,
    [...of, productId, variant?.variantId],
  );
  await admin.reload();
  await expect(app.getByText("−25% since saved at €200.00")).toBeVisible();
  await expect(app.getByRole("definition").getByText("€150.00")).toBeVisible();
  await expect(app.getByText("Back in stock")).toBeVisible();
  const orders = app.getByRole("table", { name: "Orders with saved items" });
  await expect(orders.getByRole("row", { name: title })).toContainText("€149.50");
  await expectAccessibleOnAllSizes(admin);
  await store.database.rows("UPDATE variant SET price = $2 WHERE variant_id = $1", [variant?.variantId, before?.price]);
});

test("staff create a share link and revoke it", async ({ arrive, store }) => {
  const { admin } = await openWishlist(store, await arrive(), 2);
  const { app, page } = admin;
  const shopper = await arrive();
  const shop = await shopper.open("/");
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
});

test("staff restore a version of a named list after a preview, and undo it", async ({ visitor, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const birthday = await createList(store, customerId, "Birthday", 3);
  await birthday.remove(0);
  const admin = await enter(visitor, "/app/wishlists");
  const { app, page } = admin;
  await find(admin, customerId);
  await openHistory(admin, "Birthday");
  await app.getByRole("row", { name: "3 items" }).getByRole("link", { name: "1 item added" }).click();
  await expect(app.getByRole("list", { name: "1 item to come back" }).getByText(productAt(0).title)).toBeVisible();
  await app.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByText("Version restored")).toBeVisible();
  const [current, before] = [app.getByRole("row").nth(1), app.getByRole("row").nth(2)];
  await expect(current).toContainText(/1 item added.*Staff.*3 items.*Current/);
  await before.getByRole("link").click();
  await expect(app.getByRole("list", { name: "1 item to be removed" })).toBeVisible();
  await app.getByRole("button", { name: "Restore this version" }).click();
  await expect(current).toContainText(/1 item removed.*Staff.*2 items.*Current/);
});

test("a restore after another change shows what it would change now", MATRIX, async ({ visitor, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const birthday = await createList(store, customerId, "Birthday", 2);
  const admin = await enter(visitor, "/app/wishlists");
  const { app } = admin;
  await find(admin, customerId);
  await openHistory(admin, "Birthday");
  await app.getByRole("row", { name: "0 items" }).getByRole("link", { name: "List created" }).click();
  await expect(app.getByRole("list", { name: "2 items to be removed" })).toBeVisible();
  await birthday.remove(0);
  await app.getByRole("button", { name: "Restore this version" }).click();
  await expect(app.getByText("The list has changed since you opened this page.")).toBeVisible();
  await expect(app.getByRole("list", { name: "1 item to be removed" })).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
});

test("staff restore a deleted list from the customer's page", async ({ visitor, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const birthday = await createList(store, customerId, "Birthday", 2);
  await birthday.delete();
  const admin = await enter(visitor, "/app/wishlists");
  const { app, page } = admin;
  await find(admin, customerId);
  await app.getByRole("button", { name: "Restore Birthday" }).click();
  await inModal(admin, "Restore").click();
  await expect(page.getByText("List restored")).toBeVisible();
  await expect(app.getByText("Deleted lists")).toHaveCount(0);
  await app.getByRole("link", { name: "Birthday" }).click();
  await expect(app.getByText(productAt(1).title, { exact: true })).toBeVisible();
});

test("staff activity lists changes by staff without share URLs", async ({ visitor, store }) => {
  const { admin } = await openWishlist(store, visitor, 2);
  const { app, page } = admin;
  const { title } = productAt(1);
  await app.getByRole("row", { name: title }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Remove", exact: true }).click();
  await inModal(admin, "Remove").click();
  await expect(page.getByText("1 item removed")).toBeVisible();
  await app.getByRole("button", { name: "Create link" }).click();
  const url = await app.getByLabel("Link", { exact: true }).inputValue();
  await app.getByRole("button", { name: "Revoke link" }).click();
  await inModal(admin, "Revoke link").click();
  await expect(page.getByText("Share link revoked")).toBeVisible();

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

test(
  "a guest's wishlist shows no guest ID and disappears when it is merged",
  MATRIX,
  async ({ arrive, store: { database, shop } }) => {
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
    await admin.go("/app/wishlists");
    await app.getByRole("row", { name: "Customer 4711" }).getByRole("cell", { name: "1", exact: true }).click();
    await expect(app.getByText("Product no-product", { exact: true })).toBeVisible();
    await admin.open(path);
    await expect(app.getByText("There's no page at this address")).toBeVisible();
    merchant.expectFailures(`404 GET ${path}.data`, `404 GET ${path}`);
  },
);

test("the wishlist search keeps its query when the session ends", MATRIX, async ({ arrive, store }) => {
  const { customerId } = await saveProducts(store, 1);
  const merchant = await arrive();
  const admin = await enter(merchant, "/app/wishlists");
  const { app } = admin;
  await endSession(admin);
  await find(admin, customerId);
  await expect(app.getByText("Your session has ended")).toBeVisible();
  await admin.quiet();
  await expect(app.getByLabel("Customer or guest")).toHaveValue(customerId);
  await renewSession(admin);
  await app.getByRole("button", { name: "Find" }).click();
  await expect(app.getByText(productAt(0).title, { exact: true })).toBeVisible();
  merchant.expectFailures("401 POST /app/wishlists.data", "401 POST /app/wishlists.data");
});

test("the page buttons of staff activity align on phones and desktops", MATRIX, async ({ arrive, store }) => {
  await store.database.rows(
    `INSERT INTO audit (shop_id, id, at, area, action, details)
     SELECT id, overlay(uuid_v7_min(now())::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid, now(), 'data', 'data.exported', '{}'
       FROM shop, generate_series(1, 60) n WHERE domain = $1`,
    [store.shop],
  );
  const admin = await enter(await arrive(), "/app/wishlists/audit");
  const pages = admin.app.getByRole("navigation", { name: "Pages of staff activity" });
  for (const size of [PHONE, DESKTOP]) {
    await admin.page.setViewportSize(size);
    // The page renders again when it notices its new width.
    const alignment = async () => {
      const previous = await pages.getByRole("button", { name: "Previous" }).boundingBox();
      const next = await pages.getByRole("link", { name: "Next" }).boundingBox();
      return previous && next ? [previous.y - next.y, previous.height - next.height] : [];
    };
    await expect.poll(alignment).toEqual([0, 0]);
  }
  await expectAccessibleOnAllSizes(admin);
});

test(
  "every state of the wishlist pages is accessible and fits phones and desktops",
  MATRIX,
  async ({ arrive, store }) => {
    const admin = await enter(await arrive(), "/app/wishlists");
    const { app } = admin;
    await expect(app.getByText("No wishlists yet")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go("/app/wishlists/audit?area=data");
    await expect(app.getByText("No matching entries")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    const { customerId } = await saveProducts(store, 4);
    const token = await store.token();
    const odd = {
      product_id: "<script>document.title='run'</script>".replaceAll(" ", ""),
      variant_id: "v".repeat(255),
    };
    (await store.call("POST", `/v1/wishlists/${"c".repeat(255)}/items`, { token, json: odd })).data();
    await store.call("GET", `/v1/wishlists/${customerId}/share`, { token });
    await store.call("DELETE", `/v1/wishlists/${customerId}/share`, { token });
    await store.call("GET", `/v1/wishlists/${customerId}/share`, { token });
    await admin.go("/app/wishlists");
    await find(admin, "");
    await expect(app.getByText("Enter a customer or guest.")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await app.getByRole("link", { name: "Customer cccc" }).click();
    await expect(app.getByText(/^Product <script>/)).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go("/app/wishlists");
    await app.getByRole("link", { name: `Customer ${customerId}` }).click();
    await expect(app.getByLabel("Link", { exact: true })).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    // On a phone, each item has a button instead of a checkbox.
    await admin.page.setViewportSize(PHONE);
    await app.getByRole("button", { name: "Remove" }).first().click();
    await expect(app.getByText("The customer sees the change right away.")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await inModal(admin, "Remove").click();
    await expect(app.getByText("3 items", { exact: true })).toBeVisible();
    await admin.go("/app/wishlists/audit");
    await expect(app.getByText("Removed 1 item from a wishlist")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
  },
);

test(
  "every state of named lists and their history is accessible and fits phones and desktops",
  MATRIX,
  async ({ arrive, store }) => {
    const { customerId } = await saveProducts(store, 1);
    const long = await createList(store, customerId, `${"Camping".repeat(13)} 🏕`, 3);
    await long.change(1, { quantity: 2, note: "n".repeat(500), properties: { ["p".repeat(255)]: "v".repeat(255) } });
    await long.remove(0);
    const script = "<script>document.title='run'</script>";
    const deleted = await createList(store, customerId, script + "d".repeat(100 - script.length), 1);
    await deleted.delete();
    const admin = await enter(await arrive(), "/app/wishlists");
    const { app } = admin;
    await expect(app.getByText("CampingCamping").first()).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await find(admin, customerId);
    await app.getByRole("link", { name: "CampingCamping" }).click();
    await expect(app.getByText("Quantity 2")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    const path = pathOf(admin);
    await app.getByRole("link", { name: "History" }).click();
    await expect(app.getByText("1 item changed")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go(`${path}/history/4`);
    await expect(app.getByText("1 item to change")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go(`${path}/history/99`);
    await expect(app.getByText("This list never had this version.")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go(path);
    await app.getByRole("link", { name: script }).click();
    await expect(app.getByText("This list was deleted")).toBeVisible();
    await expect(app.getByText(script).first()).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
  },
);
