import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { startService, type Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";
import { lockWaiters } from "../support/database/locks.ts";

let database: TestDatabase;
const started: { stop: (signal: "SIGKILL") => Promise<unknown> }[] = [];

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop("SIGKILL");
  await database.drop();
});

/** Starts a worker in this process, which looks for due shops at once. */
async function startWorker(env: Record<string, string> = {}): Promise<InProcessApp> {
  const app = await startApp({ database, env: { WISHLIST_ROLE: "worker", ...env } });
  started.push(app);
  return app;
}

/** Starts a worker as a process, for a test that sends it a signal. */
async function startProcess(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ database, env: { WISHLIST_ROLE: "worker", ...env } });
  started.push(service);
  return service;
}

interface JobShop {
  id: number;
}

/** Makes a shop with an item that was added two days ago, whose activity is processed. */
async function newShop(): Promise<JobShop> {
  const [shop] = await database.rows<JobShop>(
    "INSERT INTO shop (domain) VALUES ('shop-' || gen_random_uuid() || '.myshopify.com') RETURNING id",
  );
  if (!shop) throw new Error("no shop was inserted");
  await database.rows("SELECT wishlist_add($1, 'customer', 'c1', 'p', 'v', 'api', now() - interval '2 days')", [
    shop.id,
  ]);
  await database.rows("SELECT outbox_process($1, 100, true)", [shop.id]);
  return shop;
}

/** Makes a job due for these shops, the first one first. */
async function makeDue(job: string, shops: readonly JobShop[]): Promise<void> {
  await database.rows(
    `INSERT INTO shop_maintenance (shop_id, job, due_at)
     SELECT id, $1, now() - interval '1 hour' + place * interval '1 s' FROM unnest($2::bigint[]) WITH ORDINALITY AS s (id, place)
         ON CONFLICT (shop_id, job) DO UPDATE SET due_at = EXCLUDED.due_at, finished_at = NULL`,
    [job, shops.map(({ id }) => id)],
  );
}

interface Maintenance {
  finished: boolean;
  failures: number;
  /** due later than now */
  later: boolean;
  leased: boolean;
}

async function maintenanceOf({ id }: JobShop, job = "retention"): Promise<Maintenance | undefined> {
  const [row] = await database.rows<Maintenance>(
    `SELECT finished_at IS NOT NULL AS finished, failures, due_at > now() AS later, lease_holder IS NOT NULL AS leased
       FROM shop_maintenance WHERE shop_id = $1 AND job = $2`,
    [id, job],
  );
  return row;
}

const FINISHED: Maintenance = { finished: true, failures: 0, later: true, leased: false };

function finished(shop: JobShop, job = "retention"): Promise<Maintenance> {
  return until(`${job} to be finished`, async () => {
    const row = await maintenanceOf(shop, job);
    return row?.finished === true && row;
  });
}

/** Runs a job for every shop, in a worker that starts for it and stops. */
async function runDue(job: string, env: Record<string, string> = {}): Promise<void> {
  const shops = await database.rows<JobShop>("SELECT id FROM shop");
  await makeDue(job, shops);
  const worker = await startWorker(env);
  for (const shop of shops) await finished(shop, job);
  await worker.stop();
}

/** Runs `work` while retention of a shop waits for the lock of a row. */
async function whileBlocked({ id }: JobShop, work: () => Promise<void>): Promise<void> {
  await database.rows("UPDATE activity SET at = now() - interval '500 days' WHERE shop_id = $1", [id]);
  const holder = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM activity WHERE shop_id = $1 FOR UPDATE", [id]);
    await work();
    await holder.query("COMMIT");
  } finally {
    holder.release(true);
  }
}

async function activityOf({ id }: JobShop): Promise<number> {
  return (await database.rows("SELECT 1 FROM activity WHERE shop_id = $1", [id])).length;
}

