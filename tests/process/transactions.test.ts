import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey, revokeKey } from "../../app/access/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { recordBilling } from "../../app/billing/subscription.server.ts";
import type { ShopSettings } from "../../app/billing/queries.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { afterCommit, transaction } from "../../app/platform/database/transaction.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { createShop } from "../../app/shops/index.server.ts";
import { addItem, removeByStaff, shareByStaff, shareLink, unshareByStaff } from "../../app/wishlists/index.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { serviceEnv } from "../support/app/service.ts";

let database: TestDatabase;
let shop: { id: number; domain: string };
let made = 0;

beforeAll(async () => {
  database = await createDatabase();
  provideEnv(serviceEnv(database.url));
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});
beforeEach(async () => {
  const created = await createShop({ domain: `shop-${++made}.myshopify.com`, plan: "starter", timeZone: "UTC" });
  if (!created) throw new Error("the shop exists already");
  shop = created;
});

describe("afterCommit", () => {
  test("runs its callback when the transaction has committed", async () => {
    const seen: unknown[] = [];
    await transaction(shop.id, async (tx) => {
      await createKey(tx, { shopId: shop.id, name: "a key", scopes: ["read_wishlists"] });
      afterCommit(tx, async () => {
        seen.push(...(await database.rows("SELECT name FROM api_key WHERE shop_id = $1", [shop.id])));
      });
    });
    expect(seen).toEqual([{ name: "a key" }]);
  });

  test("drops its callback when the transaction rolls back", async () => {
    let called = false;
    const failing = transaction(shop.id, async (tx) => {
      afterCommit(tx, () => {
        called = true;
      });
      return Promise.reject(new Error("no"));
    });
    await expect(failing).rejects.toThrow("no");
    expect(called).toBe(false);
  });
});

describe("a change whose audit entry is refused", () => {
  const staff = { id: "13", name: undefined, email: undefined };
  const items = [{ productId: "p1", variantId: "v1" }];
  let wishlistId = "";

  const owner = () => ({ shopId: shop.id, kind: "customer" as const, id: "c1" });
  const target = () => ({ shopId: shop.id, wishlistId, staff });

  /** Returns everything of the shop that staff can change. */
  const stored = () =>
    database.rows(
      `SELECT s.plan, (SELECT json_agg(w) FROM wishlist w WHERE shop_id = s.id) AS wishlists,
              (SELECT json_agg(i) FROM wishlist_item i WHERE shop_id = s.id) AS items,
              (SELECT json_agg(l) FROM share_link l WHERE shop_id = s.id) AS links,
              (SELECT json_agg(k) FROM api_key k WHERE shop_id = s.id) AS keys,
              (SELECT json_agg(b) FROM billing b WHERE shop_id = s.id) AS billing
         FROM shop s WHERE s.id = $1`,
      [shop.id],
    );

  async function expectRolledBack(change: () => Promise<unknown>): Promise<void> {
    const before = await stored();
    await database.rows("ALTER TABLE audit ADD CONSTRAINT refused CHECK (staff_id <> '13') NOT VALID");
    try {
      await expect(change()).rejects.toThrow();
    } finally {
      await database.rows("ALTER TABLE audit DROP CONSTRAINT refused");
    }
    expect(await stored()).toEqual(before);
  }

  beforeEach(async () => {
    await addItem(owner(), { productId: "p1", variantId: "v1" }, "api");
    const [row] = await database.rows<{ id: string }>("SELECT id::text AS id FROM wishlist WHERE shop_id = $1", [
      shop.id,
    ]);
    wishlistId = row?.id ?? "";
  });

  test("leaves the items that staff remove in the wishlist", () =>
    expectRolledBack(() => transaction(shop.id, (tx) => removeByStaff(tx, target(), items))));

  test("creates no share link for staff", () =>
    expectRolledBack(() => transaction(shop.id, (tx) => shareByStaff(tx, target(), "starter"))));

  test("leaves the share link that staff revoke open", async () => {
    await shareLink(owner(), shop.domain, { source: "api" });
    await expectRolledBack(() => transaction(shop.id, (tx) => unshareByStaff(tx, target())));
  });

  test("leaves the API key that staff revoke active", async () => {
    const key = await transaction(shop.id, (tx) =>
      createKey(tx, { shopId: shop.id, name: "a key", scopes: ["read_wishlists"] }),
    );
    if (key instanceof Failure) throw new Error(key.message);
    await expectRolledBack(() =>
      transaction(shop.id, async (tx) => {
        await revokeKey(tx, shop.id, key.keyId);
        await audit(tx, { shopId: shop.id, staff, action: "api_key.revoked", subject: key.keyId });
      }),
    );
  });

  test("leaves the plan that Shopify reports to staff as it was", async () => {
    const settings: ShopSettings = {
      shop: {
        id: "1",
        ianaTimezone: "UTC",
        currencyCode: "EUR",
        currencyFormats: { moneyFormat: "€{{amount}}" },
        plan: { partnerDevelopment: false },
      },
      currentAppInstallation: { activeSubscriptions: [], allSubscriptions: { nodes: [] } },
    };
    await expectRolledBack(() =>
      transaction(shop.id, (tx) => recordBilling(tx, shop.id, { settings, queriedAt: new Date(), staff })),
    );
  });
});
