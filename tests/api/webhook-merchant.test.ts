import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject } from "vitest";
import { now } from "../../app/platform/clock.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import {
  logFilter,
  redeliver,
  redeliverFailed,
  readDelivery,
  readWebhook,
  readWebhooks,
} from "../../app/webhooks/index.server.ts";
import { PRIORITY } from "../../app/webhooks/delivery/priority.ts";
import { recordAttempts } from "../../app/webhooks/delivery/queue.server.ts";
import type { Call } from "../support/app/client.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { serviceEnv } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { ADDED, deliveriesOf, RECEIVER, REMOVED, SHARED, subscribe } from "../support/webhooks/webhooks.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
/** another shop's id */
let other: number;

test.override("appOptions", { env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  other = (await makeShop(service, call)).id;
  // Share links in bodies are sealed.
  provideEnv(serviceEnv(service.database.url));
});

const HOUR = 3_600_000;

/** Returns the result, or throws for a failure. */
function unwrap<T>(outcome: T | Failure): T {
  if (outcome instanceof Failure) throw new Error(outcome.message);
  return outcome;
}

/** Creates a paused webhook, whose deliveries stay unsent. */
async function paused(url = RECEIVER): Promise<string> {
  const { webhookId } = await subscribe(call, shop, url);
  await call("PATCH", `/v1/webhooks/${webhookId}`, { token: shop.token, json: { enabled: false } });
  return webhookId;
}

interface Made {
  event?: string;
  kind?: string;
  priority?: number;
  status?: string;
  /** age in hours */
  age?: number;
  /** the event's id; generated when left out */
  eventId?: string;
}

/**
 * Inserts deliveries with their events in the given order.
 * @returns the public delivery ids
 */
async function write(endpointId: string, made: readonly Made[]): Promise<string[]> {
  const rows = await service.database.rows<{ id: string }>(
    `WITH given AS (
       SELECT *, row_number() OVER () AS place
         FROM jsonb_to_recordset($3) AS g (event text, kind text, priority smallint, status text, age float8, event_id uuid)
     ), events AS (
       INSERT INTO webhook_event (shop_id, id, event, at, customer_id, product_id, variant_id)
       SELECT DISTINCT ON (event_id) $1, event_id, event, now(), 'c', 'p', 'v' FROM given
     )
     INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
     SELECT $1, (left(replace(uuid_v7_min(now() - age * interval '1 hour')::text, '-', ''), 14) || lpad(to_hex(place), 18, '0'))::uuid,
            $2, event_id, event, kind, priority, status, CASE WHEN status = 'pending' THEN now() END, now() - age * interval '1 hour'
       FROM given ORDER BY place
     RETURNING id`,
    [
      shop.id,
      endpointId,
      JSON.stringify(
        made.map(
          ({
            event = ADDED,
            kind = "event",
            priority = PRIORITY.event,
            status = "failed",
            age = 0,
            eventId = randomUUID(),
          }) => ({
            ...{ event, kind, priority, status, age },
            event_id: eventId,
          }),
        ),
      ),
    ],
  );
  return rows.map(({ id }) => `dlv_${id.replaceAll("-", "")}`);
}

async function attempt(
  endpointId: string,
  deliveryId: string,
  {
    number = 1,
    age = 0,
    status = 204,
    error = null,
    durationMs = 10,
  }: {
    number?: number;
    age?: number;
    status?: number | null;
    error?: string | null;
    durationMs?: number;
  },
): Promise<void> {
  await service.database.rows(
    `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, error, endpoint_id, url)
     VALUES ($1, $2, $3, now() - $4 * interval '1 hour', $5, $6, $7, $8, $9)`,
    [shop.id, deliveryId.slice("dlv_".length), number, age, durationMs, status, error, endpointId, RECEIVER],
  );
}

function allFailed(webhookId: string, hours: number, shopId = shop.id) {
  return transaction(shopId, (tx) => redeliverFailed(tx, shopId, webhookId, new Date(now().getTime() - hours * HOUR)));
}

