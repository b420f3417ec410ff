import { readdirSync } from "node:fs";
import type { Page } from "playwright";
import { describe, expect as expectValue } from "vitest";
import { formatMoney, moneyFormatOf } from "../../packages/devstore/foundation/currency.ts";
import { put, takeApart } from "../support/access/jwt.ts";
import { TOKEN_SECRET } from "../support/app/service.ts";
import { turnOn } from "../support/app/alerts.ts";
import { customerSessionToken } from "../support/app/session-token.ts";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { ACCOUNT_WISHLIST, logInCustomer, makeList, row, rows, saveItems, showList } from "./fixtures/account.ts";
import type { AccountCustomer } from "./fixtures/account.ts";
import { test } from "./fixtures/journey.ts";
import { createProduct, isBuyable, productAt, products, untilProduct, type LiveStore } from "./fixtures/live-store.ts";
import { expect, type Visitor } from "./fixtures/visitor.ts";

const [first, second, third] = [productAt(0, isBuyable), productAt(1, isBuyable), productAt(2, isBuyable)];
const SERVICE = "/v1/wishlists/me";

async function setPlan({ database, shop }: LiveStore, plan: string): Promise<void> {
  await database.rows("UPDATE shop SET plan = $2, changed_at = now() WHERE domain = $1", [shop, plan]);
}

/** Waits until the service issues tokens with the features of a plan. */
async function untilFeatures({ call, shop }: LiveStore, lists: boolean): Promise<void> {
  const json = { session_token: customerSessionToken(shop) };
  await expect
    .poll(async () => (await call("POST", "/v1/auth/customer-account-token", { json })).data())
    .toMatchObject({ features: { lists } });
}

let customer: AccountCustomer;
let page: Page;
test.beforeEach(async ({ store, visitor }) => {
  customer = await logInCustomer(store, visitor);
  ({ page } = customer);
});

async function open(visitor: Visitor): Promise<void> {
  await visitor.visit(page, ACCOUNT_WISHLIST);
}

function savedProducts(listId = "default"): Promise<string[]> {
  return customer
    .lists<{ items: { productId: string }[] }>("GET", `/lists/${listId}/items?limit=200`)
    .then(({ items }) => items.map(({ productId }) => productId));
}

test("the profile shows how much is saved, and its link leads to the wishlist", async ({ visitor }) => {
  await saveItems(customer, [first, second]);
  const listId = await makeList(customer, "Birthday");
  // An item that two lists have counts once.
  await customer.lists("POST", `/lists/${listId}/items`, { product_id: first.productId });
  await visitor.visit(page, "/account/profile");
  await expect(page.getByText("2 items")).toBeVisible();
  await page.getByRole("link", { name: "View wishlist" }).click();
  await expect(page.getByRole("heading", { name: "Wishlist", level: 1 })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
});

test("a customer who is not logged in has to log in first, and then sees the wishlist", async ({ visitor }) => {
  await visitor.logOut(page);
  await visitor.visit(page, ACCOUNT_WISHLIST);
  await page.getByRole("button", { name: customer.login.name }).click();
  await expect(page.getByText("Nothing saved yet")).toBeVisible();
});

test("an empty wishlist says how to save something and links to the products", async ({ store, visitor }) => {
  await open(visitor);
  await expect(page.getByText("Tap the heart on a product to save it here.")).toBeVisible();
  const browse = page.getByRole("link", { name: "Browse products" });
  await expect(browse).toHaveAttribute("href", `${store.url}/collections/all`);
});

test("an item shows picture, title, variant, price and its details", async ({ visitor }) => {
  const json = { product_id: first.productId, quantity: 3, note: "For the trip" };
  await customer.lists("POST", "/items", json);
  await open(visitor);
  const item = row(page, first.title);
  const [variant] = first.variants;
  await expect(item.getByRole("link", { name: first.title, exact: true })).toHaveAttribute(
    "href",
    new RegExp(first.handle),
  );
  await expect(item.locator("img")).toHaveJSProperty("complete", true);
  expectValue(await item.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  // As the theme writes it.
  const price = formatMoney(variant?.priceCents ?? 0, moneyFormatOf("EUR"), "EUR");
  for (const text of [price, "Quantity: 3", "For the trip"]) await expect(item).toContainText(text);
});

test("a sold-out item is marked and can't be put into the cart", async ({ visitor }) => {
  const soldOut = productAt(0, ({ variants }) => variants.every(({ available }) => !available));
  await saveItems(customer, [soldOut]);
  await open(visitor);
  await expect(row(page, soldOut.title)).toContainText("Sold out");
  await expect(page.getByRole("link", { name: /^Add to cart/ })).toHaveCount(0);
});

test("a deleted product is marked, keeps its place and can be removed", async ({ store, visitor }) => {
  const { productId } = await createProduct(store, "Short-lived lamp");
  await saveItems(customer, [{ productId }, first]);
  await store.control("delete-product", { productId });
  await untilProduct(store, productId, "deleted_at IS NOT NULL");
  await open(visitor);
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, "Short-lived lamp")).toContainText("No longer sold");
  await page.getByRole("button", { name: "Remove Short-lived lamp" }).click();
  await expect(row(page, "Short-lived lamp")).toContainText("Removed from this list");
  expectValue(await savedProducts()).toEqual([first.productId]);
});

