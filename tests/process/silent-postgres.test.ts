// @module-tag matrix

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUnavailable } from "../../app/platform/database/errors.server.ts";
import { countErrors } from "../../app/platform/metrics/database.server.ts";
import { scrape } from "../../app/platform/metrics/metrics.server.ts";
import { watchedBy, type WatchedClient } from "../../app/platform/database/watched-client.server.ts";
import { samplesOf, valueOf } from "../support/app/metrics.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";

const SILENCE_MS = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** Connects as the pools do while work holds the connection. */
async function connect(name: string): Promise<WatchedClient> {
  const Client = watchedBy(SILENCE_MS);
  const client = new Client({ connectionString: database.url, application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function isConnected(name: string): Promise<boolean> {
  const rows = await database.rows("SELECT 1 FROM pg_stat_activity WHERE application_name = $1", [name]);
  return rows.length > 0;
}

test("a statement without a response is refused as unavailable and ends on the server", async () => {
  const client = await connect("silent");
  client.inUse = true;
  const error = await client.query("SELECT pg_sleep(600)").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isUnavailable(error)).toBe(true);
  // Without the request to cancel, PostgreSQL would sleep on.
  await until("the statement to end on the server", async () => !(await isConnected("silent")));
});

test("a silent connection of a pool counts once, as silent", async () => {
  const pool = new pg.Pool({ Client: watchedBy(SILENCE_MS), connectionString: database.url });
  countErrors("request", pool);
  pool.on("error", () => undefined);
  const lost = async (reason: string): Promise<number | undefined> =>
    valueOf(samplesOf(await scrape()), "wishlist_database_connections_lost_total", { class: "request", reason });
  const [closed, silent = 0] = [await lost("closed"), await lost("silent")];
  pool.on("acquire", (client) => Object.assign(client, { inUse: true }));
  await expect(pool.query("SELECT pg_sleep(600)")).rejects.toThrow("did not respond");
  await pool.end();
  expect({ closed: await lost("closed"), silent: await lost("silent") }).toEqual({ closed, silent: silent + 1 });
});

test("a connection that no work holds may be silent", async () => {
  const idle = await connect("idle");
  const held = await connect("held");
  held.inUse = true;
  // Held later and for as long, so that the idle connection's time is up as well.
  await expect(held.query("SELECT pg_sleep(600)")).rejects.toThrow("did not respond");
  const { rows } = await idle.query<{ one: number }>("SELECT 1 AS one");
  expect(rows).toEqual([{ one: 1 }]);
  await idle.end();
});