describe("the health of a webhook", () => {
  test("is computed from its own attempts of the last 24 hours", async () => {
    const [webhookId, neighbour] = [await paused(), await paused()];
    const [first = "", second = ""] = await write(webhookId, [{ age: 30 }, { status: "succeeded" }]);
    await attempt(webhookId, first, { number: 1, age: 30, status: 500, durationMs: 9_000 });
    await attempt(webhookId, first, { number: 2, age: 23, status: 503, durationMs: 30 });
    await attempt(webhookId, first, { number: 3, age: 2, status: null, error: "refused", durationMs: 15_000 });
    await attempt(webhookId, first, { number: 4, age: 1, status: 200, error: "cut short", durationMs: 20 });
    await attempt(webhookId, second, { status: 204, durationMs: 10 });
    const [theirs = ""] = await write(neighbour, [{}]);
    await attempt(neighbour, theirs, { status: 500, durationMs: 1 });

    const { webhooks } = await readWebhooks(shop.id, now());
    expect(webhooks.find((one) => one.webhookId === webhookId)?.health).toEqual({
      attempts: 4,
      isPart: false,
      succeeded: 1,
      medianMs: 20,
      p95Ms: 30,
    });
  });

  test("uses at most the newest 200 attempts", async () => {
    const webhookId = await paused();
    const ids = await write(
      webhookId,
      Array.from({ length: 201 }, (): Made => ({ status: "succeeded" })),
    );
    await service.database.rows(
      `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, endpoint_id)
       SELECT $1, id::uuid, 1, now() - place * interval '1 second', 5, CASE WHEN place = 201 THEN 500 ELSE 204 END, $2
         FROM unnest($3::text[]) WITH ORDINALITY AS d (id, place)`,
      [shop.id, webhookId, ids.map((id) => id.slice("dlv_".length))],
    );
    const { webhook } = unwrap(await readWebhook(shop.id, webhookId, {}, now()));
    expect(webhook.health).toMatchObject({ attempts: 200, isPart: true, succeeded: 200 });
  });
});

