import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { go } from "./fixtures/keyboard.ts";
import { productAt } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectSaved,
  heartOf,
  listed,
  removeButton,
  shareButton,
  undoButton,
} from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second] = [productAt(0), productAt(1)];

test("a customer can do everything by keyboard, with focus and announcements after each step", async ({
  store,
  visitor,
}) => {
  const page = await visitor.open("/account/login");
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const said = (text: string): Promise<void> =>
    expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
  await go(page, "Tab", page.getByRole("button", { name: store.newCustomer().name }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${store.url}/`);
  await visitor.visit(page, COLLECTION);

  // A focused toggle announces its new state by itself.
  for (const { handle, title } of [first, second]) {
    const heart = heartOf(page, handle);
    await go(page, "Tab", heart);
    await expect(heart).toHaveAccessibleName(`Save ${title} to wishlist`);
    const response = page.waitForResponse(/\/api\/add$/);
    await page.keyboard.press("Space");
    await response;
    await expectSaved(heart);
    await expect(heart).toBeFocused();
  }
  const counter = page.locator(".whl-counter");
  await go(page, "Shift+Tab", counter);
  await expect(counter).toHaveAccessibleName(/Wishlist\s*2/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/apps\/wishlist$/);
  await visitor.quiet(page);

  await go(page, "Tab", removeButton(page, first.title));
  await page.keyboard.press("Enter");
  await expect(undoButton(page, first.title)).toBeFocused();
  await expect(page.locator("[data-wishlist-total]")).toHaveText("1 item");
  await page.keyboard.press("Enter");
  await expect(removeButton(page, first.title)).toBeFocused();
  await expect(listed(page)).toHaveText([second.title, first.title]);

  const share = shareButton(page);
  await go(page, "Shift+Tab", share);
  await page.keyboard.press("Space");
  const copy = page.getByRole("button", { name: "Copy link" });
  await expect(copy).toBeFocused();
  await page.keyboard.press("Enter");
  await said("Link copied");
  const link = await page.getByRole("textbox", { name: "Share link" }).inputValue();
  expectValue(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(page.locator(":focus")).toHaveAccessibleName(/Copy link|Share link/);
  await go(page, "Tab", page.getByRole("button", { name: "Stop sharing" }));
  await page.keyboard.press("Enter");
  await said("The link no longer works");
  await expect(share).toBeFocused();

  // The focus is kept after removing the last item.
  for (const { title } of [second, first]) {
    await go(page, "Tab", removeButton(page, title));
    await page.keyboard.press("Enter");
    await expect(undoButton(page, title)).toBeFocused();
  }
  await expect(page.locator("[data-wishlist-total]")).toHaveText("0 items");
});

test("a failure is announced and the focus stays on the pressed button", MATRIX, async ({ store, visitor }) => {
  const page = await visitor.open();
  await store.control("faults", { faults: { proxy: "error" } });
  const heart = heartOf(page, first.handle);
  await go(page, "Tab", heart);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Something went wrong." })).toBeVisible();
  await expectSaved(heart, false);
  await expect(heart).toBeFocused();
  visitor.expectFailures("502 POST /apps/wishlist/api/add");
});
