// @module-tag matrix

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import type { Message } from "../../packages/devstore/store/inbox.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { turnOn } from "../support/app/alerts.ts";
import { EMAIL_FORM, emitPriceAlerts } from "../support/app/emails.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { startService } from "../support/app/service.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";

const SHOPS = 3;
/** Alerts of a customer, which are one message. */
const ALERTS = 2;
/** Messages of a shop that are sent or recorded at a time. */
const WINDOW = 16;

let shopify: Devstore;
let database: TestDatabase;

const settings = (): Record<string, string> => ({ ...shopify.env, NODE_ENV: "test" });

beforeAll(async () => {
  shopify = await startShopify({ smtp: {} });
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "3" });
});
afterAll(async () => {
  await closeDatabase();
  await shopify.close();
  await database.drop();
});

/** Connects shops that email alerts about lower prices, and stops the process that connected them. */
async function connectShops(): Promise<ConnectedShop[]> {
  const service = await startService({ database, env: settings() });
  const shops: ConnectedShop[] = [];
  for (let n = 1; n <= SHOPS; n++) {
    const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
    shopify.store(domain).installation.scopes.push("read_customers");
    const shop = await connectShop(service, shopify, { domain });
    shops.push(shop);
    await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
    // One message a week: an attempt that was counted before the process died must not refuse the next one.
    const form = { ...EMAIL_FORM, kinds: ["price_dropped"], weeklyLimit: "1", intent: "save" };
    await merchant(service, shop).send("/app/alerts/email", form);
  }
  await service.stop();
  return shops;
}

/** Adds customers to a shop's store. @returns their ids, which differ between shops */
function addCustomers({ id: shopId, store }: ConnectedShop, count: number): string[] {
  const ids = Array.from({ length: count }, (_, n) => String(shopId * 10_000 + n));
  store.customers.add(...ids.map((id) => ({ id, firstName: "Anna", lastName: id, email: `c${id}@example.com` })));
  return ids;
}

const messageIdOf = ({ headers }: Message) => headers.find(({ name }) => name === "message-id")?.value;
const recipientOf = ({ envelope }: Message): string => envelope.to.join();

/** Keeps all that the mail server receives; the inbox keeps the newest only. */
function watchInbox(): readonly Message[] {
  const received: Message[] = [];
  const { inbox } = shopify;
  const receive = inbox.receive.bind(inbox);
  inbox.receive = (message) => {
    receive(message);
    received.push(...inbox.messages().slice(0, 1));
  };
  return received;
}

/** Returns the number of messages per shop that are recorded as sent. */
async function recorded(): Promise<Map<number, number>> {
  const rows = await database.rows<{ shop_id: number; messages: number }>(
    `SELECT d.shop_id, count(DISTINCT v.customer_id)::int AS messages
       FROM webhook_delivery d JOIN webhook_event v ON v.shop_id = d.shop_id AND v.id = d.event_id
      WHERE d.status = 'succeeded' GROUP BY d.shop_id`,
  );
  return new Map(rows.map(({ shop_id, messages }) => [shop_id, messages]));
}

/** Kills the worker while it sends emails, again and again, and lets the last one finish. */
async function prove({ kills, customers }: { kills: number; customers: number }): Promise<void> {
  const shops = await connectShops();
  const received = watchInbox();
  const addresses: string[] = [];
  for (const shop of shops) {
    const ids = addCustomers(shop, customers);
    addresses.push(...ids.map((id) => `c${id}@example.com`));
    await emitPriceAlerts(database.rows, shop.id, ids, ALERTS);
  }
  // Slow enough that messages are in flight at any moment.
  Object.assign(shopify.store().faults.switches, { mail: "slow", delayMs: 5 });
  const startWorker = () => startService({ database, env: { ...settings(), WISHLIST_ROLE: "worker" } });

  for (let kill = 1; kill <= kills; kill++) {
    const worker = await startWorker();
    const [before, sent] = [received.length, await recorded()];
    // At another moment each time.
    const wanted = before + 1 + ((kill * 7) % 11);
    await until(`message ${wanted}`, () => received.length >= wanted);
    await worker.stop("SIGKILL");
    // The dead process's leases end now, not in four seconds.
    await database.rows("UPDATE webhook_endpoint SET lease_until = now() WHERE lease_until IS NOT NULL");
    const now = await recorded();
    for (const { id } of shops) {
      const ofShop = received.slice(before).filter((one) => recipientOf(one).startsWith(`c${id}`)).length;
      expect(ofShop - ((now.get(id) ?? 0) - (sent.get(id) ?? 0))).toBeLessThanOrEqual(WINDOW);
    }
  }
  shopify.store().faults.clear();
  const last = await startWorker();
  await until("all messages", async () => {
    const [row] = await database.rows<{ pending: number }>(
      "SELECT count(*)::int AS pending FROM webhook_delivery WHERE status = 'pending'",
    );
    return row?.pending === 0;
  });
  await last.stop();

  const copies = Map.groupBy(received, recipientOf);
  expect([...copies.keys()].toSorted()).toEqual(addresses.toSorted());
  for (const messages of copies.values()) expect(new Set(messages.map(messageIdOf)).size).toBe(1);
  const ids = shops.map(({ id }) => id);
  const deliveries = await database.rows<{ status: string; sent: number; errors: string[] | null }>(
    `SELECT d.status, (count(*) FILTER (WHERE a.status = 250 AND a.error IS NULL))::int AS sent,
            array_agg(a.error) FILTER (WHERE a.error IS NOT NULL) AS errors
       FROM webhook_delivery d JOIN webhook_attempt a ON a.shop_id = d.shop_id AND a.delivery_id = d.id
      WHERE d.shop_id = ANY ($1) GROUP BY d.shop_id, d.id, d.status`,
    [ids],
  );
  expect(deliveries).toHaveLength(addresses.length * ALERTS);
  for (const { status, sent } of deliveries) expect({ status, sent }).toEqual({ status: "succeeded", sent: 1 });
  // On a busy machine the store may not return the customers in time; then nothing is sent.
  const errors = new Set(deliveries.flatMap((delivery) => delivery.errors ?? []));
  errors.delete("Shopify did not return the customer’s address");
  expect([...errors]).toEqual([]);
}

test("repeated kills of a worker that sends lose no email and repeat only those in flight", async () => {
  await prove({ kills: 16, customers: 100 });
});
