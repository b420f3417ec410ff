import { createClient } from "@wishlist-headless/sdk";
import { verifyWebhook, verifyWebhookBatch, type WebhookEvent } from "@wishlist-headless/sdk/webhooks";
import { afterEach, describe, expect, expectTypeOf, vi } from "vitest";
import { EVENT_DESCRIPTIONS, EVENTS, type Event } from "../../../app/webhooks/events/events.ts";
import { test } from "../../support/app/fixtures.ts";
import { startReceiver, type Received } from "../../support/webhooks/receiver.ts";

// The test vector of Standard Webhooks.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';
const SENT_AT = 1614265330;
const HEADERS = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": String(SENT_AT),
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const OTHER_SECRET = `whsec_${btoa("another secret of 24 byte")}`;

test.override({
  appOptions: { env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } },
  shopOptions: { plan: "growth", products: { lamp: "lamp-1", rug: "rug-1" } },
});

afterEach(() => void vi.useRealTimers());

function at(seconds: number): void {
  vi.useFakeTimers({ now: seconds * 1000, toFake: ["Date"] });
}

describe("verifyWebhook", () => {
  test.for([
    ["a plain object", HEADERS],
    ["Headers", new Headers(HEADERS)],
    [
      "an object with names as they were sent",
      {
        "Webhook-Id": HEADERS["webhook-id"],
        "Webhook-Timestamp": HEADERS["webhook-timestamp"],
        "Webhook-Signature": HEADERS["webhook-signature"],
      },
    ],
  ] as const)("accepts the vector of Standard Webhooks with headers in %s", async ([, headers]) => {
    at(SENT_AT);
    const { id, timestamp, event } = await verifyWebhook({ body: BODY, headers }, { secret: SECRET });
    expect({ id, timestamp, event }).toEqual({
      id: HEADERS["webhook-id"],
      timestamp: new Date(SENT_AT * 1000),
      event: { test: 2432232314 },
    });
  });

  test("accepts a body in bytes", async () => {
    at(SENT_AT);
    const body = new TextEncoder().encode(BODY);
    expect(await verifyWebhook({ body, headers: HEADERS }, { secret: SECRET })).toHaveProperty("event.test");
  });

  test("accepts the old and the new secret during a rotation, on either side", async () => {
    at(SENT_AT);
    const secret = [OTHER_SECRET, SECRET];
    expect(await verifyWebhook({ body: BODY, headers: HEADERS }, { secret })).toHaveProperty("id");
    const headers = { ...HEADERS, "webhook-signature": `v1,AAAA v2,unknown ${HEADERS["webhook-signature"]}` };
    expect(await verifyWebhook({ body: BODY, headers }, { secret: SECRET })).toHaveProperty("id");
  });

  test.for<[string, Partial<Record<string, string>>, string, string]>([
    ["an altered body", {}, '{"test": 2432232315}', "invalid_signature"],
    ["another id", { "webhook-id": "msg_other" }, BODY, "invalid_signature"],
    ["another time", { "webhook-timestamp": String(SENT_AT + 1) }, BODY, "invalid_signature"],
    ["a signature that is not Base64", { "webhook-signature": "v1,%%%" }, BODY, "invalid_signature"],
    ["a signature of another version", { "webhook-signature": "v2,AAAA" }, BODY, "invalid_signature"],
    ["no signature", { "webhook-signature": undefined }, BODY, "missing_header"],
    ["no id", { "webhook-id": "" }, BODY, "missing_header"],
    ["no time", { "webhook-timestamp": undefined }, BODY, "missing_header"],
  ])("refuses %s", async ([, headers, body, code]) => {
    at(SENT_AT);
    const request = { body, headers: { ...HEADERS, ...headers } };
    await expect(verifyWebhook(request, { secret: SECRET })).rejects.toMatchObject({
      name: "WebhookVerificationError",
      code,
    });
  });

  test("refuses the signature of another secret", async () => {
    at(SENT_AT);
    const verifying = verifyWebhook({ body: BODY, headers: HEADERS }, { secret: OTHER_SECRET });
    await expect(verifying).rejects.toMatchObject({ code: "invalid_signature" });
  });

  test.for([
    ["replayed after five minutes", 301],
    ["five minutes from the future", -301],
  ] as const)("refuses a request that is %s", async ([, seconds]) => {
    at(SENT_AT + seconds);
    const request = { body: BODY, headers: HEADERS };
    await expect(verifyWebhook(request, { secret: SECRET })).rejects.toMatchObject({ code: "expired" });
    expect(await verifyWebhook(request, { secret: SECRET, tolerance: 302 })).toHaveProperty("id");
  });

  test.for(["", "whsec_", "whsec_%%%"])(
    "throws for the secret %j, which is a mistake of the receiver",
    async (secret) => {
      at(SENT_AT);
      await expect(verifyWebhook({ body: BODY, headers: HEADERS }, { secret })).rejects.toThrow(TypeError);
    },
  );
});

