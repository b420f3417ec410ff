import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startService, type Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";

// A proxy in front of PostgreSQL that can refuse connections and counts them.
let away = false;
let connections = 0;
const open = new Set<Socket>();
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
  for (const [from, to] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    open.add(from);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
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
  service = await startService({ database: { ...database, url: url.href } });
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
});
