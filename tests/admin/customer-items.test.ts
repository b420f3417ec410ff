import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, products, type LiveStore, type Login } from "../e2e/fixtures/live-store.ts";
import { expect, listed, WISHLIST, type Visitor } from "../e2e/fixtures/visitor.ts";
import { DESKTOP } from "../support/browser/browser.ts";
import { clickTwice, enter, expectAccessible, expectAccessibleOnAllSizes, type Admin } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

/** Saves a product in a customer's default list, another in a named one, and opens the customer's page. */
async function openCustomer(store: LiveStore, merchant: Visitor): Promise<{ admin: Admin; customer: Login }> {
  const customer = store.newCustomer();
  const token = await store.token();
  const lists = `/v1/wishlists/${customer.customerId}/lists`;
  const { listId } = (await store.call("POST", lists, { token, json: { name: "Party" } })).data<{ listId: string }>();
  const paths = [`/v1/wishlists/${customer.customerId}/items`, `${lists}/${listId}/items`];
  for (const [index, path] of paths.entries()) {
    const json = { product_id: productAt(index).productId, quantity: index + 1 };
    (await store.call("POST", path, { token, json })).data();
  }
  const [row] = await store.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE owner_id = $1 AND handle = 'default'",
    [customer.customerId],
  );
  return { admin: await enter(merchant, `/app/wishlists/${row?.id ?? ""}`), customer };
}

/** Chooses a variant in Shopify's picker. */
async function pick({ app, page }: Admin, title: string): Promise<void> {
  await app.getByRole("button", { name: "Choose product" }).click();
  await page.getByRole("searchbox", { name: "Search variants" }).fill(title);
  await page.getByRole("dialog").getByRole("radio").and(page.locator(":visible")).first().check();
  await page.getByRole("button", { name: "Select", exact: true }).click();
}

