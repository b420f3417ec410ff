import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import {
  openConnection,
  requestText,
  type Connection,
  type RawResponse,
  type RawRequest,
} from "../support/http/connection.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { lockWaiters } from "../support/database/locks.ts";

let database: TestDatabase;
let service: Service;
let call: Call;
let shop: TestShop;
/** releases the test's lock */
const releases: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
  await service.stop("SIGKILL");
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ database, env });
  call = client(service.url);
  shop = await makeShop(service, call);
  // From now on only the server is connected to the database.
  await closeDatabase();
}

/** Sends a signal without waiting for the end. */
function signal(name: NodeJS.Signals = "SIGTERM"): void {
  service.child.kill(name);
}

function exitCode(): Promise<number | null> {
  return service.stop();
}

function addition(customer: string, product: string): RawRequest {
  return {
    method: "POST",
    path: `/v1/wishlists/${customer}/items`,
    token: shop.token,
    json: { product_id: product, variant_id: "v" },
  };
}

/** Waits until the server takes no new connections. */
function refusingConnections(): Promise<true> {
  return until("the server to refuse connections", async () => {
    const connection = await openConnection(service.url).catch(() => undefined);
    connection?.destroy();
    return connection === undefined;
  });
}

/** A wishlist whose row the test locks until `release`, so that changes to it wait. */
async function lockedWishlist(): Promise<{ customer: string; release: () => Promise<void> }> {
  const customer = `customer-${randomUUID()}`;
  await call("POST", `/v1/wishlists/${customer}/items`, {
    token: shop.token,
    json: { product_id: "first", variant_id: "v" },
  });
  const holder = await database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM wishlist WHERE owner_id = $1 FOR UPDATE", [customer]);
  let held = true;
  const release = async (): Promise<void> => {
    if (!held) return;
    held = false;
    await holder.query("COMMIT");
    holder.release();
  };
  releases.push(release);
  return { customer, release };
}

/** Sends a request that waits for `release`, and waits until it has reached the database. */
async function slowRequest(): Promise<{ connection: Connection; release: () => Promise<void> }> {
  const { customer, release } = await lockedWishlist();
  const connection = await openConnection(service.url);
  connection.write(requestText(addition(customer, "slow")));
  await lockWaiters(database);
  return { connection, release };
}

