import pg from "pg";
import { describe, expect, onTestFinished } from "vitest";
import { purgeActivity } from "../../app/activity/index.server.ts";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { RECEIVER, subscribe } from "../support/webhooks/webhooks.ts";

// Without an outbox processor in the background: each read of a report processes the outbox, as a worker does.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.override("shopOptions", { plan: "growth" });

const FULL = 2_147_483_647;

interface SetAside {
  failures: number;
  reason: string;
  waits: boolean;
}

/** A shop with a change on which the outbox processor fails: the sum of its variant can't grow. */
class Shop {
  readonly #app: InProcessApp;
  readonly #call: Call;
  readonly shop: TestShop;

  constructor(app: InProcessApp, call: Call, shop: TestShop) {
    this.#app = app;
    this.#call = call;
    this.shop = shop;
  }

  static async make(app: InProcessApp, call: Call): Promise<Shop> {
    const shop = new Shop(app, call, await makeShop(app, call, { plan: "growth" }));
    await shop.setSum(FULL);
    return shop;
  }

  async setSum(count: number): Promise<void> {
    await this.#app.database.rows(
      `INSERT INTO variant_stats VALUES ($1, 'full', 'v', $2) ON CONFLICT (shop_id, product_id, variant_id) DO UPDATE SET wishlist_count = $2`,
      [this.shop.id, count],
    );
  }

  async add(customer: string, product: string): Promise<void> {
    const json = { product_id: product, variant_id: "v" };
    (await this.#call("POST", `/v1/wishlists/${customer}/items`, { token: this.shop.token, json })).data();
  }

  async itemsAdded(): Promise<number | undefined> {
    const { days } = (await this.#call("GET", "/v1/analytics/daily?days=1", { token: this.shop.token })).data<{
      days: { itemsAdded: number }[];
    }>();
    return days[0]?.itemsAdded;
  }

  /** The products of the change feed. */
  async fed(): Promise<(string | undefined)[]> {
    const { changes } = (await this.#call("GET", "/v1/changes", { token: this.shop.token })).data<{
      changes: { item?: { productId: string } }[];
    }>();
    return changes.map(({ item }) => item?.productId);
  }

  async setAside(): Promise<SetAside[]> {
    return this.#app.database.rows<SetAside & pg.QueryResultRow>(
      "SELECT failures, reason, retry_at IS NOT NULL AS waits FROM set_aside WHERE shop_id = $1 AND kind = 'change'",
      [this.shop.id],
    );
  }

  async timeHasCome(): Promise<void> {
    // A second ago: the column's milliseconds would round the present up.
    await this.#app.database.rows(
      "UPDATE set_aside SET retry_at = now() - interval '1 s' WHERE shop_id = $1 AND retry_at IS NOT NULL",
      [this.shop.id],
    );
  }

  process(): Promise<unknown> {
    return this.#app.database.rows("SELECT outbox_process($1, 5000, true)", [this.shop.id]);
  }

  /** Products whose addition made a webhook delivery. */
  async delivered(): Promise<(string | null)[]> {
    const rows = await this.#app.database.rows<{ product_id: string }>(
      `SELECT e.product_id FROM webhook_delivery d JOIN webhook_event e ON e.shop_id = d.shop_id AND e.id = d.event_id
        WHERE d.shop_id = $1 ORDER BY e.id`,
      [this.shop.id],
    );
    return rows.map(({ product_id }) => product_id);
  }
}

