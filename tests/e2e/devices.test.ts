// @module-tag matrix

import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt, type LiveStore, type Login } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  press,
  saveAll,
  WISHLIST,
} from "./fixtures/visitor.ts";

const [first, second, third] = [productAt(0), productAt(1), productAt(2)];

/** Returns the saved products of a customer, newest first. */
async function kept(store: LiveStore, { customerId }: Login): Promise<string[]> {
  const rows = await store.database.rows<{ product: string }>(
    `SELECT i.product_id AS product FROM wishlist w JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
      WHERE w.owner_kind = 'customer' AND w.owner_id = $1 ORDER BY i.added_at DESC, i.seq DESC`,
    [customerId],
  );
  return rows.map(({ product }) => product);
}

test("logging in on two devices merges both guest lists without duplicates", async ({
  store,
  visitor: laptop,
  arrive,
}) => {
  const phone = await arrive();
  const customer = store.newCustomer();
  const [large, small] = [await laptop.open("/"), await phone.open("/")];
  await saveAll(laptop, large, [first, second]);
  await saveAll(phone, small, [second, third]);

  await laptop.logIn(large, customer);
  await expectCount(large, 2);
  await phone.logIn(small, customer);
  await expectCount(small, 3);
  for (const [visitor, page] of [
    [phone, small],
    [laptop, large],
  ] as const) {
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveCount(3);
    await expectCount(page, 3);
    await visitor.visit(page, COLLECTION);
    for (const { handle } of [first, second, third]) await expectSaved(heartOf(page, handle));
  }
  expectValue((await kept(store, customer)).sort()).toEqual([first, second, third].map((one) => one.productId).sort());
  expectValue(await store.database.rows("SELECT 1 FROM wishlist WHERE owner_kind = 'guest'")).toEqual([]);
  // The reports count each save once, at its time.
  const token = await store.token();
  expectValue((await store.call("GET", "/v1/analytics/overview", { token })).data()).toMatchObject({
    activeShoppers: 1,
  });
});

test("an open tab neither saves for nor shows a customer who logged out in another tab", async ({ store, visitor }) => {
  const customer = store.newCustomer();
  const stale = await visitor.open("/");
  await visitor.logIn(stale, customer);
  await saveAll(visitor, stale, [first]);
  await visitor.logOut(await visitor.open());

  await expectSaved(heartOf(stale, first.handle), false);
  await press(heartOf(stale, second.handle));
  await visitor.quiet(stale);
  await expectSaved(heartOf(stale, second.handle));
  await expectSaved(heartOf(stale, first.handle), false);
  await expectCount(stale, 1);
  expectValue(await kept(store, customer)).toEqual([first.productId]);
  await visitor.visit(stale, WISHLIST);
  await expect(listed(stale)).toHaveText([second.title]);
});
