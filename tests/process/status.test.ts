import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { needs } from "../support/programs/needs.ts";
import { redisServer } from "../support/programs/programs.ts";
import { startRedis } from "../support/programs/redis.ts";
import { startService, type Service } from "../support/app/service.ts";
import { cli, command, killCommands, type Ended } from "./fixtures/commands.ts";
import { MATRIX } from "../support/matrix.ts";

let service: Service;
let env: { DATABASE_URL: string };

beforeAll(async () => {
  service = await startService();
  env = { DATABASE_URL: service.database.url };
});
afterAll(async () => {
  await killCommands();
  await service.dispose();
});

const reported = z.object({
  problems: z.array(z.object({ alert: z.string(), message: z.string() })),
  unreadable: z.array(z.string()),
  unreachable: z.string().optional(),
  failed: z.array(z.object({ part: z.string(), message: z.string() })),
  jobs: z.array(z.unknown()).optional(),
});

/** Returns what `status --json` reports, and its exit code. */
function report({ code, stdout, stderr }: Ended): z.infer<typeof reported> & { code: number; alerts: string[] } {
  expect(stderr).toBe("");
  const found = reported.parse(JSON.parse(stdout));
  return { ...found, code, alerts: found.problems.map(({ alert }) => alert) };
}

/** Works on a copy of a database without any process. */
async function withDatabase(
  options: { empty: boolean },
  work: (database: TestDatabase) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(options);
  try {
    await work(database);
  } finally {
    await database.drop();
  }
}

test("status of a running service shows it and ends with 0", async () => {
  const { code, stdout, stderr } = await cli(env, "status");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Database {6}PostgreSQL \d+\.\d+, \d+ of \d+ connections$/m);
  expect(stdout).toMatch(/^Schema {8}up to date \(\d+ migrations?\)$/m);
  expect(stdout).toMatch(/^Processes {5}1 all, 0 web, 0 worker$/m);
  expect(stdout).toMatch(/^Outbox {8}0 unprocessed$/m);
  expect(stdout).toMatch(/^TABLE +SIZE +ROWS \(ESTIMATED\)$/m);
  expect(stdout).toMatch(/\n\nNo problems\.\n$/);
});

