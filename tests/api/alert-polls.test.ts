import pg from "pg";
import { describe, expect, inject } from "vitest";
import { openReminders } from "../../app/alerts/index.server.ts";
import { processAlerts, shopsWithWork } from "../../app/alerts/pipeline.server.ts";
import { processAll, storeVariant, turnOn } from "../support/app/alerts.ts";
import type { Call } from "../support/app/client.ts";
import { test as base } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop } from "../support/app/shop.ts";
import type { TestDatabase } from "../support/database/database.ts";
import { lockWaiters } from "../support/database/locks.ts";

/** A shop with alerts, whose product 1 at 100.00 a customer has saved. */
class Store {
  readonly id: number;
  readonly database: TestDatabase;

  constructor(id: number, database: TestDatabase) {
    this.id = id;
    this.database = database;
  }

  /** Returns whether a poll finds the shop. */
  async isFound(): Promise<boolean> {
    return (await shopsWithWork()).includes(this.id);
  }

  /** Moves all times of the shop's alerts into the past, as if time had passed. @param interval of PostgreSQL */
  async advance(interval: string): Promise<void> {
    for (const [table, column] of [
      ["alert_occurrence", "due_at"],
      ["alert", "due_at"],
      ["alert_settings", "due_at"],
      ["alert_settings", "paused_until"],
    ] as const) {
      // Citus calculates no times of columns in an UPDATE.
      const times = await this.database.rows<{ is: string; was: string }>(
        `SELECT DISTINCT ${column}::text AS was, (${column} - $2::interval)::text AS is
           FROM ${table} WHERE shop_id = $1 AND ${column} IS NOT NULL ORDER BY was`,
        [this.id, interval],
      );
      for (const { is, was } of times) {
        await this.database.rows(
          `UPDATE ${table} SET ${column} = $2::timestamptz WHERE shop_id = $1 AND ${column} = $3::timestamptz`,
          [this.id, is, was],
        );
      }
    }
  }

  async count(sql: string): Promise<number> {
    const [row] = await this.database.rows<{ n: number }>(`SELECT count(*)::integer AS n FROM ${sql}`, [this.id]);
    return row?.n ?? 0;
  }
}

const KINDS = ["price_dropped", "back_in_stock", "reminder_due"] as const;

async function makeStore(app: InProcessApp, call: Call): Promise<Store> {
  const { id, token } = await makeShop(app, call, { plan: "growth" });
  await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [id]);
  await storeVariant(id);
  await turnOn(id, [...KINDS], { mode: "merchant_managed" });
  await call("POST", "/v1/wishlists/c1/items", { token, json: { product_id: "1" } });
  await processAll(id);
  return new Store(id, app.database);
}

/** One for each test. */
const stores: Store[] = [];

const test = base.extend("store", () => {
  const store = stores.pop();
  if (!store) throw new Error("There are more tests than stores.");
  return store;
});

test.beforeAll(async ({ app, call }) => {
  while (stores.length < 9) stores.push(await makeStore(app, call));
  // It polls as well, and would process what a test is to find.
  await app.stop();
});

