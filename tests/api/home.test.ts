import { describe, expect } from "vitest";
import { homeFigures } from "../../app/analytics/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { openDataRequests } from "../../app/privacy/index.server.ts";
import { countPeople } from "../../app/wishlists/index.server.ts";
import { storeVariant } from "../support/app/alerts.ts";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";

async function save(call: Call, { token }: TestShop, customer: string, productId: string, list = ""): Promise<void> {
  const path = list === "" ? `/v1/wishlists/${customer}/items` : `/v1/wishlists/${customer}/lists/${list}/items`;
  (await call("POST", path, { token, json: { product_id: productId, variant_id: `${productId}1` } })).data();
}

describe("the figures of the home page", () => {
  test("value what is saved at the present prices, without deleted variants", async ({ app, call }) => {
    const shop = await makeShop(app, call);
    await storeVariant(shop.id, { productId: "1", price: "100.00" });
    await storeVariant(shop.id, { productId: "2", price: "30.00" });
    await save(call, shop, "anna", "1");
    await save(call, shop, "bert", "1");
    await save(call, shop, "bert", "2");
    await storeVariant(shop.id, { productId: "1", price: "79.90" });
    expect((await homeFigures(shop, 3)).saved).toEqual({ items: 3, value: "189.80", among: undefined });
    await app.database.rows("UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND product_id = '2'", [shop.id]);
    expect((await homeFigures(shop, 3)).saved).toMatchObject({ value: "159.80" });
  });

  test("say that a shop without activity and orders has none", async ({ app, call }) => {
    const shop = await makeShop(app, call);
    const figures = await homeFigures(shop, 3);
    expect(figures).toMatchObject({
      began: false,
      earned: { first: null, sums: { orders: 0, revenue: "0.00" } },
      saved: { items: 0, value: "0.00" },
      wanted: { variants: [] },
    });
    expect(figures.days).toHaveLength(30);
  });

  test("of a query that fails are missing, and the others are there", async ({ app, call }) => {
    const shop = await makeShop(app, call);
    await save(call, shop, "anna", "1");
    await app.database.rows("ALTER TABLE revenue_daily RENAME TO revenue_daily_away");
    try {
      const figures = await homeFigures(shop, 3);
      expect(figures.earned).toBeUndefined();
      expect(figures).toMatchObject({ began: true, saved: { items: 1 } });
    } finally {
      await app.database.rows("ALTER TABLE revenue_daily_away RENAME TO revenue_daily");
    }
  });
});

test("people are counted once, those without a saved item not at all", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  const { token } = shop;
  await save(call, shop, "anna", "1");
  const json = { name: "Birthday" };
  const list = (await call("POST", "/v1/wishlists/anna/lists", { token, json })).data<{ listId: string }>();
  await save(call, shop, "anna", "1", list.listId);
  await save(call, shop, "bert", "1");
  await save(call, shop, "cora", "1");
  (await call("DELETE", "/v1/wishlists/cora/items/1", { token })).data();
  await save(call, await makeShop(app, call), "dora", "1");
  expect(await countPeople(shop.id)).toEqual({ people: 2, more: false });
  expect(await countPeople(shop.id, 2)).toMatchObject({ more: true });
});

test("a request for a customer's data is open until staff have sent its record", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const due = [new Date("2026-12-01T00:00:00Z"), new Date("2026-12-05T00:00:00Z")];
  for (const [index, dueAt] of due.toReversed().entries()) {
    await app.database.rows(
      `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
       VALUES ($1, $2, 'data_request', $2, 'completed', now(), $3, now()), ($1, $2 || 'r', 'redact', $2 || 'r', 'pending', now(), $3, NULL)`,
      [shop.id, `prq_${index}`, dueAt],
    );
  }
  expect(await openDataRequests(shop.id)).toEqual(due);
  const staff = { id: "1", name: "Mia", email: undefined };
  await transaction(shop.id, (tx) =>
    audit(tx, { shopId: shop.id, staff, action: "privacy.record_fetched", subject: "prq_1" }),
  );
  expect(await openDataRequests(shop.id)).toEqual(due);
  await transaction(shop.id, (tx) =>
    audit(tx, { shopId: shop.id, staff, action: "privacy.record_sent", subject: "prq_1" }),
  );
  expect(await openDataRequests(shop.id)).toEqual(due.slice(1));
});
