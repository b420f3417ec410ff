import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished } from "vitest";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Received, type Receiver } from "../support/webhooks/receiver.ts";
import { ADDED, deliveriesOf, type Delivery } from "../support/webhooks/webhooks.ts";

const BATCH_ID = /^batch_[0-9a-f]{32}$/;
const MESSAGE_ID = /^msg_[0-9a-f]{32}$/;

let app: InProcessApp;
let call: Call;

test.override("appOptions", { env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } });
test.beforeAll(({ app: started, call: apiCall }) => {
  app = started;
  call = apiCall;
});

interface Setup {
  shop: TestShop;
  receiver: Receiver;
  webhookId: string;
  secret: string;
}

/** Creates a shop with a webhook for added items. */
async function setUp(batch: boolean): Promise<Setup> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const shop = await makeShop(app, call, { plan: "growth" });
  const json = { url: receiver.url, events: [ADDED], batch };
  const response = await call("POST", "/v1/webhooks", { token: shop.token, json });
  return { shop, receiver, ...response.data<{ webhookId: string; secret: string }>() };
}

/** Saves items in one request, so that their deliveries exist at the same time. */
async function addItems({ shop }: Setup, count: number, { variant = (n: number) => `v${n}` } = {}): Promise<void> {
  const operations = Array.from({ length: count }, (_, n) => ({
    op: "add",
    productId: `p${n}`,
    variantId: variant(n),
  }));
  const path = "/v1/wishlists/c1/lists/default/items/batch";
  (await call("POST", path, { token: shop.token, json: { operations } })).data();
}

function eventsOf(received: readonly Received[]): NonNullable<Received["batch"]> {
  return received.flatMap(({ batch }) => batch ?? []);
}

const arrived = (count: number) => (received: readonly Received[]) => eventsOf(received).length >= count;

/** Waits until a webhook has this number of deliveries, and each of them matches. */
function deliveries(
  { shop, webhookId }: Setup,
  count: number,
  wanted: (one: Delivery) => boolean = () => true,
): Promise<Delivery[]> {
  return until("the deliveries", async () => {
    const found = await deliveriesOf(call, shop, webhookId);
    return found.length === count && found.every(wanted) && found;
  });
}

const has = (status: string) => (one: Delivery) => one.status === status;

/** Makes every next attempt due. */
async function skipWaiting({ shop }: Setup): Promise<void> {
  await app.database.rows(
    "UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1 AND status = 'pending'",
    [shop.id],
  );
  await app.database.rows("UPDATE webhook_endpoint SET backoff_until = NULL, due_at = now() WHERE shop_id = $1", [
    shop.id,
  ]);
}

