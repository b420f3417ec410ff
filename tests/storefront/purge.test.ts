import { beforeEach, describe, expect } from "vitest";
import { purgeGuests } from "../../app/wishlists/index.server.ts";
import { disagreements } from "../support/app/audit.ts";
import type { Call } from "../support/app/client.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { guestToken, makeShop, type TestShop } from "../support/app/shop.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { test } from "../support/app/fixtures.ts";

const DAY_MS = 24 * 3_600_000;
/** The default retention of an idle guest's list. */
const GUEST_IDLE_DAYS = 90;

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let loggedOut: ProxyCall;

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  shop = await makeShop(service, call);
  loggedOut = visitor(service, { shop: shop.domain });
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

function purge(): Promise<void> {
  return purgeGuests(shop.id, daysAgo(GUEST_IDLE_DAYS));
}

async function guestWith(products: readonly string[], idleDays = 0): Promise<string> {
  const guestId = newGuest();
  for (const productId of products) {
    (await loggedOut("POST", "/api/add", { json: { guestId, productId, variantId: "v" } })).data();
  }
  await idle(idleDays);
  return guestId;
}

/** Ages the guests' lists that are younger than a day. */
async function idle(days: number): Promise<void> {
  await service.database.rows(
    "UPDATE wishlist SET updated_at = $2 WHERE shop_id = $1 AND owner_kind = 'guest' AND updated_at > now() - interval '1 day'",
    [shop.id, daysAgo(days)],
  );
}

async function countOf(guestId: string): Promise<number> {
  return (await loggedOut("POST", "/api/list", { json: { guestId } })).data<{ itemCount: number }>().itemCount;
}

async function overview(): Promise<{ totalWishlistedItems: number; activeShoppers: number }> {
  return (await call("GET", "/v1/analytics/overview", { token: shop.token })).data();
}