describe("a change that can't be processed", () => {
  test("is set aside while the shop's other changes reach reports, webhooks and the feed", async ({ app, call }) => {
    const shop = await Shop.make(app, call);
    await subscribe(call, shop.shop, RECEIVER);
    for (const product of ["a", "full", "b"]) await shop.add("c1", product);

    expect(await shop.itemsAdded()).toBe(2);
    expect(await shop.fed()).toEqual(["a", "b"]);
    expect(await shop.delivered()).toEqual(["a", "b"]);
    expect(await shop.setAside()).toEqual([{ failures: 1, reason: "22003 integer out of range", waits: true }]);
    expect(app.log()).toContainEqual(
      expect.objectContaining({ level: "error", shopId: shop.shop.id, reason: "22003 integer out of range" }),
    );
    const list = (await call("GET", "/v1/wishlists/c1", { token: shop.shop.token })).data<{ items: unknown[] }>();
    expect(list.items).toHaveLength(3);
  });

  test("is processed once when its cause is gone and its time has come", async ({ app, call }) => {
    const shop = await Shop.make(app, call);
    await subscribe(call, shop.shop, RECEIVER);
    for (const product of ["a", "full", "b"]) await shop.add("c1", product);
    await shop.process();
    await shop.setSum(7);
    await shop.process();
    expect(await shop.delivered()).toEqual(["a", "b"]);

    await shop.timeHasCome();
    await shop.process();
    await shop.process();
    expect(await shop.setAside()).toEqual([]);
    expect(await shop.itemsAdded()).toBe(3);
    expect(await shop.fed()).toEqual(["a", "b", "full"]);
    expect(await shop.delivered()).toEqual(["a", "b", "full"]);
  });

  test("waits for an operator after the fifth failure", async ({ app, call }) => {
    const shop = await Shop.make(app, call);
    await shop.add("c1", "full");
    for (const failures of [1, 2, 3, 4, 5]) {
      await shop.process();
      expect(await shop.setAside()).toMatchObject([{ failures, waits: failures < 5 }]);
      await shop.timeHasCome();
    }
    await shop.process();
    expect(await shop.setAside()).toMatchObject([{ failures: 5, waits: false }]);
  });

  test("is kept by retention, however old", async ({ app, call }) => {
    const shop = await Shop.make(app, call);
    for (const product of ["a", "full"]) await shop.add("c1", product);
    await shop.process();
    await purgeActivity(shop.shop.id, new Date(Date.now() + 60_000));
    expect(await app.database.rows("SELECT product_id FROM activity WHERE shop_id = $1", [shop.shop.id])).toEqual([
      { product_id: "full" },
    ]);
  });

  test("is gone with the customer who is erased, and no other's", async ({ app, call }) => {
    const shop = await Shop.make(app, call);
    await shop.add("c1", "full");
    await shop.add("c2", "full");
    await shop.process();
    expect(await shop.setAside()).toHaveLength(2);
    await app.database.rows("SELECT customer_erase($1, 'c1', now())", [shop.shop.id]);
    // The removal of the erased item found a sum that can fall.
    expect(
      await app.database.rows(
        `SELECT a.owner_id FROM set_aside s LEFT JOIN activity a ON a.shop_id = s.shop_id AND a.id = s.subject_id::bigint
          WHERE s.shop_id = $1`,
        [shop.shop.id],
      ),
    ).toEqual([{ owner_id: "c2" }]);
  });
});

test("changes that fail again together do not hold up the others", async ({ app, call }) => {
  const shop = await Shop.make(app, call);
  for (let n = 0; n < 24; n++) {
    await shop.add(`c${n}`, "full");
    if (n === 11) await shop.process();
  }
  await shop.process();
  expect(await shop.setAside()).toHaveLength(24);
  await shop.timeHasCome();
  await shop.add("c0", "a");
  expect(await shop.itemsAdded()).toBe(1);
  expect(await shop.setAside()).toEqual(
    Array.from({ length: 24 }, () => expect.objectContaining({ failures: 2, waits: true }) as unknown),
  );
});

test("no change is set aside when more than 20 of a batch fail", async ({ app, call }) => {
  const shop = await Shop.make(app, call);
  await shop.add("c0", "a");
  for (let n = 0; n < 21; n++) await shop.add(`c${n}`, "full");
  await expect(shop.process()).rejects.toThrow("integer out of range");
  expect(await shop.setAside()).toEqual([]);
  expect(await shop.delivered()).toEqual([]);
  await shop.setSum(0);
  expect(await shop.itemsAdded()).toBe(22);
});

test("web process announces the deliveries that a report creates", async ({ app, call, shop }) => {
  await subscribe(call, shop, RECEIVER);
  const listener = new pg.Client({ connectionString: app.database.url });
  await listener.connect();
  onTestFinished(() => listener.end());
  const announced = new Promise<string | undefined>((resolve) => {
    listener.on("notification", ({ payload }) => {
      resolve(payload);
    });
  });
  await listener.query("LISTEN wishlist_webhooks");
  (
    await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: "a", variant_id: "v" } })
  ).data();
  (await call("GET", "/v1/analytics/daily?days=1", { token: shop.token })).data();
  expect(await announced).toMatch(new RegExp(`^${shop.id}:`));
});