describe("a webhook with batches", () => {
  test("gets at most 100 events in a request, in order, each with its own id", async () => {
    const setup = await setUp(true);
    await addItems(setup, 130);
    const received = await setup.receiver.until(arrived(130));
    const events = eventsOf(received);
    const sizes = received.map(({ batch }) => batch?.length);
    expect(sizes).toEqual([100, 30]);
    expect(events.map(({ data }) => data["productId"])).toEqual(Array.from({ length: 130 }, (_, n) => `p${n}`));
    expect(received.map(({ id }) => id)).toEqual([expect.stringMatching(BATCH_ID), expect.stringMatching(BATCH_ID)]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(130);
    const [first] = events;
    expect(first).toEqual({
      ...{ id: expect.stringMatching(MESSAGE_ID) as unknown, event: ADDED, shop: setup.shop.domain },
      timestamp: expect.any(String) as unknown,
      data: { customerId: "c1", productId: "p0", variantId: "v0", listId: "default" },
    });
  });

  test("gets one signature over the whole body", async () => {
    const { receiver, secret, ...setup } = await setUp(true);
    await addItems({ receiver, secret, ...setup }, 3);
    const [one] = await receiver.until(1);
    expect(one?.signature).toMatch(/^v1,\S+$/);
    expect(new Webhook(secret).verify(one?.text ?? "", one?.headers ?? {})).toEqual({ events: one?.batch });
    const altered = one?.text.replace("p2", "p9") ?? "";
    expect(() => new Webhook(secret).verify(altered, one?.headers ?? {})).toThrow("No matching signature");
  });

  test("has one delivery with one attempt for each event", async () => {
    const setup = await setUp(true);
    await addItems(setup, 5);
    const events = eventsOf(await setup.receiver.until(arrived(5)));
    const recorded = await deliveries(setup, 5, has("succeeded"));
    expect(recorded.map(({ messageId }) => messageId).sort()).toEqual(events.map(({ id }) => id).sort());
    expect(recorded.map(({ attempts }) => attempts.map(({ number, status }) => [number, status]))).toEqual(
      Array.from({ length: 5 }, () => [[1, 204]]),
    );
  });

  test("fails one attempt of each event when a request fails, and retries each event alone", async () => {
    const setup = await setUp(true);
    setup.receiver.respondWith((response, { batch = [] }) => {
      response.writeHead(batch.length > 1 || batch[0]?.data["productId"] === "p1" ? 500 : 204).end();
    });
    await addItems(setup, 3);
    const failed = await deliveries(setup, 3, ({ attempts }) => attempts.length === 1);
    expect(failed.map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
    const others = await until("the other events", async () => {
      await skipWaiting(setup);
      const found = await deliveriesOf(call, setup.shop, setup.webhookId);
      const succeeded = found.filter(({ status }) => status === "succeeded");
      return succeeded.length === 2 && succeeded;
    });
    expect(others.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([
      [500, 204],
      [500, 204],
    ]);
    const [first, ...retries] = setup.receiver.received;
    expect([first?.batch?.length, new Set(retries.map(({ batch }) => batch?.length))]).toEqual([3, new Set([1])]);
  });

  test("gets a redelivery with the event's first id and bytes", async () => {
    const setup = await setUp(true);
    await addItems(setup, 2);
    await setup.receiver.until(1);
    const [delivery] = await deliveries(setup, 2, has("succeeded"));
    const path = `/v1/webhooks/${setup.webhookId}/deliveries/${delivery?.deliveryId ?? ""}/redeliver`;
    (await call("POST", path, { token: setup.shop.token })).data();
    const [first, again] = await setup.receiver.until(2);
    expect(again?.batch).toEqual([first?.batch?.find(({ id }) => id === delivery?.messageId)]);
  });

  test("gets a test event in the same form", async () => {
    const { receiver, shop, webhookId } = await setUp(true);
    (await call("POST", `/v1/webhooks/${webhookId}/test`, { token: shop.token })).data();
    const [one] = await receiver.until(1);
    expect(one?.batch).toMatchObject([{ event: ADDED, data: { customerId: "test-customer" } }]);
  });

  test("is disabled by a 410 to a batch, and fails its events", async () => {
    const setup = await setUp(true);
    setup.receiver.respondWith(410);
    await addItems(setup, 4);
    await deliveries(setup, 4, has("failed"));
    const webhook = await until("the webhook to be disabled", async () => {
      const response = await call("GET", `/v1/webhooks/${setup.webhookId}`, { token: setup.shop.token });
      const found = response.data<{ enabled: boolean; disabledReason: string | null }>();
      return !found.enabled && found;
    });
    expect(webhook.disabledReason).toBe("gone");
    expect(setup.receiver.received).toHaveLength(1);
  });

  test("sends the other events of a batch when one event was purged", async () => {
    const setup = await setUp(true);
    const { shop, webhookId } = setup;
    const change = (json: unknown) => call("PATCH", `/v1/webhooks/${webhookId}`, { token: shop.token, json });
    // The first request holds the window, so that the events of the second one still wait.
    setup.receiver.respondWith(503);
    await addItems(setup, 1);
    await deliveries(setup, 1, ({ attempts }) => attempts.length === 1);
    await addItems(setup, 3, { variant: (n) => `w${n}` });
    await deliveries(setup, 4);
    await app.database.rows("DELETE FROM webhook_event WHERE shop_id = $1 AND variant_id = 'w1'", [shop.id]);
    setup.receiver.respondWith(204);
    (await change({ enabled: true })).data();
    await skipWaiting(setup);
    const done = await deliveries(setup, 4, ({ status }) => status !== "pending");
    expect(done.filter(({ status }) => status === "failed").map(({ attempts }) => attempts)).toEqual([
      [expect.objectContaining({ status: null, error: "the event or its share link has been deleted" })],
    ]);
    const sent = eventsOf(setup.receiver.received).map(({ data }) => data["variantId"]);
    expect(sent).toEqual(expect.arrayContaining(["v0", "w0", "w2"]));
    expect(sent).not.toContain("w1");
  });
});

describe("a webhook without batches", () => {
  test("gets one event in a request, whose id is the event's", async () => {
    const setup = await setUp(false);
    await addItems(setup, 20);
    const received = await setup.receiver.until(20);
    expect(received.map(({ batch }) => batch)).toEqual(Array.from({ length: 20 }, () => undefined));
    expect(received.filter(({ id }) => MESSAGE_ID.test(id))).toHaveLength(20);
  });

  test("gets batches once `batch` is true, and single events once it is false again", async () => {
    const setup = await setUp(false);
    const set = async (batch: boolean): Promise<unknown> => {
      const response = await call("PATCH", `/v1/webhooks/${setup.webhookId}`, {
        token: setup.shop.token,
        json: { batch },
      });
      return response.data<{ batch: boolean }>().batch;
    };
    expect(await set(true)).toBe(true);
    await addItems(setup, 2);
    await setup.receiver.until(arrived(2));
    expect(await set(false)).toBe(false);
    await deliveries(setup, 2, has("succeeded"));
    await addItems(setup, 2, { variant: (n) => `w${n}` });
    const received = await setup.receiver.until((soFar) => soFar.filter(({ batch }) => !batch).length === 2);
    expect(received.map(({ batch }) => batch?.length)).toEqual([2, undefined, undefined]);
  });
});