describe("the lists of guests", () => {
  test("are deleted after 90 days without a visit; other lists stay", async () => {
    const old = await guestWith(["a", "b"], GUEST_IDLE_DAYS + 1);
    const young = await guestWith(["a"], GUEST_IDLE_DAYS - 1);
    const customer = visitor(service, { shop: shop.domain, customer: "1" });
    await customer("POST", "/api/add", { json: { productId: "c", variantId: "v" } });
    await service.database.rows("UPDATE wishlist SET updated_at = '2020-01-01' WHERE owner_kind = 'customer'");
    const before = await overview();
    await purge();
    expect([await countOf(old), await countOf(young)]).toEqual([0, 1]);
    expect((await customer("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });
    const gone = await service.database.rows("SELECT 1 FROM wishlist WHERE shop_id = $1", [shop.id]);
    expect(gone).toHaveLength(2);
    // A purge is not shoppers' activity: reports keep the saves, but the items are on no list.
    expect(await overview()).toEqual(before);
    const stats = await call("GET", "/v1/analytics/product/a", { token: shop.token });
    expect(stats.data()).toEqual({ wishlistCount: 1 });
    expect(await disagreements(service.database)).toEqual([]);
  });

  test("are deleted with the texts that the guest wrote, also those of their history", async () => {
    await guestWith(["a", "b"]);
    await overview();
    // As changes of notes leave them.
    await service.database.rows(
      `UPDATE activity SET data = '{"note": "for Grace"}', before = '{"note": "for Ada"}' WHERE shop_id = $1`,
      [shop.id],
    );
    await idle(GUEST_IDLE_DAYS + 1);
    const texts = (): Promise<unknown[]> =>
      service.database.rows("SELECT kind FROM activity WHERE shop_id = $1 AND num_nonnulls(data, before) > 0", [
        shop.id,
      ]);
    expect(await texts()).toHaveLength(2);
    await purge();
    expect(await texts()).toEqual([]);
  });

  test("are deleted in any number, together with their cart events", async () => {
    // Guests for three transactions of the purge.
    await service.database.rows(
      `SELECT wishlist_add($1, 'guest', 'guest-' || g, 'p' || i, 'v', 'storefront', '2020-01-01')
         FROM generate_series(1, 203) g, generate_series(1, 2) i`,
      [shop.id],
    );
    await service.database.rows(
      "SELECT wishlist_record_cart($1, 'guest', 'guest-7', 'p1', 'v', 'e', 'storefront', '2020-01-01')",
      [shop.id],
    );
    await purge();
    for (const table of ["wishlist", "wishlist_item", "cart_event"]) {
      expect(await service.database.rows(`SELECT 1 FROM ${table} WHERE shop_id = $1`, [shop.id])).toEqual([]);
    }
    const [row] = await service.database.rows<{ n: number }>(
      "SELECT count(*)::integer AS n FROM activity WHERE shop_id = $1 AND kind = 'removed' AND source = 'purge'",
      [shop.id],
    );
    expect(row).toEqual({ n: 406 });
    await service.database.rows("DELETE FROM activity WHERE shop_id = $1", [shop.id]);
  });

  test("stay while their guests read them, through any endpoint", async () => {
    const looks: ((guestId: string) => Promise<unknown>)[] = [
      (guestId) => loggedOut("POST", "/api/list", { json: { guestId } }),
      (guestId) => loggedOut("POST", "/api/saved", { json: { guestId, productIds: ["x"] } }),
      (guestId) => loggedOut("POST", "/api/lists", { json: { guestId } }),
      (guestId) => loggedOut("POST", "/api/page", { json: { guestId } }),
      async (guestId) => call("GET", "/v1/wishlists/me", { token: await guestToken(call, shop, { guestId }) }),
    ];
    for (const look of looks) {
      const guestId = await guestWith(["a"], GUEST_IDLE_DAYS + 1);
      await look(guestId);
      await purge();
      expect(await countOf(guestId)).toBe(1);
    }
  });

  test("are read without a write when they were used within a day", async () => {
    const guestId = await guestWith(["a"], 0.9);
    const row = (): Promise<unknown> =>
      service.database.rows("SELECT xmin::text FROM wishlist WHERE shop_id = $1", [shop.id]);
    const before = await row();
    await countOf(guestId);
    expect(await row()).toEqual(before);
  });

  test("in use are left for the next night, without waiting", async () => {
    const busy = await guestWith(["a"], GUEST_IDLE_DAYS + 1);
    const idler = await guestWith(["a"], GUEST_IDLE_DAYS + 1);
    const holder = await service.database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 ORDER BY id LIMIT 1 FOR NO KEY UPDATE", [shop.id]);
      await purge();
      await holder.query("COMMIT");
    } finally {
      holder.release(true);
    }
    expect([await countOf(busy), await countOf(idler)]).toEqual([1, 0]);
  });

  test("that are deleted while their guests save keep the new items only", async () => {
    const guestId = await guestWith(["a"], GUEST_IDLE_DAYS + 1);
    const holder = await service.database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT guest_purge($1, now(), '', 100, now())", [shop.id]);
      const adding = loggedOut("POST", "/api/add", { json: { guestId, productId: "b", variantId: "v" } });
      await lockWaiters(service.database);
      await holder.query("COMMIT");
      expect((await adding).data()).toMatchObject({ added: true, itemCount: 1 });
    } finally {
      holder.release(true);
    }
    expect(await disagreements(service.database)).toEqual([]);
  });
});

test("a merged guest's history keeps no texts", async () => {
  const guestId = await guestWith(["a"]);
  const customer = visitor(service, { shop: shop.domain, customer: "1" });
  await overview();
  await service.database.rows(
    `UPDATE activity SET data = '{"note": "for Grace"}', before = '{"note": "for Ada"}' WHERE shop_id = $1`,
    [shop.id],
  );
  await service.database.rows("UPDATE wishlist_item SET note = 'for Grace' WHERE shop_id = $1", [shop.id]);
  (await customer("POST", "/api/merge", { json: { guestId } })).data();
  expect(
    await service.database.rows(
      "SELECT owner_kind, data->>'note' AS note, before FROM activity WHERE shop_id = $1 AND data ? 'note'",
      [shop.id],
    ),
  ).toEqual([{ owner_kind: "customer", note: "for Grace", before: null }]);
});

test("a merged guest is remembered for 90 days", async () => {
  const customer = visitor(service, { shop: shop.domain, customer: "1" });
  const [old, young] = [await guestWith(["a"]), await guestWith(["b"])];
  for (const guestId of [old, young]) (await customer("POST", "/api/merge", { json: { guestId } })).data();
  const age = (days: number, limit: number): Promise<unknown> =>
    service.database.rows(
      "UPDATE merged_guest SET merged_at = $2 WHERE shop_id = $1 AND guest_id IN (SELECT guest_id FROM merged_guest WHERE shop_id = $1 ORDER BY merged_at LIMIT $3)",
      [shop.id, daysAgo(days), limit],
    );
  await age(GUEST_IDLE_DAYS - 1, 2);
  await age(GUEST_IDLE_DAYS + 1, 1);
  await purge();
  const rows = await service.database.rows("SELECT 1 FROM merged_guest WHERE shop_id = $1", [shop.id]);
  expect(rows).toHaveLength(1);
});