test("a removed item is taken back with its details by the same key press on the same button", async ({ visitor }) => {
  await customer.lists("POST", "/items", { product_id: first.productId, quantity: 2, note: "Blue" });
  await open(visitor);
  const remove = page.getByRole("button", { name: `Remove ${first.title}` });
  await remove.focus();
  await page.keyboard.press("Enter");
  const undo = page.getByRole("button", { name: `Undo: put ${first.title} back` });
  await expect(undo).toBeFocused();
  expectValue(await savedProducts()).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(remove).toBeFocused();
  const { items } = await customer.lists<{ items: object[] }>("GET", "/lists/default/items");
  expectValue(items).toMatchObject([{ productId: first.productId, quantity: 2, note: "Blue" }]);
});

describe("the view of a list", () => {
  const titles = () => rows(page).locator("s-link").allInnerTexts();

  test("has a search over a list of more than 20 items, and shows all of it again", async ({ visitor }) => {
    const items = products.slice(0, 30);
    const operations = items.map(({ productId }) => ({ op: "add", productId }));
    await customer.lists("POST", "/lists/default/items/batch", { operations });
    await open(visitor);
    await expect(rows(page)).toHaveCount(25);
    // It is on the second page, or at the end of the first.
    const wanted = items[0]?.title ?? "";
    const matching = items.filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()));
    const search = page.getByRole("textbox", { name: "Search this list" });
    await search.fill(wanted);
    await search.press("Enter");
    await expect(rows(page)).toHaveCount(matching.length);
    await expect(row(page, wanted).first()).toBeVisible();
    await search.fill("no such product");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("0 items found")).toBeVisible();
    await expect(search).toHaveValue("no such product");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(rows(page)).toHaveCount(25);
    await expect(search).toHaveValue("");
  });

  test("is ordered and filtered, and has no search while the list is short", async ({ visitor }) => {
    const soldOut = productAt(0, ({ variants }) => variants.every(({ available }) => !available));
    await saveItems(customer, [first, soldOut, second]);
    await open(visitor);
    await expect.poll(titles).toEqual([second.title, soldOut.title, first.title]);
    await expect(page.getByRole("textbox", { name: "Search this list" })).toHaveCount(0);
    const order = page.getByRole("combobox", { name: "Sort by" });
    await order.selectOption({ label: "Oldest" });
    await expect.poll(titles).toEqual([first.title, soldOut.title, second.title]);
    await page.getByRole("checkbox", { name: "Only available" }).check();
    await expect.poll(titles).toEqual([first.title, second.title]);
    await expect(page.getByText("2 items found")).toBeVisible();
  });

  test("in the custom order has a removed item back in its place", async ({ visitor }) => {
    await saveItems(customer, [first, second]);
    const path = (product: { productId: string }) => `/lists/default/items/${product.productId}`;
    await customer.lists("PATCH", path(first), { position: 1 });
    await customer.lists("PATCH", path(second), { position: 2 });
    await open(visitor);
    await page.getByRole("combobox", { name: "Sort by" }).selectOption({ label: "Custom order" });
    await expect.poll(titles).toEqual([first.title, second.title]);
    await page.getByRole("button", { name: `Remove ${first.title}` }).click();
    await page.getByRole("button", { name: `Undo: put ${first.title} back` }).click();
    await expect(page.getByRole("button", { name: `Remove ${first.title}` })).toBeVisible();
    const { items } = await customer.lists<{ items: object[] }>("GET", "/lists/default/items?sort=position");
    expectValue(items).toMatchObject([
      { productId: first.productId, position: 1 },
      { productId: second.productId, position: 2 },
    ]);
  });
});