describe("SIGTERM", () => {
  test("under load loses no request on an open connection, and stores every acknowledged change", async () => {
    await start();
    const CONNECTIONS = 40;
    let responded = 0;
    const accepted: string[] = [];
    const last: (RawResponse | undefined)[] = [];
    const unanswered: string[] = [];

    /** A client that sends its next request after each response, until the server closes the connection. */
    async function load(index: number): Promise<void> {
      const connection = await openConnection(service.url);
      for (let i = 0; ; i++) {
        const product = `p-${index}-${i}`;
        connection.write(requestText(addition(`customer-${index % 5}`, product)));
        const response = await connection.readResponse();
        if (!response) {
          unanswered.push(product);
          return;
        }
        expect(response.status).toBe(200);
        expect(JSON.parse(response.body)).toMatchObject({ ok: true, data: { added: true } });
        responded++;
        accepted.push(product);
        if (response.headers["connection"] === "close") {
          last.push(response);
          await connection.closed;
          return;
        }
      }
    }
    await database.rows("UPDATE shop SET item_cap = 2500");
    const clients = Array.from({ length: CONNECTIONS }, (_, index) => load(index));
    await until("the load to be under way", () => responded > 10 * CONNECTIONS);
    signal();
    await Promise.all(clients);

    expect(unanswered).toEqual([]);
    expect(last).toHaveLength(CONNECTIONS);
    expect(await exitCode()).toBe(0);
    const stored = await database.rows<{ product_id: string }>("SELECT product_id FROM wishlist_item");
    expect(stored.map(({ product_id }) => product_id).sort()).toEqual(accepted.sort());
    expect(await disagreements(database)).toEqual([]);
  });

  test("lets a slow request finish and closes its connection with the response", MATRIX, async () => {
    await start();
    const { connection, release } = await slowRequest();
    signal();
    await refusingConnections();
    await release();
    const response = await connection.readResponse();
    expect(response).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(JSON.parse(response?.body ?? "")).toEqual({ ok: true, data: { added: true, itemCount: 2 } });
    await connection.closed;
    expect(await exitCode()).toBe(0);
    expect(await disagreements(database)).toEqual([]);
  });

  test("serves a request whose body is still arriving", MATRIX, async () => {
    await start();
    const connection = await openConnection(service.url);
    const text = requestText(addition("c1", "late"));
    connection.write(text.slice(0, -10));
    // A second request on another connection, whose response follows the start of the first.
    expect((await call("GET", "/healthz")).status).toBe(200);
    signal();
    await refusingConnections();
    connection.write(text.slice(-10));
    expect(await connection.readResponse()).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(await exitCode()).toBe(0);
  });

  test("serves a request on a keep-alive connection and closes it with the response", MATRIX, async () => {
    await start();
    const [busy, kept] = [await slowRequest(), await openConnection(service.url)];
    const read = { method: "GET", path: "/v1/wishlists/c1", token: shop.token };
    kept.write(requestText(read));
    expect((await kept.readResponse())?.headers["connection"]).not.toBe("close");
    signal();
    await refusingConnections();
    kept.write(requestText(read));
    expect(await kept.readResponse()).toMatchObject({ status: 200, headers: { connection: "close" } });
    await kept.closed;
    await busy.release();
    expect(await busy.connection.readResponse()).toMatchObject({ status: 200 });
    expect(await exitCode()).toBe(0);
  });

  test("does not wait for idle connections", MATRIX, async () => {
    await start({ SHUTDOWN_GRACE_SECONDS: "300" });
    const silent = await openConnection(service.url);
    const idle = await openConnection(service.url);
    idle.write(requestText({ method: "GET", path: "/healthz" }));
    expect((await idle.readResponse())?.status).toBe(200);
    signal();
    await Promise.all([silent.closed, idle.closed]);
    expect(await exitCode()).toBe(0);
  });

  test("reports not ready first and serves requests during the shutdown delay", MATRIX, async () => {
    await start({ SHUTDOWN_DELAY_SECONDS: "3" });
    expect((await call("GET", "/readyz")).status).toBe(200);
    signal();
    const response = await until("/readyz to say no", async () => {
      const ready = await call("GET", "/readyz");
      return ready.status !== 200 && ready;
    });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ ready: false, checks: { database: true, stopping: true } });
    // New connections are served as before.
    expect((await call("GET", "/healthz")).status).toBe(200);
    expect((await call("GET", "/v1/wishlists/c1", { token: shop.token })).status).toBe(200);
    expect(await exitCode()).toBe(0);
  });

  test("leaves tasks that arrive during the shutdown delay to other processes", MATRIX, async () => {
    // Longer than the two seconds between pg-boss's polls.
    await start({ SHUTDOWN_DELAY_SECONDS: "4" });
    await until("the queue of imports", async () => {
      const queues = await database.rows("SELECT 1 FROM pgboss.queue WHERE name = 'wishlist-import'");
      return queues.length === 1;
    });
    signal();
    await until("the process to be stopping", () => service.log().some(({ msg }) => msg === "stopping"));
    await database.rows("INSERT INTO pgboss.job (name, data) VALUES ('wishlist-import', '{}')");
    expect(await exitCode()).toBe(0);
    expect(await database.rows("SELECT state FROM pgboss.job")).toEqual([{ state: "created" }]);
  });

  test("has no further effect when it is repeated or followed by Ctrl-C", MATRIX, async () => {
    await start();
    const { connection, release } = await slowRequest();
    signal("SIGTERM");
    await refusingConnections();
    signal("SIGTERM");
    signal("SIGINT");
    await release();
    expect(await connection.readResponse()).toMatchObject({ status: 200 });
    expect(await exitCode()).toBe(0);
    expect(service.log().filter(({ msg }) => msg === "stopping")).toHaveLength(1);
    expect(service.log().filter(({ msg }) => msg === "stopped")).toHaveLength(1);
  });

  test("ends the process after the grace period without partial changes", MATRIX, async () => {
    await start({ SHUTDOWN_GRACE_SECONDS: "1" });
    const { connection, release } = await slowRequest();
    const halfSent = await openConnection(service.url);
    halfSent.write(requestText(addition("c1", "half")).slice(0, -5));
    signal();
    await Promise.all([connection.closed, halfSent.closed]);
    // The lock is still held.
    expect(await exitCode()).not.toBeNull();
    await release();
    await until("the database to have let go of the process", async () => {
      const left = await database.rows(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'wishlist%'",
      );
      return left.length === 0;
    });
    expect(await disagreements(database)).toEqual([]);
  });
});

test("Ctrl-C ends the process in the same order", MATRIX, async () => {
  await start();
  const { connection, release } = await slowRequest();
  signal("SIGINT");
  await refusingConnections();
  await release();
  expect(await connection.readResponse()).toMatchObject({ status: 200 });
  expect(await exitCode()).toBe(0);
  const messages = service.log().map(({ msg }) => msg);
  expect(messages.slice(messages.indexOf("stopping"))).toEqual(["stopping", "request", "stopped"]);
});
