import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("uuid_v7 has the layout of RFC 9562 and the time of its creation", async () => {
  const [row] = await database.rows<{ before: Date; id: string; after: Date }>(
    "SELECT clock_timestamp() AS before, uuid_v7()::text AS id, clock_timestamp() AS after",
  );
  expect(row?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const milliseconds = parseInt(row?.id.replaceAll("-", "").slice(0, 12) ?? "", 16);
  expect(milliseconds).toBeGreaterThanOrEqual(row?.before.getTime() ?? NaN);
  expect(milliseconds).toBeLessThanOrEqual(row?.after.getTime() ?? NaN);
});

test("uuid_v7 differs in its random bits when ids share a moment", async () => {
  const [row] = await database.rows<{ different: number; tails: number }>(
    `SELECT count(DISTINCT id)::integer AS different, count(DISTINCT right(id::text, 17))::integer AS tails
       FROM (SELECT uuid_v7() AS id FROM generate_series(1, 10000)) AS made`,
  );
  expect(row).toEqual({ different: 10_000, tails: 10_000 });
});

test("uuid_v7_min grows with every microsecond", async () => {
  const rows = await database.rows<{ at: string }>(
    `SELECT at::text FROM (SELECT at, uuid_v7_min(at) AS id, lag(uuid_v7_min(at)) OVER (ORDER BY at) AS earlier
                             FROM (SELECT timestamptz '2026-11-20T09:30:00.998Z' + n * interval '1 microsecond' AS at
                                     FROM generate_series(0, 3000) AS n) AS moments) AS ids
      WHERE id <= earlier`,
  );
  expect(rows).toEqual([]);
});

test("uuid_v7_min is the lower bound of the ids of a moment", async () => {
  const [row] = await database.rows<{ inside: boolean }>(
    `WITH made AS MATERIALIZED (SELECT clock_timestamp() AS before, uuid_v7() AS id, clock_timestamp() AS after)
     SELECT id >= uuid_v7_min(before) AND id < uuid_v7_min(after + interval '1 microsecond') AS inside FROM made`,
  );
  expect(row?.inside).toBe(true);
});

test("advisory_lock_key refuses a class that it does not list", async () => {
  await expect(database.rows("SELECT advisory_lock_key('no such class', '1')")).rejects.toThrow("case not found");
});
