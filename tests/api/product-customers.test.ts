import { describe, expect } from "vitest";
import { changeAlertChoices } from "../../app/alerts/consent.server.ts";
import { customersOfProduct } from "../../app/wishlists/index.server.ts";
import { storeVariant } from "../support/app/alerts.ts";
import { test } from "../support/app/fixtures.ts";
import { makeShop } from "../support/app/shop.ts";

const FIRST = { limit: 50, offset: 0 };

describe("the customers who have a product in a list", () => {
  test("are listed by save, the newest first, with variant, list, price and what they asked for", async ({
    app,
    call,
  }) => {
    const shop = await makeShop(app, call, { plan: "growth" });
    const { token } = shop;
    await storeVariant(shop.id, { productId: "1", price: "100.00" });
    const add = async (path: string, variant: string, more = {}) => {
      const json = { product_id: "1", variant_id: variant, ...more };
      (await call("POST", `/v1/wishlists/${path}/items`, { token, json })).data();
    };
    await add("anna", "11", { quantity: 2 });
    await add("bert", "11");
    const list = (await call("POST", "/v1/wishlists/anna/lists", { token, json: { name: "Birthday" } })).data<{
      listId: string;
    }>();
    await add(`anna/lists/${list.listId}`, "99");
    const choose = (kinds: readonly ("price_dropped" | "low_stock")[]) =>
      changeAlertChoices(shop.id, "anna", { kinds, source: "api" });
    await choose(["price_dropped", "low_stock"]);
    await choose(["price_dropped"]);

    const found = await customersOfProduct(shop.id, "1", FIRST);
    expect(found).toMatchObject({ customers: 2, guests: 0, more: false, hasNext: false });
    expect(found.listed).toMatchObject([
      {
        customerId: "anna",
        listName: "Birthday",
        isDefault: false,
        variantId: "99",
        variantTitle: null,
        savedPrice: null,
      },
      { customerId: "bert", listName: null, isDefault: true, variantId: "11", quantity: 1, alerts: [] },
      { customerId: "anna", variantId: "11", quantity: 2, savedPrice: "100.00", alerts: ["price_dropped"] },
    ]);
  });

  test("are those of the shop alone who have it now; guests are counted, not listed", async ({ app, call }) => {
    const [shop, other] = [await makeShop(app, call, { plan: "growth" }), await makeShop(app, call)];
    const save = async ({ id }: { id: number }, kind: string, owner: string, product = "1") => {
      await app.database.rows("SELECT wishlist_add($1, $2, $3, $4, '11', 'api', now())", [id, kind, owner, product]);
    };
    await save(shop, "customer", "anna");
    await save(shop, "guest", "g".repeat(22));
    await save(shop, "customer", "bert", "2");
    await save(shop, "customer", "cora");
    await save(other, "customer", "dora");
    const { token } = shop;
    (await call("DELETE", "/v1/wishlists/cora/items/1", { token })).data();
    const list = (await call("POST", "/v1/wishlists/emil/lists", { token, json: { name: "Old" } })).data<{
      listId: string;
    }>();
    const json = { product_id: "1", variant_id: "11" };
    (await call("POST", `/v1/wishlists/emil/lists/${list.listId}/items`, { token, json })).data();
    (await call("DELETE", `/v1/wishlists/emil/lists/${list.listId}`, { token })).data();
    const { listed, ...counts } = await customersOfProduct(shop.id, "1", FIRST);
    expect(listed.map(({ customerId }) => customerId)).toEqual(["anna"]);
    expect(counts).toEqual({ customers: 1, guests: 1, more: false, hasNext: false });
    expect(await customersOfProduct(shop.id, "unknown", FIRST)).toMatchObject({ listed: [], customers: 0, guests: 0 });
  });

  test("are each on one page, and are counted up to a limit", async ({ app, call }) => {
    const shop = await makeShop(app, call);
    for (let n = 0; n < 7; n++) {
      await app.database.rows("SELECT wishlist_add($1, 'customer', $2, '1', '11', 'api', now())", [shop.id, `c${n}`]);
    }
    const pages = [];
    for (const offset of [0, 3, 6, 9]) pages.push(await customersOfProduct(shop.id, "1", { limit: 3, offset }));
    expect(pages.flatMap(({ listed }) => listed.map(({ customerId }) => customerId))).toEqual([
      "c6",
      "c5",
      "c4",
      "c3",
      "c2",
      "c1",
      "c0",
    ]);
    expect(pages.map(({ hasNext }) => hasNext)).toEqual([true, true, false, false]);
    expect(pages.map(({ customers }) => customers)).toEqual([7, 7, 7, 7]);
    expect(await customersOfProduct(shop.id, "1", { ...FIRST, items: 5 })).toMatchObject({ customers: 5, more: true });
    expect(await customersOfProduct(shop.id, "1", { ...FIRST, items: 7 })).toMatchObject({ customers: 7, more: false });
  });
});