describe("jobs of shops", () => {
  test("are spread over the day, or over the first hours after the shop's midnight", MATRIX, async () => {
    const spreads = [
      { job: "retention", hours: 24 },
      { job: "catalog-reconciliation", hours: 6 },
      { job: "store-access", hours: 6 },
      { job: "list-summaries", hours: 6 },
      { job: "period-stats", hours: 1 },
      { job: "alert-reminders", hours: 1 },
    ];
    await database.rows(
      `INSERT INTO shop (domain, time_zone) SELECT 'shop-' || n || '.example.com', CASE n % 2 WHEN 0 THEN 'Asia/Tokyo' ELSE 'America/New_York' END
         FROM generate_series(1, 960) AS n`,
    );
    await startWorker();
    const rows = await until("the times of all shops", async () => {
      const found = await database.rows<{ job: string; part: number; shops: number }>(
        `SELECT job, floor(extract(epoch FROM due_at - date_trunc('day', due_at, zone)) / 3600 / hours * 24)::integer AS part, count(*)::integer AS shops
           FROM shop_maintenance m JOIN shop s ON s.id = m.shop_id LEFT JOIN jsonb_to_recordset($1) AS j(job text, hours integer) USING (job)
          CROSS JOIN LATERAL (SELECT CASE job WHEN 'retention' THEN 'UTC' ELSE s.time_zone END AS zone) z
          WHERE due_at BETWEEN now() AND now() + interval '1 day 1 hour'
          GROUP BY 1, 2 ORDER BY 1, 2`,
        [JSON.stringify(spreads)],
      );
      return found.reduce((sum, { shops }) => sum + shops, 0) === spreads.length * 960 && found;
    });
    for (const { job } of spreads) {
      const parts = rows.filter((row) => row.job === job);
      expect(parts.map(({ part }) => part)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
      for (const { shops } of parts) expect(Math.abs(shops - 40)).toBeLessThanOrEqual(3);
    }
  });

  test("do not run in a web process", async () => {
    await newShop();
    const web = await startApp({ database, env: { WISHLIST_ROLE: "web" } });
    // A process that has begun to start its jobs completes that first.
    await web.stop();
    expect(await database.rows("SELECT 1 FROM shop_maintenance")).toEqual([]);
    expect(await database.rows("SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'")).toEqual([]);
  });

  test("retention purges by the operator's and the shop's settings, in every shop", async () => {
    const env = { ACTIVITY_RETENTION_DAYS: "40", WEBHOOK_RETENTION_DAYS: "5" };
    const [shop, gone] = [await newShop(), await newShop()];
    await database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [gone.id]);
    for (const { id } of [shop, gone]) {
      await database.rows(
        `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, at, day, processed_at)
         SELECT $1, 'shared', 'api', 'customer', 'days ' || d, 1, 1, 0, now() - d * interval '1 day', current_date - d, now()
           FROM unnest(ARRAY[39, 41]) d`,
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
      await database.rows(
        `INSERT INTO guest_origin_hour (shop_id, origin, hour, guests)
         SELECT $1, 'hours ' || h, now() - h * interval '1 hour', 1 FROM unnest(ARRAY[23, 25]) h`,
        [id],
      );
    }
    await runDue("retention", env);
    const left = await database.rows(
      `SELECT s.id AS shop, (SELECT array_agg(owner_id) FROM activity WHERE shop_id = s.id AND owner_id <> 'c1') AS activity,
              (SELECT array_agg(endpoint_id) FROM webhook_delivery WHERE shop_id = s.id) AS deliveries,
              (SELECT array_agg(key) FROM idempotent_response WHERE shop_id = s.id) AS responses,
              (SELECT array_agg(subject) FROM audit WHERE shop_id = s.id) AS audit,
              (SELECT array_agg(r.id) FROM privacy_request r WHERE shop_id = s.id) AS requests,
              (SELECT array_agg(convert_from(token_hash, 'UTF8')) FROM export_link WHERE shop_id = s.id) AS tokens,
              (SELECT array_agg(i.id || ' ' || status ORDER BY i.id) FROM wishlist_import i WHERE shop_id = s.id) AS imports,
              (SELECT array_agg(guest_id) FROM merged_guest WHERE shop_id = s.id) AS guests,
              (SELECT array_agg(origin) FROM guest_origin_hour WHERE shop_id = s.id) AS origins
         FROM shop s ORDER BY s.id`,
    );
    const young = {
      ...{
        activity: ["days 39"],
        deliveries: ["days 6"],
        responses: ["hours 23"],
        audit: ["days 364"],
        requests: ["days 59"],
      },
      ...{
        tokens: ["hours 1"],
        imports: ["days 2 cancelled", "days 29 done"],
        guests: ["days 19"],
        origins: ["hours 23"],
      },
    };
    expect(left).toEqual([
      { shop: shop.id, ...young },
      { shop: gone.id, ...young },
    ]);
  });

  test("period-stats stores yesterday's periods once, even if it runs repeatedly", MATRIX, async () => {
    const shop = await newShop();
    const kept = (): Promise<unknown[]> =>
      database.rows("SELECT days, active_shoppers FROM period_stats WHERE shop_id = $1 ORDER BY days", [shop.id]);
    const one = [7, 30, 90, 365].map((days) => ({ days, active_shoppers: 1 }));
    for (const _ of ["first", "second"]) {
      await runDue("period-stats");
      expect(await kept()).toEqual(one);
    }
  });

  test("continue with the next shop after a kill, and with the interrupted one after its lease", MATRIX, async () => {
    const [interrupted, next] = [await newShop(), await newShop()];
    await makeDue("retention", [interrupted, next]);
    await whileBlocked(interrupted, async () => {
      const killed = await startProcess();
      await lockWaiters(database);
      await killed.stop("SIGKILL");
      await startWorker();
      expect(await finished(next)).toEqual(FINISHED);
      expect(await maintenanceOf(interrupted)).toMatchObject({ finished: false, leased: true });
    });
    await database.rows(
      "UPDATE shop_maintenance SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL",
    );
    await startWorker();
    expect(await finished(interrupted)).toEqual(FINISHED);
    expect(await activityOf(interrupted)).toBe(0);
  });

  test("run in one process at a time for each shop", MATRIX, async () => {
    const [shared, next] = [await newShop(), await newShop()];
    await makeDue("retention", [shared, next]);
    await whileBlocked(shared, async () => {
      // At the same time: a worker waits for the lock for ten seconds at most, and a start can take as long.
      await Promise.all([startWorker(), startWorker()]);
      await lockWaiters(database);
      // The other process has passed the first shop when it has finished the next one.
      await finished(next);
      expect(
        await database.rows(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DELETE FROM activity%'",
        ),
      ).toHaveLength(1);
    });
    expect(await finished(shared)).toEqual(FINISHED);
  });

  test("that fail for a shop do not stop the others, and are tried again later", MATRIX, async () => {
    const [failing, next] = [await newShop(), await newShop()];
    await database.rows("UPDATE activity SET at = now() - interval '500 days'");
    await database.rows(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE DELETE ON activity FOR EACH ROW WHEN (OLD.shop_id = ${failing.id}) EXECUTE FUNCTION refuse()`,
    );
    await makeDue("retention", [failing, next]);
    const worker = await startWorker();
    expect(await finished(next)).toEqual(FINISHED);
    expect(await maintenanceOf(failing)).toEqual({ finished: false, failures: 1, later: true, leased: false });
    expect(worker.log()).toContainEqual(
      expect.objectContaining({ level: "error", job: "retention", shopId: failing.id }),
    );
    // The next shop did not wait for the next look.
    expect(worker.log().filter(({ msg }) => String(msg).startsWith("can't look for shops"))).toEqual([]);
    await worker.stop();
    await database.rows("DROP TRIGGER refuse ON activity");
    await runDue("retention");
    expect(await maintenanceOf(failing)).toEqual(FINISHED);
    expect(await activityOf(failing)).toBe(0);
  });

  test("that a stopping process interrupts are continued by the next process", MATRIX, async () => {
    const shop = await newShop();
    await makeDue("retention", [shop]);
    await whileBlocked(shop, async () => {
      const worker = await startProcess();
      await lockWaiters(database);
      expect(await worker.stop()).toBe(0);
      expect(worker.log().filter(({ level }) => level === "error")).toEqual([]);
      expect(await maintenanceOf(shop)).toEqual({ finished: false, failures: 0, later: false, leased: false });
    });
    await startWorker();
    expect(await finished(shop)).toEqual(FINISHED);
    expect(await activityOf(shop)).toBe(0);
  });

  test("that a stopping process interrupts between two batches have not failed", MATRIX, async () => {
    const shop = await newShop();
    await makeDue("retention", [shop]);
    let stopped: Promise<number | null> | undefined;
    await whileBlocked(shop, async () => {
      // The run ends before the shutdown comes to the jobs.
      const worker = await startProcess({ SHUTDOWN_DELAY_SECONDS: "2" });
      await lockWaiters(database);
      stopped = worker.stop();
      await until("the worker to be stopping", () => worker.log().some(({ msg }) => msg === "stopping"));
    });
    expect(await stopped).toBe(0);
    expect(await maintenanceOf(shop)).toEqual({ finished: false, failures: 0, later: false, leased: false });
  });
});
