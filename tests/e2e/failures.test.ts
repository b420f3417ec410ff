import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { createProduct, productAt, untilProduct } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  mainButton,
  press,
  removeButton,
  share,
  undoButton,
  WISHLIST,
} from "./fixtures/visitor.ts";

const first = productAt(0);

test("a heart changes immediately on a slow network", async ({ store, visitor }) => {
  const page = await visitor.open(COLLECTION);
  await store.control("faults", { faults: { proxy: "slow", delayMs: 3_000 } });
  const responded = page.waitForResponse(/\/api\/add$/);
  // The press changes the heart immediately, so nothing waits in between.
  const pressed = await heartOf(page, first.handle).evaluate((heart) => {
    heart.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return heart.ariaPressed;
  });
  expectValue(pressed).toBe("true");
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);
  expectValue((await responded).status()).toBe(200);
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);
});

test("a failed press is reverted with a message and can be repeated", async ({ store, visitor }) => {
  const page = await visitor.open(COLLECTION);
  await store.control("faults", { faults: { proxy: "error" } });
  await heartOf(page, first.handle).click();
  await expect(page.getByRole("status").filter({ hasText: "Something went wrong." })).toBeVisible();
  await expectSaved(heartOf(page, first.handle), false);
  await expectCount(page, 0);
  visitor.expectFailures("502 POST /apps/wishlist/api/add");

  await store.control("faults", { faults: { proxy: "none" } });
  await press(heartOf(page, first.handle));
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);

  await visitor.visit(page, WISHLIST);
  await store.control("faults", { faults: { proxy: "error" } });
  await page.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "Something went wrong." })).toBeVisible();
  await expect(listed(page)).toHaveText([first.title]);
  await expectCount(page, 1);
  visitor.expectFailures("502 POST /apps/wishlist/api/remove");
});

test("Liquid and HTML in a product's title are shown as text on every page", async ({ store, visitor }) => {
  const title = "{{ shop.name }}{% assign x = 1 %}<script>window.ran = 1</script>\"'";
  const { productId, handle } = await createProduct(store, "Harmless");
  await store.control("edit-product", { productId, title });
  await untilProduct(store, productId, "title = $2", title);

  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  const harmless = async (): Promise<void> => {
    expectValue(await page.evaluate(() => "ran" in window)).toBe(false);
  };
  await visitor.visit(page, "/search?q=shop.name");
  await expect(heartOf(page, handle)).toHaveAccessibleName(`Save ${title} to wishlist`);
  await harmless();
  await visitor.visit(page, `/products/${handle}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await press(mainButton(page));
  await harmless();
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([title]);
  await harmless();
  await removeButton(page, title).click();
  await undoButton(page, title).click();
  await page.goto(await share(page));
  await expect(listed(page)).toHaveText([title]);
  await harmless();

  // The theme has no such product any more, and the cached title is shown as text as well.
  await store.control("delete-product", { productId });
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([title]);
  await expect(removeButton(page, title)).toBeVisible();
  await harmless();
});