describe("the log of a webhook", () => {
  const EVENTS = [ADDED, REMOVED, SHARED];
  const KINDS = [
    { kind: "event", priority: PRIORITY.event },
    { kind: "test", priority: PRIORITY.test },
    { kind: "redelivery", priority: PRIORITY.redelivery },
    { kind: "redelivery", priority: PRIORITY.bulkRedelivery },
  ];
  const STATUSES = ["succeeded", "failed", "pending"];
  const MADE = Array.from({ length: 120 }, (_, index): Made => ({
    event: EVENTS[index % 3] ?? "",
    ...KINDS[Math.floor(index / 3) % 4],
    status: STATUSES[Math.floor(index / 12) % 3] ?? "",
    age: (120 - index) / 60,
  }));
  let webhookId: string;
  let ids: string[];

  beforeAll(async () => {
    webhookId = await paused();
    ids = await write(webhookId, MADE);
    await write(await paused(), [{ status: "failed" }]);
  });

  const page = async (query: Parameters<typeof readWebhook>[2]) =>
    unwrap(await readWebhook(shop.id, webhookId, query, now())).log;
  const idsOf = (log: { deliveries: { deliveryId: string }[] }): string[] =>
    log.deliveries.map(({ deliveryId }) => deliveryId);

  test.each([
    [{}],
    [{ status: "failed" }],
    [{ event: SHARED }],
    [{ kind: "redelivery" }],
    [{ kind: "test", status: "pending", event: REMOVED }],
  ] as Parameters<typeof readWebhook>[2][][])("can be paged forward and back with %j", async (filter) => {
    const wanted = ids
      .filter((_, index) => {
        const { event, kind, status } = MADE[index] ?? {};
        return (
          (filter.status ?? status) === status && (filter.event ?? event) === event && (filter.kind ?? kind) === kind
        );
      })
      .reverse();
    expect(wanted.length).toBeGreaterThan(0);
    const read: string[][] = [];
    let log = await page(filter);
    expect(log.newer).toBeUndefined();
    for (;;) {
      read.push(idsOf(log));
      if (log.older === undefined) break;
      log = await page({ ...filter, before: log.older });
    }
    expect(read.flat()).toEqual(wanted);
    expect(read.length).toBe(Math.ceil(wanted.length / 50));
    for (const earlier of read.slice(0, -1).reverse()) {
      expect(log.newer).toBeDefined();
      log = await page({ ...filter, after: log.newer });
      expect(idsOf(log)).toEqual(earlier);
    }
    expect(log.newer).toBeUndefined();
  });

  test.each(["dlv_0", "nonsense", "'; DROP TABLE shop; --", ""])(
    "begins at its newest entry for the invalid position %j",
    async (place) => {
      expect(idsOf(await page({ before: place }))).toEqual(ids.slice(-50).reverse());
      expect(idsOf(await page({ after: place }))).toEqual(ids.slice(-50).reverse());
    },
  );

  test("distinguishes deliveries that wait for the endpoint from immediate ones", async () => {
    const { deliveries } = await page({});
    const priorities = new Map(ids.map((id, index) => [id, MADE[index]?.priority]));
    for (const { deliveryId, immediate } of deliveries) {
      expect(immediate).toBe([PRIORITY.test, PRIORITY.redelivery].some((one) => one === priorities.get(deliveryId)));
    }
    expect(new Set(deliveries.map(({ immediate }) => immediate))).toEqual(new Set([true, false]));
  });

  test("ignores an unknown filter", () => {
    expect(logFilter.parse({ status: "done", event: "wishlist.moved", kind: "bulk", page: "2" })).toEqual({});
  });
});

describe("another shop's webhook", () => {
  test("can be neither read nor redelivered", async () => {
    const webhookId = await paused();
    const [deliveryId = ""] = await write(webhookId, [{}]);
    const mine = await paused();
    const responses = [
      await readWebhook(other, webhookId, {}, now()),
      await readDelivery(other, webhookId, deliveryId, now()),
      await readDelivery(shop.id, mine, deliveryId, now()),
      await allFailed(webhookId, 1, other),
      await transaction(other, (tx) => redeliver(tx, other, webhookId, deliveryId)),
    ];
    expect(responses.map((response) => response instanceof Failure && response.code)).toEqual(
      responses.map(() => "webhook_not_found"),
    );
    expect(unwrap(await readWebhook(shop.id, webhookId, {}, now())).backlog).toMatchObject({
      waiting: 0,
      undelivered: 1,
    });
  });
});