test("quantity and note are corrected, changed and cleared in a dialog", async ({ visitor }) => {
  await saveItems(customer, [first]);
  await open(visitor);
  const saved = () => customer.lists<{ items: object[] }>("GET", "/lists/default/items").then(({ items }) => items[0]);
  const dialog = page.locator("s-modal");
  const quantity = dialog.getByRole("spinbutton", { name: "Quantity" });
  const note = dialog.getByRole("textbox", { name: "Note" });
  const edit = page.getByRole("button", { name: `Edit quantity and note: ${first.title}` });
  await edit.click();
  await expect(quantity).toHaveValue("1");
  await quantity.fill("1.5");
  await quantity.press("Enter");
  await expect(quantity).toHaveAccessibleDescription("Enter a whole number from 1 to 999.");
  await quantity.fill("3");
  await note.fill("Two lines,\nin green");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  for (const text of ["Quantity: 3", "in green"]) await expect(row(page, first.title)).toContainText(text);
  expectValue(await saved()).toMatchObject({ quantity: 3, note: "Two lines,\nin green" });

  await edit.click();
  await expect(note).toHaveValue("Two lines,\nin green");
  await quantity.fill("1");
  await note.fill("  ");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row(page, first.title)).not.toContainText("in green");
  const cleared = await saved();
  expectValue(cleared).not.toHaveProperty("quantity");
  expectValue(cleared).not.toHaveProperty("note");
});

test("an item moves to another list", async ({ visitor }) => {
  const birthday = await makeList(customer, "Birthday");
  await saveItems(customer, [first, second]);
  await open(visitor);
  await page.getByRole("button", { name: `Move ${first.title}`, exact: true }).click();
  const dialog = page.locator("s-modal");
  await expect(dialog.getByRole("combobox", { name: "Move to" })).toHaveValue(birthday);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText(`${first.title} moved to Birthday`)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  expectValue(await savedProducts(birthday)).toEqual([first.productId]);
  await showList(page, "Birthday (1)");
  await expect(row(page, first.title)).toBeVisible();
});

describe("named lists", () => {
  test("are created, renamed and deleted", async ({ visitor }) => {
    await open(visitor);
    await page.getByRole("button", { name: "New list" }).click();
    await page.locator("s-modal").getByRole("textbox", { name: "List name" }).fill("Camping");
    await page.locator("s-modal").getByRole("button", { name: "Create list" }).click();
    await expect(page.getByRole("heading", { name: "This list is empty" })).toBeVisible();

    await page.getByRole("button", { name: "Rename" }).click();
    const name = page.locator("s-modal").getByRole("textbox", { name: "List name" });
    await expect(name).toHaveValue("Camping");
    await name.fill("Trip");
    await name.press("Enter");
    await expect(page.getByRole("combobox", { name: "List", exact: true }).locator("option:checked")).toHaveText(
      "Trip (0)",
    );

    await page.getByRole("button", { name: "Delete list" }).click();
    await page.locator("s-modal").getByRole("button", { name: "Delete list" }).click();
    await expect(page.getByText("Nothing saved yet")).toBeVisible();
    const { lists } = await customer.lists<{ lists: unknown[] }>("GET", "/lists");
    expectValue(lists).toHaveLength(1);
  });

  test("need a name that no other list has", async ({ visitor }) => {
    await makeList(customer, "Camping");
    await open(visitor);
    await page.getByRole("button", { name: "New list" }).click();
    const dialog = page.locator("s-modal");
    const name = dialog.getByRole("textbox", { name: "List name" });
    await name.press("Enter");
    await expect(name).toHaveAccessibleDescription("Enter a name of 1 to 100 characters.");
    await name.fill("CAMPING");
    await name.press("Enter");
    await expect(name).toHaveAccessibleDescription("You already have a list with this name. Choose another one.");
    await name.fill("Hiking");
    await name.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("option")).toHaveText(["My wishlist (0)", "Camping (0)", "Hiking (0)"]);
    visitor.expectFailures(`409 POST ${SERVICE}/lists`);
  });

  test("that were deleted elsewhere make place for the main list, with a message", async ({ visitor }) => {
    const camping = await makeList(customer, "Camping");
    await saveItems(customer, [first], camping);
    await open(visitor);
    await expect(page.getByRole("option")).toHaveText(["My wishlist (0)", "Camping (1)"]);
    await customer.lists("DELETE", `/lists/${camping}`);
    await showList(page, "Camping (1)");
    await expect(page.locator("s-banner")).toContainText("This list no longer exists. Here is your main list.");
    await expect(page.getByText("Nothing saved yet")).toBeVisible();
    visitor.expectFailures(`404 GET ${SERVICE}/lists/${camping}/items`);
  });
});

