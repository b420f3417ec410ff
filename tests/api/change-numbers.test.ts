import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseCustomer } from "../../app/privacy/erasure.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { serviceEnv } from "../support/app/service.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  provideEnv(serviceEnv(database.url));
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

test("the erasure of a customer announces the numbers that its removals have got", async () => {
  const [shop] = await database.rows<{ id: number }>(
    "INSERT INTO shop (domain, time_zone) VALUES ('erasure.myshopify.com', 'UTC') RETURNING id::int",
  );
  const shopId = shop?.id ?? 0;
  const announced: string[] = [];
  const client = new pg.Client({ connectionString: database.url });
  client.on("notification", ({ payload = "" }) => announced.push(payload));
  await client.connect();
  await client.query("LISTEN wishlist_changes");
  try {
    await database.rows("SELECT wishlist_add($1, 'customer', 'c1', 'p1', 'v1', 'api', now())", [shopId]);
    await eraseCustomer(shopId, "c1");
    // The addition has number 1, the removal number 2.
    await until("the notification", () => Promise.resolve(announced.includes(`${shopId}:2`)));
    expect(await database.rows("SELECT last_number::int FROM shop_change WHERE shop_id = $1", [shopId])).toEqual([
      { last_number: 2 },
    ]);
  } finally {
    await client.end();
  }
});