describe("redelivering all failed deliveries", () => {
  test("creates one delivery per event of the period, without tests and redelivered events", async () => {
    const webhookId = await paused();
    const twice = randomUUID();
    const [old, , , again = ""] = await write(webhookId, [
      { age: 30 },
      { age: 20, eventId: twice },
      { age: 19, eventId: twice, kind: "redelivery", priority: PRIORITY.redelivery },
      { age: 10 },
      { age: 5, kind: "test", priority: PRIORITY.test },
      { age: 4, status: "succeeded" },
      { age: 3, event: SHARED },
    ]);
    unwrap(await transaction(shop.id, (tx) => redeliver(tx, shop.id, webhookId, again)));
    expect(unwrap(await allFailed(webhookId, 24))).toEqual({ queued: 2, more: false });
    expect(unwrap(await allFailed(webhookId, 24))).toEqual({ queued: 0, more: false });
    expect(unwrap(await readWebhook(shop.id, webhookId, {}, now())).backlog).toMatchObject({
      waiting: 3,
      undelivered: 1,
    });
    expect(unwrap(await allFailed(webhookId, 48))).toEqual({ queued: 1, more: false });
    expect(old).toBeDefined();
  });

  test("requested twice concurrently creates each delivery once", async () => {
    const webhookId = await paused();
    await write(
      webhookId,
      Array.from({ length: 30 }, (): Made => ({})),
    );
    const batches = await Promise.all([allFailed(webhookId, 1), allFailed(webhookId, 1), allFailed(webhookId, 1)]);
    expect(batches.map((one) => unwrap(one).queued).sort((a, b) => a - b)).toEqual([0, 0, 30]);
  });

  test("handles the oldest 500 and reports that there are more", async () => {
    const webhookId = await paused();
    await write(
      webhookId,
      Array.from({ length: 501 }, (_, index): Made => ({ age: (600 - index) / 3_600 })),
    );
    expect(unwrap(await allFailed(webhookId, 1))).toEqual({ queued: 500, more: true });
    expect(unwrap(await allFailed(webhookId, 1))).toEqual({ queued: 1, more: false });
  });

  test("sends one at a time until the receiver recovers", async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const webhookId = await paused(receiver.url);
    const count = 20;
    await write(
      webhookId,
      Array.from({ length: count }, (): Made => ({})),
    );
    unwrap(await allFailed(webhookId, 1));
    await call("PATCH", `/v1/webhooks/${webhookId}`, { token: shop.token, json: { enabled: true } });
    // During the back-off nothing is due.
    await until("the endpoint's rest", async () => {
      const rows = await service.database.rows(
        "SELECT 1 FROM webhook_endpoint WHERE shop_id = $1 AND id = $2 AND due_at >= backoff_until AND backoff_until > now()",
        [shop.id, webhookId],
      );
      return rows.length === 1;
    });
    // Two may be sent before the first failure is known.
    expect(receiver.received.length).toBeLessThanOrEqual(2);
    receiver.respondWith(204);
    await call("PATCH", `/v1/webhooks/${webhookId}`, { token: shop.token, json: { enabled: true } });
    await receiver.until((received) => new Set(received.map(({ id }) => id)).size === count);
    await until("all of them to have succeeded", async () => {
      const all = await deliveriesOf(call, shop, webhookId);
      return all.filter(({ status }) => status === "succeeded").length === count;
    });
    await receiver.close();
  });
});