describe("in a plan without named lists and sharing", MATRIX, () => {
  test.beforeEach(({ store }) => setPlan(store, "free"));
  test.afterEach(({ store }) => setPlan(store, "growth"));

  test("a page that was open before says that the store does not offer a new list", async ({ store, visitor }) => {
    await setPlan(store, "growth");
    await untilFeatures(store, true);
    await open(visitor);
    await page.getByRole("button", { name: "New list" }).click();
    await setPlan(store, "free");
    await untilFeatures(store, false);
    const name = page.locator("s-modal").getByRole("textbox", { name: "List name" });
    await name.fill("Camping");
    await name.press("Enter");
    await expect(page.locator("s-modal s-banner")).toContainText("This store doesn’t offer this right now.");
    visitor.expectFailures(`403 POST ${SERVICE}/lists`);
  });

  test("the page offers neither, and existing lists can be used", async ({ store, visitor }) => {
    await setPlan(store, "growth");
    await untilFeatures(store, true);
    await makeList(customer, "Camping");
    await setPlan(store, "free");
    await saveItems(customer, [first]);
    await untilFeatures(store, false);
    await open(visitor);
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole("button", { name: "New list" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Share" })).toHaveCount(0);
    await showList(page, "Camping (0)");
    await expect(page.getByRole("button", { name: "Rename" })).toBeVisible();
  });
});

test("a share link is created, copied, readable for everybody, and revoked", async ({ arrive, visitor, store }) => {
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: store.url });
  await saveItems(customer, [first]);
  await open(visitor);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.locator("s-modal");
  const link = await dialog.getByRole("textbox", { name: "Share link" }).inputValue();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeAttached();
  expectValue(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const friend = await arrive();
  const shared = await friend.open(new URL(link).pathname);
  await expect(shared.getByText(first.title).first()).toBeVisible();
  await dialog.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const { pathname } = new URL(link);
  await friend.visit(shared, pathname);
  await expect(shared.getByText(first.title)).toHaveCount(0);
});

test("the sharer's name is saved, stands in the message by email, and is shown to who opens the link", async ({
  arrive,
  visitor,
}) => {
  await saveItems(customer, [first]);
  await open(visitor);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.locator("s-modal");
  const name = dialog.getByRole("textbox", { name: "Your name" });
  await name.fill("Ana");
  await dialog.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Your name is saved")).toBeAttached();
  const link = await dialog.getByRole("textbox", { name: "Share link" }).inputValue();
  const query = `?subject=Wishlist%20of%20Ana&body=${encodeURIComponent(link)}`;
  await expect(dialog.getByRole("link", { name: "E-mail" })).toHaveAttribute("href", `mailto:${query}`);
  const friend = await arrive();
  const shared = await friend.open(new URL(link).pathname);
  await expect(shared.getByRole("heading", { name: "Wishlist of Ana" })).toBeVisible();

  // The name is that of the next opening, until it is removed.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share" }).click();
  await expect(name).toHaveValue("Ana");
  await name.fill("");
  await name.press("Enter");
  await expect(dialog.getByRole("link", { name: "E-mail" })).toHaveAttribute("href", /\?subject=Wishlist&/);
});

describe("alerts", () => {
  const soldOut = productAt(0, ({ variants }) => variants.every(({ available }) => !available));

  const requests = () =>
    customer
      .lists<{ requests: { kind: string; variantId: string; targetPrice: string | null }[] }>("GET", "/alert-requests")
      .then(({ requests: open }) => open.map(({ kind, targetPrice }) => [kind, targetPrice]));

  test("are not offered while the shop has none", async ({ visitor }) => {
    await saveItems(customer, [first, soldOut]);
    await open(visitor);
    await expect(rows(page)).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Alerts" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^(Tell me|Price alert)/ })).toHaveCount(0);
  });

  test("about all items are chosen, and recorded with the words to which the customer agreed", async ({
    store,
    visitor,
  }) => {
    await turnOn(await store.shopId(), ["price_dropped", "back_in_stock"]);
    await open(visitor);
    await page.getByRole("button", { name: "Alerts" }).click();
    const dialog = page.locator("s-modal");
    await dialog.getByLabel("Tell me when a price drops").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Your alerts are saved")).toBeAttached();
    expectValue(
      await store.database.rows("SELECT kind, given, wording, locale FROM alert_consent WHERE customer_id = $1", [
        customer.login.customerId,
      ]),
    ).toEqual([
      {
        kind: "price_dropped",
        given: true,
        wording: expectValue.stringMatching(/^Tell me when a price drops · The store may write to you/),
        locale: "en",
      },
    ]);
    await page.getByRole("button", { name: "Alerts" }).click();
    await expect(dialog.getByLabel("Tell me when a price drops")).toBeChecked();
    await expect(dialog.getByLabel("Tell me when something is back in stock")).not.toBeChecked();
  });

  test("about a sold-out item are asked for and ended by the same button", async ({ store, visitor }) => {
    await turnOn(await store.shopId(), ["back_in_stock"]);
    await saveItems(customer, [first, soldOut]);
    await open(visitor);
    // No alert of a lower price is on.
    await expect(page.getByRole("button", { name: /^(Tell me|Price alert)/ })).toHaveCount(1);
    await page.getByRole("button", { name: `Tell me when it is back: ${soldOut.title}` }).click();
    const stop = page.getByRole("button", { name: `Stop telling me: ${soldOut.title}` });
    await expect(stop).toBeVisible();
    await expect(row(page, soldOut.title)).toContainText("You will hear when it is back");
    expectValue(await requests()).toEqual([["back_in_stock", null]]);
    await stop.click();
    await expect(page.getByRole("button", { name: `Tell me when it is back: ${soldOut.title}` })).toBeVisible();
    expectValue(await requests()).toEqual([]);
  });

  test("about a lower price have a target, which is corrected, shown, changed and ended", async ({
    store,
    visitor,
  }) => {
    await turnOn(await store.shopId(), ["price_dropped"]);
    await saveItems(customer, [first]);
    await open(visitor);
    await page.getByRole("button", { name: `Price alert: ${first.title}` }).click();
    const dialog = page.locator("s-modal");
    const target = dialog.getByRole("spinbutton", { name: "Target price in EUR (optional)" });
    await target.fill("1000000");
    await target.press("Enter");
    await expect(target).toHaveAccessibleDescription("Enter a price above 0 and below today’s price.");
    await target.fill("1.5");
    await target.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const price = formatMoney(150, moneyFormatOf("EUR"), "EUR");
    await expect(row(page, first.title)).toContainText(`Tell me at ${price}`);
    expectValue(await requests()).toEqual([["price_dropped", "1.50"]]);

    await page.getByRole("button", { name: `Change price alert: ${first.title}` }).click();
    await expect(target).toHaveValue("1.50");
    await target.fill("");
    await dialog.getByRole("button", { name: "Tell me", exact: true }).click();
    await expect(row(page, first.title)).toContainText("You will hear when the price drops");
    expectValue(await requests()).toEqual([["price_dropped", null]]);

    await page.getByRole("button", { name: `Change price alert: ${first.title}` }).click();
    await dialog.getByRole("button", { name: "Stop telling me" }).click();
    await expect(row(page, first.title)).not.toContainText("You will hear");
    expectValue(await requests()).toEqual([]);
    visitor.expectFailures(`400 POST ${SERVICE}/alert-requests`);
  });
});

describe("the cart", () => {
  async function cart(): Promise<unknown> {
    await page.waitForURL(/\/cart$/);
    return page.evaluate(async () => {
      const response = await fetch("/cart.js");
      const { items } = (await response.json()) as { items: { product_id: number; quantity: number }[] };
      return items.map(({ product_id, quantity }) => [String(product_id), quantity]);
    });
  }

  test("gets one item in its quantity", async ({ visitor }) => {
    await customer.lists("POST", "/items", { product_id: first.productId, quantity: 2 });
    await open(visitor);
    await page.getByRole("link", { name: `Add to cart: ${first.title}` }).click();
    expectValue(await cart()).toEqual([[first.productId, 2]]);
  });

  test("gets the selected items", async ({ visitor }) => {
    await saveItems(customer, [first, second, third]);
    await open(visitor);
    for (const { title } of [first, third]) await page.getByRole("checkbox", { name: `Select ${title}` }).check();
    await page.getByRole("link", { name: "Add 2 items to cart" }).click();
    expectValue(await cart()).toEqual([
      [third.productId, 1],
      [first.productId, 1],
    ]);
  });
});

test(
  "a list of 300 items is read page by page, each item once, also after some were removed",
  MATRIX,
  async ({ visitor }) => {
    const variants = products.flatMap(({ productId, variants }) =>
      variants.map(({ variantId }) => ({ productId, variantId })),
    );
    const items = variants.slice(0, 300);
    expectValue(items).toHaveLength(300);
    for (let start = 0; start < items.length; start += 100) {
      const operations = items.slice(start, start + 100).map((item) => ({ op: "add", ...item }));
      await customer.lists("POST", "/lists/default/items/batch", { operations });
    }
    await open(visitor);
    await expect(rows(page)).toHaveCount(25);
    await page
      .getByRole("button", { name: /^Remove / })
      .first()
      .click();
    await expect(page.getByText("Removed from this list")).toBeVisible();
    for (let count = 50; count <= 300; count += 25) {
      await page.getByRole("button", { name: "Show more" }).click();
      await expect(rows(page)).toHaveCount(count);
    }
    await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
    await expect(page.getByText("299 items")).toBeVisible();
  },
);

describe("failures", () => {
  test("an access token that has expired is renewed unnoticed", MATRIX, async ({ visitor }) => {
    await saveItems(customer, [first]);
    await open(visitor);
    let isFirst = true;
    // It stays for the second attempt: a route that ends with its first request loses sight of the requests that start meanwhile.
    await visitor.context.route(`**${SERVICE}/lists/default/items/*`, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      const headers = await route.request().allHeaders();
      const { header, payload } = takeApart((headers["authorization"] ?? "").slice("Bearer ".length));
      const expired = put({ header, payload: { ...payload, exp: Math.floor(Date.now() / 1000) - 1 } }, TOKEN_SECRET);
      await route.continue({ headers: { ...headers, authorization: `Bearer ${expired}` } });
    });
    await page.getByRole("button", { name: `Remove ${first.title}` }).click();
    await expect(row(page, first.title)).toContainText("Removed from this list");
    expectValue(await savedProducts()).toEqual([]);
    visitor.expectFailures(`401 DELETE ${SERVICE}/lists/default/items/${first.productId}`);
  });

  test("without a connection the page says so and loads on another try", MATRIX, async ({ visitor }) => {
    await saveItems(customer, [first]);
    await visitor.context.route("**/v1/**", (route) => route.abort("internetdisconnected"));
    await open(visitor);
    await expect(page.locator("s-banner")).toContainText("There is no connection.");
    await visitor.context.unroute("**/v1/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(row(page, first.title)).toBeVisible();
  });

  test("a change that fails leaves the item and says what to do", MATRIX, async ({ visitor }) => {
    await saveItems(customer, [first]);
    await open(visitor);
    await page.getByRole("button", { name: `Remove ${first.title}` }).waitFor();
    await visitor.context.route(`**${SERVICE}/**`, (route) => route.abort("internetdisconnected"));
    await page.getByRole("button", { name: `Remove ${first.title}` }).click();
    await expect(page.locator("s-banner")).toContainText("The item couldn’t be removed");
    await expect(row(page, first.title)).not.toContainText("Removed");
    expectValue(await savedProducts()).toEqual([first.productId]);
  });

  test("a dialog whose request fails keeps what was typed, and says why in a banner", MATRIX, async ({ visitor }) => {
    await saveItems(customer, [first]);
    await open(visitor);
    await page.getByRole("button", { name: `Edit quantity and note: ${first.title}` }).click();
    const dialog = page.locator("s-modal");
    const quantity = dialog.getByRole("spinbutton", { name: "Quantity" });
    await quantity.fill("2");
    await visitor.context.route(`**${SERVICE}/**`, (route) => route.abort("internetdisconnected"));
    await quantity.press("Enter");
    await expect(dialog.locator("s-banner")).toContainText("There is no connection.");
    await expect(quantity).toHaveAccessibleDescription("");
    await expect(quantity).toHaveValue("2");
  });

  test(
    "an app without access to protected customer data shows what the customer can do",
    MATRIX,
    async ({ store, visitor }) => {
      await store.control("protected-customer-data", { on: false });
      await open(visitor);
      await expect(page.locator("s-banner")).toContainText("Your account couldn’t be confirmed.");
      visitor.expectFailures("403 POST /v1/auth/customer-account-token");
    },
  );
});

const LOCALES = readdirSync(new URL("../../extensions/wishlist-account/locales", import.meta.url)).map(
  (file) => file.split(".")[0] ?? "",
);

test("the page is complete in every language", MATRIX, async ({ visitor }) => {
  await saveItems(customer, [first]);
  await makeList(customer, "Camping");
  const headings = new Set<string>();
  for (const locale of LOCALES) {
    await visitor.visit(page, `${ACCOUNT_WISHLIST}?locale=${locale}`);
    await expect(rows(page)).toHaveCount(1);
    headings.add(await page.getByRole("heading", { level: 1 }).innerText());
  }
  expectValue([LOCALES.length, headings.size]).toEqual([5, 5]);
});

/** Expects no violations and nothing wider than the window, on a desktop and on a phone. */
async function expectAccessible(): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    expectValue(await violations(page.locator("html"))).toEqual([]);
    expectValue(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
}

describe("on a phone and a desktop axe finds no violation and nothing overflows", MATRIX, () => {
  const LONG = `${"Tent and everything that belongs to it ".repeat(2)}Donaudampfschifffahrt`;

  test("on the profile, the list, an empty list, dialogs and failures", async ({ store, visitor }) => {
    await turnOn(await store.shopId(), ["price_dropped", "back_in_stock"]);
    await saveItems(customer, [first, second]);
    await makeList(customer, LONG);
    await visitor.visit(page, "/account/profile");
    await expect(page.getByText("2 items")).toBeVisible();
    await expectAccessible();
    await open(visitor);
    await expect(rows(page)).toHaveCount(2);
    await expectAccessible();
    await page.getByRole("button", { name: `Remove ${first.title}` }).click();
    await expect(page.getByText("Removed from this list")).toBeVisible();
    await expectAccessible();
    for (const [button, ready] of [
      ["New list", "List name"],
      ["Share", "Share link"],
    ] as const) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await expect(page.locator("s-modal").getByRole("textbox", { name: ready })).toBeVisible();
      await expectAccessible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    for (const name of [
      "Alerts",
      `Edit quantity and note: ${second.title}`,
      `Price alert: ${second.title}`,
      `Move ${second.title}`,
    ]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    await showList(page, `${LONG} (0)`);
    await expect(page.getByRole("heading", { name: "This list is empty" })).toBeVisible();
    await expectAccessible();
    await visitor.context.route("**/v1/**", (route) => route.abort("internetdisconnected"));
    await open(visitor);
    await expect(page.getByRole("alert")).toBeVisible();
    await expectAccessible();
  });
});
