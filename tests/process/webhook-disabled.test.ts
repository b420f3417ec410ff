import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { client, type Call } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { ADDED, deliveriesOf, DISABLED, subscribe, type Subscription } from "../support/webhooks/webhooks.ts";

let service: Service;
let call: Call;
let shop: TestShop;
/** the receiver whose webhook is disabled, and the receiver of `webhook.disabled` */
let broken: Receiver;
let monitor: Receiver;
let webhook: Subscription;
let monitoring: Subscription;

beforeAll(async () => {
  service = await startService({ env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } });
  call = client(service.url);
});
afterAll(() => service.dispose());
beforeEach(async () => {
  shop = await makeShop(service, call);
  broken = await startReceiver();
  monitor = await startReceiver();
  webhook = await subscribe(call, shop, `${broken.url}?token=a-credential`, [ADDED]);
  monitoring = await subscribe(call, shop, monitor.url, [DISABLED]);
});
afterEach(() => Promise.all([broken.close(), monitor.close()]));

let items = 0;

async function add(): Promise<void> {
  const json = { product_id: `p${++items}`, variant_id: `v${items}` };
  (await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json })).data();
}

interface State {
  enabled: boolean;
  disabledReason: string | null;
  disabledAt: string | null;
  failingSince: string | null;
}

async function read({ webhookId }: Subscription): Promise<State> {
  return (await call("GET", `/v1/webhooks/${webhookId}`, { token: shop.token })).data<State>();
}

/** Lets the webhook's receiver respond with 410 to a delivery. */
async function breakWebhook(): Promise<void> {
  broken.respondWith(410);
  await add();
  await until("the webhook to be disabled", async () => !(await read(webhook)).enabled);
}

async function eventCount(): Promise<number | undefined> {
  const [row] = await service.database.rows<{ n: number }>(
    "SELECT count(*)::int AS n FROM webhook_event WHERE shop_id = $1 AND event = $2",
    [shop.id, DISABLED],
  );
  return row?.n;
}

describe("webhook.disabled", () => {
  test("is sent, signed, to another webhook when a receiver responds with 410", async () => {
    await breakWebhook();
    const [message] = await monitor.until(1);
    const { disabledAt, failingSince } = await read(webhook);
    expect(message && new Webhook(monitoring.secret).verify(message.text, message.headers)).toEqual({
      event: DISABLED,
      timestamp: disabledAt,
      shop: shop.domain,
      data: {
        ...{ webhookId: webhook.webhookId, url: broken.url, reason: "gone", disabledAt, failingSince },
        ...{ undelivered: 1, lastStatus: 410, lastError: null },
      },
    });
  });

  test("names the reason and the last error after five days of failures", async () => {
    broken.respondWith(503);
    await add();
    await until("the failure", async () => (await read(webhook)).failingSince !== null);
    await service.database.rows(
      "UPDATE webhook_endpoint SET failing_since = now() - interval '121 hours', backoff_until = NULL, due_at = now() WHERE id = $1",
      [webhook.webhookId],
    );
    await service.database.rows("UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1", [shop.id]);
    const [message] = await monitor.until(1);
    expect(message?.body.data).toMatchObject({ reason: "failing", undelivered: 1, lastStatus: 503 });
  });

  test("is not sent when a webhook is paused", async () => {
    const json = { enabled: false };
    (await call("PATCH", `/v1/webhooks/${webhook.webhookId}`, { token: shop.token, json })).data();
    expect(await eventCount()).toBe(0);
  });

  test("is not sent to the disabled webhook itself, to a paused one, or without a subscription", async () => {
    const all = [ADDED, DISABLED];
    const json = { enabled: false };
    const unsubscribed = await subscribe(call, shop, monitor.url, [ADDED]);
    const paused = await subscribe(call, shop, monitor.url, all);
    (await call("PATCH", `/v1/webhooks/${paused.webhookId}`, { token: shop.token, json })).data();
    await call("PATCH", `/v1/webhooks/${webhook.webhookId}`, { token: shop.token, json: { events: all } });
    await breakWebhook();
    await monitor.until((received) => received.some(({ body }) => body.event === DISABLED));
    const rows = await service.database.rows(
      "SELECT endpoint_id FROM webhook_delivery WHERE shop_id = $1 AND event = $2",
      [shop.id, DISABLED],
    );
    expect(rows).toEqual([{ endpoint_id: monitoring.webhookId }]);
    expect(await deliveriesOf(call, shop, unsubscribed.webhookId)).toMatchObject([{ event: ADDED }]);
  });

  test("is retried with the same body until the receiver accepts it", async () => {
    monitor.respondWith(500);
    await breakWebhook();
    await monitor.until(1);
    await until("the attempt", async () => (await deliveriesOf(call, shop, monitoring.webhookId))[0]?.attempts.length);
    const [waiting] = await deliveriesOf(call, shop, monitoring.webhookId);
    expect(waiting).toMatchObject({ event: DISABLED, kind: "event", status: "pending" });
    expect(Date.parse(waiting?.nextAttemptAt ?? "")).toBeLessThan(Date.now() + 60_000);
    monitor.respondWith(204);
    await service.database.rows("UPDATE webhook_delivery SET next_attempt_at = now() WHERE status = 'pending'");
    await service.database.rows("UPDATE webhook_endpoint SET backoff_until = NULL, due_at = now() WHERE id = $1", [
      monitoring.webhookId,
    ]);
    const [first, second] = await monitor.until(2);
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
    await until("the success", async () => {
      const [sent] = await deliveriesOf(call, shop, monitoring.webhookId);
      return sent?.status === "succeeded";
    });
  });

  test("is redelivered on request with the same id and body", async () => {
    await breakWebhook();
    const [first] = await monitor.until(1);
    const [sent] = await deliveriesOf(call, shop, monitoring.webhookId);
    const path = `/v1/webhooks/${monitoring.webhookId}/deliveries/${sent?.deliveryId ?? ""}/redeliver`;
    (await call("POST", path, { token: shop.token })).data();
    const [, second] = await monitor.until(2);
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
  });

  test("is sent again when an enabled webhook is disabled again", async () => {
    await breakWebhook();
    await monitor.until(1);
    (await call("PATCH", `/v1/webhooks/${webhook.webhookId}`, { token: shop.token, json: { enabled: true } })).data();
    await breakWebhook();
    await monitor.until(2);
    expect(await eventCount()).toBe(2);
  });

  test("can be tested with made-up data", async () => {
    (await call("POST", `/v1/webhooks/${monitoring.webhookId}/test`, { token: shop.token })).data();
    const [message] = await monitor.until(1);
    expect(message?.body).toMatchObject({ event: DISABLED, data: { webhookId: "whk_test", reason: "gone" } });
  });
});

test("a webhook that is disabled by webhook.disabled is announced to the remaining webhook", async () => {
  const last = await startReceiver();
  await subscribe(call, shop, last.url, [DISABLED]);
  monitor.respondWith(410);
  await breakWebhook();
  const received = await last.until(2);
  expect(received.map(({ body }) => body.data["webhookId"])).toEqual([webhook.webhookId, monitoring.webhookId]);
  expect(await eventCount()).toBe(2);
  await last.close();
});
