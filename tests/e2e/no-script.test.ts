import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { isBuyable, productAt } from "./fixtures/live-store.ts";
import { COLLECTION, expect, listed, removeButton, WISHLIST } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0, isBuyable), productAt(1, isBuyable)];

test("a customer without JavaScript can see, remove and buy items and open shared lists", async ({ store, arrive }) => {
  const customer = store.newCustomer();
  const token = await store.token();
  const path = `/v1/wishlists/${customer.customerId}`;
  for (const { productId } of [first, second]) {
    (await store.call("POST", `${path}/items`, { token, json: { product_id: productId } })).data();
  }
  const visitor = await arrive({ javaScriptEnabled: false });
  const page = await visitor.context.newPage();
  await visitor.startSession(customer);
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([second.title, first.title]);
  // Controls that need a script are hidden.
  await expect(page.getByRole("button", { name: "Share" })).toBeHidden();

  await removeButton(page, first.title).click();
  await expect(listed(page)).toHaveText([second.title]);
  expectValue((await store.call("GET", path, { token })).data()).toMatchObject({ total: 1 });

  const { shareToken } = (await store.call("GET", `${path}/share`, { token })).data<{ shareToken: string }>();
  const friend = await arrive({ javaScriptEnabled: false });
  const shared = await friend.open(`${WISHLIST}/shared/${shareToken}`);
  await expect(listed(shared)).toHaveText([second.title]);
  for (const one of [shared, page]) {
    await one.getByRole("button", { name: "Add to cart" }).click();
    await expect(one.getByRole("heading", { level: 1 })).toHaveText("Your cart");
    await expect(one.locator(".cart-item__name")).toHaveText([second.title]);
  }
});

test("a guest without JavaScript sees an explanation and no useless buttons", async ({ arrive }) => {
  const visitor = await arrive({ javaScriptEnabled: false });
  const page = await visitor.open(WISHLIST);
  // Scripts are disabled, but the browser's parser still reads <noscript> as text.
  expectValue(await page.locator("[data-wishlist-root] noscript").innerHTML()).toContain("log in to see your wishlist");
  for (const path of [COLLECTION, `/products/${first.handle}`]) {
    await visitor.visit(page, path);
    await expect(page.locator(".card-wrapper [data-wishlist-button]")).toHaveCount(0);
  }
});
