import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cutTexts, purgeActivity } from "../../app/activity/index.server.ts";
import { purgeIdempotentResponses } from "../../app/http/idempotency.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { FIRST_BATCH } from "../../app/platform/jobs/retention.server.ts";
import { purgeDeliveries } from "../../app/webhooks/index.server.ts";
import { purgeDeletedLists } from "../../app/wishlists/index.server.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { ADDED, deliveriesOf, RECEIVER, subscribe } from "../support/webhooks/webhooks.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { MATRIX } from "../support/matrix.ts";

/** Older rows are purged from their table; far enough in the past for shoppers' days. */
const BEFORE = new Date("2024-03-10T00:00:00.000Z");
/** Additional days that deliveries are kept, for their last attempts, and events after them. */
const DELIVERIES_LATER = 2;
const EVENTS_LATER = 4;
/** A number of rows that needs more than two transactions. */
const MANY = 3 * FIRST_BATCH + 1;

let database: TestDatabase;
let service: Service;
let call: Call;
let shop: TestShop;
let other: TestShop;

beforeAll(async () => {
  database = await createDatabase();
  // Without a worker.
  service = await startService({ database, env: { WISHLIST_ROLE: "web" } });
  call = client(service.url);
});
beforeEach(async () => {
  shop = await makeShop(service, call);
  other = await makeShop(service, call);
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await database.drop();
});

function daysBefore(days: number): Date {
  return new Date(BEFORE.getTime() - days * 24 * 3_600_000);
}

/** SQL for an id like that of uuid_v7() at a time, different for each n. */
const ID = "overlay(uuid_v7_min(m.at)::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid";
/** `$1` shop, `$2` count, `$3` creation time, `$4` distinguishing value. */
const MADE =
  "FROM (SELECT $1::integer AS shop, $3::timestamptz AS at, $4::text AS name) m, generate_series(1, $2::integer) n";

/** SQL that inserts rows into each table. */
const INSERTS = {
  activity: `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, at, day, processed_at)
             SELECT m.shop, 'shared', 'api', 'customer', m.name, n, 1, 0, m.at, m.at::date, m.at ${MADE}`,
  cart_event: `INSERT INTO cart_event (shop_id, wishlist_id, event_id, product_id, variant_id, at)
               SELECT m.shop, n, m.name, 'p', 'v', m.at ${MADE}`,
  shopper_day: `INSERT INTO shopper_day (shop_id, shopper_id, day)
                SELECT m.shop, hashtext(m.name)::bigint * 1000000 + n, m.at::date ${MADE}`,
  webhook_event: `INSERT INTO webhook_event (shop_id, id, event, at, customer_id)
                  SELECT m.shop, ${ID}, 'wishlist.item.added', m.at, m.name ${MADE}`,
  webhook_delivery: `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, created_at)
                     SELECT m.shop, ${ID}, m.name, ${ID}, 'wishlist.item.added', 'event', 3, 'failed', m.at ${MADE}`,
  webhook_attempt: `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, error)
                    SELECT m.shop, ${ID.replace("to_hex(n)", "to_hex((n + 1) / 2)")}, n % 2 + 1, m.at, 1, m.name ${MADE}`,
  idempotent_response: `INSERT INTO idempotent_response (shop_id, key_id, key, fingerprint, response_sealed, created_at)
                      SELECT m.shop, m.name, 'key ' || n, '', '', m.at ${MADE}`,
  // Deleted lists; the one that `writing` creates is not.
  wishlist: `INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, name, name_key, deleted_at, created_at, updated_at)
             SELECT m.shop, 'customer', m.name, m.name || n, m.name, m.name, m.at, m.at, m.at ${MADE}`,
} as const;

type Table = keyof typeof INSERTS;

