import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  mainButton,
  removeButton,
  saveAll,
  undoButton,
  WISHLIST,
} from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second] = [productAt(0), productAt(1)];

for (const shopper of ["a guest", "a customer"]) {
  const title = `an item that ${shopper} removes disappears everywhere, unless the removal is undone`;
  test(title, shopper === "a customer" ? {} : MATRIX, async ({ store, visitor }) => {
    if (shopper === "a customer") await visitor.startSession(store.newCustomer());
    const page = await visitor.context.newPage();
    await saveAll(visitor, page, [first, second]);
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveText([second.title, first.title]);
    const hearts = await visitor.open(COLLECTION);
    await expectSaved(heartOf(hearts, first.handle));

    const remove = removeButton(page, first.title);
    await remove.click();
    const undo = undoButton(page, first.title);
    await expect(undo).toBeFocused();
    await expect(page.locator("[data-wishlist-total]")).toHaveText("1 item");
    await expectCount(page, 1);
    // The other tab updates without a reload.
    await expectSaved(heartOf(hearts, first.handle), false);
    await expectSaved(heartOf(hearts, second.handle));

    await undo.click();
    await expect(remove).toBeFocused();
    await expect(page.locator("[data-wishlist-total]")).toHaveText("2 items");
    await expectCount(page, 2);
    await expectSaved(heartOf(hearts, first.handle));
    await visitor.visit(hearts, COLLECTION);
    await expectSaved(heartOf(hearts, first.handle));

    await remove.click();
    await expect(undo).toBeFocused();
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveText([second.title]);
    await visitor.visit(hearts, COLLECTION);
    await expectSaved(heartOf(hearts, first.handle), false);
    await expectSaved(heartOf(hearts, second.handle));
    await expectCount(hearts, 1);
    expectValue(await page.locator(".wl-undo").count()).toBe(0);
  });
}

test("a removed item is not shown as saved after going back", MATRIX, async ({ store, visitor }) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  await saveAll(visitor, page, [first, second]);
  await page.locator(".whl-counter").click();
  await removeButton(page, first.title).click();
  await expect(undoButton(page, first.title)).toBeFocused();
  await page.getByRole("link", { name: second.title, exact: true }).click();
  await expectSaved(mainButton(page));
  await page.goBack();
  await expect(listed(page)).toHaveText([second.title]);
  await expect(page.locator("[data-wishlist-total]")).toHaveText("1 item");
  await page.goBack();
  await expectSaved(heartOf(page, second.handle));
  await expectSaved(heartOf(page, first.handle), false);
  await expectCount(page, 1);
});
