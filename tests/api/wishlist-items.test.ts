import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type Call } from "../support/client.ts";
import { startService, type Service } from "../support/service.ts";
import { makeShop, type TestShop } from "../support/shop.ts";

let service: Service;
let call: Call;
let shop: TestShop;

beforeAll(async () => {
  service = await startService();
  call = client(service.url);
  shop = await makeShop(service, call, { products: { p1: "v1" } });
});
afterAll(() => service.dispose());

test("a new item is added and read back", async () => {
  const added = await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: "p1" } });
  expect(added.data()).toEqual({ added: true, itemCount: 1 });
  const page = await call("GET", "/v1/wishlists/c1", { token: shop.token });
  expect(page.data()).toMatchObject({
    items: [{ productId: "p1", variantId: "v1" }],
    count: 1,
    total: 1,
    has_more: false,
  });
});