/** Days before `BEFORE` from which a table's rows are purged, and the number of rows that `writing` inserts. */
const TABLES: { table: Table; later: number; written: number }[] = [
  { table: "activity", later: 0, written: 2 },
  { table: "cart_event", later: 0, written: 1 },
  { table: "shopper_day", later: 0, written: 1 },
  { table: "webhook_event", later: EVENTS_LATER, written: 1 },
  { table: "webhook_delivery", later: DELIVERIES_LATER, written: 1 },
  { table: "webhook_attempt", later: DELIVERIES_LATER, written: 0 },
  { table: "idempotent_response", later: 0, written: 0 },
  { table: "wishlist", later: 0, written: 1 },
];

async function insert(table: Table, { id }: TestShop, rows: number, at: Date, name: string): Promise<void> {
  await database.rows(INSERTS[table], [id, rows, at, name]);
}

async function count(table: Table, { id }: TestShop, where = "true"): Promise<number> {
  const [row] = await database.rows<{ n: number }>(
    `SELECT count(*)::integer AS n FROM ${table} WHERE shop_id = $1 AND ${where}`,
    [id],
  );
  return row?.n ?? 0;
}

async function dropEverything({ id }: TestShop): Promise<void> {
  await purgeActivity(id, BEFORE);
  await purgeDeliveries(id, BEFORE);
  await purgeIdempotentResponses(id, BEFORE);
  await purgeDeletedLists(id, BEFORE);
}

/** Changes a wishlist and processes the outbox, on a connection that fails instead of waiting for a lock. */
async function writing({ id }: TestShop): Promise<unknown> {
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query("SET lock_timeout = '5s'");
  try {
    await writer.query("SELECT wishlist_add($1, 'customer', 'c1', 'p', 'v', 'api', now())", [id]);
    await writer.query("SELECT wishlist_record_cart($1, 'customer', 'c1', 'p', 'v', 'e', 'api', now())", [id]);
    const { rows } = await writer.query<{ processed: number }>(
      "SELECT processed, endpoints FROM outbox_process($1, 100, true)",
      [id],
    );
    return rows[0];
  } finally {
    await writer.end();
  }
}

