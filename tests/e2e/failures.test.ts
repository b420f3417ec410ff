import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { createProduct, untilProduct } from "./fixtures/live-store.ts";
import {
  expect,
  heartOf,
  listed,
  mainButton,
  press,
  removeButton,
  share,
  undoButton,
  WISHLIST,
} from "./fixtures/visitor.ts";

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
