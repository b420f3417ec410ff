import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt, type LiveStore } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  mainButton,
  press,
  WISHLIST,
} from "./fixtures/visitor.ts";

const [first, second, third] = [productAt(0), productAt(1), productAt(2)];
const chosen = productAt(0, ({ variants }) => variants.length > 1 && variants.at(-1)?.available === true);
const variant = chosen.variants.at(-1);

interface Kept {
  kind: string;
  product: string;
  variant: string;
}

/** Returns all saved items in the database, newest first. */
function kept(store: LiveStore): Promise<Kept[]> {
  return store.database.rows<Kept>(
    `SELECT w.owner_kind AS kind, i.product_id AS product, i.variant_id AS variant
       FROM wishlist w JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
      ORDER BY i.added_at DESC, i.seq DESC`,
  );
}

test("a guest's list is shared by all tabs and merged once at login", async ({ store, visitor }) => {
  const page = await visitor.open(COLLECTION);
  await press(heartOf(page, first.handle));
  await visitor.visit(page, `/products/${chosen.handle}`);
  await page.locator(`label:text-is("${variant?.title.split(" / ").at(-1) ?? ""}")`).click();
  // The theme names the chosen variant in the form, which the press reads.
  await expect(page.locator('#MainProduct form [name="id"]')).toHaveValue(variant?.variantId ?? "");
  await press(mainButton(page));
  expectValue(await kept(store)).toEqual([
    { kind: "guest", product: chosen.productId, variant: variant?.variantId },
    { kind: "guest", product: first.productId, variant: first.variants[0]?.variantId },
  ]);

  // Only that variant is saved, also after a reload.
  await page.reload();
  await visitor.quiet(page);
  await expectSaved(mainButton(page), new URL(page.url()).searchParams.get("variant") === variant?.variantId);
  await visitor.visit(page, `/products/${chosen.handle}?variant=${variant?.variantId ?? ""}`);
  await expectSaved(mainButton(page));
  await visitor.visit(page, COLLECTION);
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 2);

  // The second tab; the first one updates without a reload.
  const other = await visitor.open(COLLECTION);
  await expectSaved(heartOf(other, first.handle));
  await press(heartOf(other, second.handle));
  await expectSaved(heartOf(page, second.handle));
  await expectCount(page, 3);

  const customer = store.newCustomer();
  await visitor.logIn(other, customer);
  await visitor.visit(other, WISHLIST);
  await expect(listed(other)).toHaveText([second.title, chosen.title, first.title]);
  await expect(other.locator("[data-wishlist-total]")).toHaveText("3 items");
  expectValue((await kept(store)).map(({ kind }) => kind)).toEqual(["customer", "customer", "customer"]);
  expectValue(await store.database.rows("SELECT 1 FROM wishlist WHERE owner_kind = 'guest'")).toEqual([]);

  // The first tab has not been reloaded since the login: its saves are the customer's.
  await press(heartOf(page, third.handle));
  await expectSaved(heartOf(page, third.handle));
  await expect.poll(async () => (await kept(store)).map(({ kind }) => kind)).toEqual(Array(4).fill("customer"));
  expectValue(await store.database.rows("SELECT 1 FROM wishlist WHERE owner_kind = 'guest'")).toEqual([]);
  await visitor.visit(other, WISHLIST);
  await expect(listed(other)).toHaveText([third.title, second.title, chosen.title, first.title]);
});
