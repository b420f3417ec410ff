import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { client, type Call } from "../support/app/client.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { deliveriesOf, subscribe, type Delivery, type Subscription } from "../support/webhooks/webhooks.ts";
import { MATRIX } from "../support/matrix.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

let service: Service;
let call: Call;
let shop: TestShop;
let receiver: Receiver;
let webhook: Subscription;

beforeAll(async () => {
  service = await startService({ env: LOOPBACK });
  call = client(service.url);
});
afterAll(() => service.dispose());
beforeEach(async () => {
  shop = await makeShop(service, call);
  receiver = await startReceiver();
  webhook = await subscribe(call, shop, receiver.url);
});
afterEach(() => receiver.close());

let items = 0;

async function add(customer = "c1"): Promise<string> {
  const productId = `p${++items}`;
  const json = { product_id: productId, variant_id: `v${items}` };
  (await call("POST", `/v1/wishlists/${customer}/items`, { token: shop.token, json })).data();
  return productId;
}

/** Waits until the only delivery matches. */
function delivery(wanted: (found: Delivery) => boolean): Promise<Delivery> {
  return until("the delivery", async () => {
    const [found] = await deliveriesOf(call, shop, webhook.webhookId);
    return found && wanted(found) && found;
  });
}

/** Makes every next attempt due. */
async function skipWaiting(): Promise<void> {
  await service.database.rows(
    "UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1 AND status = 'pending'",
    [shop.id],
  );
  await service.database.rows("UPDATE webhook_endpoint SET backoff_until = NULL, due_at = now() WHERE shop_id = $1", [
    shop.id,
  ]);
}

async function endpoint(): Promise<{ failures: number; failing_since: Date | null; disabled_reason: string | null }> {
  const [row] = await service.database.rows<Awaited<ReturnType<typeof endpoint>>>(
    "SELECT failures, failing_since, disabled_reason FROM webhook_endpoint WHERE shop_id = $1 AND id = $2",
    [shop.id, webhook.webhookId],
  );
  if (!row) throw new Error("no endpoint");
  return row;
}

/** Waits for the back-off, which begins after the attempt is recorded. */
async function failures(count: number): Promise<void> {
  await until(`failure ${count}`, async () => (await endpoint()).failures === count);
}

/** Lets the back-off last for as long as the test needs, which is more than its seconds on a busy machine. */
async function prolongBackOff(): Promise<void> {
  const prolonged = await service.database.rows(
    `UPDATE webhook_endpoint SET backoff_until = backoff_until + interval '1 hour', due_at = due_at + interval '1 hour'
      WHERE shop_id = $1 AND backoff_until IS NOT NULL RETURNING id`,
    [shop.id],
  );
  expect(prolonged).toHaveLength(1);
}

