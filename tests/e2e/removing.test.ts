import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  press,
  Visitor,
  WISHLIST,
} from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

let store: LiveStore;
let visitor: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  visitor = await Visitor.arrive(store);
});
afterEach(() => visitor.leave());

async function saveTwo(page: Page): Promise<void> {
  await visitor.visit(page, COLLECTION);
  await press(heartOf(page, first.handle));
  await press(heartOf(page, second.handle));
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([second.title, first.title]);
}

test.each(["a guest", "a customer"])("what %s removes is gone everywhere, unless it is undone", async (who) => {
  const page = await visitor.open("/");
  if (who === "a customer") await visitor.logIn(page, store.newCustomer());
  await saveTwo(page);
  const hearts = await visitor.open(COLLECTION);
  await expectSaved(heartOf(hearts, first.handle));

  const remove = page.getByRole("button", { name: `Remove ${first.title} from the wishlist` });
  await remove.click();
  const undo = page.getByRole("button", { name: new RegExp(`Removed.*${first.title}.*Undo`) });
  await expect(undo).toBeFocused();
  await expect(page.locator("[data-wishlist-total]")).toHaveText("1 item");
  await expectCount(page, 1);
  // The other tab sees it without being loaded again.
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
