import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { recordBilling } from "../../app/billing/subscription.server.ts";
import { billingOf, openShareLinks, type Plan } from "../../app/billing/index.server.ts";
import { createShop, findShop } from "../../app/shops/index.server.ts";
import type { ShopSettings, StoreSubscription } from "../../app/billing/queries.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { serviceEnv } from "../support/app/service.ts";

const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let shopId: number;
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
  const shop = await createShop({ domain: `shop-${++made}.myshopify.com`, plan: "free", timeZone: "UTC" });
  if (!shop) throw new Error("the shop exists already");
  shopId = shop.id;
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

function charge(name: string, more: Partial<StoreSubscription> = {}): StoreSubscription {
  return {
    ...{ name, status: "ACTIVE", test: false, trialDays: 0, createdAt: daysAgo(0), currentPeriodEnd: null },
    ...more,
  };
}

/**
 * Returns Shopify's response.
 * @param charges newest first
 */
function settingsWith(...charges: StoreSubscription[]): ShopSettings {
  return {
    shop: {
      id: "1",
      ianaTimezone: "Europe/Berlin",
      currencyCode: "EUR",
      currencyFormats: { moneyFormat: "€{{amount}}" },
      plan: { partnerDevelopment: false },
    },
    currentAppInstallation: {
      activeSubscriptions: charges.filter(({ status }) => status === "ACTIVE"),
      allSubscriptions: { nodes: charges },
    },
  };
}

function record(settings: ShopSettings, queriedAt: Date): Promise<Plan> {
  return transaction(shopId, (tx) => recordBilling(tx, shopId, { settings, queriedAt, staff: undefined }));
}

async function planNow(): Promise<Plan | undefined> {
  return (await findShop(`shop-${made}.myshopify.com`))?.plan;
}

describe("the subscription that Shopify reports", () => {
  test("is not overwritten by the late response to an earlier request", async () => {
    expect(await record(settingsWith(charge("Growth")), daysAgo(1))).toBe("growth");
    expect(await record(settingsWith(), daysAgo(2))).toBe("growth");
    expect(await record(settingsWith(charge("Starter")), daysAgo(2))).toBe("growth");
    expect([await planNow(), (await billingOf(shopId)).frozen]).toEqual(["growth", undefined]);
    expect(await record(settingsWith(charge("Starter")), daysAgo(0))).toBe("starter");
    const noted = await database.rows("SELECT details FROM audit WHERE shop_id = $1 ORDER BY id", [shopId]);
    expect(noted).toEqual([
      { details: { from: "free", to: "growth" } },
      { details: { from: "growth", to: "starter" } },
    ]);
  });

  test("is shown as frozen and gives no plan, even beside an unaccepted charge", async () => {
    const frozen = charge("Starter", { status: "FROZEN", createdAt: daysAgo(9) });
    await record(settingsWith(charge("Growth", { status: "DECLINED" }), frozen), daysAgo(0));
    expect([await planNow(), (await billingOf(shopId)).frozen]).toEqual(["free", "starter"]);
    await record(settingsWith(charge("Starter", { status: "CANCELLED" }), frozen), daysAgo(0));
    expect([await planNow(), (await billingOf(shopId)).frozen]).toEqual(["free", undefined]);
  });
});

describe("the trial period", () => {
  test("is 14 days for a shop without an accepted charge", async () => {
    expect((await billingOf(shopId)).trialDaysLeft).toBe(14);
    const declined = charge("Starter", { status: "DECLINED", createdAt: daysAgo(30) });
    await record(settingsWith(charge("Growth", { status: "PENDING" }), declined), daysAgo(0));
    expect((await billingOf(shopId)).trialDaysLeft).toBe(14);
  });

  test("continues from its first day after a cancellation and a new subscription", async () => {
    const first = charge("Starter", { status: "CANCELLED", createdAt: daysAgo(4.5) });
    await record(settingsWith(charge("Growth", { createdAt: daysAgo(1) }), first), daysAgo(0));
    expect((await billingOf(shopId)).trialDaysLeft).toBe(10);
    await record(settingsWith(), daysAgo(0));
    expect((await billingOf(shopId)).trialDaysLeft).toBe(10);
    await record(settingsWith(charge("Starter", { createdAt: daysAgo(20) })), daysAgo(0));
    expect((await billingOf(shopId)).trialDaysLeft).toBe(0);
  });
});

test("a downgrade counts the shop's readable share links only", async () => {
  const other = await createShop({ domain: `other-${made}.myshopify.com`, plan: "free", timeZone: "UTC" });
  await database.rows(
    `WITH lists AS (
       INSERT INTO wishlist (shop_id, owner_kind, owner_id, created_at, updated_at)
       SELECT s, 'customer', 'c' || n, now(), now() FROM unnest($1::int[]) AS s, generate_series(1, 4) AS n RETURNING shop_id, id, owner_id
     )
     INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at, revoked_at)
     SELECT shop_id, id, (shop_id || owner_id)::bytea, '', now(), now() + CASE owner_id WHEN 'c3' THEN -1 ELSE 1 END * interval '1 hour',
            CASE owner_id WHEN 'c4' THEN now() END
       FROM lists`,
    [[shopId, other?.id]],
  );
  expect(await openShareLinks(shopId)).toBe(2);
});
