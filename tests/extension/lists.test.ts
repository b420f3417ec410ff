import type { Locator, Page } from "playwright";
import { expect as expectValue, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { expect } from "../support/browser/expect.ts";
import { expectCount, expectSaved, heartOf, type Shopper, withShopper } from "../support/browser/shopper.ts";

let shopper: Shopper;
let store: Shopper["store"];

withShopper((arrival) => {
  shopper = arrival;
  store = shopper.store;
  store.service.offersLists = true;
});

const CUSTOMER = "customer 1";

function dialogOf(page: Page): Locator {
  return page.getByRole("dialog", { name: "Choose lists" });
}

/** Opens the page of a customer and the picker for a product that is on the list "Birthday". */
async function openPicker(): Promise<{ page: Page; dialog: Locator; birthday: string }> {
  await shopper.logIn("1");
  store.service.save(CUSTOMER, "90011");
  const birthday = store.service.createList(CUSTOMER, "Birthday", "90011");
  const page = await shopper.open();
  await heartOf(page, 1).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("checkbox")).toHaveCount(2);
  return { page, dialog, birthday };
}

test("saving offers to change the list, and the picker's script loads only then", async () => {
  await shopper.logIn("1");
  const birthday = store.service.createList(CUSTOMER, "Birthday");
  const page = await shopper.open();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await heartOf(page, 1).click();
  const button = page.getByRole("button", { name: "Change list" });
  await expect(button).toBeVisible();
  expectValue(requests.filter((url) => url.includes("wishlist-lists"))).toEqual([]);

  await button.click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("checkbox", { name: "My wishlist" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "Birthday" }).check();
  await expect.poll(() => store.service.savedIn(CUSTOMER, birthday)).toEqual(["90011"]);
  await shopper.quiet(page);
  await expectCount(page, 1);
  await dialog.getByRole("checkbox", { name: "My wishlist" }).uncheck();
  await expect.poll(() => store.service.saved(CUSTOMER)).toEqual([]);
  await shopper.quiet(page);
  await expectSaved(heartOf(page, 1));
  await expectCount(page, 1);
});

test("a store without named lists does not offer to change the list", async () => {
  store.service.offersLists = false;
  const page = await shopper.open();
  await heartOf(page, 1).click();
  await shopper.quiet(page);
  await expect(page.locator(".whl-message")).toHaveText("Saved to your wishlist. View wishlist");
});

test("a press of a filled heart removes a product of the default list alone", async () => {
  await shopper.logIn("1");
  store.service.save(CUSTOMER, "90011");
  store.service.createList(CUSTOMER, "Birthday", "90021");
  const page = await shopper.open();
  await heartOf(page, 1).click();
  await expect.poll(() => store.service.saved(CUSTOMER)).toEqual([]);
  await expectSaved(heartOf(page, 1), false);
  await expect(dialogOf(page)).toHaveCount(0);
});

test("a press of the heart of a product in a named list opens the picker and removes nothing", async () => {
  const { dialog, birthday, page } = await openPicker();
  await expect(dialog.getByRole("checkbox", { name: "Birthday" })).toBeChecked();
  await shopper.quiet(page);
  expectValue(store.service.savedIn(CUSTOMER, birthday)).toEqual(["90011"]);
  expectValue(store.service.saved(CUSTOMER)).toEqual(["90011"]);
});

test("the picker works by keyboard, keeps the focus, and gives it back when Escape closes it", async () => {
  const { page, dialog, birthday } = await openPicker();
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.shadowRoot ? "dialog" : (activeElement?.tagName ?? "");
    });
  await expect(dialog.getByRole("checkbox", { name: "My wishlist" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect.poll(() => store.service.savedIn(CUSTOMER, birthday)).toEqual([]);
  for (let time = 0; time < 12; time++) {
    await page.keyboard.press("Tab");
    // Between the last element and the first one is the browser's own bar.
    expectValue(["dialog", "BODY"]).toContain(await focused());
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(heartOf(page, 1)).toBeFocused();
});

test("a new list gets the product, and its name is shown as text", async () => {
  const { page, dialog } = await openPicker();
  const name = "<img src=x onerror=alert(1)>";
  await dialog.getByLabel("New list").fill(name);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("checkbox", { name })).toBeChecked();
  await expect(dialog.getByRole("status")).toHaveText(`Saved to “${name}”`);
  expectValue(store.service.savedIn(CUSTOMER, "lst_2")).toEqual(["90011"]);
});

test("the picker says why a list can't be created", async () => {
  const { page, dialog } = await openPicker();
  await dialog.getByLabel("New list").fill("Birthday");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toHaveText("You already have a list with this name. Choose another name.");
});

test("a refused change leaves the checkbox as the list is", async () => {
  const { dialog } = await openPicker();
  store.refusals.set("remove", { status: 503, code: "service_unavailable" });
  await dialog.getByRole("checkbox", { name: "Birthday" }).click();
  await expect(dialog.getByRole("status")).toHaveText("Something went wrong. Please try again.");
  await expect(dialog.getByRole("checkbox", { name: "Birthday" })).toBeChecked();
});

test("another tab shows what the picker changes", async () => {
  const { dialog } = await openPicker();
  const other = await shopper.open();
  await expectSaved(heartOf(other, 1));
  await expectCount(other, 1);
  for (const name of ["My wishlist", "Birthday"]) await dialog.getByRole("checkbox", { name }).uncheck();
  await expectSaved(heartOf(other, 1), false);
  await expectCount(other, 0);
});

test("a choice that leaves the number of saved variants as it is tells other tabs", async () => {
  const { page, dialog, birthday } = await openPicker();
  const stored = (): Promise<string> => page.evaluate(() => localStorage.getItem("wishlist") ?? "");
  const revision = async (): Promise<string | undefined> => /"rev":"\d+"/.exec(await stored())?.[0];
  const before = await revision();
  await dialog.getByRole("checkbox", { name: "Birthday" }).uncheck();
  await expect.poll(() => store.service.savedIn(CUSTOMER, birthday)).toEqual([]);
  await shopper.quiet(page);
  await expectCount(page, 1);
  expectValue(await revision()).not.toEqual(before);
});

test("a guest keeps the lists of a product over pages", async () => {
  const page = await shopper.open();
  await heartOf(page, 1).click();
  await page.getByRole("button", { name: "Change list" }).click();
  await dialogOf(page).getByLabel("New list").fill("Camping");
  await page.keyboard.press("Enter");
  await expect(dialogOf(page).getByRole("checkbox", { name: "Camping" })).toBeChecked();
  await shopper.quiet(page);
  await shopper.visit(page, "/collections/all");
  await expectCount(page, 1);
  await heartOf(page, 1).click();
  await expect(dialogOf(page).getByRole("checkbox", { name: "Camping" })).toBeChecked();
});

test("the picker has no accessibility violations", async () => {
  const { page, dialog } = await openPicker();
  await expect(dialog.getByRole("checkbox", { name: "My wishlist" })).toBeFocused();
  expectValue(await violations(page.locator(".whl-lists"))).toEqual([]);
});
