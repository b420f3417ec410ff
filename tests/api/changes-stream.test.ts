import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { eventStream, type EventStream, type ServerSentEvent } from "../support/app/event-stream.ts";
import { expectFailure, problemsAt, type ReceivedResponse } from "../support/app/failure.ts";
import { test } from "../support/app/fixtures.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { METRICS_TOKEN, samplesOf, valueOf } from "../support/app/metrics.ts";
import { exchange, makeShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";

test.override("appOptions", { env: { METRICS_TOKEN } });

async function metric(
  app: InProcessApp,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const response = await app.fetch("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return valueOf(samplesOf(await response.text()), name, labels);
}

/** Returns how many streams have ended for a reason. */
function closedFor(app: InProcessApp, reason: string): Promise<number | undefined> {
  return metric(app, "wishlist_change_streams_closed_total", { reason });
}

interface OpenOptions {
  token: string;
  query?: string;
  lastEventId?: string | undefined;
}

function request(app: InProcessApp, { token, query = "", lastEventId }: OpenOptions): Promise<Response> {
  const resume: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  return app.fetch(`/v1/changes/stream${query}`, { headers: { authorization: `Bearer ${token}`, ...resume } });
}

async function open(app: InProcessApp, options: OpenOptions): Promise<EventStream> {
  return eventStream(await request(app, options));
}

async function refused(app: InProcessApp, options: OpenOptions): Promise<ReceivedResponse> {
  const response = await request(app, options);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function add(call: Call, { token }: { token: string }, customer: string, product: string): Promise<void> {
  const json = { product_id: product, variant_id: "v" };
  (await call("POST", `/v1/wishlists/${customer}/items`, { token, json })).data();
}

function changeOf({ data = "" }: ServerSentEvent): { customerId: string; item?: { productId: string } } {
  return JSON.parse(data) as ReturnType<typeof changeOf>;
}

const products = (events: readonly ServerSentEvent[]): (string | undefined)[] =>
  events.map((event) => changeOf(event).item?.productId);

test("a stream gets the same change as a page, with its type and a cursor", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { token } = shop;
  const stream = await open(app, { token });
  await add(call, shop, "c1", "p1");
  const event = await stream.next();
  const page = (await call("GET", "/v1/changes", { token })).data<{ changes: unknown[]; nextCursor: string }>();
  expect(event.type).toBe("wishlist.item.added");
  expect([changeOf(event)]).toEqual(page.changes);
  expect(event.id).toBe(page.nextCursor);
  await stream.cancel();
});

test("a stream without a position begins with the next change", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  await add(call, shop, "c1", "p1");
  await call("GET", "/v1/changes", { token: shop.token });
  const stream = await open(app, { token: shop.token });
  await add(call, shop, "c1", "p2");
  expect(products([await stream.next()])).toEqual(["p2"]);
  await stream.cancel();
});

test("a stream that ended before its first event is resumed without a gap", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: shop.token });
  while (stream.lastId() === undefined) await stream.readMore();
  await stream.cancel();
  await add(call, shop, "c1", "p1");
  const resumed = await open(app, { token: shop.token, lastEventId: stream.lastId() });
  expect(products([await resumed.next()])).toEqual(["p1"]);
  await resumed.cancel();
});

test("a stream resumes after Last-Event-ID, whatever since is", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { token } = shop;
  const first = await open(app, { token });
  for (const product of ["p1", "p2", "p3"]) await add(call, shop, "c1", product);
  const [, second] = await first.take(3);
  await first.cancel();
  const resumed = await open(app, { token, query: "?since=now", lastEventId: second?.id });
  await add(call, shop, "c1", "p4");
  expect(products(await resumed.take(2))).toEqual(["p3", "p4"]);
  await resumed.cancel();
});

test("a stream that resumes beside an open one gets what it has missed, once and by its filter", async ({
  app,
  call,
}) => {
  const shop = await makeShop(app, call);
  const customer = await exchange(call, shop, { customer_id: "c1" });
  const [all, first] = [await open(app, { token: shop.token }), await open(app, { token: customer })];
  for (const product of ["p1", "p2", "p3"]) await add(call, shop, "c1", product);
  const [, second] = await first.take(3);
  await first.cancel();
  await add(call, shop, "c2", "other");
  expect(products(await all.take(4))).toEqual(["p1", "p2", "p3", "other"]);
  const resumed = await open(app, { token: customer, lastEventId: second?.id });
  await add(call, shop, "c1", "p4");
  expect(products(await resumed.take(2))).toEqual(["p3", "p4"]);
  for (const stream of [all, resumed]) await stream.cancel();
});

