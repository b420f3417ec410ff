import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import {
  ADDED,
  deliveriesOf,
  type Delivery,
  RECEIVER,
  REMOVED,
  SHARED,
  subscribe,
  webhooksStored,
} from "../support/webhooks/webhooks.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
/** a webhook for removed items and shared wishlists */
let webhookId: string;

// Without a worker deliveries are not sent.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  ({ webhookId } = await subscribe(call, shop, RECEIVER, [REMOVED, SHARED]));
});

function sendTest(query = "", of = webhookId): Promise<ApiResponse> {
  return call("POST", `/v1/webhooks/${of}/test${query}`, { token: shop.token });
}

function redeliver(deliveryId: string, of = webhookId): Promise<ApiResponse> {
  return call("POST", `/v1/webhooks/${of}/deliveries/${deliveryId}/redeliver`, { token: shop.token });
}

interface Page {
  deliveries: (Delivery & { createdAt: string })[];
  count: number;
  has_more: boolean;
}

function askForDeliveries(of: string, query = ""): Promise<ApiResponse> {
  return call("GET", `/v1/webhooks/${of}/deliveries${query}`, { token: shop.token });
}

async function deliveries(of: string, query = ""): Promise<Page> {
  return (await askForDeliveries(of, query)).data<Page>();
}

const hex = (uuid: string): string => uuid.replaceAll("-", "");

interface Row {
  id: string;
  endpoint_id: string;
  event_id: string;
  event: string;
  kind: string;
  status: string;
  due: boolean;
  created_at: Date;
  next_attempt_at: Date | null;
}

async function row({ deliveryId }: Delivery): Promise<Row> {
  const [found] = await service.database.rows<Row>(
    "SELECT *, next_attempt_at <= clock_timestamp() AS due FROM webhook_delivery WHERE id = $1",
    [deliveryId.slice("dlv_".length)],
  );
  if (!found) throw new Error(`there is no row of ${deliveryId}`);
  return found;
}

/** Returns whether delivery workers consider the webhook due. */
async function due(of = webhookId): Promise<boolean | undefined> {
  const [found] = await service.database.rows<{ due: boolean }>(
    "SELECT due_at IS NOT NULL AND due_at <= clock_timestamp() AS due FROM webhook_endpoint WHERE id = $1",
    [of],
  );
  return found?.due;
}

/** Makes a webhook idle. */
function rest(of = webhookId): Promise<unknown> {
  return service.database.rows("UPDATE webhook_endpoint SET due_at = NULL WHERE id = $1", [of]);
}

describe("a test", () => {
  const ITEM = { product_id: "test-product", variant_id: "test-variant", share_link_id: null, item_count: null };
  const SHARE = { product_id: null, variant_id: null, share_link_id: null, item_count: 1 };

  test.each([
    ["of the webhook's first event when none is named", "", REMOVED, ITEM],
    ["of an event that it asks for", `?event=${SHARED}`, SHARED, SHARE],
    ["of an event that it does not ask for", `?event=${ADDED}`, ADDED, ITEM],
  ])("is a delivery %s", async (_which, query, event, subject) => {
    await rest();
    const response = await sendTest(query);
    const made = response.data<Delivery>();
    const stored = await row(made);
    expect([response.status, made]).toEqual([
      201,
      {
        deliveryId: `dlv_${hex(stored.id)}`,
        messageId: `msg_${hex(stored.event_id)}`,
        event,
        kind: "test",
        status: "pending",
        createdAt: stored.created_at.toISOString(),
        nextAttemptAt: stored.next_attempt_at?.toISOString(),
        attempts: [],
      },
    ]);
    expect(stored).toMatchObject({ endpoint_id: webhookId, event, kind: "test", status: "pending", due: true });
    expect(await due()).toBe(true);
    const events = await service.database.rows("SELECT * FROM webhook_event WHERE id = $1", [stored.event_id]);
    expect(events).toMatchObject([{ shop_id: shop.id, event, customer_id: "test-customer", ...subject }]);
    expect((await deliveries(webhookId, "?limit=1")).deliveries).toEqual([made]);
  });

  test("of a webhook whose first event is a share describes a shared wishlist", async () => {
    const { webhookId: sharing } = await subscribe(call, shop, RECEIVER, [SHARED, ADDED]);
    const made = await row((await sendTest("", sharing)).data<Delivery>());
    const events = await service.database.rows("SELECT * FROM webhook_event WHERE id = $1", [made.event_id]);
    expect(events).toMatchObject([{ event: SHARED, ...SHARE }]);
  });

  test("of a disabled webhook is created and stays pending", async () => {
    const paused = (await subscribe(call, shop, RECEIVER)).webhookId;
    await call("PATCH", `/v1/webhooks/${paused}`, { token: shop.token, json: { enabled: false } });
    const response = await sendTest("", paused);
    expect([response.status, response.data<Delivery>().status]).toEqual([201, "pending"]);
    const [endpoint] = await service.database.rows<{ disabled_reason: string }>(
      "SELECT disabled_reason FROM webhook_endpoint WHERE id = $1",
      [paused],
    );
    expect(endpoint?.disabled_reason).toBe("paused");
  });

  test.each(["event=wishlist.moved", "event=", `event=${ADDED}&event=${ADDED}`])(
    "with ?%s is refused and creates no delivery",
    async (query) => {
      const before = await webhooksStored(service.database);
      expectFailure(await sendTest(`?${query}`), 400, "invalid_request", problemsAt("query.event"));
      expect(await webhooksStored(service.database)).toEqual(before);
    },
  );
});

