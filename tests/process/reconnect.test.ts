import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { METRICS_TOKEN, scrape, valueOf } from "../support/app/metrics.ts";
import { startService, type Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";

// A proxy in front of PostgreSQL that can refuse connections and counts them.
let away = false;
let connections = 0;
const open = new Set<Socket>();
/** Takes the server away from an open connection without closing it, like a machine that loses power. */
const vanish = new Set<() => void>();
let database: TestDatabase;
let service: Service;
const proxy = createServer((socket) => {
  connections++;
  if (away) {
    socket.destroy();
    return;
  }
  const { hostname, port } = new URL(database.url);
  const upstream = connect(Number(port), hostname);
  let vanished = false;
  const lose = (): void => {
    vanished = true;
    // Without a reader, the end of the connection would not be seen either.
    upstream.once("close", () => socket.resume());
    upstream.destroy();
  };
  vanish.add(lose);
  socket.on("close", () => vanish.delete(lose));
  for (const [from, to] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    open.add(from);
    from.on("error", () => {
      if (!vanished) to.destroy();
    });
    from.on("close", () => {
      open.delete(from);
      if (!vanished || from === socket) to.destroy();
    });
    from.pipe(to, { end: false });
  }
});

beforeAll(async () => {
  database = await createDatabase();
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  const url = new URL(database.url);
  url.port = String(address.port);
  service = await startService({ database: { ...database, url: url.href }, env: { METRICS_TOKEN } });
});
afterAll(async () => {
  await service.stop();
  proxy.close();
  await database.drop();
});

function pollsThatFailed(): number {
  return service.log().filter(({ msg }) => typeof msg === "string" && msg.startsWith("can't poll")).length;
}

test("during an outage the service retries at a steady rate, then listens on one connection", async () => {
  away = true;
  for (const socket of open) socket.destroy();
  connections = 0;
  await until("four polls to fail", () => pollsThatFailed() >= 4);
  const early = connections;
  await until("eight polls to fail", () => pollsThatFailed() >= 8);
  expect(valueOf(await scrape(service), "wishlist_database_up")).toBe(0);
  // Each component retries at a steady rate. Attempts that double every second would be sixteen times as many.
  expect(connections - early).toBeLessThan(3 * early);

  away = false;
  const listeners = () =>
    database.rows<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wishlist listen'",
    );
  await until("a connection that listens", async () => (await listeners())[0]?.n === 1);
  const ready = await fetch(`${service.url}/readyz`);
  expect(ready.status).toBe(200);
  expect((await listeners())[0]?.n).toBe(1);
  const samples = await scrape(service);
  expect(valueOf(samples, "wishlist_notifications_connections_lost_total")).toBe(1);
  expect(valueOf(samples, "wishlist_database_up")).toBe(1);
});

test("after a server has vanished without closing connections, the service replaces all of them", async () => {
  const readiness = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;
  const backends = () =>
    database.rows<{ pid: number; name: string }>(
      "SELECT pid, application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'wishlist%'",
    );
  expect(await readiness()).toBe(200);
  const before = new Set((await backends()).map(({ pid }) => pid));
  const lost = [...vanish];
  for (const lose of lost) lose();
  await until("another connection that listens", async () =>
    (await backends()).some(({ pid, name }) => name === "wishlist listen" && !before.has(pid)),
  );
  // One on which background work waits would otherwise stay for minutes.
  await until("the lost connections to be closed", () => lost.every((lose) => !vanish.has(lose)));
  await until("a process that is ready", async () => (await readiness()) === 200);
  const counted = valueOf(await scrape(service), "wishlist_database_connections_lost_total", { reason: "gone" });
  expect(counted).toBeGreaterThan(0);
});
