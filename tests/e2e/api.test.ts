import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectCount, expectSaved, heartOf, listed, press, WISHLIST } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

/** The default variant of the product. */
function defaultVariant({ variants }: typeof first): string | undefined {
  return (variants.find(({ available }) => available) ?? variants[0])?.variantId;
}

interface Items {
  items: { productId: string; variantId: string }[];
}

test("API and storefront change and show the same list", async ({ store, visitor }) => {
  const customer = store.newCustomer();
  const token = await store.token();
  const path = `/v1/wishlists/${customer.customerId}`;
  await visitor.startSession(customer);
  const page = await visitor.context.newPage();

  (await store.call("POST", `${path}/items`, { token, json: { product_id: first.productId } })).data();
  await visitor.visit(page, COLLECTION);
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);

  await press(heartOf(page, second.handle));
  const { items } = (await store.call("GET", path, { token })).data<Items>();
  expectValue(items.map(({ productId, variantId }) => [productId, variantId])).toEqual([
    [second.productId, defaultVariant(second)],
    [first.productId, defaultVariant(first)],
  ]);
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([second.title, first.title]);

  (await store.call("DELETE", `${path}/items/${second.productId}`, { token })).data();
  await visitor.visit(page, COLLECTION);
  await expectSaved(heartOf(page, second.handle), false);
  await press(heartOf(page, first.handle));
  expectValue((await store.call("GET", path, { token })).data<Items>().items).toEqual([]);

  // A link that one surface creates is the other's link.
  await press(heartOf(page, second.handle));
  const { shareToken } = (await store.call("GET", `${path}/share`, { token })).data<{ shareToken: string }>();
  await visitor.visit(page, `${WISHLIST}/shared/${shareToken}`);
  await expect(listed(page)).toHaveText([second.title]);
});
