// @module-tag matrix

import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client } from "../support/app/client.ts";
import { makeShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { startTraceCollector, type TraceCollector } from "../support/http/trace-collector.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { Proxy } from "../support/database/proxy.ts";
import { METRICS_TOKEN, scrape, valueOf } from "../support/app/metrics.ts";
import { startService, type Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let proxy: Proxy;
let service: Service;
let collector: TraceCollector;

beforeAll(async () => {
  database = await createDatabase();
  collector = await startTraceCollector();
  const url = new URL(database.url);
  proxy = await Proxy.start({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  service = await startService({
    database: { ...database, url: url.href },
    env: { METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([proxy.close(), collector.close(), closeDatabase()]);
  await database.drop();
});

/** Attempts to connect that the service may make in a second, all components together. */
const MOST_ATTEMPTS = 20;

async function isReady(): Promise<boolean> {
  return (await fetch(`${service.url}/readyz`)).status === 200;
}

function pollsThatFailed(): number {
  return service.log().filter(({ msg }) => typeof msg === "string" && msg.startsWith("can't poll")).length;
}

test("during an outage the service retries at a steady rate, then listens on one connection", async () => {
  proxy.refuse();
  const before = proxy.connections;
  const start = performance.now();
  await until("eight polls to fail", () => pollsThatFailed() >= 8);
  expect(valueOf(await scrape(service), "wishlist_database_up")).toBe(0);
  // Each of some eight components tries at most twice a second. Attempts that double every second would soon exceed that.
  const seconds = (performance.now() - start) / 1000;
  expect(proxy.connections - before).toBeLessThan(MOST_ATTEMPTS * Math.ceil(seconds));

  proxy.open();
  const listeners = () =>
    database.rows<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wishlist listen'",
    );
  await until("a connection that listens", async () => (await listeners())[0]?.n === 1);
  // The last check of the outage counts for a second.
  await until("a process that is ready", isReady);
  expect((await listeners())[0]?.n).toBe(1);
  const samples = await scrape(service);
  expect(valueOf(samples, "wishlist_notifications_connections_lost_total")).toBe(1);
  expect(valueOf(samples, "wishlist_database_up")).toBe(1);
});

test("after a server has vanished without closing connections, the service replaces all of them", async () => {
  const backends = () =>
    database.rows<{ pid: number; name: string }>(
      "SELECT pid, application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'wishlist%'",
    );
  expect(await isReady()).toBe(true);
  const before = new Set((await backends()).map(({ pid }) => pid));
  proxy.vanish();
  await until("another connection that listens", async () =>
    (await backends()).some(({ pid, name }) => name === "wishlist listen" && !before.has(pid)),
  );
  // One on which background work waits would otherwise stay for minutes.
  await until("the lost connections to be closed", () => proxy.orphans === 0);
  await until("a process that is ready", isReady);
  const counted = valueOf(await scrape(service), "wishlist_database_connections_lost_total", { reason: "gone" });
  expect(counted).toBeGreaterThan(0);
});

test("a connection that is lost during a traced statement fails the request only", async () => {
  const call = client(service.url);
  const { token } = await makeShop(service, call);
  const add = (product: string) =>
    call("POST", "/v1/wishlists/c/items", { token, json: { product_id: product, variant_id: "v" } });
  expect((await add("p")).status).toBe(200);
  const holder = await database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM wishlist FOR UPDATE");
  const waiting = add("q");
  await lockWaiters(database);
  proxy.cut();
  expect((await waiting).status).toBe(503);
  holder.release(true);
  await until("a process that is ready", isReady);
  expect((await add("q")).status).toBe(200);
});
