// @module-tag matrix

import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { storeVariant, turnOn } from "../support/app/alerts.ts";
import { client } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { subscribe } from "../support/webhooks/webhooks.ts";

const alertShape = z.object({ customerId: z.string(), productId: z.string(), alertId: z.string() });

const PRODUCTS = ["1", "2", "3"];
const CUSTOMERS = Number(process.env["ALERT_CUSTOMERS"] ?? 1_500);
const KILLS = Number(process.env["ALERT_KILLS"] ?? 4);

let database: TestDatabase;
let web: Service;
let worker: Service;
let shop: TestShop;
let receiver: Receiver;

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

const startWorker = (): Promise<Service> => startService({ database, env: { ...LOOPBACK, WISHLIST_ROLE: "worker" } });

beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver();
  web = await startService({ database, env: { ...LOOPBACK, WISHLIST_ROLE: "web" } });
  worker = await startWorker();
  const call = client(web.url);
  shop = await makeShop(web, call, { plan: "growth" });
  await database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  await subscribe(call, shop, receiver.url, ["wishlist.alert.price_dropped"]);
  await turnOn(shop.id, ["price_dropped"]);
  for (const productId of PRODUCTS) await storeVariant(shop.id, { productId });
  await database.rows(
    `WITH lists AS (
       INSERT INTO wishlist (shop_id, owner_kind, owner_id, item_count, version, created_at, updated_at)
       SELECT $1, 'customer', n::text, cardinality($2::text[]), 1, now(), now() FROM generate_series(1, $3::integer) AS n
       RETURNING id, owner_id
     ), consents AS (
       INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source)
       SELECT $1, owner_id, 'price_dropped', true, now(), 'api' FROM lists
     )
     INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, saved_price)
     SELECT $1, l.id, p, p || '1', now(), current_date, 100 FROM lists l CROSS JOIN unnest($2::text[]) AS p`,
    [shop.id, PRODUCTS, CUSTOMERS],
  );
});
afterAll(async () => {
  for (const service of [web, worker]) await service.stop("SIGKILL");
  await receiver.close();
  await closeDatabase();
  await database.drop();
});

async function count(sql: string): Promise<number> {
  const [row] = await database.rows<{ n: number }>(`SELECT count(*)::integer AS n FROM ${sql}`, [shop.id]);
  return row?.n ?? 0;
}

test("each owner gets one alert of each price drop, also when the worker is killed again and again", async () => {
  const all = PRODUCTS.length * CUSTOMERS;
  for (const productId of PRODUCTS) await storeVariant(shop.id, { productId, price: "80.00" });
  // Half of the kills interrupt fan-out and release, the others deliveries.
  for (let kill = 1; kill <= KILLS; kill++) {
    const decided = Math.floor((all * kill) / (KILLS / 2 + 1));
    const arrived = Math.floor((all * (kill - KILLS / 2)) / (KILLS / 2 + 1));
    await until(`the moment of kill ${kill}`, async () =>
      kill <= KILLS / 2
        ? (await count("alert WHERE shop_id = $1 AND status <> 'pending'")) >= Math.min(decided, all)
        : receiver.received.length >= arrived,
    );
    await worker.stop("SIGKILL");
    worker = await startWorker();
  }

  await until("the last delivery", async () => {
    const undelivered = await count("webhook_delivery WHERE shop_id = $1 AND status <> 'succeeded'");
    return undelivered === 0 && (await count("webhook_delivery WHERE shop_id = $1")) === all;
  });
  expect(await count("alert WHERE shop_id = $1 AND status = 'sent'")).toBe(all);
  const alerts = new Map<string, string>();
  for (const { id, body } of receiver.received) {
    const { customerId, productId, alertId } = alertShape.parse(body.data);
    expect(id).toBe(`msg_${alertId.replaceAll("-", "")}`);
    alerts.set(id, `${customerId} ${productId}`);
  }
  // A delivery whose response was lost arrives twice, with the same id.
  expect(alerts.size).toBe(all);
  expect(new Set(alerts.values()).size).toBe(all);
});
