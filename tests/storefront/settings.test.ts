import { beforeEach, describe, expect } from "vitest";
import { endAlertPause } from "../../app/alerts/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { onTimeZoneChanged, readSettings, saveSettings, settingsForm } from "../../app/settings/index.server.ts";
import type { Call } from "../support/app/client.ts";
import { unwrap } from "../support/app/imports.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { storedWishlist } from "../support/app/stored-rows.ts";
import { until } from "../support/until.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let guest: ProxyCall;
let customer: ProxyCall;

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  // These tests call a copy of the module that no service has started.
  onTimeZoneChanged(endAlertPause);
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  shop = await makeShop(service, call, { products: { p1: "v1", p2: "v2" } });
  guest = visitor(service, { shop: shop.domain });
  customer = visitor(service, { shop: shop.domain, customer: "77" });
});

async function changeSettings(
  change: Partial<Omit<Awaited<ReturnType<typeof readSettings>>, "version">>,
): Promise<void> {
  const { version, ...settings } = await readSettings(shop.id);
  unwrap(await transaction(shop.id, (tx) => saveSettings(tx, shop.id, { ...settings, ...change }, version)));
}

describe("a store that keeps lists for customers only", () => {
  const item = { productId: "p1", variantId: "v1" };

  /** Waits until the storefront uses the new settings. */
  async function settingsApplied(): Promise<void> {
    await until("the new setting", async () => {
      const response = await guest("POST", "/api/list", { json: { guestId: newGuest() } });
      return response.status === 403;
    });
  }

  test("rejects every request of a guest for a list with guest_lists_off", async () => {
    const guestId = newGuest();
    (await guest("POST", "/api/add", { json: { guestId, ...item } })).data();
    await changeSettings({ guestLists: false });
    await settingsApplied();
    for (const [path, body] of [
      ["add", item],
      ["remove", item],
      ["list", {}],
      ["saved", { productIds: ["p1"] }],
      ["recordCart", { event_id: "e", items: [{ product_id: "p1", variant_id: "v1" }] }],
    ] as const) {
      for (const identity of [{ guestId }, {}]) {
        const response = await guest("POST", `/api/${path}`, { json: { ...identity, ...body } });
        expect([path, response.status, response.error().code]).toEqual([path, 403, "guest_lists_off"]);
      }
    }
    // Customers are not affected, and the guest's list is merged at login.
    (await customer("POST", "/api/add", { json: { productId: "p2" } })).data();
    expect((await customer("POST", "/api/merge", { json: { guestId } })).data()).toMatchObject({ itemCount: 2 });
  });

  test("asks guests to log in on its pages", async () => {
    await changeSettings({ guestLists: false });
    await settingsApplied();
    const guestId = newGuest();
    for (const response of [await guest("GET", ""), await guest("POST", "/api/page", { json: { guestId } })]) {
      expect(response.status).toBe(200);
      expect(response.text).toContain("wl_lead = wl_t_log_in_first");
      expect(response.text).toContain("account_login_url");
      expect(response.text).not.toContain("assign wl_owner =");
    }
    const { text } = await customer("GET", "");
    expect(text).not.toContain("wl_lead = wl_t_log_in_first");
    expect(text).toContain("assign wl_owner =");
  });
});

describe("the settings", () => {
  test("apply from the next request on: the item cap to adds, the lifetime to new share links", async () => {
    const add = (product: string) =>
      call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: product, variant_id: "v" } });
    for (const product of ["a", "b", "c"]) (await add(product)).data();
    await changeSettings({ itemCap: 2, shareLinkDays: 3 });
    expect((await add("d")).error().code).toBe("wishlist_full");
    expect((await storedWishlist(service.database, shop.id, "c1"))?.item_count).toBe(3);
    (await call("DELETE", "/v1/wishlists/c1/items/a", { token: shop.token })).data();
    const link = (await call("GET", "/v1/wishlists/c1/share", { token: shop.token })).data<{ expiresAt: string }>();
    const days = (Date.parse(link.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThanOrEqual(3);
  });

  test("reject a form that was loaded before another change", async () => {
    const { version, ...settings } = await readSettings(shop.id);
    unwrap(await transaction(shop.id, (tx) => saveSettings(tx, shop.id, { ...settings, itemCap: 100 }, version)));
    const late = await transaction(shop.id, (tx) =>
      saveSettings(tx, shop.id, { ...settings, shareLinkDays: 7 }, version),
    );
    expect(late).toBeInstanceOf(Failure);
    expect(await readSettings(shop.id)).toEqual({ ...settings, itemCap: 100, version: version + 1 });
  });

  test("accept one of two forms that are saved at once", async () => {
    const { version, ...settings } = await readSettings(shop.id);
    const both = await Promise.all(
      [11, 12].map((itemCap) =>
        transaction(shop.id, (tx) => saveSettings(tx, shop.id, { ...settings, itemCap }, version)),
      ),
    );
    expect(both.filter((one) => one instanceof Failure)).toHaveLength(1);
    expect((await readSettings(shop.id)).version).toBe(version + 1);
  });

  test("record a chosen time zone, and no other change, as the merchant's choice", async () => {
    const chosen = () => service.database.rows("SELECT time_zone_chosen AS chosen FROM shop WHERE id = $1", [shop.id]);
    await changeSettings({ itemCap: 100 });
    expect(await chosen()).toEqual([{ chosen: false }]);
    await changeSettings({ timeZone: "Asia/Tokyo" });
    await changeSettings({ itemCap: 200 });
    expect(await chosen()).toEqual([{ chosen: true }]);
  });

  const typed = {
    shareLinkDays: "30",
    itemCap: "2500",
    guestLists: "on",
    guestRetentionDays: "90",
    namedLists: "on",
    timeZone: "Europe/Berlin",
    version: "0",
  };
  test.each([
    ["shareLinkDays", ["0", "366", "", "1.5", "-1", "1e2", "x", " ", "9".repeat(400)]],
    ["itemCap", ["0", "2501", "1,000"]],
    ["guestRetentionDays", ["0", "366"]],
    ["guestLists", ["", "yes"]],
    ["namedLists", ["", "yes"]],
    ["timeZone", ["", "Mars/Olympus", "+02:00", "<script>", "x".repeat(10_000)]],
  ])("reject an invalid %s with a message at the field", (field, values) => {
    expect(settingsForm.safeParse(typed).success).toBe(true);
    for (const value of values) {
      const { error } = settingsForm.safeParse({ ...typed, [field]: value });
      expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
    }
    expect(settingsForm.safeParse({ ...typed, [field]: [values[0], values[0]] }).success).toBe(false);
  });
});