async function counts(of: TestShop): Promise<Record<string, number>> {
  const entries = TABLES.map(async ({ table }) => [table, await count(table, of)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function everyTable(rows: number): Record<string, number> {
  return Object.fromEntries(TABLES.map(({ table }) => [table, rows]));
}

test("all older rows of each table are purged, newer rows and those of other shops stay", async () => {
  for (const { table, later } of TABLES) {
    await insert(table, shop, MANY, daysBefore(later + 1), "old");
    await insert(table, shop, 3, daysBefore(later), "just young enough");
    await insert(table, shop, 3, daysBefore(later - 1), "young");
    await insert(table, other, 3, daysBefore(later + 1), "old");
  }
  expect(await counts(shop)).toEqual(everyTable(MANY + 6));
  await dropEverything(shop);
  expect(await counts(shop)).toEqual(everyTable(6));
  expect(await counts(other)).toEqual(everyTable(3));
  await dropEverything(other);
  expect(await counts(other)).toEqual(everyTable(0));
});

for (const { table, later, written } of TABLES) {
  test.concurrent(
    `a blocked purge of ${table} does not block writers`,
    table === "activity" ? {} : MATRIX,
    async () => {
      const blocked = await makeShop(service, call);
      await database.rows(
        `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
     VALUES ($1, 'an endpoint', 'https://hooks.example.com', '{wishlist.item.added}', '', now())`,
        [blocked.id],
      );
      await insert(table, blocked, 20, daysBefore(later + 1), "old");
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      try {
        await holder.query("BEGIN");
        // The last row of the purge: by then it has locked the others.
        await holder.query(
          `SELECT 1 FROM ${table} WHERE ctid = (SELECT max(ctid) FROM ${table} WHERE shop_id = $1) FOR UPDATE`,
          [blocked.id],
        );
        const dropping = dropEverything(blocked);
        await lockWaiters(database, 1, `%DELETE FROM ${table} %`);
        expect(await writing(blocked)).toEqual({ processed: 2, endpoints: ["an endpoint"] });
        expect(await count(table, blocked)).toBe(20 + written);
        await holder.query("COMMIT");
        await dropping;
      } finally {
        await holder.end();
      }
      expect(await count(table, blocked)).toBe(written);
    },
  );
}

test("two purges of one shop at the same time delete its old rows together", MATRIX, async () => {
  for (const { table, later } of TABLES) await insert(table, shop, MANY, daysBefore(later + 1), "old");
  await Promise.all([dropEverything(shop), dropEverything(shop)]);
  for (const { table } of TABLES) expect(await count(table, shop)).toBe(0);
});

test("shopper days are kept for the longest reported period", async () => {
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3_600_000);
  await insert("shopper_day", shop, 3, daysAgo(402), "old");
  await insert("shopper_day", shop, 3, daysAgo(365), "needed");
  await purgeActivity(shop.id, daysAgo(2));
  expect(await count("shopper_day", shop)).toBe(3);
});

test("retention keeps unprocessed activity, however old, and deletes it once it is processed", async () => {
  await insert("activity", shop, 100, daysBefore(400), "processed");
  await insert("activity", shop, 3, daysBefore(399), "waiting");
  await database.rows("UPDATE activity SET processed_at = NULL WHERE shop_id = $1 AND owner_id = 'waiting'", [shop.id]);
  await insert("activity", shop, MANY, daysBefore(398), "processed");
  await dropEverything(shop);
  expect(await count("activity", shop)).toBe(3);
  expect(await count("activity", shop, "owner_id = 'waiting'")).toBe(3);
  await database.rows("SELECT outbox_process($1, 100, true)", [shop.id]);
  await dropEverything(shop);
  expect(await count("activity", shop)).toBe(0);
});

test("reports are the same after a purge", async () => {
  const json = { product_id: "p", variant_id: "v" };
  (await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json })).data();
  const report = async (): Promise<unknown[]> => {
    const paths = ["overview", "daily", "top-products", "product/p"];
    return Promise.all(
      paths.map(async (path) => (await call("GET", `/v1/analytics/${path}`, { token: shop.token })).data()),
    );
  };
  const before = await report();
  await database.rows("UPDATE activity SET at = $2 WHERE shop_id = $1", [shop.id, daysBefore(1)]);
  await dropEverything(shop);
  expect(await count("activity", shop)).toBe(0);
  expect(await report()).toEqual(before);
});

test("a delivery is purged together with its attempts", async () => {
  for (const [name, at] of Object.entries({ old: daysBefore(3), young: daysBefore(1) })) {
    await insert("webhook_delivery", shop, 4, at, name);
    await insert("webhook_attempt", shop, 8, at, name);
  }
  await dropEverything(shop);
  expect(await count("webhook_delivery", shop)).toBe(4);
  expect(await count("webhook_attempt", shop)).toBe(8);
  const [row] = await database.rows<{ n: number }>(
    `SELECT count(*)::integer AS n FROM webhook_attempt a
      WHERE a.shop_id = $1 AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.shop_id = $1 AND d.id = a.delivery_id)`,
    [shop.id],
  );
  expect(row).toEqual({ n: 0 });
});

test("a listed delivery can be redelivered, because its event is kept as long", async () => {
  const { webhookId } = await subscribe(call, shop, RECEIVER, [ADDED]);
  (await call("POST", `/v1/webhooks/${webhookId}/test`, { token: shop.token })).data();
  // The oldest delivery that is kept, of a slightly older event.
  await database.rows("UPDATE webhook_event SET id = uuid_v7_min($2) WHERE shop_id = $1", [
    shop.id,
    daysBefore(DELIVERIES_LATER + 0.1),
  ]);
  await database.rows(
    "UPDATE webhook_delivery SET id = uuid_v7_min($2), event_id = uuid_v7_min($3) WHERE shop_id = $1",
    [shop.id, daysBefore(DELIVERIES_LATER), daysBefore(DELIVERIES_LATER + 0.1)],
  );
  await dropEverything(shop);
  const [listed] = await deliveriesOf(call, shop, webhookId);
  const path = `/v1/webhooks/${webhookId}/deliveries/${listed?.deliveryId ?? ""}/redeliver`;
  const again = await call("POST", path, { token: shop.token });
  expect(again.data()).toMatchObject({ kind: "redelivery", messageId: listed?.messageId });
});

