import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { isBuyable, openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, listed, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0, isBuyable), productAt(1, isBuyable)];

let store: LiveStore;
let visitor: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  visitor = await Visitor.arrive(store, { javaScriptEnabled: false });
});
afterEach(() => visitor.leave());

test("without JavaScript a customer sees the wishlist, removes, shares the look of a link, and puts into the cart", async () => {
  const customer = store.newCustomer();
  const token = await store.token();
  const path = `/v1/wishlists/${customer.customerId}`;
  for (const { productId } of [first, second]) {
    (await store.call("POST", `${path}/items`, { token, json: { product_id: productId } })).data();
  }
  const page = await visitor.context.newPage();
  await visitor.logIn(page, customer);
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([second.title, first.title]);
  // What would need a script is not offered.
  await expect(page.getByRole("button", { name: "Share" })).toBeHidden();

  await page.getByRole("button", { name: `Remove ${first.title} from the wishlist` }).click();
  await expect(listed(page)).toHaveText([second.title]);
  expectValue((await store.call("GET", path, { token })).data()).toMatchObject({ total: 1 });

  const { shareToken } = (await store.call("GET", `${path}/share`, { token })).data<{ shareToken: string }>();
  const friend = await Visitor.arrive(store, { javaScriptEnabled: false });
  const shared = await friend.open(`${WISHLIST}/shared/${shareToken}`);
  await expect(listed(shared)).toHaveText([second.title]);
  await shared.getByRole("button", { name: "Add to cart" }).click();
  await expect(shared.getByRole("heading", { level: 1 })).toHaveText("Your cart");
  await expect(shared.locator(".cart-item__name")).toHaveText([second.title]);
  await friend.leave();

  await page.getByRole("button", { name: "Add to cart" }).click();
  await expect(page.locator(".cart-item__name")).toHaveText([second.title]);
});

test("without JavaScript a guest reads how to see a wishlist, and is shown no button that does nothing", async () => {
  const page = await visitor.open(WISHLIST);
  await expect(page.locator("noscript").filter({ hasText: "log in to see your wishlist" })).toHaveCount(1);
  for (const path of [COLLECTION, `/products/${first.handle}`]) {
    await visitor.visit(page, path);
    await expect(page.locator("[data-wishlist-button]:visible")).toHaveCount(0);
  }
});