describe("a poll for alerts", () => {
  test("finds a shop with a change of the catalog until it is processed", async ({ store }) => {
    expect(await store.isFound()).toBe(false);
    await storeVariant(store.id, { price: "80.00" });
    expect(await store.isFound()).toBe(true);
    await processAll(store.id);
    expect(await store.isFound()).toBe(false);
    expect(await store.count("alert WHERE shop_id = $1 AND status <> 'pending'")).toBe(1);
  });

  test("finds a shop between two steps of its alerts", async ({ store }) => {
    await storeVariant(store.id, { price: "80.00" });
    const found: boolean[] = [];
    while ((await processAlerts(store.id)) !== "idle") found.push(await store.isFound());
    // The changes, the occurrence and the alert: after each step there is another one, until one finds nothing.
    expect(found).toEqual([true, true, true]);
    expect(await store.isFound()).toBe(false);
  });

  test("finds a shop when an occurrence has been settled, not before", async ({ store }) => {
    await storeVariant(store.id, { available: false });
    await processAll(store.id);
    await storeVariant(store.id, { available: true });
    await processAll(store.id);
    expect(await store.isFound()).toBe(false);
    await store.advance("6 minutes");
    expect(await store.isFound()).toBe(true);
  });

  test("finds a shop when its quiet hours have ended, not before", async ({ store }) => {
    const hour = new Date().getUTCHours();
    const quiet = { quietFrom: (hour + 23) % 24, quietUntil: (hour + 2) % 24 };
    await turnOn(store.id, [...KINDS], { mode: "merchant_managed", ...quiet, version: 1 });
    await storeVariant(store.id, { price: "80.00" });
    await processAll(store.id);
    expect(await store.count("alert WHERE shop_id = $1 AND status = 'pending'")).toBe(1);
    expect(await store.isFound()).toBe(false);
    await store.advance("2 hours");
    expect(await store.isFound()).toBe(true);
  });

  test("finds a shop at once when its settings change during quiet hours", async ({ store }) => {
    const hour = new Date().getUTCHours();
    const quiet = { quietFrom: (hour + 23) % 24, quietUntil: (hour + 2) % 24 };
    await turnOn(store.id, [...KINDS], { mode: "merchant_managed", ...quiet, version: 1 });
    await storeVariant(store.id, { price: "80.00" });
    await processAll(store.id);
    await turnOn(store.id, [...KINDS], { mode: "merchant_managed", version: 2 });
    expect(await store.isFound()).toBe(true);
  });

  test("finds a shop at the hour of its digest, not before", async ({ store }) => {
    const digestAt = (new Date().getUTCHours() + 2) % 24;
    await turnOn(store.id, [...KINDS], { mode: "merchant_managed", digestAt, version: 1 });
    await storeVariant(store.id, { price: "80.00" });
    await processAll(store.id);
    expect(await store.isFound()).toBe(false);
    await store.advance("2 hours");
    expect(await store.isFound()).toBe(true);
  });

  test("leaves out a shop that has uninstalled the app", async ({ store }) => {
    const digestAt = (new Date().getUTCHours() + 2) % 24;
    await turnOn(store.id, [...KINDS], { mode: "merchant_managed", digestAt, version: 1 });
    await storeVariant(store.id, { price: "80.00" });
    await processAll(store.id);
    await store.advance("2 hours");
    await store.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [store.id]);
    await processAll(store.id);
    expect(await store.isFound()).toBe(false);
    await store.database.rows("UPDATE shop SET uninstalled_at = NULL WHERE id = $1", [store.id]);
    expect(await store.isFound()).toBe(true);
  });

  test("finds the day's reminders at ten o'clock in the shop, not before", async ({ store }) => {
    await store.database.rows("UPDATE shop SET time_zone = $2 WHERE id = $1", [store.id, zoneAt(8)]);
    await openReminders(store.id);
    await processAll(store.id);
    expect(await store.isFound()).toBe(false);
    await store.advance("2 hours");
    expect(await store.isFound()).toBe(true);
  });

  // On a cluster, the function cannot run in a transaction of other statements.
  test.skipIf(inject("servers").length > 1)(
    "finds reminders that are opened while the shop's last step ends",
    async ({ store }) => {
      await store.database.rows("UPDATE shop SET time_zone = $2 WHERE id = $1", [store.id, zoneAt(8)]);
      await store.database.rows("UPDATE alert_settings SET due_at = now() WHERE shop_id = $1", [store.id]);
      const opening = new pg.Client({ connectionString: store.database.url });
      await opening.connect();
      try {
        await opening.query("BEGIN");
        await opening.query("SELECT alert_remind(p_shop_id => $1, p_at => now(), p_plans => '{growth}')", [store.id]);
        const step = processAlerts(store.id);
        await lockWaiters(store.database, 1, "%alert_detect%");
        await opening.query("COMMIT");
        expect(await step).toBe("idle");
      } finally {
        await opening.end();
      }
      await store.advance("2 hours");
      expect(await store.isFound()).toBe(true);
    },
  );
});

/** Returns a time zone in which it is this hour. */
function zoneAt(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return offset === 0 ? "UTC" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}
