import { beforeEach, describe, expect } from "vitest";
import { holderId } from "../../app/platform/ids.server.ts";
import { dueDeliveries, leasesOf, recordFailure } from "../../app/webhooks/delivery/queue.server.ts";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { ADDED, DISABLED, RECEIVER, SHARED, subscribe } from "../support/webhooks/webhooks.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

// Without a worker deliveries are not sent.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  shop = await makeShop(service, call);
});

const GONE = { failures: 1, backoffMs: 5_000, gone: true };

function fail(endpointId: string, failure = GONE) {
  return recordFailure({ shopId: shop.id, endpointId }, failure);
}

async function events(): Promise<{ webhookId: string }[]> {
  const rows = await service.database.rows<{ data: { webhookId: string } }>(
    "SELECT data FROM webhook_event WHERE shop_id = $1 AND event = $2",
    [shop.id, DISABLED],
  );
  return rows.map(({ data }) => data);
}

describe("webhook.disabled", () => {
  test("exists once when many failures disable a webhook at the same time", async () => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    const monitoring = await subscribe(call, shop, RECEIVER, [DISABLED]);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => fail(webhookId)));
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([
      { reason: "gone", notified: [monitoring.webhookId] },
    ]);
    expect(await events()).toMatchObject([{ webhookId }]);
  });

  test("is not sent for Shopify Flow, which is no webhook of the merchant's", async () => {
    await subscribe(call, shop, RECEIVER, [DISABLED]);
    await service.database.rows(
      `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
       VALUES ($1, 'flow', 'flow:', '{}', '', now())`,
      [shop.id],
    );
    expect(await fail("flow")).toEqual({ reason: "gone", notified: [] });
    expect(await events()).toEqual([]);
  });

  test("does not deadlock when all webhooks of a shop are disabled at the same time", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await subscribe(call, shop, RECEIVER, [DISABLED])).webhookId);
    const outcomes = await Promise.all(ids.toReversed().map((id) => fail(id)));
    expect(outcomes.map((outcome) => outcome?.reason)).toEqual(ids.map(() => "gone"));
    // The last one had no enabled webhook to tell.
    expect(await events()).toHaveLength(19);
  });

  test("and the disabling are one change: without the event the webhook stays enabled", async () => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    await subscribe(call, shop, RECEIVER, [DISABLED]);
    const refuse = "ALTER TABLE webhook_event ADD CONSTRAINT refuse CHECK (event <> 'webhook.disabled') NOT VALID";
    await service.database.rows(refuse);
    try {
      await expect(fail(webhookId)).rejects.toThrow("refuse");
    } finally {
      await service.database.rows("ALTER TABLE webhook_event DROP CONSTRAINT refuse");
    }
    expect((await call("GET", `/v1/webhooks/${webhookId}`, { token: shop.token })).data()).toMatchObject({
      enabled: true,
    });
    expect((await fail(webhookId))?.reason).toBe("gone");
  });

  test("is sent before events that wait", async () => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    const { webhookId: endpointId } = await subscribe(call, shop, RECEIVER, [ADDED, DISABLED]);
    await call("POST", "/v1/wishlists/c/items", { token: shop.token, json: { product_id: "p", variant_id: "v" } });
    await service.database.rows("SELECT outbox_process($1, 100, true)", [shop.id]);
    await fail(webhookId);
    const holder = holderId();
    const key = { shopId: shop.id, endpointId };
    expect(await leasesOf(holder).claim(key)).toBe(true);
    expect((await dueDeliveries(key, holder, [], 10)).map(({ event }) => event)).toEqual([DISABLED, ADDED]);
  });

  test("counts at most 10,000 deliveries as undelivered", async () => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    await subscribe(call, shop, RECEIVER, [DISABLED]);
    await service.database.rows(
      `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
       SELECT $1, uuid_v7(), $2, uuid_v7(), 'wishlist.shared', 'event', 3, 'pending', now(), now() FROM generate_series(1, 10100)`,
      [shop.id, webhookId],
    );
    await fail(webhookId);
    expect(await events()).toMatchObject([{ undelivered: 10_000 }]);
  });
});

test("a webhook is disabled after five days of failures, not before", async () => {
  const { webhookId } = await subscribe(call, shop, RECEIVER);
  const since = (days: number) =>
    service.database.rows("UPDATE webhook_endpoint SET failing_since = now() - $2 * interval '1 day' WHERE id = $1", [
      webhookId,
      days,
    ]);
  await since(4.9);
  expect(await fail(webhookId, { ...GONE, gone: false })).toBeUndefined();
  await since(5.1);
  expect((await fail(webhookId, { ...GONE, gone: false }))?.reason).toBe("failing");
});

test("a success that is recorded while a failure waits for it keeps the webhook enabled", async () => {
  const { webhookId } = await subscribe(call, shop, RECEIVER);
  await service.database.rows("UPDATE webhook_endpoint SET failing_since = now() - interval '6 days' WHERE id = $1", [
    webhookId,
  ]);
  const success = await service.database.pool.connect();
  try {
    await success.query("BEGIN");
    await success.query("UPDATE webhook_endpoint SET failures = 0, failing_since = NULL WHERE id = $1", [webhookId]);
    const failure = fail(webhookId, { ...GONE, gone: false });
    await lockWaiters(service.database);
    await success.query("COMMIT");
    expect(await failure).toBeUndefined();
  } finally {
    success.release(true);
  }
});

test("leaves out an event of a webhook's row that it does not know", async () => {
  const { webhookId } = await subscribe(call, shop, RECEIVER, [DISABLED, SHARED]);
  await service.database.rows(
    "UPDATE webhook_endpoint SET events = array_prepend('wishlist.unknown', events) WHERE id = $1",
    [webhookId],
  );
  expect((await call("GET", `/v1/webhooks/${webhookId}`, { token: shop.token })).data()).toMatchObject({
    events: [DISABLED, SHARED],
  });
});