test("status names what needs attention, with its section of the runbook, and ends with 1", async () => {
  await withDatabase({ empty: false }, async (database) => {
    await database.rows(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
       VALUES (1, 'added', 'api', 'customer', 'c', 1, 1, 1, 'p', 'v', now() - interval '1 hour', now())`,
    );
    const { code, stdout } = await command({ DATABASE_URL: database.url }, "status");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Outbox {8}1 unprocessed, the oldest for 60 min$/m);
    expect(stdout).toContain(
      "Problems:\n  - No process with the role web or all is connected: no request gets a response.\n" +
        "    docs/runbook.md#wishlistnoweb\n  - No process with the role worker or all is connected: changes reach no report and no webhook.\n" +
        "    docs/runbook.md#wishlistnoworker\n  - The outbox is 60 min behind.\n    docs/runbook.md#wishlistoutboxlag\n",
    );
  });
});

test("status finds late and failing jobs, unclaimed deliveries, a stuck sync and failed tasks", async () => {
  await withDatabase({ empty: false }, async (database) => {
    // Creates pg-boss's tables.
    await (await startService({ database })).stop();
    await database.rows(
      `WITH one AS (INSERT INTO shop (domain) VALUES ('one.myshopify.com') RETURNING id),
            job AS (INSERT INTO shop_maintenance (shop_id, job, due_at, failures)
                    SELECT id, 'retention', now() - interval '7 hours', 1 FROM one),
            sync AS (INSERT INTO catalog_sync (shop_id, started_at) SELECT id, now() - interval '8 hours' FROM one)
       INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at, due_at)
       SELECT id, 'we_1', 'https://example.com', '{}', '', now(), now() - interval '5 minutes' FROM one`,
    );
    await database.rows("UPDATE pgboss.queue SET ready_count = 1001, failed_count = 2 WHERE name = 'shop-refresh'");
    await database.rows(
      `INSERT INTO pgboss.job (name, state, completed_on)
       VALUES ('shop-refresh', 'failed', now() - interval '10 minutes'), ('shop-refresh', 'failed', now() - interval '2 hours')`,
    );
    const { code, problems } = report(await command({ DATABASE_URL: database.url }, "status", "--json"));
    expect(code).toBe(1);
    expect(problems.filter(({ alert }) => !alert.startsWith("WishlistNo"))).toEqual([
      {
        alert: "WishlistDeliveriesUnclaimed",
        message: "Webhooks with due deliveries have waited for a process for 5 min.",
      },
      { alert: "WishlistSyncStuck", message: "A product sync has been unfinished for 8 h." },
      { alert: "WishlistJobLate", message: "The job retention has been due for a shop for 7 h." },
      { alert: "WishlistJobFailing", message: "The last run of the job retention failed for 1 shop." },
      { alert: "WishlistTasksWaiting", message: "1001 tasks of shop-refresh wait to be started." },
      { alert: "WishlistTasksFailed", message: "1 task of shop-refresh failed for good within the last hour." },
    ]);
  });
});

test("status finds that no process serves requests beside a worker", MATRIX, async () => {
  await withDatabase({ empty: false }, async (database) => {
    const worker = await startService({ database, env: { WISHLIST_ROLE: "worker" } });
    const found = report(await command({ DATABASE_URL: database.url }, "status", "--json"));
    await worker.stop();
    expect(found).toMatchObject({ code: 1, alerts: ["WishlistNoWeb"] });
  });
});

test("status tells whether Redis responds", { ...needs(redisServer), ...MATRIX }, async () => {
  const redis = await startRedis();
  const responding = await command({ ...env, REDIS_URL: redis.url }, "status");
  redis.hang();
  const hanging = report(await command({ ...env, REDIS_URL: redis.url }, "status", "--json"));
  redis.resume();
  await redis.stop();
  const away = await command({ ...env, REDIS_URL: redis.url }, "status");
  expect(responding.stdout).toMatch(/^Redis {9}responds$[^]*\nNo problems\.\n$/m);
  expect(hanging).toMatchObject({ code: 1, alerts: ["WishlistRedisDown"] });
  expect([away.code, away.stderr]).toEqual([1, ""]);
  expect(away.stdout).toMatch(/^Redis {9}does not respond: connect ECONNREFUSED /m);
  expect(away.stdout).toContain("docs/runbook.md#wishlistredisdown");
});

test("status of a database without the schema says so and changes nothing", MATRIX, async () => {
  await withDatabase({ empty: true }, async (database) => {
    const { code, alerts, unreadable } = report(await command({ DATABASE_URL: database.url }, "status", "--json"));
    expect({ code, alerts }).toEqual({ code: 1, alerts: ["WishlistSchema", "WishlistNoWeb", "WishlistNoWorker"] });
    expect(unreadable).toEqual(["shops", "outbox", "deliveries", "webhooks", "jobs"]);
    expect(await database.rows("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  });
});

test("status of a database of a newer release shows what this release can read", MATRIX, async () => {
  await withDatabase({ empty: false }, async (database) => {
    await database.rows("ALTER TABLE catalog_sync RENAME TO product_sync");
    await database.rows(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ('later', '', '20990101000000_later', now(), now(), 1)`,
    );
    const { code, stdout } = await command({ DATABASE_URL: database.url }, "status");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Schema {8}newer than this release: it has 20990101000000_later$/m);
    expect(stdout).toMatch(/^Shops {9}unknown: the database has another schema than this release$/m);
    expect(stdout).toMatch(/^Outbox {8}0 unprocessed$/m);
  });
});

test("status names the parts that it cannot read and shows all others", MATRIX, async () => {
  await withDatabase({ empty: false }, async (database) => {
    await database.rows(
      "CREATE FUNCTION fails(code text, message text) RETURNS boolean STABLE LANGUAGE plpgsql AS $$ BEGIN RAISE '%', message USING ERRCODE = code; END $$",
    );
    for (const [table, code, message] of [
      ["activity", "42501", "permission denied for table activity"],
      ["webhook_endpoint", "57014", "canceling statement due to user request"],
    ] as const) {
      await database.rows(`ALTER TABLE ${table} RENAME TO ${table}_hidden`);
      await database.rows(`CREATE VIEW ${table} AS SELECT * FROM ${table}_hidden WHERE fails('${code}', '${message}')`);
    }
    const [words, asJson] = await Promise.all([
      command({ DATABASE_URL: database.url }, "status"),
      command({ DATABASE_URL: database.url }, "status", "--json"),
    ]);
    expect(words.stdout).toMatch(/^Outbox {8}unknown: permission denied for table activity$/m);
    expect(words.stdout).toMatch(/^Schema {8}up to date/m);
    const { code, unreachable, failed, alerts, jobs } = report(asJson);
    const cancelled = "canceling statement due to user request";
    expect({ code, unreachable, failed }).toEqual({
      code: 1,
      unreachable: undefined,
      failed: [
        { part: "outbox", message: "permission denied for table activity" },
        { part: "deliveries", message: cancelled },
        { part: "webhooks", message: cancelled },
      ],
    });
    expect(alerts).toEqual([...failed.map(() => "WishlistStatusIncomplete"), "WishlistNoWeb", "WishlistNoWorker"]);
    expect(jobs).toEqual([]);
  });
});

test("status of an unreachable database says so and ends with 1", async () => {
  const found = report(await command({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, "status", "--json"));
  expect(found).toMatchObject({ code: 1, alerts: ["WishlistDatabaseUnreachable"] });
  expect(found.unreachable).toMatch(/^The database cannot be reached \(.*ECONNREFUSED.*\)\. Check DATABASE_URL\.$/);
});