describe("the deliveries of a webhook", () => {
  interface Planted {
    id: string;
    eventId: string;
    status: string;
  }

  /** Inserts deliveries of a webhook, oldest first; each has as many attempts as its position. */
  async function plant(of: string, statuses: readonly string[]): Promise<Planted[]> {
    const made = statuses.map((status): Planted => ({ id: "", eventId: randomUUID(), status }));
    for (const [index, one] of made.entries()) {
      const [written] = await service.database.rows<{ id: string }>(
        `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, attempts, next_attempt_at, created_at)
         VALUES ($1, uuid_v7(), $2, $3, $4, 'event', 3, $5, $6, CASE WHEN $5 = 'pending' THEN now() END, now()) RETURNING id`,
        [shop.id, of, one.eventId, ADDED, one.status, index],
      );
      one.id = written?.id ?? "";
      await service.database.rows(
        `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, error, response)
         SELECT $1, $2, n, '2026-11-20T09:30:00Z'::timestamptz + n * interval '1 second', n * 10,
                CASE WHEN n = 2 THEN 503 END, CASE WHEN n <> 2 THEN 'refused' END, CASE WHEN n = 2 THEN 'busy' END
           FROM generate_series($3::int, 1, -1) AS n`,
        [shop.id, one.id, index],
      );
    }
    return made;
  }

  const STATUSES = ["succeeded", "failed", "pending", "succeeded", "failed", "succeeded"];
  let logged: string;
  let planted: Planted[];

  beforeAll(async () => {
    logged = (await subscribe(call, shop, RECEIVER)).webhookId;
    const neighbour = (await subscribe(call, shop, RECEIVER)).webhookId;
    await plant(neighbour, ["failed"]);
    planted = await plant(logged, STATUSES);
    await plant(neighbour, ["failed"]);
  });

  /** Delivery ids, newest first. */
  function ids(statuses: readonly string[]): string[] {
    return planted
      .filter(({ status }) => statuses.includes(status))
      .map(({ id }) => `dlv_${hex(id)}`)
      .reverse();
  }

  test.each([
    ["", STATUSES, 0, 20],
    ["?limit=4", STATUSES, 0, 4],
    ["?limit=4&offset=4", STATUSES, 4, 4],
    ["?limit=6", STATUSES, 0, 6],
    ["?offset=6", STATUSES, 6, 20],
    ["?status=pending", ["pending"], 0, 20],
    ["?status=failed&limit=1", ["failed"], 0, 1],
    ["?status=failed&limit=1&offset=1", ["failed"], 1, 1],
    ["?status=succeeded", ["succeeded"], 0, 20],
  ])("selected by %j are those of the webhook, newest first", async (query, statuses, offset, limit) => {
    const all = ids(statuses);
    const page = await deliveries(logged, query);
    expect(page.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(all.slice(offset, offset + limit));
    expect(page).toMatchObject({ count: page.deliveries.length, has_more: all.length > offset + limit });
  });

  test.each([
    ["", STATUSES],
    ["&status=failed", ["failed"]],
  ])("can be paged with `before` to the oldest, each once (%j)", async (filter, statuses) => {
    const read: string[] = [];
    let before = "";
    // An invalid cursor must not loop endlessly.
    for (let more = true; more && read.length <= planted.length; before = `&before=${read.at(-1) ?? ""}`) {
      const page = await deliveries(logged, `?limit=2${filter}${before}`);
      read.push(...page.deliveries.map(({ deliveryId }) => deliveryId));
      more = page.has_more;
    }
    expect(read).toEqual(ids(statuses));
  });

  test("reject an offset beyond 1,000 and name `before`", async () => {
    const refused = await askForDeliveries(logged, "?offset=1001");
    expectFailure(refused, 400, "invalid_request", problemsAt("query.offset"));
    expect(JSON.stringify(refused.body)).toContain("must be at most 1000; use `before` to read older deliveries");
    expect(await deliveries(logged, "?offset=1000")).toMatchObject({ count: 0, has_more: false });
  });

  test("have their attempts, oldest first", async () => {
    const page = await deliveries(logged);
    expect(page.deliveries.map(({ attempts }) => attempts.length)).toEqual([5, 4, 3, 2, 1, 0]);
    const [, , , pending] = page.deliveries;
    expect(pending).toMatchObject({ status: "pending", kind: "event", event: ADDED });
    expect(pending?.messageId).toBe(`msg_${hex(planted[2]?.eventId ?? "")}`);
    expect(pending?.nextAttemptAt).toMatch(/Z$/);
    expect(pending?.attempts).toEqual([
      { number: 1, at: "2026-11-20T09:30:01.000Z", durationMs: 10, status: null, error: "refused", response: null },
      { number: 2, at: "2026-11-20T09:30:02.000Z", durationMs: 20, status: 503, error: null, response: "busy" },
    ]);
    expect(page.deliveries[5]?.nextAttemptAt).toBeNull();
  });

  test("have pages of 20 by default and 100 at most", async () => {
    const { webhookId: many } = await subscribe(call, shop, RECEIVER);
    await service.database.rows(
      `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, created_at)
       SELECT $1, uuid_v7(), $2, uuid_v7(), $3, 'event', 3, 'succeeded', now() FROM generate_series(1, 101)`,
      [shop.id, many, ADDED],
    );
    expect(await deliveries(many)).toMatchObject({ count: 20, has_more: true });
    expect(await deliveries(many, "?limit=100")).toMatchObject({ count: 100, has_more: true });
    expect(await deliveries(many, "?limit=100&offset=1")).toMatchObject({ count: 100, has_more: false });
  });

  test.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "offset=-1",
    "offset=1.5",
    "status=done",
    "status=",
    "page=2",
    "before=dlv_0",
    `offset=1&before=dlv_${"0".repeat(32)}`,
  ])("reject ?%s", async (query) => {
    const [name = ""] = query.split("=");
    expectFailure(await askForDeliveries(logged, `?${query}`), 400, "invalid_request", problemsAt(`query.${name}`));
  });
});