test("every event of the service is verified and has the fields of its type", async ({ app, shop }) => {
  const receiver = await startReceiver();
  const api = createClient({ url: await app.listen(), credentials: shop.token });
  const { webhookId, secret } = await api.webhooks.create({ url: receiver.url, events: [...EVENTS] });
  const customerId = "7001";
  await api.wishlists.items.add({
    customerId,
    product_id: "lamp",
    quantity: 2,
    note: "blue",
    properties: { Size: "L" },
  });
  const { listId } = await api.lists.create({ customerId, name: "Birthday" });
  const list = { customerId, listId };
  await api.lists.update({ ...list, name: "Party" });
  await api.lists.items.add({ ...list, product_id: "rug" });
  await api.lists.items.update({ ...list, productId: "rug", quantity: 3, position: 1.5 });
  await api.lists.items.move({ ...list, items: [{ productId: "rug" }], to: "default" });
  await api.wishlists.share({ customerId });
  await api.lists.delete(list);
  await api.wishlists.items.remove({ customerId, productId: "lamp" });
  const caused = await receiver.until(9);
  // Others need more, such as an alert a change of the catalog, and an operational event a webhook that fails.
  const others = EVENTS.filter((event) => !caused.some(({ body }) => body.event === event));
  for (const event of others) await api.webhooks.test({ webhookId, event });
  const deliveries = await receiver.until((all) => new Set(all.map(({ body }) => body.event)).size === EVENTS.length);
  await receiver.close();
  for (const delivery of deliveries) await expectTyped(delivery, secret);
  expect(new Set(deliveries.map(({ body }) => body.event))).toEqual(new Set(EVENTS));
});

async function expectTyped({ text, headers }: Received, secret: string): Promise<void> {
  const { event } = await verifyWebhook({ body: text, headers }, { secret });
  const { body } = EVENT_DESCRIPTIONS.find((description) => description.event === event.event) ?? {};
  expect(body?.parse(event)).toEqual(event);
}

test("the event's name selects the type of its data", () => {
  expectTypeOf<WebhookEvent["event"]>().toEqualTypeOf<Event>();
  expectTypeOf<Extract<WebhookEvent, { event: "wishlist.shared" }>["data"]["shareUrl"]>().toEqualTypeOf<string>();
  expectTypeOf<Extract<WebhookEvent, { event: "wishlist.item.added" }>["data"]>().not.toHaveProperty("shareUrl");
});

describe("verifyWebhookBatch", () => {
  test("returns the events of a batch with their ids and types", async ({ app, shop }) => {
    const receiver = await startReceiver();
    const api = createClient({ url: await app.listen(), credentials: shop.token });
    const { secret } = await api.webhooks.create({ url: receiver.url, events: ["wishlist.item.added"], batch: true });
    const operations = ["lamp", "rug"].map((productId) => ({ op: "add" as const, productId }));
    await api.lists.items.batch({ customerId: "7002", listId: "default", operations });
    const [delivery] = await receiver.until(1);
    await receiver.close();
    const request = { body: delivery?.text ?? "", headers: delivery?.headers ?? {} };
    const { id, events } = await verifyWebhookBatch(request, { secret });
    expect(id).toBe(delivery?.id);
    expect(events).toEqual(delivery?.batch);
    expect(events.map((one) => one.event === "wishlist.item.added" && one.data.productId)).toEqual(["lamp", "rug"]);
    await expect(verifyWebhook(request, { secret })).rejects.toMatchObject({ code: "invalid_body" });
    const altered = { ...request, body: request.body.replace("rug", "rag") };
    await expect(verifyWebhookBatch(altered, { secret })).rejects.toMatchObject({ code: "invalid_signature" });
  });

  test("returns the event of a request without a batch, with the request's id", async () => {
    at(SENT_AT);
    const { events } = await verifyWebhookBatch({ body: BODY, headers: HEADERS }, { secret: SECRET });
    expect(events).toEqual([{ id: HEADERS["webhook-id"], test: 2432232314 }]);
  });
});