test("a stream from an old cursor gets every change once while others are made", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { token } = shop;
  const { nextCursor } = (await call("GET", "/v1/changes", { token })).data<{ nextCursor: string }>();
  await app.database.rows(
    "SELECT wishlist_add($1, 'customer', 'c' || n % 7, 'old' || n, 'v', 'api', now()) FROM generate_series(1, 1500) AS n",
    [shop.id],
  );
  await call("GET", "/v1/changes?limit=1", { token });
  const opening = open(app, { token, query: `?since=${nextCursor}` });
  const adding = (async () => {
    for (let n = 0; n < 50; n++) await add(call, shop, "c1", `new${n}`);
  })();
  const stream = await opening;
  const events = await stream.take(1_550);
  await adding;
  const expected = [
    ...Array.from({ length: 1_500 }, (_, n) => `old${n + 1}`),
    ...Array.from({ length: 50 }, (_, n) => `new${n}`),
  ];
  expect(products(events)).toEqual(expected);
  await stream.cancel();
});

test("a stream of a customer's token gets that customer's changes only", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: await exchange(call, shop, { customer_id: "c1" }) });
  await add(call, shop, "c2", "other");
  await add(call, shop, "c1", "own");
  expect(changeOf(await stream.next())).toMatchObject({ customerId: "c1", item: { productId: "own" } });
  await stream.cancel();
});

test("a stream with types gets changes of these types only", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { token } = shop;
  const stream = await open(app, { token, query: "?types=wishlist.item.removed" });
  await add(call, shop, "c1", "p1");
  await call("DELETE", "/v1/wishlists/c1/items/p1", { token });
  expect((await stream.next()).type).toBe("wishlist.item.removed");
  await stream.cancel();
});

test("streams of a process get the changes that another process makes", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const other = await startApp({ database: app.database, env: { WISHLIST_ROLE: "web" } });
  const stream = await open(other, { token: shop.token });
  await add(call, shop, "c1", "p1");
  expect(products([await stream.next()])).toEqual(["p1"]);
  await stream.cancel();
  await other.dispose();
});

test("a stream gets a change whose notification was lost", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: shop.token });
  // Numbered by a statement that announces nothing.
  await app.database.rows("SELECT wishlist_add($1, 'customer', 'c1', 'p1', 'v', 'api', now())", [shop.id]);
  await app.database.rows("SELECT outbox_process($1, 100, true)", [shop.id]);
  expect(products([await stream.next()])).toEqual(["p1"]);
  await stream.cancel();
});

test("HEAD has the headers of a stream and opens none", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const headers = { authorization: `Bearer ${shop.token}` };
  for (let n = 0; n < 25; n++) {
    const response = await app.fetch("/v1/changes/stream", { method: "HEAD", headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  }
  const stream = await open(app, { token: shop.token });
  await stream.cancel();
});

test("a key has at most 20 open streams, and a closed one makes room", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(app, { token: shop.token })));
  const response = await refused(app, { token: shop.token });
  expectFailure(response, 429, "rate_limited");
  expect(response.headers.get("retry-after")).toBe("10");
  // A customer counts by itself.
  const customer = await open(app, { token: await exchange(call, shop, { customer_id: "c1" }) });
  await customer.cancel();
  await streams[0]?.cancel();
  const again = await open(app, { token: shop.token });
  for (const stream of [...streams.slice(1), again]) await stream.cancel();
});

test("a cursor of another customer is refused with 400, as since and as Last-Event-ID", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { nextCursor } = (await call("GET", "/v1/changes", { token: shop.token })).data<{ nextCursor: string }>();
  const token = await exchange(call, shop, { customer_id: "c1" });
  const bySince = await refused(app, { token, query: `?since=${nextCursor}` });
  expectFailure(bySince, 400, "invalid_request", problemsAt("query.since"));
  const byHeader = await refused(app, { token, lastEventId: nextCursor });
  expectFailure(byHeader, 400, "invalid_request", problemsAt("header.Last-Event-ID"));
});

test("an expired cursor gets 410 instead of a stream", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { nextCursor } = (await call("GET", "/v1/changes", { token: shop.token })).data<{ nextCursor: string }>();
  await add(call, shop, "c1", "p1");
  await call("GET", "/v1/changes", { token: shop.token });
  await app.database.rows("UPDATE shop_change SET purged_to = 1 WHERE shop_id = $1", [shop.id]);
  expectFailure(await refused(app, { token: shop.token, lastEventId: nextCursor }), 410, "cursor_expired");
});

test("a stream ends when its key is revoked", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: shop.token });
  await app.database.rows("UPDATE api_key SET revoked_at = now(), changed_at = now() WHERE key_id = $1", [shop.keyId]);
  await stream.end();
  expect((await refused(app, { token: shop.token })).status).toBe(401);
});