test("staff add an item from Shopify's picker, the shopper sees it, and Undo takes it out", async ({
  arrive,
  store,
}) => {
  const { admin, customer } = await openCustomer(store, await arrive());
  const { app, page } = admin;
  const { title } = productAt(2);
  await pick(admin, title);
  await expect(app.getByText(title, { exact: true })).toBeVisible();
  await app.getByLabel("Quantity (optional)").fill("0");
  await app.getByRole("button", { name: "Add item" }).click();
  await expect(app.getByText("Enter a number from 1 to 999.")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByLabel("Quantity (optional)").fill("3");
  await app.getByLabel("Note (optional)").fill("As you asked");
  await clickTwice(app.getByRole("button", { name: "Add item" }));
  await expect(page.getByText(`${title} added`)).toBeVisible();
  const row = app.getByRole("row", { name: title });
  await expect(row).toContainText("Quantity 3");
  await expect(row).toContainText("As you asked");
  const shopper = await arrive();
  await shopper.startSession(customer);
  const shop = await shopper.context.newPage();
  await shopper.visit(shop, WISHLIST);
  await expect(listed(shop)).toHaveText([title, productAt(0).title]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Item removed")).toBeVisible();
  await expect(row).toHaveCount(0);
  await shopper.visit(shop, WISHLIST);
  await expect(listed(shop)).toHaveText([productAt(0).title]);
});

test("staff create a draft order of items of two lists once they allow it", async ({ arrive, store }) => {
  const { admin } = await openCustomer(store, await arrive());
  const { app, page } = admin;
  const [first, second] = [productAt(0).title, productAt(1).title];
  await app.getByRole("row", { name: first }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Add to draft order" }).click();
  const drafted = app.getByRole("list", { name: "Items of the draft order" }).getByRole("listitem");
  await expect(drafted).toHaveText([new RegExp(first)]);
  await app.getByRole("link", { name: "Party" }).click();
  await app.getByRole("row", { name: second }).getByRole("checkbox").check();
  await app.getByRole("button", { name: "Add to draft order" }).click();
  await expect(drafted).toHaveText([new RegExp(first), new RegExp(`${second}.*Quantity 2.*Party`)]);
  const create = app.getByRole("button", { name: "Create draft order" });
  await expect(create).toBeDisabled();
  await expectAccessibleOnAllSizes(admin);

  await app.getByRole("button", { name: "Allow draft orders" }).click();
  const dialog = page.getByRole("dialog", { name: "Update permissions" });
  await expect(dialog.getByText("write draft orders")).toBeVisible();
  await dialog.getByRole("button", { name: "Update permissions" }).click();
  await expect(create).toBeEnabled();
  await clickTwice(create);
  await expect(app.getByText("Draft order #D1 created")).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("link", { name: "Staff activity" }).click();
  await expect(app.getByText("Created the draft order #D1 of 2 saved items")).toBeVisible();
  await page.goBack();
  const drafts = await (await fetch(`${store.devstoreUrl}/store/larkfell-outdoor/draft_orders`)).text();
  expectValue(drafts.match(/#D\d+/g)).toEqual(["#D1"]);
});

test("titles in a customer's list break between words only", MATRIX, async ({ arrive, store }) => {
  const { admin } = await openCustomer(store, await arrive({ viewport: DESKTOP }));
  const { app } = admin;
  const table = app.getByRole("table", { name: "Items" });
  // The longest texts that the other columns have.
  await store.database.rows("UPDATE wishlist_item SET saved_price = 1349");
  await store.database.rows("UPDATE product SET title = 'Windproof Mountaineering Gloves'");
  try {
    await admin.reload();
    await expect(table.getByText("since saved at").first()).toBeVisible();
    const broken = await table.getByText("Mountaineering").evaluateAll((titles) =>
      titles.flatMap((title) => {
        const text = title.firstChild;
        const words = [...(text?.textContent ?? "").matchAll(/\w+/g)];
        return words.flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          if (!text) return [];
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
    expectValue(broken).toEqual([]);
    await expectAccessible(admin);
  } finally {
    for (const { productId, title } of products) {
      await store.database.rows("UPDATE product SET title = $2 WHERE product_id = $1", [productId, title]);
    }
  }
});

test(
  "a draft order that lost its permission can be created once it is allowed again",
  MATRIX,
  async ({ arrive, store }) => {
    const scopes = ["read_products", "write_app_proxy"];
    await store.control("scopes", { scopes: [...scopes, "write_draft_orders"] });
    try {
      const { admin } = await openCustomer(store, await arrive());
      const { app, page } = admin;
      await app
        .getByRole("row", { name: productAt(0).title })
        .getByRole("checkbox")
        .check();
      await app.getByRole("button", { name: "Add to draft order" }).click();
      const create = app.getByRole("button", { name: "Create draft order" });
      await expect(create).toBeEnabled();
      // The app does not learn of it until Shopify refuses the draft order.
      await store.control("faults", { faults: { webhooks: "never" } });
      await app.locator("body").evaluate("shopify.scopes.revoke(['write_draft_orders'])");
      await create.click();
      const refused = app.getByText("This app may no longer create draft orders.");
      await expect(refused).toBeVisible();
      await expectAccessibleOnAllSizes(admin);
      await app.getByRole("button", { name: "Allow draft orders" }).click();
      await page.getByRole("button", { name: "Update permissions" }).click();
      await expect(refused).toHaveCount(0);
      await expect(app.getByRole("button", { name: "Allow draft orders" })).toHaveCount(0);
      await create.click();
      await expect(app.getByText(/Draft order #D\d+ created/)).toBeVisible();
    } finally {
      await store.control("faults", { faults: { webhooks: "none" } });
      await store.control("scopes", { scopes });
    }
  },
);

test(
  "orders and alerts of a customer that can't be read leave the list as it is",
  MATRIX,
  async ({ arrive, store }) => {
    await store.database.rows("ALTER TABLE store_order RENAME TO mislaid_order");
    await store.database.rows("ALTER TABLE alert_consent RENAME TO mislaid_consent");
    const { admin } = await openCustomer(store, await arrive());
    const { app } = admin;
    const failed = app.getByText("This section couldn't be loaded");
    try {
      await expect(failed).toHaveCount(2);
      await expect(app.getByRole("row", { name: productAt(0).title })).toBeVisible();
      await expectAccessibleOnAllSizes(admin);
    } finally {
      await store.database.rows("ALTER TABLE mislaid_order RENAME TO store_order");
      await store.database.rows("ALTER TABLE mislaid_consent RENAME TO alert_consent");
    }
    await app.getByRole("button", { name: "Try again" }).first().click();
    await expect(failed).toHaveCount(0);
    await expect(app.getByText("The customer hasn't asked for alerts.")).toBeVisible();
  },
);
