// @module-tag matrix

import { once } from "node:events";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { openDatabase, type OpenDatabase } from "../../server/postgres/database.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { migrate } from "../../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../../server/migrations.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { subscribe } from "../support/webhooks/webhooks.ts";
import { newDataDir } from "./fixtures/data-folders.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };
const KILLS = 4;

let service: Service | undefined;
let receiver: Receiver | undefined;
let own: OpenDatabase | undefined;
let database: TestDatabase | undefined;

afterEach(async () => {
  await service?.stop("SIGKILL");
  await receiver?.close();
  await closeDatabase();
  await database?.drop();
  await own?.close();
  service = receiver = own = database = undefined;
});

/** Maximum of additions that have not arrived yet. */
const AHEAD = 200;

/** Adds numbered products concurrently until it is stopped. */
function load(
  shop: TestShop,
  arrivals: Receiver,
  target: () => Call,
): { stop: () => Promise<void>; statuses: Map<string, number> } {
  let stopped = false;
  let product = 0;
  let accepted = 0;
  const statuses = new Map<string, number>();
  const worker = async (customer: string): Promise<void> => {
    while (!stopped) {
      const productId = `p${++product}`;
      await arrivals.until(accepted - AHEAD);
      const json = { product_id: productId, variant_id: "v" };
      const response: ApiResponse | undefined = await target()("POST", `/v1/wishlists/${customer}/items`, {
        token: shop.token,
        json,
        // The process is gone, or going.
      }).catch(() => undefined);
      if (response?.status === 200) accepted++;
      if (response) statuses.set(productId, response.status);
      else await until("the next process", () => stopped || service?.child.signalCode === null);
    }
  };
  const workers = Promise.all(["c1", "c2", "c3", "c4"].map(worker));
  return {
    statuses,
    async stop() {
      stopped = true;
      await workers;
    },
  };
}

/** Returns the committed products from items, log and rollups. */
async function stored({ rows }: TestDatabase, shopId: number) {
  const items = await rows<{ product_id: string }>("SELECT product_id FROM wishlist_item WHERE shop_id = $1", [shopId]);
  const [sums] = await rows<{ logged: string; waiting: string; counted: string; saved: string }>(
    `SELECT (SELECT count(*) FROM activity WHERE shop_id = $1) AS logged,
            (SELECT count(*) FROM activity WHERE shop_id = $1 AND processed_at IS NULL) AS waiting,
            (SELECT sum(items_added) FROM daily_stats WHERE shop_id = $1) AS counted,
            (SELECT sum(wishlist_count) FROM product_stats WHERE shop_id = $1) AS saved`,
    [shopId],
  );
  return {
    products: items.map(({ product_id }) => product_id),
    logged: Number(sums?.logged),
    waiting: Number(sums?.waiting),
    counted: Number(sums?.counted),
    saved: Number(sums?.saved),
  };
}

/**
 * Waits until all these products have arrived.
 * @returns all arrived products
 */
async function arrivalOf(products: readonly string[], { until: untilReceived }: Receiver): Promise<Set<unknown>> {
  const arrived = new Set<unknown>();
  let seen = 0;
  await untilReceived((received) => {
    for (; seen < received.length; seen++) arrived.add(received[seen]?.body.data["productId"]);
    return arrived.size >= products.length && products.every((product) => arrived.has(product));
  });
  return arrived;
}

describe("kill -9 under load", () => {
  test(`${KILLS} times under load: every committed change arrives, and the rollups count each once`, async () => {
    database = await createDatabase();
    receiver = await startReceiver();
    // Slow enough that a delivery is always in progress.
    receiver.respondWith((response) => setTimeout(() => response.writeHead(204).end(), 5));
    service = await startService({ database, env: LOOPBACK });
    let call = client(service.url);
    const shop = await makeShop(service, call);
    await subscribe(call, shop, receiver.url, ["wishlist.item.added"]);
    const loading = load(shop, receiver, () => call);
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = receiver.received.length;
      // During a delivery: its request has arrived and its response is not sent yet.
      await receiver.until(before + 12 * kill);
      await service.stop("SIGKILL");
      service = await startService({ database, env: LOOPBACK });
      call = client(service.url);
    }
    await loading.stop();
    const { products } = await stored(database, shop.id);
    expect(products.length).toBeGreaterThan(100);
    const arrived = await arrivalOf(products, receiver);
    // Every acknowledged change was committed, and nothing else arrives.
    for (const [product, status] of loading.statuses) if (status === 200) expect(products).toContain(product);
    expect(arrived.size).toBe(products.length);

    const after = await until("the outbox processor", async () => {
      const found = database && (await stored(database, shop.id));
      return found?.waiting === 0 && found;
    });
    expect(after).toMatchObject({ logged: products.length, counted: products.length, saved: products.length });
  });
});

describe("a crash and recovery of PostgreSQL under load", () => {
  test("causes 503s only and leaves no partial changes", async () => {
    const { dataDir } = await newDataDir();
    own = await openDatabase({ dataDir, role: "server", label: "faults test" });
    const url = own.url;
    await migrate({ databaseUrl: url, ...SCHEMA });
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    pool.on("error", () => undefined);
    const mine: TestDatabase = {
      name: "own",
      url,
      pool,
      rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
        (await pool.query<Row>(sql, values)).rows,
      drop: () => pool.end(),
    };
    database = mine;
    receiver = await startReceiver();
    service = await startService({ database: mine, env: LOOPBACK });
    const { pid } = service.child;
    const call = client(service.url);
    const shop = await makeShop(service, call);
    await subscribe(call, shop, receiver.url, ["wishlist.item.added"]);
    const loading = load(shop, receiver, () => call);
    for (let crash = 1; crash <= 2; crash++) {
      await receiver.until(receiver.received.length + 20);
      // When one process dies, PostgreSQL ends all others and recovers from its log.
      const [row] = await mine.rows<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const crashed = once(pool, "error");
      if (row) process.kill(row.pid, "SIGKILL");
      await crashed;
      const before = loading.statuses.size;
      await until("service again", () => [...loading.statuses.values()].slice(before).some((status) => status === 200));
    }
    await loading.stop();
    const statuses = [...loading.statuses.values()];
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(service.child.pid).toBe(pid);

    const { products } = await until("the database", () => stored(mine, shop.id).catch(() => undefined));
    for (const [product, status] of loading.statuses) if (status === 200) expect(products).toContain(product);
    await arrivalOf(products, receiver);
    const after = await until("the outbox processor", async () => {
      const found = await stored(mine, shop.id);
      return found.waiting === 0 && found;
    });
    expect(after).toMatchObject({ logged: products.length, counted: products.length, saved: products.length });
  });
});
