import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { runRetention } from "../../app/maintenance.server.ts";
import { withClient, type Database } from "./dataset.ts";
import { RETENTION } from "./shape.ts";

/** Deliveries are kept two days longer than the setting, events four. */
const DELIVERIES_DAYS = 32;
const DAY_MS = 24 * 3_600_000;
/** Start of the days whose activity expires. */
const DAY = Date.UTC(2024, 0, 1);
/** Days that expire: a day is purged in half a minute, and the measurement takes longer. */
const DAYS = 4;
/** Parts in which the days expire, so that the purge can be interrupted between them. */
const PARTS = DAYS * 400;

/** Adds expired days to a shop: changes, each second one with a delivery. @param changesADay changes of each day */
export async function addExpiredDays({ url, shopId }: Database, changesADay: number): Promise<void> {
  const changes = DAYS * changesADay;
  const at = `timestamptz '${new Date(DAY).toISOString()}' + n * 86400.0 / ${changesADay} * interval '1 s'`;
  const later = `(${at} + interval '${RETENTION.activityRetentionDays - DELIVERIES_DAYS} days')`;
  const id = `overlay(uuid_v7_min(${later})::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid`;
  await withClient(url, async (client) => {
    for (const statement of [
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at)
       SELECT $1, 'added', 'api', 'customer', (7000000000000 + n % 5000)::text, n % 5000, 1, 1, '8000000000000', '44000000000000', ${at}, (${at})::date, now()
         FROM generate_series(0, $2::bigint - 1) AS n`,
      `INSERT INTO webhook_event (shop_id, id, event, at, customer_id, product_id, variant_id, item_count)
       SELECT $1, ${id}, 'wishlist.item.added', now(), '7000000000000', '8000000000000', '44000000000000', 1 FROM generate_series(0, $2::bigint - 1, 2) AS n`,
      `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, attempts, created_at)
       SELECT $1, ${id}, 'expired', ${id}, 'wishlist.item.added', 'event', 3, 'succeeded', 1, now() FROM generate_series(0, $2::bigint - 1, 2) AS n`,
      `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, endpoint_id, url)
       SELECT $1, ${id}, 1, now(), 40, 200, 'expired', 'https://erp.example.com/hooks' FROM generate_series(0, $2::bigint - 1, 2) AS n`,
    ]) {
      await client.query(statement, [shopId, changes]);
    }
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
  });
}

/** Purges the expired days with the service's retention, part by part. */
export class ExpiredDays {
  readonly #database: Database;
  #part = 0;

  constructor(database: Database) {
    this.#database = database;
    provideSettings({ DATABASE_URL: database.url, LOG_LEVEL: "warn" });
  }

  /** Runs `work` while retention purges. @throws when all were purged before `work` ended */
  async while<Result>(work: () => Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    const purging = (async () => {
      while (!stop.signal.aborted) {
        if (this.#part >= PARTS) throw new Error("the expired days were purged before the end of the measurement");
        this.#part++;
        holdClock(new Date(DAY + RETENTION.activityRetentionDays * DAY_MS + (this.#part * DAYS * DAY_MS) / PARTS));
        await runRetention(this.#database.shopId, RETENTION);
      }
    })();
    try {
      return await work();
    } finally {
      stop.abort();
      await purging;
      holdClock(undefined);
    }
  }

  /** Returns the share of the days that was purged. */
  get purged(): number {
    return this.#part / PARTS;
  }

  close(): Promise<void> {
    return closeDatabase();
  }
}