describe("redelivering", () => {
  test.each(["pending", "succeeded", "failed"])("a %s delivery creates another one of the event", async (status) => {
    const first = (await sendTest()).data<Delivery>();
    await service.database.rows(
      "UPDATE webhook_delivery SET status = $2, next_attempt_at = CASE WHEN $2 = 'pending' THEN next_attempt_at END WHERE id = $1",
      [(await row(first)).id, status],
    );
    const before = await row(first);
    await rest();
    const response = await redeliver(first.deliveryId);
    const made = response.data<Delivery>();
    expect([response.status, made]).toEqual([
      201,
      {
        ...first,
        deliveryId: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        kind: "redelivery",
        status: "pending",
        createdAt: expect.any(String),
        nextAttemptAt: expect.any(String),
      },
    ]);
    expect(made.deliveryId).not.toBe(first.deliveryId);
    expect(await row(made)).toMatchObject({ event_id: before.event_id, kind: "redelivery", due: true });
    expect(await due()).toBe(true);
    expect(await row(first)).toEqual({ ...before, redelivered_at: expect.any(Date) });
  });

  test.each<[what: string, id: (of: Delivery) => string]>([
    ["that there is not", () => `dlv_${"0".repeat(32)}`],
    ["that is none", () => "dlv_1"],
    ["of nobody's form", ({ deliveryId }) => deliveryId.toUpperCase()],
    ["by its message", ({ messageId }) => messageId],
    ["with NUL in it", ({ deliveryId }) => `${deliveryId.slice(0, -1)}%00`],
  ])("one %s gets 404 and creates nothing", async (_what, id) => {
    const known = (await sendTest()).data<Delivery>();
    const before = await webhooksStored(service.database);
    expectFailure(await redeliver(id(known)), 404, "webhook_not_found");
    expect(await webhooksStored(service.database)).toEqual(before);
  });

  test("a delivery of another webhook gets the response for an unknown one", async () => {
    const known = (await sendTest()).data<Delivery>();
    const stranger = await makeShop(service, call);
    const mine = (await subscribe(call, shop, RECEIVER)).webhookId;
    const theirs = (await subscribe(call, stranger, RECEIVER)).webhookId;
    const before = await webhooksStored(service.database);
    const responses = [
      await redeliver(`dlv_${"0".repeat(32)}`),
      await redeliver(known.deliveryId, mine),
      await call("POST", `/v1/webhooks/${theirs}/deliveries/${known.deliveryId}/redeliver`, { token: stranger.token }),
    ];
    for (const response of responses) expectFailure(response, 404, "webhook_not_found");
    expect(new Set(responses.map((response) => response.error().message)).size).toBe(1);
    expect(await webhooksStored(service.database)).toEqual(before);
  });

  test("a delivery whose event was purged gets 404", async () => {
    const known = (await sendTest()).data<Delivery>();
    await service.database.rows("DELETE FROM webhook_event WHERE id = $1", [known.messageId.slice("msg_".length)]);
    expectFailure(await redeliver(known.deliveryId), 404, "webhook_not_found");
  });
});

