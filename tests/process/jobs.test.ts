import { PgBoss } from "pg-boss";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { lockWaiters } from "../support/database/locks.ts";

let database: TestDatabase;
const services: Service[] = [];

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop("SIGKILL");
  await closeDatabase();
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ database, env });
  services.push(service);
  return service;
}

async function newShop(service: Service): Promise<{ call: Call; shop: TestShop }> {
  const call = client(service.url);
  const shop = await makeShop(service, call);
  // Data that the jobs read.
  const json = { product_id: "p", variant_id: "v" };
  (await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json })).data();
  await until("the outbox processor", async () => (await database.rows("SELECT 1 FROM daily_stats")).length > 0);
  return { call, shop };
}

interface Schedule {
  name: string;
  cron: string;
  /** as text: to the microsecond */
  updated: string;
}

/** Waits until both jobs were scheduled after a time, and returns the schedule. */
function schedules(after = ""): Promise<Schedule[]> {
  return until("the schedules", async () => {
    const [schema] = await database.rows<{ there: boolean }>(
      "SELECT to_regclass('pgboss.schedule') IS NOT NULL AS there",
    );
    if (!schema?.there) return undefined;
    const rows = await database.rows<Schedule>(
      "SELECT name, cron, updated_on::text AS updated FROM pgboss.schedule ORDER BY name",
    );
    return rows.length >= 2 && rows.every(({ updated }) => updated > after) && rows;
  });
}

const SCHEDULED = [
  expect.objectContaining({ name: "period-stats", cron: "7 * * * *" }),
  expect.objectContaining({ name: "retention", cron: "23 2 * * *" }),
] as unknown[];

/**
 * Enqueues a job like the schedule.
 * @returns its id
 */
async function send(name: string): Promise<string> {
  await schedules();
  const boss = new PgBoss({ connectionString: database.url, schema: "pgboss", supervise: false, schedule: false });
  await boss.start();
  const id = await boss.send(name);
  await boss.stop({ graceful: false });
  if (id === null) throw new Error(`${name} is waiting already`);
  return id;
}

async function stateOf(id: string): Promise<string | undefined> {
  return (await database.rows<{ state: string }>("SELECT state::text FROM pgboss.job WHERE id = $1", [id]))[0]?.state;
}

function done(id: string): Promise<true> {
  return until("the job to be done", async () => (await stateOf(id)) === "completed");
}

