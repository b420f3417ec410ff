import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { holderId } from "../../app/platform/ids.server.ts";
import { dueEndpoints, leasesOf } from "../../app/webhooks/delivery/queue.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { RECEIVER } from "../support/webhooks/webhooks.ts";

const HOLDER = holderId();
const own = leasesOf(HOLDER);
const others = leasesOf(holderId());

let database: TestDatabase;
let shops = 0;

beforeAll(async () => {
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});
beforeEach(() => database.rows("DELETE FROM shop"));

/** Makes a shop with a due webhook. */
async function dueWebhook() {
  const endpointId = `whk_${++shops}`;
  const [shop] = await database.rows<{ id: number }>("INSERT INTO shop (domain) VALUES ($1) RETURNING id", [
    `shop-${shops}.myshopify.com`,
  ]);
  const shopId = Number(shop?.id);
  await database.rows(
    "INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at, due_at) VALUES ($1, $2, $3, '{}', '', now(), now() - interval '1 s')",
    [shopId, endpointId, RECEIVER],
  );
  return { shopId, endpointId };
}

/** Returns when the lease of a webhook ends, in milliseconds. */
async function endOf({ shopId, endpointId }: { shopId: number; endpointId: string }): Promise<number | undefined> {
  const [row] = await database.rows<{ lease_until: Date | null }>(
    "SELECT lease_until FROM webhook_endpoint WHERE shop_id = $1 AND id = $2",
    [shopId, endpointId],
  );
  return row?.lease_until?.getTime();
}

test("one process has the lease of a webhook until it releases it", async () => {
  const webhooks = [await dueWebhook(), await dueWebhook()];
  expect(await Promise.all([...webhooks.map(own.claim), ...webhooks.map(others.claim)])).toEqual(
    expect.toSatisfy(([a, b, c, d]: boolean[]) => a !== c && b !== d),
  );
  await Promise.all([...webhooks.map(own.release), ...webhooks.map(others.release)]);
  expect(await Promise.all(webhooks.map(others.claim))).toEqual([true, true]);
  expect(await Promise.all(webhooks.map(own.claim))).toEqual([false, false]);
  expect(await dueEndpoints(HOLDER, 10)).toEqual([]);
});

test("a lease that was not renewed is taken over, and its holder learns it", async () => {
  const webhook = await dueWebhook();
  await own.claim(webhook);
  await database.rows("UPDATE webhook_endpoint SET lease_until = now() - interval '1 ms'");
  expect(await others.claim(webhook)).toBe(true);
  expect(await own.renew(webhook)).toBe(false);
  expect(await others.renew(webhook)).toBe(true);
});

test("a locked webhook does not hold up the leases of others, and keeps its own", async () => {
  const [locked, free] = [await dueWebhook(), await dueWebhook()];
  await Promise.all([locked, free].map(own.claim));
  const before = await Promise.all([locked, free].map(endOf));
  const holder = await database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("BEGIN");
  await holder.query("UPDATE webhook_endpoint SET failures = 1 WHERE shop_id = $1", [locked.shopId]);
  expect(await Promise.all([locked, free].map(own.renew))).toEqual([true, true]);
  const after = await Promise.all([locked, free].map(endOf));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBeGreaterThan(before[1] ?? Infinity);
  await Promise.all([locked, free].map(own.release));
  await holder.query("COMMIT");
  expect(await endOf(free)).toBeUndefined();
  expect(await own.renew(locked)).toBe(true);
  expect(await endOf(locked)).toBeGreaterThan(before[0] ?? Infinity);
});

test.each([
  ["that is not due", "UPDATE webhook_endpoint SET due_at = NULL"],
  ["that is disabled", "UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'gone'"],
  ["of an uninstalled shop", "UPDATE shop SET uninstalled_at = now()"],
])("a webhook %s is neither found nor leased", async (_which, change) => {
  const webhook = await dueWebhook();
  expect(await dueEndpoints(HOLDER, 10)).toEqual([webhook]);
  await database.rows(change);
  expect(await dueEndpoints(HOLDER, 10)).toEqual([]);
  expect(await own.claim(webhook)).toBe(false);
});
