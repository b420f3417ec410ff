import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { createProduct, productAt, untilProduct } from "./fixtures/live-store.ts";
import {
  expect,
  expectCount,
  expectSaved,
  listed,
  mainButton,
  press,
  removeButton,
  WISHLIST,
} from "./fixtures/visitor.ts";

test("the wishlist shows changed prices and marks deleted products", async ({ store, visitor }) => {
  const { productId, handle } = await createProduct(store, "Passing Lantern");
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  await visitor.visit(page, `/products/${handle}`);
  await press(mainButton(page));
  await visitor.visit(page, WISHLIST);
  const card = page.locator("[data-wishlist-item]");
  await expect(card).toContainText("€45,00");
  await store.control("edit-product", { productId, priceCents: 3_990 });
  await page.reload();
  await expect(card).toContainText("€39,90");
  await expect(card).not.toContainText("€45,00");
  await store.control("edit-product", { productId, available: false });
  await page.reload();
  await expect(card).toContainText("Sold out");
  await expect(card.getByRole("button", { name: "Add to cart" })).toHaveCount(0);

  await store.control("delete-product", { productId });
  await untilProduct(store, productId, "deleted_at IS NOT NULL");
  await page.reload();
  await visitor.quiet(page);
  await expect(listed(page)).toHaveText(["Passing Lantern"]);
  await expect(card).toContainText("No longer available");
  await expect(card.getByRole("link")).toHaveCount(0);
  await expectCount(page, 1);
  await removeButton(page, "Passing Lantern").click();
  await expect(page.locator("[data-wishlist-total]")).toHaveText("0 items");
  await page.reload();
  await expect(page.getByText("Nothing saved yet")).toBeVisible();
  // It was the product that the visitor viewed last, which an empty list would offer.
  await visitor.quiet(page);
  visitor.expectFailures(`404 GET /products/${handle}.js`);
});

test("the variant in a URL is the one that is saved, listed and linked", async ({ store, visitor }) => {
  const product = productAt(0, ({ variants }) => variants.length > 1);
  const [standard, chosen] = [product.variants[0], product.variants.at(-1)];
  const page = await visitor.open(`/products/${product.handle}?variant=${chosen?.variantId ?? ""}`);
  await press(mainButton(page));
  expectValue(await store.database.rows("SELECT variant_id FROM wishlist_item")).toEqual([
    { variant_id: chosen?.variantId },
  ]);
  await visitor.visit(page, `/products/${product.handle}?variant=${standard?.variantId ?? ""}`);
  await expectSaved(mainButton(page), false);
  await visitor.visit(page, WISHLIST);
  await expect(page.locator("[data-wishlist-item]")).toContainText(chosen?.title ?? "");
  await page.getByRole("link", { name: product.title }).click();
  await page.waitForURL(new RegExp(`variant=${chosen?.variantId ?? ""}`));
  await expectSaved(mainButton(page));
});
