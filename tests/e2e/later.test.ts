import type { Page } from "playwright";
import { expect as expectValue } from "vitest";
import { z } from "zod";
import { test } from "./fixtures/journey.ts";
import { isBuyable, productAt } from "./fixtures/live-store.ts";
import { expect, WISHLIST } from "./fixtures/visitor.ts";

const [wanted, other] = [productAt(0, isBuyable), productAt(1, isBuyable)];
const ENGRAVED = { Engraving: "“A & L” {{ 1 }}", _upload: "https://cdn.example.com/1.png" };

const cartShape = z.object({
  items: z.array(
    z.object({
      product_id: z.number().transform(String),
      quantity: z.number(),
      properties: z.record(z.string(), z.string()),
    }),
  ),
});

async function cartOf(page: Page) {
  return cartShape.parse(await page.evaluate(async (): Promise<unknown> => (await fetch("/cart.js")).json())).items;
}

async function addLine(page: Page, line: object): Promise<void> {
  await page.evaluate(async (body) => {
    await fetch("/cart/add.js", { method: "POST", headers: { "content-type": "application/json" }, body });
  }, JSON.stringify(line));
}

test("a line goes from the cart to the wishlist and back with quantity and properties", async ({ store, visitor }) => {
  const page = await visitor.open("/");
  const variant = (product: typeof wanted) => product.variants[0]?.variantId ?? "";
  await addLine(page, { id: variant(wanted), quantity: 2, properties: ENGRAVED });
  await addLine(page, { id: variant(other) });
  await visitor.visit(page, "/cart");
  await page.getByRole("button", { name: `Save ${wanted.title} for later` }).click();
  await expect(page.locator(".whl-message")).toContainText("Saved for later.");
  const line = { product_id: wanted.productId, quantity: 2, properties: ENGRAVED };
  expectValue(await cartOf(page)).toEqual([{ product_id: other.productId, quantity: 1, properties: {} }]);

  // Taken back, and saved again.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: `Save ${wanted.title} for later` })).toBeVisible();
  await visitor.quiet(page);
  expectValue(await cartOf(page)).toContainEqual(line);
  await page.getByRole("button", { name: `Save ${wanted.title} for later` }).click();
  await expect(page.locator(".whl-message")).toContainText("Saved for later.");
  await visitor.quiet(page);

  await visitor.visit(page, WISHLIST);
  const card = page.locator("[data-wishlist-item]").filter({ hasText: wanted.title });
  await expect(card).toContainText(`Engraving: ${ENGRAVED.Engraving}`);
  await expect(card).toContainText("Quantity: 2");
  await expect(card).not.toContainText("upload");

  // What the item has stays with it while its removal can be undone.
  await card.getByRole("button", { name: "Remove" }).click();
  await card.getByRole("button", { name: "Undo" }).click();
  await visitor.quiet(page);
  await card.getByLabel("More for").click();
  await card.getByRole("button", { name: "Move to cart" }).click();
  await expect(page.getByRole("link", { name: "View cart" })).toBeVisible();
  await visitor.quiet(page);
  expectValue(await cartOf(page)).toContainEqual(line);

  const groups = await store.database.rows<{ source: string; kind: string }>(
    "SELECT source, kind FROM activity WHERE kind = 'added' ORDER BY id",
  );
  expectValue(groups.map(({ source }) => source)).toEqual(["cart", "cart", "storefront"]);
});
