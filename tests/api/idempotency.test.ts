import pg from "pg";
import { describe, expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import {
  ADDED,
  type Delivery,
  RECEIVER,
  SHARED,
  subscribe,
  type Subscription,
  webhooksStored,
} from "../support/webhooks/webhooks.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { exchange, guestToken, issueToken, makeShop, type TestShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { test } from "../support/app/fixtures.ts";

const BODY = { url: RECEIVER, events: [ADDED] };

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

function create(key: string, json: unknown = BODY, { token } = shop): Promise<ApiResponse> {
  return call("POST", "/v1/webhooks", { token, json, headers: { "idempotency-key": key } });
}

function post(path: string, key: string, { token } = shop): Promise<ApiResponse> {
  return call("POST", `/v1/webhooks/${path}`, { token, headers: { "idempotency-key": key } });
}

async function count(table: "webhook_endpoint" | "webhook_delivery", shopId: number): Promise<number> {
  const [row] = await service.database.rows<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE shop_id = $1`,
    [shopId],
  );
  return row?.n ?? 0;
}

/** Makes the stored responses of a key older. */
async function age(key: string, by: string): Promise<void> {
  const [row] = await service.database.rows<{ at: Date }>(
    "SELECT created_at - $2::interval AS at FROM idempotent_response WHERE key = $1",
    [key, by],
  );
  await service.database.rows("UPDATE idempotent_response SET created_at = $2 WHERE key = $1", [key, row?.at]);
}

/** Returns a token of another key of the shop. */
async function anotherKey(): Promise<TestShop> {
  return { ...shop, token: await issueToken(call, shop.id, ["write_webhooks"]) };
}

describe("a repeated request with the same idempotency key", () => {
  test("gets the first response with its secret, and makes one webhook", async () => {
    const at = await makeShop(service, call);
    const first = await create("again", BODY, at);
    const before = await webhooksStored(service.database);
    // Another notation of the same request.
    const again = [await create("again", BODY, at), await create("again", { events: [ADDED], url: RECEIVER }, at)];
    for (const response of again) {
      expect([response.status, response.text]).toEqual([201, first.text]);
      expect(response.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    }
    expect(await webhooksStored(service.database)).toEqual(before);
    expect(await count("webhook_endpoint", at.id)).toBe(1);
  });

  test("gets the first response after the webhook was changed or deleted", async () => {
    const first = await create("gone");
    const path = `/v1/webhooks/${first.data<Subscription>().webhookId}`;
    await call("PATCH", path, { token: shop.token, json: { enabled: false } });
    expect((await create("gone")).text).toBe(first.text);
    await call("DELETE", path, { token: shop.token });
    expect((await create("gone")).text).toBe(first.text);
  });

  test("sends a test or a redelivery once", async () => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    const before = await count("webhook_delivery", shop.id);
    const tested = await post(`${webhookId}/test`, "test-once");
    expect((await post(`${webhookId}/test`, "test-once")).text).toBe(tested.text);
    const redelivery = `${webhookId}/deliveries/${tested.data<Delivery>().deliveryId}/redeliver`;
    const redelivered = await post(redelivery, "redeliver-once");
    const again = await post(redelivery, "redeliver-once");
    expect([again.status, again.text]).toEqual([201, redelivered.text]);
    expect(await count("webhook_delivery", shop.id)).toBe(before + 2);
  });

  test("gets the first refusal although it would succeed now", async () => {
    const full = await makeShop(service, call);
    const { webhookId } = await subscribe(call, full, RECEIVER);
    for (let i = 1; i < 20; i++) await subscribe(call, full, RECEIVER);
    const refused = await create("refused", BODY, full);
    expectFailure(refused, 409, "webhook_limit_reached");
    await call("DELETE", `/v1/webhooks/${webhookId}`, { token: full.token });
    const again = await create("refused", BODY, full);
    expectFailure(again, 409, "webhook_limit_reached");
    expect(again.error().message).toBe(refused.error().message);
    expect((await create("another", BODY, full)).status).toBe(201);
  });

  test("takes effect again after a day", async () => {
    const first = await create("day");
    await age("day", "23 hours 59 minutes");
    expect((await create("day")).text).toBe(first.text);
    await age("day", "1 minute");
    const next = await create("day");
    expect(next.status).toBe(201);
    expect(next.data<Subscription>().webhookId).not.toBe(first.data<Subscription>().webhookId);
    expect((await create("day")).text).toBe(next.text);
    await age("day", "24 hours");
    expect((await create("day", { ...BODY, events: [SHARED] })).status).toBe(201);
  });
});

describe("another request with the same idempotency key", () => {
  test.each<[what: string, send: (webhookId: string) => Promise<ApiResponse>]>([
    ["with another body", () => create("other", { ...BODY, events: [SHARED] })],
    ["to another address", () => create("other", { ...BODY, url: `${RECEIVER}/2` })],
    ["for another operation", (webhookId) => post(`${webhookId}/test`, "other")],
  ])("(%s) is refused and changes nothing", async (_what, send) => {
    const { webhookId } = await subscribe(call, shop, RECEIVER);
    await create("other");
    const before = await webhooksStored(service.database);
    expectFailure(await send(webhookId), 422, "idempotency_mismatch");
    expect(await webhooksStored(service.database)).toEqual(before);
    await call("DELETE", `/v1/webhooks/${webhookId}`, { token: shop.token });
  });

  test("(with another query or webhook) is refused and changes nothing", async () => {
    const mine = await makeShop(service, call);
    const { webhookId } = await subscribe(call, mine, RECEIVER);
    const { webhookId: second } = await subscribe(call, mine, RECEIVER);
    expect((await post(`${webhookId}/test`, "tests", mine)).status).toBe(201);
    const before = await webhooksStored(service.database);
    for (const path of [`${webhookId}/test?event=${SHARED}`, `${second}/test`])
      expectFailure(await post(path, "tests", mine), 422, "idempotency_mismatch");
    expect(await webhooksStored(service.database)).toEqual(before);
  });

  test("is accepted from another API key or shop", async () => {
    const strangers = [await anotherKey(), await makeShop(service, call)];
    const first = await create("shared-name");
    for (const stranger of strangers) {
      const response = await create("shared-name", { ...BODY, events: [SHARED] }, stranger);
      expect(response.status).toBe(201);
      expect((await create("shared-name", { ...BODY, events: [SHARED] }, stranger)).text).toBe(response.text);
    }
    expect((await create("shared-name")).text).toBe(first.text);
  });

  test("is accepted after an invalid request", async () => {
    const mine = await makeShop(service, call);
    expectFailure(await create("mended", { ...BODY, url: "x" }, mine), 400, "invalid_request", problemsAt("body.url"));
    const narrow = { ...mine, token: await exchange(call, mine, { scope: "read_webhooks" }) };
    expect((await create("mended", BODY, narrow)).status).toBe(403);
    expect((await create("mended", BODY, mine)).status).toBe(201);
  });
});

describe("concurrent requests with one idempotency key", () => {
  test("make one webhook, and each gets its response or is told to retry", async () => {
    const mine = await makeShop(service, call);
    const responses = await Promise.all(Array.from({ length: 20 }, () => create("race", BODY, mine)));
    const made = responses.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectFailure(response, 409, "request_in_progress");
      expect(response.headers.get("retry-after")).toBe("1");
    }
    expect((await create("race", BODY, mine)).text).toBe(made[0]?.text);
    expect(await count("webhook_endpoint", mine.id)).toBe(1);
  });

  test("do not wait for each other: the second is told to retry", async () => {
    const mine = await makeShop(service, call);
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE webhook_endpoint IN EXCLUSIVE MODE");
    const first = create("slow", BODY, mine);
    await lockWaiters(service.database);
    const second = create("slow", BODY, mine);
    await Promise.race([second, lockWaiters(service.database, 2)]);
    await holder.query("COMMIT");
    await holder.end();
    expectFailure(await second, 409, "request_in_progress");
    expect((await first).status).toBe(201);
    expect((await create("slow", BODY, mine)).text).toBe((await first).text);
  });
});

test.each<[why: string, breaking: string[], mending: string[]]>([
  [
    "its response can't be stored",
    ["ALTER TABLE idempotent_response ADD CONSTRAINT no_crash CHECK (key NOT LIKE 'crash%')"],
    ["ALTER TABLE idempotent_response DROP CONSTRAINT no_crash"],
  ],
  [
    "all is done and can't be committed",
    [
      "CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'crash'; END $$",
      "CREATE CONSTRAINT TRIGGER crash AFTER INSERT ON webhook_endpoint DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION crash()",
    ],
    ["DROP TRIGGER crash ON webhook_endpoint", "DROP FUNCTION crash()"],
  ],
])("a request that fails because %s leaves no partial change", async (why, breaking, mending) => {
  const mine = await makeShop(service, call);
  const key = `crash-${why.length}`;
  const before = await webhooksStored(service.database);
  for (const statement of breaking) await service.database.pool.query(statement);
  const failed = await create(key, BODY, mine);
  for (const statement of mending) await service.database.pool.query(statement);
  expectFailure(failed, 500, "internal_error");
  expect(await webhooksStored(service.database)).toEqual(before);
  expect((await create(key, BODY, mine)).status).toBe(201);
  expect(await count("webhook_endpoint", mine.id)).toBe(1);
});

test("requests without an idempotency key are independent", async () => {
  const mine = await makeShop(service, call);
  await subscribe(call, mine, RECEIVER);
  await subscribe(call, mine, RECEIVER);
  expect(await count("webhook_endpoint", mine.id)).toBe(2);
  const responses = await service.database.rows("SELECT 1 FROM idempotent_response WHERE shop_id = $1", [mine.id]);
  expect(responses).toEqual([]);
});

describe("what a shopper's requests store", () => {
  const BATCH = "/v1/wishlists/me/lists/default/items/batch";
  const longest = (n: number, character: string): string => `${n}-`.padEnd(255, character);

  function batch(token: string, key: string, operations: readonly unknown[]): Promise<ApiResponse> {
    return call("POST", BATCH, { token, json: { operations }, headers: { "idempotency-key": key } });
  }

  function stored(shopId: number): Promise<{ key: string; size: number }[]> {
    return service.database.rows(
      "SELECT key, length(response_sealed) AS size FROM idempotent_response WHERE shop_id = $1",
      [shopId],
    );
  }

  test("is a thousandth of a large batch, and a repetition still gets the whole first response", async () => {
    const mine = await makeShop(service, call, { plan: "growth", products: { known: "its-variant" } });
    const token = await guestToken(call, mine);
    const named = Array.from({ length: 249 }, (_, n) => ({
      op: "add",
      productId: longest(n, "p"),
      variantId: longest(n, "v"),
    }));
    const operations = [{ op: "add", productId: "known" }, ...named];
    const first = await batch(token, "large", operations);
    expect(first.text.length).toBeGreaterThan(130_000);
    const [row] = await stored(mine.id);
    expect(row?.size).toBeLessThan(1_000);
    await call("DELETE", "/v1/wishlists/me/items/known", { token });
    expect((await batch(token, "large", operations)).text).toBe(first.text);
  });

  test("is nothing when nothing changed", async () => {
    const mine = await makeShop(service, call, { plan: "growth" });
    const token = await guestToken(call, mine);
    (await batch(token, "none", [{ op: "remove", productId: "absent" }])).data();
    const refused = await batch(token, "refused", [{ op: "update", productId: "absent", quantity: 2 }]);
    expectFailure(refused, 404, "item_not_found", problemsAt("body.operations[0]"));
    expect(await stored(mine.id)).toEqual([]);
  });

  test("are the last 100 responses", async () => {
    const mine = await makeShop(service, call, { plan: "growth" });
    const token = await guestToken(call, mine);
    (await batch(token, "first", [{ op: "add", productId: "p", variantId: "v" }])).data();
    await service.database.rows(
      `INSERT INTO idempotent_response (shop_id, key_id, key, fingerprint, response_sealed, created_at)
       SELECT shop_id, key_id, 'later-' || n, fingerprint, response_sealed, created_at + n * interval '1 millisecond'
         FROM idempotent_response, generate_series(1, 99) AS n WHERE shop_id = $1`,
      [mine.id],
    );
    (await batch(token, "last", [{ op: "remove", productId: "p" }])).data();
    const keys = (await stored(mine.id)).map(({ key }) => key);
    expect(keys).toHaveLength(100);
    expect(keys).toContain("last");
    expect(keys).not.toContain("first");
  });
});

describe("the stored responses to requests about an owner", () => {
  async function save(at: TestShop, token: string, owner: string): Promise<void> {
    const operations = [{ op: "add", productId: "known", variantId: "its-variant" }];
    const path = `/v1/wishlists/${owner}/lists/default/items/batch`;
    (
      await call("POST", path, { token, json: { operations }, headers: { "idempotency-key": `${owner}-${at.id}` } })
    ).data();
  }

  function owners(shopId: number): Promise<unknown[]> {
    return service.database.rows(
      "SELECT owner_kind AS kind, owner_id AS id FROM idempotent_response WHERE shop_id = $1 ORDER BY owner_id",
      [shopId],
    );
  }

  test("end with a customer's erasure, also those of the shop's tokens and of merged guests", async () => {
    const mine = await makeShop(service, call, { plan: "growth", products: { known: "its-variant" } });
    await save(mine, await exchange(call, mine, { customer_id: "c1" }), "me");
    await save(mine, mine.token, "c1");
    await save(mine, await guestToken(call, mine), "me");
    await save(mine, mine.token, "c2");
    await create("of-no-owner", BODY, mine);
    await service.database.rows(
      `INSERT INTO merged_guest (shop_id, guest_id, customer_id, merged_at)
       SELECT shop_id, owner_id, 'c1', now() FROM wishlist WHERE shop_id = $1 AND owner_kind = 'guest'`,
      [mine.id],
    );
    expect(await owners(mine.id)).toHaveLength(5);
    await service.database.rows("SELECT customer_erase($1, 'c1', now())", [mine.id]);
    expect(await owners(mine.id)).toEqual([
      { kind: "customer", id: "c2" },
      { kind: null, id: null },
    ]);
  });

  test("end with the purge of a guest", async () => {
    const mine = await makeShop(service, call, { plan: "growth", products: { known: "its-variant" } });
    await save(mine, await guestToken(call, mine), "me");
    await save(mine, mine.token, "c1");
    await service.database.rows("SELECT guest_purge($1, now() + interval '1 day', '', 100, now())", [mine.id]);
    expect(await owners(mine.id)).toEqual([{ kind: "customer", id: "c1" }]);
  });
});

describe("an idempotency key", () => {
  test.each([
    ["nothing", ""],
    ["a space inside", "a b"],
    ["more than ASCII", "schl\u00fcssel"],
    ["256 characters", "k".repeat(256)],
  ])("of %s is refused and changes nothing", async (_what, key) => {
    const before = await webhooksStored(service.database);
    expectFailure(await create(key), 400, "invalid_request", problemsAt("header.Idempotency-Key"));
    expect(await webhooksStored(service.database)).toEqual(before);
  });

  test.each([
    "k",
    "k".repeat(255),
    '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    "'; DROP TABLE shop; --".replaceAll(" ", ""),
  ])("such as %s is accepted", async (key) => {
    const mine = await makeShop(service, call);
    const first = await create(key, BODY, mine);
    expect([first.status, (await create(key, BODY, mine)).text]).toEqual([201, first.text]);
  });

  test("is ignored by endpoints that do not support it", async () => {
    const headers = { "idempotency-key": "a b" };
    expect((await call("GET", "/v1/webhooks", { token: shop.token, headers })).status).toBe(200);
  });
});