describe("an attempt", () => {
  const facts = {
    shopId: 0,
    number: 1,
    at: new Date(),
    url: RECEIVER,
    durationMs: 5,
    error: null,
    response: null,
    batchId: null,
  };

  test("is recorded once, and keeps what another process recorded", async () => {
    const [deliveryId = "", other = ""] = await write(await paused(), [{ status: "pending" }, { status: "pending" }]);
    const of = { ...facts, shopId: shop.id, deliveryId: deliveryId.slice("dlv_".length), waitMs: 0 };
    const stored = () =>
      service.database.rows(
        `SELECT d.status, d.attempts, (SELECT json_agg(a.status ORDER BY a.number) FROM webhook_attempt a
                                        WHERE a.shop_id = d.shop_id AND a.delivery_id = d.id) AS statuses
           FROM webhook_delivery d WHERE shop_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
        [shop.id, [deliveryId, other].map((id) => id.slice("dlv_".length))],
      );
    const untouched = { status: "pending", attempts: 0, statuses: null };
    await recordAttempts([{ ...of, status: 503, outcome: "pending" }]);
    await recordAttempts([{ ...of, status: 204, outcome: "succeeded" }]);
    expect(await stored()).toEqual([{ status: "pending", attempts: 1, statuses: [503] }, untouched]);
    await recordAttempts([{ ...of, number: 2, status: 204, outcome: "succeeded" }]);
    await recordAttempts([{ ...of, number: 3, status: 500, outcome: "failed" }]);
    expect(await stored()).toEqual([{ status: "succeeded", attempts: 2, statuses: [503, 204] }, untouched]);
  });

  // On a cluster, the deliveries are on other servers, whose counters a session can't read.
  test.skipIf(inject("servers").length > 1)("is recorded without reading the deliveries that wait", async () => {
    const ids = await write(
      await paused(),
      Array.from({ length: 20_000 }, () => ({ status: "pending" as const })),
    );
    const recorded = ids.slice(0, 100).map((id) => id.slice("dlv_".length));
    const client = await service.database.pool.connect();
    try {
      const rowsRead = async (): Promise<number> => {
        const { rows } = await client.query<{ read: number }>(
          `SELECT (idx_tup_fetch + seq_tup_read)::integer AS read FROM pg_stat_xact_user_tables WHERE relname = 'webhook_delivery'`,
        );
        return rows[0]?.read ?? NaN;
      };
      await client.query("BEGIN");
      // The statistics of a queue that has been empty until now.
      await client.query("DELETE FROM pg_statistic WHERE starelid = 'webhook_delivery'::regclass");
      await client.query(
        `SELECT webhook_record_attempts(
                  p_shop_id => $1, p_deliveries => $2::uuid[], p_numbers => array_fill(1, n), p_at => array_fill(now(), n),
                  p_duration_ms => array_fill(5, n), p_statuses => array_fill(204, n), p_errors => array_fill(NULL::text, n),
                  p_responses => array_fill(''::text, n), p_urls => array_fill(NULL::text, n), p_outcomes => array_fill('succeeded'::text, n),
                  p_wait_ms => array_fill(0::double precision, n))
           FROM (VALUES (ARRAY[cardinality($2::uuid[])])) AS of (n)`,
        [shop.id, recorded],
      );
      expect(await rowsRead()).toBeLessThan(3 * recorded.length);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  test("of a delivery that was erased meanwhile is not stored", async () => {
    const deliveryId = randomUUID();
    await recordAttempts([{ ...facts, shopId: shop.id, deliveryId, status: 204, outcome: "succeeded", waitMs: 0 }]);
    expect(await service.database.rows("SELECT 1 FROM webhook_attempt WHERE delivery_id = $1", [deliveryId])).toEqual(
      [],
    );
  });
});

describe("a delivery", () => {
  test("shows each attempt's request byte by byte, without the secret", async () => {
    shop = await makeShop(service, call, { plan: "growth" });
    const receiver = await startReceiver();
    receiver.respondWith((response) => void response.writeHead(503).end("x".repeat(3_000)));
    const { webhookId, secret } = await subscribe(call, shop, receiver.url, [SHARED]);
    const lists = "/v1/wishlists/c1/lists";
    const { listId } = (await call("POST", lists, { token: shop.token, json: { name: "Birthday" } })).data<{
      listId: string;
    }>();
    await call("GET", `${lists}/${listId}/share`, { token: shop.token });
    await receiver.until(1);
    const deliveryId = await until("the attempt", async () => {
      const [one] = await deliveriesOf(call, shop, webhookId);
      return one && one.attempts.length > 0 && one.deliveryId;
    });
    // The attempt is unchanged when the URL changes.
    await call("PATCH", `/v1/webhooks/${webhookId}`, { token: shop.token, json: { url: RECEIVER, enabled: false } });
    const details = unwrap(await readDelivery(shop.id, webhookId, deliveryId, now()));
    const [got] = receiver.received;
    const [attempt] = details.delivery.attempts;
    expect(details.body).toBe(got?.text);
    expect(attempt?.request?.url).toBe(receiver.url);
    expect(got?.headers).toMatchObject(attempt?.request?.headers ?? { none: "" });
    expect(Object.keys(attempt?.request?.headers ?? {})).toEqual(
      expect.arrayContaining(["webhook-id", "webhook-timestamp", "content-type", "user-agent"]),
    );
    expect(attempt).toMatchObject({ status: 503, response: "x".repeat(2_048) });
    expect(JSON.stringify(details)).not.toContain(secret);
    await receiver.close();
  });
});