test("a stream ends when its token expires", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: shop.token });
  app.holdClock(new Date(Date.now() + 3_601_000));
  try {
    await stream.end();
  } finally {
    app.holdClock(undefined);
  }
});

test("a stream ends when its shop uninstalls the app", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const stream = await open(app, { token: shop.token });
  await app.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [shop.id]);
  await stream.end();
  expect((await refused(app, { token: shop.token })).status).toBe(401);
});

test("a quiet stream gets a comment after 15 seconds, not before", async ({ app, call }) => {
  const [shop, other] = [await makeShop(app, call), await makeShop(app, call)];
  const began = Date.now();
  app.holdClock(new Date(began));
  try {
    const [stream, round] = [await open(app, { token: shop.token }), await open(app, { token: other.token })];
    while (stream.lastId() === undefined) await stream.readMore();
    const greeting = stream.received.length;
    app.holdClock(new Date(began + 14_999));
    // Ended by the round that would also write the comment.
    await app.database.rows("UPDATE api_key SET revoked_at = now(), changed_at = now() WHERE key_id = $1", [
      other.keyId,
    ]);
    await round.end();
    await add(call, shop, "c1", "p1");
    await stream.next();
    expect(stream.received.slice(greeting).map(({ type }) => type)).toEqual(["wishlist.item.added"]);
    app.holdClock(new Date(began + 14_999 + 15_000));
    await stream.readMore();
    expect(stream.received.at(-1)).toEqual({ comment: "" });
    await stream.cancel();
  } finally {
    app.holdClock(undefined);
  }
});

test("the comment of a stream with types moves its position past changes of other types", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const query = "?types=wishlist.item.removed";
  const began = Date.now();
  app.holdClock(new Date(began));
  try {
    const [stream, all] = [await open(app, { token: shop.token, query }), await open(app, { token: shop.token })];
    while (stream.lastId() === undefined) await stream.readMore();
    const first = stream.lastId();
    await add(call, shop, "c1", "p1");
    await all.next();
    app.holdClock(new Date(began + 15_000));
    while (stream.lastId() === first) await stream.readMore();
    const page = await call("GET", `/v1/changes${query}`, { token: shop.token });
    expect(stream.lastId()).toBe(page.data<{ nextCursor: string }>().nextCursor);
    for (const one of [stream, all]) await one.cancel();
  } finally {
    app.holdClock(undefined);
  }
});

test("the metrics count open streams and the changes that pages and streams had", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const sent = async (to: string): Promise<number> => (await metric(app, "wishlist_changes_sent_total", { to })) ?? NaN;
  const [pages, streamed] = [await sent("page"), await sent("stream")];
  const streams = [await open(app, { token: shop.token }), await open(app, { token: shop.token })];
  expect(await metric(app, "wishlist_change_streams")).toBe(2);
  await add(call, shop, "c1", "p1");
  for (const stream of streams) await stream.next();
  expect(await sent("stream")).toBe(streamed + 2);
  await call("GET", "/v1/changes", { token: shop.token });
  expect(await sent("page")).toBe(pages + 1);
  expect(await metric(app, "wishlist_change_streams_behind_seconds")).toBe(0);
  for (const stream of streams) await stream.cancel();
});

test("a shutdown ends streams at once, with a time to connect again", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const other = await startApp({ database: app.database, env: { WISHLIST_ROLE: "web" } });
  const stream = await open(other, { token: shop.token });
  const ended = stream.end();
  await other.stop();
  const last = (await ended).at(-1);
  expect(last?.retry).toBeGreaterThanOrEqual(200);
  expect(last?.retry).toBeLessThanOrEqual(3_000);
});

test("a client that does not read is disconnected before megabytes wait for it", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const url = new URL(await app.listen());
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET /v1/changes/stream HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`);
  await once(socket, "readable");
  // More than the buffers of the sockets hold.
  const rows = 30_000;
  await app.database.rows(
    `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, data, at, day)
     SELECT $1, 'added', 'api', 'customer', 'c1', 1, n, n, 'p' || n, 'v', jsonb_build_object('note', repeat('x', 500)), now(), current_date
       FROM generate_series(1, $2::int) AS n`,
    [shop.id, rows],
  );
  await call("GET", "/v1/changes?since=now", { token: shop.token });
  let received = 0;
  let tail = "";
  const closed = once(socket, "close");
  await until("the end of the stream", async () => (await closedFor(app, "slow")) === 1);
  socket.on("data", (bytes: Buffer) => {
    received += bytes.length;
    tail = bytes.toString("latin1").slice(-7);
  });
  await closed;
  expect(received).toBeLessThan(rows * 500);
  // The response is not complete.
  expect(tail.endsWith("0\r\n\r\n")).toBe(false);
  expect(app.log().filter(({ level }) => level === "error")).toEqual([]);
});
