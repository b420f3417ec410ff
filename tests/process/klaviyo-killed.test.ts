// @module-tag matrix

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import type { KlaviyoRequest } from "../../packages/devstore/store/klaviyo.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { turnOn } from "../support/app/alerts.ts";
import { emitPriceAlerts } from "../support/app/emails.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { startService } from "../support/app/service.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";

/** Events before each kill: more than a worker reads at first. */
const EVENTS = 150;
/** Bulk requests of a shop that are sent or recorded at a time. */
const WINDOW = 4;
const BULK = "/api/event-bulk-create-jobs";

let shopify: Devstore;
let database: TestDatabase;

const settings = (): Record<string, string> => ({ ...shopify.env, NODE_ENV: "test" });

beforeAll(async () => {
  shopify = await startShopify();
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "3" });
});
afterAll(async () => {
  await closeDatabase();
  await shopify.close();
  await database.drop();
});

/** Connects a shop whose alerts go to Klaviyo, and stops the process that connected it. */
async function connectAccount(): Promise<ConnectedShop> {
  shopify.klaviyo.clear();
  const service = await startService({ database, env: settings() });
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  shopify.store(domain).installation.scopes.push("read_customers");
  const shop = await connectShop(service, shopify, { domain });
  await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
  await merchant(service, shop).send("/app/alerts/klaviyo", { intent: "connect", key: shopify.klaviyo.key });
  await until("the test event", () => shopify.klaviyo.events().length === 1);
  await until("no work", async () => (await pending()) === 0);
  await service.stop();
  return shop;
}

async function pending(): Promise<number> {
  const [row] = await database.rows<{ pending: number }>(
    "SELECT count(*)::int AS pending FROM webhook_delivery WHERE status = 'pending'",
  );
  return row?.pending ?? NaN;
}

/** Returns the ids of the events that are recorded as sent. */
async function recorded(shopId: number): Promise<Set<string>> {
  const rows = await database.rows<{ id: string }>(
    "SELECT event_id::text AS id FROM webhook_delivery WHERE shop_id = $1 AND status = 'succeeded'",
    [shopId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Keeps the requests with events that the account accepts. */
function watchRequests(): readonly KlaviyoRequest[] {
  const accepted: KlaviyoRequest[] = [];
  const { klaviyo } = shopify;
  const record = klaviyo.recordRequest.bind(klaviyo);
  klaviyo.recordRequest = (request) => {
    record(request);
    if (request.method === "POST" && request.status === 202) accepted.push(request);
  };
  return accepted;
}

const idsOf = ({ body }: KlaviyoRequest): string[] =>
  [...JSON.stringify(body).matchAll(/"unique_id":"([^"]+)"/g)].map(([, id = ""]) => id);

/** Holds the next bulk request before the account accepts it. */
function holdNext(): { arrived: Promise<undefined>; release: () => void } {
  const [arrived, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  shopify.store().faults.inject({
    ...{ on: "klaviyo", operation: `POST ${BULK}`, times: 1, behaviour: { until: released.promise } },
    when: () => {
      arrived.resolve(undefined);
      return true;
    },
  });
  const release = (): void => {
    released.resolve(undefined);
  };
  return { arrived: arrived.promise, release };
}

/** Kills the worker while it sends events, again and again, and lets the last one finish. */
async function prove(kills: number): Promise<void> {
  const shop = await connectAccount();
  const accepted = watchRequests();
  const startWorker = () => startService({ database, env: { ...settings(), WISHLIST_ROLE: "worker" } });
  const customers: string[] = [];
  const copies = new Map<string, number>();

  for (let kill = 1; kill <= kills; kill++) {
    const ids = Array.from({ length: EVENTS }, (_, n) => String(kill * 1_000 + n));
    shop.store.customers.add(
      ...ids.map((id) => ({ id, firstName: "Anna", lastName: id, email: `c${id}@example.com` })),
    );
    customers.push(...ids);
    await emitPriceAlerts(database.rows, shop.id, ids);
    const before = accepted.length;
    // In turn: the account accepts the request after the process has died, and its response is on the way to the process.
    const held = kill % 2 === 0 ? undefined : holdNext();
    const worker = await startWorker();
    await (held?.arrived ?? until("a request", () => accepted.length > before));
    await worker.stop("SIGKILL");
    held?.release();
    await until("the request", () => accepted.length > before);
    // The dead process's leases end now, not in four seconds.
    await database.rows("UPDATE webhook_endpoint SET lease_until = now() WHERE lease_until IS NOT NULL");
    const known = await recorded(shop.id);
    const unrecorded = accepted.slice(before).filter((request) => idsOf(request).some((id) => !known.has(id)));
    expect(unrecorded.length).toBeLessThanOrEqual(WINDOW);
    for (const id of unrecorded.flatMap(idsOf)) copies.set(id, (copies.get(id) ?? 0) + 1);
  }
  const last = await startWorker();
  await until("all events", async () => (await pending()) === 0);
  await last.stop();

  const events = shopify.klaviyo.events().filter(({ isBackfill }) => !isBackfill);
  expect(events.map(({ profile }) => profile.externalId).toSorted()).toEqual(customers.toSorted());
  const sent = accepted.flatMap(idsOf);
  expect(new Set(sent)).toEqual(new Set(events.map(({ uniqueId }) => uniqueId)));
  // Nothing was sent again but what was in flight when a process died.
  for (const [id, times] of Map.groupBy(sent, (one) => one)) {
    expect(times.length).toBeLessThanOrEqual(1 + (copies.get(id) ?? 0));
  }
  expect(copies.size).toBeGreaterThan(0);
  expect((await recorded(shop.id)).size).toBe(customers.length + 1);
}

test("repeated kills of a worker lose no Klaviyo event and repeat only those in flight", async () => {
  await prove(16);
});
