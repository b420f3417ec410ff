// @module-tag matrix

import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase, executeSql } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { sendTask, startTaskWorkers, stopTaskWorkers, task } from "../../app/platform/jobs/tasks.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;
let boss: PgBoss;

beforeAll(async () => {
  database = await createDatabase();
  await closeDatabase();
  provideSettings({ DATABASE_URL: database.url, LOG_LEVEL: "silent" });
  boss = new PgBoss({ db: { executeSql }, schema: "pgboss", supervise: false, schedule: false });
  await boss.start();
});
afterAll(async () => {
  stopTaskWorkers();
  await boss.stop({ graceful: false });
  await closeDatabase();
  await database.drop();
});

test("of two exclusive tasks of a key that fail, none has failed for good", async () => {
  const sent = Promise.withResolvers<undefined>();
  let runs = 0;
  const work = async (): Promise<void> => {
    runs++;
    // The second is sent while the first runs.
    await sent.promise;
    if (runs <= 2) throw new Error("on purpose");
  };
  const exclusive = task("exclusive", z.object({}), work, { exclusive: true });
  await startTaskWorkers(boss, [exclusive], new AbortController().signal);
  await sendTask(exclusive, {}, { key: "k" });
  await until("the first to run", () => runs === 1);
  await sendTask(exclusive, {}, { key: "k" });
  sent.resolve(undefined);
  await until("the end of both", async () => {
    const rows = await database.rows("SELECT 1 FROM pgboss.job WHERE name = 'exclusive' AND state < 'completed'");
    return rows.length === 0;
  });
  expect(
    await database.rows("SELECT state, count(*)::int FROM pgboss.job WHERE name = 'exclusive' GROUP BY 1"),
  ).toEqual([{ state: "completed", count: 2 }]);
  expect(runs).toBe(3);
});
