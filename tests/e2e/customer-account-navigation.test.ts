import type { Locator, Page } from "playwright";
import { describe, expect as expectValue } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { PHONE } from "../support/browser/browser.ts";
import { ACCOUNT_WISHLIST, logInCustomer, makeList, row, rows, saveItems, showList } from "./fixtures/account.ts";
import type { AccountCustomer } from "./fixtures/account.ts";
import { test } from "./fixtures/journey.ts";
import { go } from "./fixtures/keyboard.ts";
import { isBuyable, productAt } from "./fixtures/live-store.ts";
import { expect } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0, isBuyable), productAt(1, isBuyable)];

let customer: AccountCustomer;
let page: Page;
test.beforeEach(async ({ store, visitor }) => {
  customer = await logInCustomer(store, visitor);
  ({ page } = customer);
});

function button(name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

function shownList(): Locator {
  return page.getByRole("combobox", { name: "List", exact: true }).locator("option:checked");
}

describe("the address", () => {
  test("of a list leads to it, and back and forward lead from list to list", async ({ visitor }) => {
    const birthday = await makeList(customer, "Birthday");
    await makeList(customer, "Camping");
    await saveItems(customer, [first]);
    await saveItems(customer, [second], birthday);
    await visitor.visit(page, `${ACCOUNT_WISHLIST}/lists/${birthday}`);
    await expect(shownList()).toHaveText("Birthday (1)");
    await expect(row(page, second.title)).toBeVisible();
    await showList(page, "Camping (0)");
    await expect(page.getByRole("heading", { name: "This list is empty" })).toBeVisible();
    await showList(page, "My wishlist (1)");
    await expect(row(page, first.title)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${ACCOUNT_WISHLIST}$`));
    await page.goBack();
    await expect(shownList()).toHaveText("Camping (0)");
    await page.goBack();
    await expect(row(page, second.title)).toBeVisible();
    await page.goForward();
    await page.goForward();
    await expect(row(page, first.title)).toBeVisible();
    await expect(shownList()).toHaveText("My wishlist (1)");
  });

  test("of the shown list survives a reload", async ({ visitor }) => {
    await makeList(customer, "Birthday");
    await visitor.visit(page, ACCOUNT_WISHLIST);
    await showList(page, "Birthday (0)");
    await expect(page).toHaveURL(/\/lists\/lst_\w+$/);
    await page.reload();
    await expect(shownList()).toHaveText("Birthday (0)");
  });

  test("of a list that is gone leads to the main list, with a message until another list is chosen", async ({
    visitor,
  }) => {
    await makeList(customer, "Birthday");
    await saveItems(customer, [first]);
    await visitor.visit(page, `${ACCOUNT_WISHLIST}/lists/lst_0000000000000000000000`);
    await expect(page.locator("s-banner")).toContainText("This list no longer exists. Here is your main list.");
    await expect(row(page, first.title)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${ACCOUNT_WISHLIST}$`));
    await showList(page, "Birthday (0)");
    await expect(page.locator("s-banner")).toHaveCount(0);
  });

  test("of a new list is a place to go back from, and that of a deleted list is not", async ({ visitor }) => {
    await makeList(customer, "Birthday");
    await visitor.visit(page, ACCOUNT_WISHLIST);
    await button("New list").click();
    await page.getByRole("textbox", { name: "List name" }).fill("Camping");
    await page.keyboard.press("Enter");
    await expect(shownList()).toHaveText("Camping (0)");
    await page.goBack();
    await expect(shownList()).toHaveText("My wishlist (0)");
    await page.goForward();
    await expect(shownList()).toHaveText("Camping (0)");
    await button("Delete list").click();
    await page.locator("s-modal").getByRole("button", { name: "Delete list" }).click();
    await expect(page.getByText("Nothing saved yet")).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${ACCOUNT_WISHLIST}$`));
    await expect(page.getByRole("option")).toHaveText(["My wishlist (0)", "Birthday (0)"]);
    await expect(page.locator("s-banner")).toHaveCount(0);
  });
});

describe("by keyboard", () => {
  test.beforeEach(async ({ visitor }) => {
    const birthday = await makeList(customer, "Birthday");
    await saveItems(customer, [first], birthday);
    await visitor.visit(page, `${ACCOUNT_WISHLIST}/lists/${birthday}`);
    await expect(rows(page)).toHaveCount(1);
  });

  const dialogs = [
    { opener: "New list", closer: "Cancel", options: {} },
    { opener: "Share", closer: "Close", options: MATRIX },
    { opener: "Rename", closer: "Cancel", options: MATRIX },
    { opener: "Delete list", closer: "Cancel", options: MATRIX },
    { opener: `Move ${first.title}`, closer: "Cancel", options: MATRIX },
  ];
  for (const { opener, closer, options } of dialogs)
    test(`the dialog of “${opener}” takes the focus and returns it, with Escape and “${closer}”`, options, async () => {
      const dialog = page.getByRole("dialog");
      const control = button(opener).first();
      await go(page, "Tab", control);
      for (const close of [
        () => page.keyboard.press("Escape"),
        async () => {
          await go(page, "Tab", page.locator("s-modal").getByRole("button", { name: closer }));
          await page.keyboard.press("Enter");
        },
      ]) {
        await page.keyboard.press("Enter");
        await expect(dialog).toBeVisible();
        await expect(control).not.toBeFocused();
        await close();
        await expect(dialog).toHaveCount(0);
        await expect(control).toBeFocused();
      }
    });

  test("a list is renamed and shared, and the focus returns to the button", MATRIX, async () => {
    await go(page, "Tab", button("Rename"));
    await page.keyboard.press("Enter");
    const name = page.locator("s-modal").getByRole("textbox", { name: "List name" });
    await go(page, "Tab", name);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Trip");
    await page.keyboard.press("Enter");
    await expect(shownList()).toHaveText("Trip (1)");
    await expect(button("Rename")).toBeFocused();

    await go(page, "Shift+Tab", button("Share"));
    await page.keyboard.press("Enter");
    await go(page, "Tab", page.locator("s-modal").getByRole("button", { name: "Stop sharing" }));
    await page.keyboard.press("Enter");
    await expect(page.getByText("The link no longer works")).toBeAttached();
    await expect(button("Share")).toBeFocused();
  });

  test("an item moves to the list that the arrow keys choose", MATRIX, async () => {
    const camping = await makeList(customer, "Camping");
    await page.reload();
    await go(page, "Tab", button(`Move ${first.title}`));
    await page.keyboard.press("Enter");
    await go(page, "Tab", page.locator("s-modal").getByRole("combobox", { name: "Move to" }));
    await page.keyboard.press("ArrowDown");
    await go(page, "Tab", page.locator("s-modal").getByRole("button", { name: "Move", exact: true }));
    await page.keyboard.press("Enter");
    await expect(page.getByText(`${first.title} moved to Camping`)).toBeAttached();
    const { items } = await customer.lists<{ items: unknown[] }>("GET", `/lists/${camping}/items`);
    expectValue(items).toMatchObject([{ productId: first.productId }]);
  });
});

test(
  "on a phone an item is removed, taken back, moved to another list, and that list is shared",
  MATRIX,
  async ({ arrive, visitor }) => {
    await page.setViewportSize(PHONE);
    const birthday = await makeList(customer, "Birthday");
    await saveItems(customer, [first, second]);
    await visitor.visit(page, "/account/profile");
    await page.getByRole("link", { name: "View wishlist" }).click();
    await button(`Remove ${first.title}`).click();
    await expect(page.getByText("1 item", { exact: true })).toBeVisible();
    await button(`Undo: put ${first.title} back`).click();
    await expect(page.getByText("2 items", { exact: true })).toBeVisible();
    await button(`Move ${first.title}`).click();
    await page.locator("s-modal").getByRole("button", { name: "Move", exact: true }).click();
    await expect(rows(page)).toHaveCount(1);
    await showList(page, "Birthday (1)");
    await expect(row(page, first.title)).toBeVisible();
    await button("Share").click();
    const link = await page.locator("s-modal").getByRole("textbox", { name: "Share link" }).inputValue();
    const friend = await arrive();
    await expect((await friend.open(new URL(link).pathname)).getByText(first.title).first()).toBeVisible();
    const { items } = await customer.lists<{ items: unknown[] }>("GET", `/lists/${birthday}/items`);
    expectValue(items).toMatchObject([{ productId: first.productId }]);
  },
);