test("purge of activity sets the change up to which the feed is incomplete, and never lowers it", async () => {
  const purgedTo = async (): Promise<number | undefined> => {
    const sql = "SELECT purged_to::int AS number FROM shop_change WHERE shop_id = $1";
    return (await database.rows<{ number: number }>(sql, [shop.id]))[0]?.number;
  };
  const insert = `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, at, day, processed_at, change_number)
                  SELECT $1, 'shared', 'api', 'customer', 'c', 1, 1, 0, $2::timestamptz, $2::timestamptz::date, now(), n FROM generate_series($3::int, $4::int) n`;
  await database.rows("INSERT INTO shop_change (shop_id, last_number) VALUES ($1, 9)", [shop.id]);
  await database.rows(insert, [shop.id, daysBefore(1), 1, 7]);
  await database.rows(insert, [shop.id, BEFORE, 8, 9]);
  await purgeActivity(shop.id, BEFORE);
  expect(await purgedTo()).toBe(7);
  await database.rows(insert, [shop.id, daysBefore(1), 3, 4]);
  await purgeActivity(shop.id, BEFORE);
  expect(await purgedTo()).toBe(7);
});

test("a shop keeps texts in its history up to its quota: the newest, and customers' before guests'", async () => {
  const text = (): string => randomBytes(400).toString("hex");
  const add = async ({ id }: TestShop, owner: string, at: string, processed = true): Promise<void> => {
    await database.rows(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day,
                             processed_at, before, data)
       VALUES ($1, 'updated', 'api', $2, $3, 7, 1, 1, 'p', 'v', $4::timestamptz, $4::timestamptz::date, $5, $6, $7)`,
      [
        id,
        owner,
        at,
        at,
        processed ? at : null,
        { seq: 1, note: text() },
        { quantity: 2, properties: { engraving: text() } },
      ],
    );
  };
  await add(shop, "customer", "2024-01-01");
  await add(shop, "guest", "2024-01-02");
  await add(shop, "customer", "2024-01-03");
  await add(shop, "guest", "2024-01-04", false);
  await add(shop, "guest", "2024-01-05");
  await add(other, "guest", "2024-01-01");
  const kept = async ({ id }: TestShop): Promise<string[]> => {
    const rows = await database.rows<{ day: string }>(
      "SELECT owner_id AS day FROM activity WHERE shop_id = $1 AND before ? 'note' AND data ? 'properties' ORDER BY id",
      [id],
    );
    return rows.map(({ day }) => day);
  };

  await cutTexts(shop.id, 20_000);
  expect(await kept(shop)).toEqual(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]);
  // Two changes of customers and one of a guest fit. Webhooks need the texts of the one that is not processed.
  await cutTexts(shop.id, 6_000);
  expect(await kept(shop)).toEqual(["2024-01-01", "2024-01-03", "2024-01-04", "2024-01-05"]);
  await cutTexts(shop.id, 2_000);
  expect(await kept(shop)).toEqual(["2024-01-03", "2024-01-04"]);
  expect(await kept(other)).toEqual(["2024-01-01"]);
  // The rest of a change stays, and says that the list can't be restored to before it.
  expect(
    await database.rows("SELECT before, data FROM activity WHERE shop_id = $1 AND owner_id = '2024-01-02'", [shop.id]),
  ).toEqual([{ before: { seq: 1, cut: true }, data: { quantity: 2 } }]);
});
