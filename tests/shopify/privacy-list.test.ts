import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createShop } from "../../app/shops/index.server.ts";
import { audit } from "../../app/audit/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { listRequests, markRecordSent, runPrivacyMaintenance } from "../../app/privacy/index.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;
let shopId: number;
let otherId: number;
let made = 0;

beforeAll(async () => {
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "3" });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});
beforeEach(async () => {
  [shopId, otherId] = [await newShop(), await newShop()];
});

async function newShop(): Promise<number> {
  const shop = await createShop({ domain: `shop-${++made}.myshopify.com`, plan: "free", timeZone: "UTC" });
  if (!shop) throw new Error("the shop exists already");
  return shop.id;
}

interface Given {
  id: string;
  /** age of the request */
  days?: number;
  kind?: string;
  /** time since its completion */
  done?: number;
}

function write(of: number, requests: readonly Given[]): Promise<unknown> {
  return database.rows(
    `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
     SELECT $1, id, coalesce(kind, 'data_request'), id, CASE WHEN done IS NULL THEN 'pending' ELSE 'completed' END,
            date_trunc('day', now()) - coalesce(days, 0) * interval '1 day', now(), now() - done * interval '1 day'
       FROM jsonb_to_recordset($2) AS g (id text, days int, kind text, done float8)`,
    [of, JSON.stringify(requests)],
  );
}

test("a shop's privacy requests are each on one page, newest first", async () => {
  const all = Array.from({ length: 23 }, (_, n) => ({
    id: `prq_${String(n).padStart(2, "0")}`,
    days: Math.floor(n / 5),
  }));
  await write(shopId, all);
  await write(otherId, [{ id: "prq_theirs" }, { id: "prq_99", days: 2 }]);
  const read: string[] = [];
  let after: string | undefined;
  do {
    const page = await listRequests(shopId, { after, limit: 4 });
    read.push(...page.requests.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  const wanted = all.toSorted((a, b) => a.days - b.days || (a.id < b.id ? 1 : -1));
  expect(read).toEqual(wanted.map(({ id }) => id));
});

test.each(["", "x", "1-", "-1-prq_1", `${"9".repeat(16)}-prq_1`, "1-prq_1'; DROP TABLE shop; --"])(
  "the list starts at its newest entry for the invalid position %j",
  async (after) => {
    await write(shopId, [{ id: "prq_1" }]);
    expect((await listRequests(shopId, { after, limit: 4 })).requests).toHaveLength(1);
  },
);

test("a copy can be downloaded for completed data requests only", async () => {
  await write(shopId, [
    { id: "prq_1", done: 0 },
    { id: "prq_2", days: 1 },
    { id: "prq_3", days: 2, kind: "redact", done: 0 },
    { id: "prq_4", days: 3, kind: "redact" },
  ]);
  const { requests } = await listRequests(shopId, { after: undefined, limit: 50 });
  expect(requests.map(({ hasRecord }) => hasRecord)).toEqual([true, false, false, false]);
});

test("a record is sent once staff have said so, and shows when it was downloaded last", async () => {
  await write(shopId, [
    { id: "prq_1", done: 0 },
    { id: "prq_2", days: 1, done: 0 },
    { id: "prq_3", days: 2 },
    { id: "prq_4", days: 3, kind: "redact", done: 0 },
  ]);
  await write(otherId, [{ id: "prq_1", done: 0 }]);
  const staff = { id: "1", name: "Mia", email: undefined };
  const mark = (of: number, id: string) => transaction(of, (tx) => markRecordSent(tx, { shopId: of, staff }, id));
  await transaction(shopId, (tx) => audit(tx, { shopId, staff, action: "privacy.record_fetched", subject: "prq_2" }));
  expect([await mark(shopId, "prq_1"), await mark(shopId, "prq_1")]).toEqual([true, true]);
  // Not gathered yet, an erasure, and none at all.
  for (const id of ["prq_3", "prq_4", "prq_unknown"]) expect(await mark(shopId, id)).toBe(false);
  expect(await mark(otherId, "prq_2")).toBe(false);
  const { requests } = await listRequests(shopId, { after: undefined, limit: 50 });
  expect(requests.map(({ id, downloadedAt, sentAt }) => [id, downloadedAt !== null, sentAt !== null])).toEqual([
    ["prq_1", false, true],
    ["prq_2", true, false],
    ["prq_3", false, false],
    ["prq_4", false, false],
  ]);
  const [theirs] = (await listRequests(otherId, { after: undefined, limit: 50 })).requests;
  expect(theirs?.sentAt).toBeNull();
  const entries = await database.rows(
    "SELECT subject FROM audit WHERE shop_id = $1 AND action = 'privacy.record_sent'",
    [shopId],
  );
  expect(entries).toEqual([{ subject: "prq_1" }]);
});

test("completed requests are purged after 60 days", async () => {
  const requests = [
    { id: "prq_1", days: 90, done: 61 },
    { id: "prq_2", days: 90, done: 59 },
  ];
  await write(shopId, requests);
  await write(otherId, requests);
  await runPrivacyMaintenance(shopId);
  const left = await database.rows(
    "SELECT shop_id, id FROM privacy_request WHERE shop_id = ANY ($1) ORDER BY shop_id, id",
    [[shopId, otherId]],
  );
  expect(left).toEqual([
    { shop_id: shopId, id: "prq_2" },
    { shop_id: otherId, id: "prq_1" },
    { shop_id: otherId, id: "prq_2" },
  ]);
});