describe("a delivery", () => {
  test("has the contract's payload and a valid Standard Webhooks signature", async () => {
    const productId = await add("c1");
    const [one] = await receiver.until(1);
    if (!one) throw new Error("nothing arrived");
    expect(one.body).toEqual({
      event: "wishlist.item.added",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
      shop: shop.domain,
      data: { customerId: "c1", productId, variantId: `v${items}`, listId: "default" },
    });
    expect(one.headers["content-type"]).toBe("application/json");
    expect(new Webhook(webhook.secret).verify(one.text, one.headers)).toEqual(one.body);
    expect(() => new Webhook(webhook.secret).verify(`${one.text} `, one.headers)).toThrow();
  });

  test("is sent once per added, removed and shared event, in order", async () => {
    const productId = await add("c1");
    (await call("DELETE", `/v1/wishlists/c1/items/${productId}`, { token: shop.token })).data();
    const link = (await call("GET", "/v1/wishlists/c1/share", { token: shop.token })).data<Record<string, string>>();
    // Requests that change nothing: the same link, a saved item, an unsaved item.
    (await call("GET", "/v1/wishlists/c1/share", { token: shop.token })).data();
    (await call("DELETE", `/v1/wishlists/c1/items/${productId}`, { token: shop.token })).data();
    await add("last");
    const all = await receiver.until((received) => received.some(({ body }) => body.data["customerId"] === "last"));
    const inOrder = [...all].sort((a, b) => a.body.timestamp.localeCompare(b.body.timestamp));
    expect(inOrder.map(({ body }) => body.event)).toEqual([
      "wishlist.item.added",
      "wishlist.item.removed",
      "wishlist.shared",
      "wishlist.item.added",
    ]);
    expect(inOrder[2]?.body.data).toEqual({
      customerId: "c1",
      shareUrl: link["shareUrl"],
      expiresAt: link["expiresAt"],
      itemCount: 0,
      listId: "default",
    });
    expect(new Set(all.map(({ id }) => id)).size).toBe(4);
  });

  test("is sent to the shop's webhooks that subscribe to the event only", async () => {
    const removals = await startReceiver();
    const other = await startReceiver();
    await subscribe(call, shop, removals.url, ["wishlist.item.removed"]);
    await subscribe(call, await makeShop(service, call), other.url);
    const productId = await add();
    (await call("DELETE", `/v1/wishlists/c1/items/${productId}`, { token: shop.token })).data();
    await removals.until(1);
    await receiver.until(2);
    expect(removals.received.map(({ body }) => body.event)).toEqual(["wishlist.item.removed"]);
    // Both receivers get the same message, each signed with its secret.
    const same = receiver.received.find(({ body }) => body.event === "wishlist.item.removed");
    expect(removals.received[0]).toMatchObject({ id: same?.id, text: same?.text });
    expect(removals.received[0]?.signature).not.toBe(same?.signature);
    expect(other.received).toEqual([]);
    const [stray] = await service.database.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM webhook_delivery d
        WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint e WHERE e.shop_id = d.shop_id AND e.id = d.endpoint_id)`,
    );
    expect(stray?.n).toBe(0);
    await Promise.all([removals.close(), other.close()]);
  });
});

describe("a failed attempt", () => {
  test("is retried with the same id and a new timestamp, and recorded", async () => {
    receiver.respondWith((response) => void response.writeHead(500).end("out of order"));
    await add();
    const failed = await delivery(({ attempts }) => attempts.length === 1);
    await failures(1);
    expect(failed).toMatchObject({
      status: "pending",
      attempts: [{ number: 1, status: 500, response: "out of order" }],
    });
    // 5 s with 20% jitter.
    const waits = Date.parse(failed.nextAttemptAt ?? "") - Date.parse(failed.attempts[0]?.at ?? "");
    expect(waits).toBeGreaterThan(3_900);

    receiver.respondWith(200);
    // The timestamp has whole seconds, so the next attempt must be in another second.
    const first = receiver.received[0]?.timestamp ?? 0;
    await until("the next second", () => Math.floor(Date.now() / 1000) > first);
    await skipWaiting();
    const [before, again] = await receiver.until(2);
    expect(again).toMatchObject({ id: before?.id, text: before?.text });
    expect(again?.timestamp).toBeGreaterThan(first);
    expect(again?.signature).not.toBe(before?.signature);
    const done = await delivery(({ status }) => status === "succeeded");
    expect(done.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    expect(done.messageId).toBe(before?.id);
  });

  test("is final after twelve attempts", MATRIX, async () => {
    receiver.respondWith(503);
    await add();
    for (let made = 1; made <= 12; made++) {
      await delivery(({ attempts }) => attempts.length === made);
      await failures(made);
      await skipWaiting();
    }
    const failed = await delivery(({ status }) => status === "failed");
    expect(failed.attempts).toHaveLength(12);
    expect(failed.nextAttemptAt).toBeNull();
    // No other attempt follows: the next request is the next event.
    receiver.respondWith(200);
    const productId = await add("next");
    await skipWaiting();
    const all = await receiver.until((received) => received.some(({ body }) => body.data["productId"] === productId));
    expect(all.filter(({ id }) => id === failed.messageId)).toHaveLength(12);
  });

  test.each([
    ["a redirect, which is not followed", 302],
    ["a client error", 404],
  ])("is %s", async (_, status) => {
    const target = await startReceiver();
    receiver.respondWith((response) => void response.writeHead(status, { location: target.url }).end());
    await add();
    expect(await delivery(({ attempts }) => attempts.length === 1)).toMatchObject({ status: "pending" });
    expect(target.received).toEqual([]);
    await target.close();
  });

  test("is retried after the receiver's Retry-After", async () => {
    receiver.respondWith((response) => void response.writeHead(503, { "retry-after": "3600" }).end());
    await add();
    const { nextAttemptAt, attempts } = await delivery((found) => found.attempts.length === 1);
    expect(Date.parse(nextAttemptAt ?? "") - Date.parse(attempts[0]?.at ?? "")).toBeGreaterThanOrEqual(3_600_000);
  });

  test("delays other deliveries without using up their attempts", async () => {
    receiver.respondWith(500);
    await add();
    await delivery(({ attempts }) => attempts.length === 1);
    await failures(1);
    await prolongBackOff();
    for (let n = 0; n < 5; n++) await add();
    await until("all six", async () => (await deliveriesOf(call, shop, webhook.webhookId)).length === 6);
    receiver.respondWith(200);
    const tried = (await deliveriesOf(call, shop, webhook.webhookId)).map(({ attempts }) => attempts.length);
    expect(tried.toSorted()).toEqual([0, 0, 0, 0, 0, 1]);
    await skipWaiting();
    await until("all to arrive", async () =>
      (await deliveriesOf(call, shop, webhook.webhookId)).every(({ status }) => status === "succeeded"),
    );
    expect(await endpoint()).toMatchObject({ failures: 0, failing_since: null });
  });
});

test("a delivery fails with a reason when its event was purged", async () => {
  receiver.respondWith(500);
  await add();
  await failures(1);
  await service.database.rows("DELETE FROM webhook_event WHERE shop_id = $1", [shop.id]);
  await skipWaiting();
  const { attempts } = await delivery(({ status }) => status === "failed");
  expect(attempts).toMatchObject([
    { status: 500 },
    { status: null, error: expect.stringContaining("has been deleted") as unknown },
  ]);
  // This does not count as a failed attempt.
  expect((await endpoint()).failures).toBe(1);
});

describe("a webhook's endpoint", () => {
  test("that responds with 410 is disabled and gets no later events", async () => {
    receiver.respondWith(410);
    await add();
    expect(await delivery(({ status }) => status === "failed")).toMatchObject({ attempts: [{ status: 410 }] });
    await until("the endpoint to be disabled", async () => (await endpoint()).disabled_reason === "gone");
    await add();
    const { rows } = service.database;
    await until(
      "the outbox processor",
      async () => (await rows("SELECT 1 FROM activity WHERE processed_at IS NULL")).length === 0,
    );
    expect(await deliveriesOf(call, shop, webhook.webhookId)).toHaveLength(1);
  });

  test("is disabled after five days of failures without a success", async () => {
    const since = (days: number): Promise<unknown> =>
      service.database.rows(
        "UPDATE webhook_endpoint SET failing_since = now() - $2 * interval '1 day' WHERE shop_id = $1",
        [shop.id, days],
      );
    receiver.respondWith(500);
    await add();
    await failures(1);
    await since(4.9);
    await skipWaiting();
    await failures(2);
    expect((await endpoint()).disabled_reason).toBeNull();

    receiver.respondWith(200);
    await skipWaiting();
    await until("a success", async () => (await endpoint()).failures === 0);
    expect((await endpoint()).failing_since).toBeNull();

    receiver.respondWith(500);
    await add();
    await failures(1);
    await since(5.1);
    await skipWaiting();
    await until("the end", async () => (await endpoint()).disabled_reason === "failing");
  });

  test("counts one failure when concurrent requests fail together", async () => {
    const held: ServerResponse[] = [];
    receiver.respondWith((response) => {
      held.push(response);
      if (held.length === 2) for (const one of held) one.writeHead(500).end();
    });
    await add();
    await add();
    await until("a probe, after both have failed", async () => {
      if (held.length === 2) await skipWaiting();
      return held.length === 3;
    });
    expect((await endpoint()).failures).toBe(1);
  });

  test("that is paused gets its pending deliveries when it is enabled again", async () => {
    receiver.respondWith(500);
    await add();
    await delivery(({ attempts }) => attempts.length === 1);
    await failures(1);
    const path = `/v1/webhooks/${webhook.webhookId}`;
    (await call("PATCH", path, { token: shop.token, json: { enabled: false } })).data();
    await skipWaiting();
    receiver.respondWith(200);
    (await call("PATCH", path, { token: shop.token, json: { enabled: true } })).data();
    await delivery(({ status }) => status === "succeeded");
    expect(receiver.received).toHaveLength(2);
  });

  test("that hangs delays no other endpoint and gets few concurrent requests", async () => {
    const hanging = await startReceiver();
    let open = 0;
    let most = 0;
    hanging.respondWith((response) => {
      most = Math.max(most, ++open);
      response.on("close", () => open--);
    });
    await subscribe(call, shop, hanging.url);
    for (let n = 0; n < 30; n++) await add();
    await receiver.until(30);
    await hanging.until(1);
    expect(most).toBeLessThanOrEqual(2);
    await hanging.close();
  });
});

test("a shop's hanging webhooks leave connections to the same host for other shops", async () => {
  const host = await startReceiver();
  let hanging = 0;
  host.respondWith((response, { body }) => {
    if (body.shop !== shop.domain) {
      response.writeHead(204).end();
      return;
    }
    hanging++;
    response.once("close", () => hanging--);
  });
  for (let n = 1; n < 20; n++) await subscribe(call, shop, `${host.url}/${n}`);
  await add();
  await add();
  // More than any limit per host.
  await until("19 endpoints with two requests each", () => hanging === 38);
  const other = await makeShop(service, call);
  const { webhookId } = await subscribe(call, other, host.url);
  const json = { product_id: "1", variant_id: "1" };
  (await call("POST", "/v1/wishlists/c1/items", { token: other.token, json })).data();
  const [delivered] = await until("the other shop's delivery", async () => {
    const found = await deliveriesOf(call, other, webhookId);
    return found[0]?.attempts.length === 1 && found;
  });
  expect(delivered).toMatchObject({ status: "succeeded", attempts: [{ number: 1, status: 204 }] });
  expect(hanging).toBe(38);
  await host.close();
});

describe("rotating a secret", () => {
  test("signs with both secrets for a day, then with the new one only", async () => {
    const rotated = await call("POST", `/v1/webhooks/${webhook.webhookId}/rotate-secret`, { token: shop.token });
    const { secret } = rotated.data<{ secret: string }>();
    expect(secret).not.toBe(webhook.secret);
    await add();
    const [both] = await receiver.until(1);
    if (!both) throw new Error("nothing arrived");
    new Webhook(webhook.secret).verify(both.text, both.headers);
    new Webhook(secret).verify(both.text, both.headers);

    await service.database.rows("UPDATE webhook_endpoint SET old_secret_until = now() WHERE shop_id = $1", [shop.id]);
    await add();
    const [, alone] = await receiver.until(2);
    if (!alone) throw new Error("nothing arrived");
    new Webhook(secret).verify(alone.text, alone.headers);
    expect(() => new Webhook(webhook.secret).verify(alone.text, alone.headers)).toThrow();
  });

  test("leaves no secret readable in the database or in the log", async () => {
    const rotated = await call("POST", `/v1/webhooks/${webhook.webhookId}/rotate-secret`, { token: shop.token });
    const { secret } = rotated.data<{ secret: string }>();
    (await call("GET", "/v1/wishlists/c1/share", { token: shop.token })).data();
    const [shared] = await receiver.until(1);
    const tables = await service.database.rows<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    let dump = JSON.stringify(service.log());
    for (const { name } of tables) dump += JSON.stringify(await service.database.rows(`SELECT * FROM "${name}"`));
    expect(dump).toContain(webhook.webhookId);
    const { shareUrl } = z.object({ shareUrl: z.string() }).parse(shared?.body.data);
    const token = shareUrl.split("/").at(-1) ?? "";
    for (const one of [webhook.secret, secret, token]) {
      expect(one.length).toBeGreaterThan(20);
      expect(dump).not.toContain(one);
      expect(dump).not.toContain(one.replace("whsec_", ""));
    }
  });
});

describe("on request", () => {
  test("a test is sent once and immediately, despite a back-off", async () => {
    receiver.respondWith(500);
    await add();
    await failures(1);
    const path = `/v1/webhooks/${webhook.webhookId}/test`;
    (await call("POST", path, { token: shop.token })).data();
    await receiver.until(2);
    const [tested, event] = await until("the test's end", async () => {
      const all = await deliveriesOf(call, shop, webhook.webhookId);
      return all[0]?.status === "failed" && all;
    });
    expect(tested).toMatchObject({ kind: "test", attempts: [{ number: 1, status: 500 }] });
    expect(event).toMatchObject({ kind: "event", attempts: [{ number: 1 }] });
    expect(receiver.received[1]?.body.data).toEqual({
      customerId: "test-customer",
      productId: "test-product",
      variantId: "test-variant",
      listId: "default",
    });

    // A failed test does not count as a failure of the webhook.
    expect((await endpoint()).failures).toBe(1);

    // A successful test shows that the receiver works again.
    receiver.respondWith(200);
    (await call("POST", path, { token: shop.token })).data();
    await until("recovery", async () => (await endpoint()).failures === 0);
  });

  test("a redelivery has the same id and body", async () => {
    await add();
    const { deliveryId } = await delivery(({ status }) => status === "succeeded");
    const path = `/v1/webhooks/${webhook.webhookId}/deliveries/${deliveryId}/redeliver`;
    (await call("POST", path, { token: shop.token })).data();
    const [first, second] = await receiver.until(2);
    expect(second).toMatchObject({ id: first?.id, text: first?.text });
  });
});