describe("jobs", () => {
  test("are scheduled once by any number of processes and starts", async () => {
    const both = await Promise.all([start(), start({ WISHLIST_ROLE: "worker" })]);
    const first = await schedules();
    expect(first).toEqual(SCHEDULED);
    await Promise.all(both.map((service) => service.stop()));
    await start();
    expect(
      await schedules(
        first
          .map(({ updated }) => updated)
          .sort()
          .at(-1),
      ),
    ).toEqual(SCHEDULED);
    for (const service of services) expect(service.log().filter(({ level }) => level === "error")).toEqual([]);
  });

  test("do not run in a web process", async () => {
    const service = await start({ WISHLIST_ROLE: "web" });
    // A process that has begun to start its jobs completes that first.
    expect(await service.stop()).toBe(0);
    expect(await database.rows("SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'")).toEqual([]);
  });

  test("retention purges by the operator's and the shop's settings, in every shop", async () => {
    const service = await start({ ACTIVITY_RETENTION_DAYS: "10", WEBHOOK_RETENTION_DAYS: "5" });
    const { shop } = await newShop(service);
    const { shop: gone } = await newShop(service);
    await database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [gone.id]);
    for (const { id } of [shop, gone]) {
      await database.rows(
        `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, at, day, processed_at)
         SELECT $1, 'shared', 'api', 'customer', 'days ' || d, 1, 1, 0, now() - d * interval '1 day', current_date - d, now()
           FROM unnest(ARRAY[9, 11]) d`,
        [id],
      );
      // Deliveries are kept two days longer than the setting, while attempts can continue.
      await database.rows(
        `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, created_at)
         SELECT $1, uuid_v7_min(now() - d * interval '1 day'), 'days ' || d, uuid_v7(), 'wishlist.shared', 'event', 3, 'failed', now()
           FROM unnest(ARRAY[6, 8]) d`,
        [id],
      );
      await database.rows(
        `INSERT INTO idempotent_response (shop_id, key_id, key, fingerprint, response_sealed, created_at)
         SELECT $1, 'key', 'hours ' || h, '', '', now() - h * interval '1 hour' FROM unnest(ARRAY[23, 25]) h`,
        [id],
      );
      await database.rows(
        `INSERT INTO audit (shop_id, id, at, area, action, subject, details)
         SELECT $1, uuid_v7_min(now() - d * interval '1 day'), now() - d * interval '1 day', 'plan', 'plan.changed', 'days ' || d, '{}'
           FROM unnest(ARRAY[364, 366]) d`,
        [id],
      );
      await database.rows(
        `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
         SELECT $1, 'days ' || d, 'data_request', d, 'completed', now() - interval '90 days', now(), now() - d * interval '1 day'
           FROM unnest(ARRAY[59, 61]) d`,
        [id],
      );
      await database.rows(
        `INSERT INTO export_link (shop_id, token_hash, format, guests, expires_at)
         SELECT $1, ('hours ' || h)::bytea, 'csv', false, now() + h * interval '1 hour' FROM unnest(ARRAY[-1, 1]) h`,
        [id],
      );
      await database.rows(
        `INSERT INTO wishlist_import (shop_id, id, status, format, file_name, size, created_at, updated_at, finished_at)
         SELECT $1, 'days ' || d, CASE d WHEN 2 THEN 'ready' ELSE 'done' END, 'csv', 'a.csv', 1, now(), now() - d * interval '1 day',
                CASE WHEN d > 2 THEN now() - d * interval '1 day' END
           FROM unnest(ARRAY[2, 29, 31]) d`,
        [id],
      );
      await database.rows("UPDATE shop SET guest_retention_days = 20 WHERE id = $1", [id]);
      await database.rows(
        `INSERT INTO merged_guest (shop_id, guest_id, customer_id, merged_at)
         SELECT $1, 'days ' || d, 'c1', now() - d * interval '1 day' FROM unnest(ARRAY[19, 21]) d`,
        [id],
      );
    }
    await done(await send("retention"));
    const left = await database.rows(
      `SELECT s.id AS shop, (SELECT array_agg(owner_id) FROM activity WHERE shop_id = s.id AND owner_id <> 'c1') AS activity,
              (SELECT array_agg(endpoint_id) FROM webhook_delivery WHERE shop_id = s.id) AS deliveries,
              (SELECT array_agg(key) FROM idempotent_response WHERE shop_id = s.id) AS responses,
              (SELECT array_agg(subject) FROM audit WHERE shop_id = s.id) AS audit,
              (SELECT array_agg(r.id) FROM privacy_request r WHERE shop_id = s.id) AS requests,
              (SELECT array_agg(convert_from(token_hash, 'UTF8')) FROM export_link WHERE shop_id = s.id) AS tickets,
              (SELECT array_agg(i.id || ' ' || status ORDER BY i.id) FROM wishlist_import i WHERE shop_id = s.id) AS imports,
              (SELECT array_agg(guest_id) FROM merged_guest WHERE shop_id = s.id) AS guests
         FROM shop s ORDER BY s.id`,
    );
    const young = {
      ...{
        activity: ["days 9"],
        deliveries: ["days 6"],
        responses: ["hours 23"],
        audit: ["days 364"],
        requests: ["days 59"],
      },
      ...{ tickets: ["hours 1"], imports: ["days 2 cancelled", "days 29 done"], guests: ["days 19"] },
    };
    expect(left).toEqual([
      { shop: shop.id, ...young },
      { shop: gone.id, ...young },
    ]);
  });

  test("period-stats stores yesterday's periods once, even if it runs repeatedly", async () => {
    const service = await start();
    const { shop } = await newShop(service);
    await done(await send("period-stats"));
    const kept = (): Promise<unknown[]> =>
      database.rows("SELECT days, active_shoppers FROM period_stats WHERE shop_id = $1 ORDER BY days", [shop.id]);
    const noneYet = [7, 30, 90, 365].map((days) => ({ days, active_shoppers: 0 }));
    expect(await kept()).toEqual(noneYet);
    await done(await send("period-stats"));
    expect(await kept()).toEqual(noneYet);
  });

  test("that a stopping process interrupts are repeated by the next process", async () => {
    const service = await start();
    const { shop } = await newShop(service);
    await database.rows("UPDATE activity SET at = now() - interval '500 days'");
    const holder = await database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM activity WHERE shop_id = $1 FOR UPDATE", [shop.id]);
      const id = await send("retention");
      await lockWaiters(database);
      expect(await service.stop()).toBe(0);
      expect(service.log().filter(({ level }) => level === "error")).toEqual([]);
      expect(await stateOf(id)).toBe("retry");
      await holder.query("COMMIT");
      await start();
      await done(id);
    } finally {
      holder.release(true);
    }
    expect(await database.rows("SELECT 1 FROM activity")).toEqual([]);
  });
});