describe("a change that is still unprocessed in the outbox", () => {
  let own: TestShop;

  beforeEach(async () => {
    own = await makeShop(service, call);
  });

  async function save(product: string): Promise<void> {
    const json = { product_id: product, variant_id: "v" };
    (await call("POST", "/v1/wishlists/c1/items", { token: own.token, json })).data();
  }

  /** Returns the events of a webhook's deliveries, once the outbox is processed. */
  async function given(of: string): Promise<string[]> {
    (await call("GET", "/v1/analytics/overview", { token: own.token })).data();
    return (await deliveriesOf(call, own, of)).map(({ event }) => event);
  }

  async function update(of: string, json: object): Promise<void> {
    (await call("PATCH", `/v1/webhooks/${of}`, { token: own.token, json })).data();
  }

  test("is not sent to a webhook that was created later", async () => {
    await save("1");
    const later = (await subscribe(call, own, RECEIVER)).webhookId;
    expect(await given(later)).toEqual([]);
    await save("2");
    expect(await given(later)).toEqual([ADDED]);
  });

  test("is sent by the webhook's events at the time of the change", async () => {
    const subscribed = (await subscribe(call, own, RECEIVER, [ADDED])).webhookId;
    const unsubscribed = (await subscribe(call, own, RECEIVER, [REMOVED])).webhookId;
    await save("1");
    await update(subscribed, { events: [REMOVED] });
    await update(unsubscribed, { events: [ADDED] });
    expect([await given(subscribed), await given(unsubscribed)]).toEqual([[ADDED], []]);
  });

  test("is sent by whether the webhook was paused at the time of the change", async () => {
    const paused = (await subscribe(call, own, RECEIVER)).webhookId;
    await update(paused, { enabled: false });
    const going = (await subscribe(call, own, RECEIVER)).webhookId;
    await save("1");
    await update(paused, { enabled: true });
    await update(going, { enabled: false });
    expect([await given(paused), await given(going)]).toEqual([[], [ADDED]]);
  });
});
