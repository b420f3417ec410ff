// `node bench/idle.ts`: what idle shops cost. Measures the processor time of one process of the service, with all roles, and of PostgreSQL while
// no client sends a request: with 1 installed shop and with 5,000, each with a key, a webhook, a finished product sync and some activity of days
// ago. `--minutes <n>` changes the length (3), `--shops <n>` the larger number.
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../server/postgres/database.ts";
import { provideDatabase, withClient, type Content } from "./data/dataset.ts";
import { onEnd, runProgram, say } from "./lifetime.ts";
import { processorTime, processorTimeOfTree, residentMemory } from "./measure/process.ts";
import { startService, stopServers } from "./servers.ts";

/** Seconds from the start of the service to the beginning of the measurement: what a start does once is not idle work. */
const WARM_UP_SECONDS = 45;
/** Processor time that a further idle shop may add, in milliseconds per minute for all of them together: 0.5 % of one core. */
const MAX_ADDED_MS = 300;

const { minutes: minutesText, shops: shopsText } = parseArgs({
  options: { minutes: { type: "string", default: "3" }, shops: { type: "string", default: "5000" } },
}).values;
const [minutes, many] = [Number(minutesText), Number(shopsText)];

/** Describes a database with idle shops, besides the one that each database has. */
function idleShops(count: number): Content {
  const others = "FROM shop s WHERE s.domain LIKE 'idle-%' AND $1::bigint > 0";
  return {
    name: `bench_idle_${count}`,
    described: `of ${count.toLocaleString("en")} idle shops`,
    statements: [
      `INSERT INTO shop (domain, time_zone, plan, catalog, authorized_at)
       SELECT 'idle-' || n || '.myshopify.com', (ARRAY['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'UTC'])[n % 4 + 1], 'growth', 'ready', now()
         FROM generate_series(1, ${count - 1}) AS n WHERE $1::bigint > 0`,
      `INSERT INTO api_key (shop_id, key_id, name, scopes, secret_hash, secret_hint) SELECT s.id, 'wlk_idle' || s.id, 'Idle', '{read_wishlists}', '', 'hint' ${others}`,
      `INSERT INTO catalog_sync (shop_id, started_at, finished_at) SELECT s.id, now() - interval '1 day', now() - interval '1 day' ${others}`,
      `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
       SELECT s.id, 'idle', 'https://erp.example.com/hooks', '{wishlist.item.added}', '', now() ${others}`,
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at)
       SELECT s.id, 'added', 'api', 'customer', n::text, n, 1, 1, 'p', 'v', now() - n * interval '1 day', current_date - n, now()
         FROM shop s, generate_series(5, 24) AS n WHERE s.domain LIKE 'idle-%' AND $1::bigint > 0`,
      `INSERT INTO daily_stats (shop_id, day, items_added) SELECT s.id, current_date - 5, 1 ${others}`,
    ],
  };
}

interface Idle {
  service: number;
  postgres: number;
  residentMb: number;
}

/** Returns the id of the postmaster, the parent of every PostgreSQL process. */
async function postmasterOf(url: string): Promise<number> {
  const backend = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number; text: string }>(
      "SELECT pg_read_file('postmaster.pid') AS text, pg_backend_pid() AS pid",
    );
    return rows[0];
  });
  const pid = Number(backend?.text.split("\n")[0]);
  // Fails unless PostgreSQL runs on this machine.
  await readFile(`/proc/${pid}/stat`);
  return pid;
}

/** Starts counting the statements of a database, or prints the most expensive ones since. */
async function statements(url: string, print: boolean): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    if (!print) {
      await client.query("SELECT pg_stat_statements_reset()");
      return;
    }
    const { rows } = await client.query<{ calls: number; ms: number; query: string }>(
      `SELECT calls::float8, total_exec_time AS ms, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS query
         FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        ORDER BY total_exec_time DESC LIMIT 12`,
    );
    for (const { calls, ms, query } of rows) {
      say(`${(calls / minutes).toFixed(0)} calls and ${(ms / minutes).toFixed(1)} ms per minute: ${query}`);
    }
  });
}

/** @returns milliseconds of processor time per minute */
async function measure(serverUrl: string, count: number): Promise<Idle> {
  const database = await provideDatabase(serverUrl, idleShops(count));
  const service = await startService(database, { profile: false });
  const postmaster = await postmasterOf(serverUrl);
  await pause(WARM_UP_SECONDS * 1_000);
  const read = async (): Promise<[number, number]> => [
    Number(await processorTime(service.pid)),
    await processorTimeOfTree(postmaster),
  ];
  await statements(database.url, false);
  const [serviceBefore, postgresBefore] = await read();
  await pause(minutes * 60_000);
  const [serviceAfter, postgresAfter] = await read();
  await statements(database.url, true);
  const residentMb = Number(await residentMemory(service.pid));
  await stopServers();
  return {
    service: (serviceAfter - serviceBefore) / minutes,
    postgres: (postgresAfter - postgresBefore) / minutes,
    residentMb,
  };
}

async function idle(): Promise<boolean> {
  const database = await openDatabase({
    dataDir: fileURLToPath(new URL("../.data/idle", import.meta.url)),
    role: "server",
    label: "idle",
    onProgress: say,
    settings: { shared_preload_libraries: "pg_stat_statements" },
  });
  onEnd(() => database.close());
  process.stdout.write("installed shops | service, ms of CPU per minute | PostgreSQL | RSS MB\n");
  const added: number[] = [];
  for (const count of [1, many]) {
    const { service, postgres, residentMb } = await measure(database.adminUrl, count);
    added.push(service + postgres);
    process.stdout.write(`${count} | ${service.toFixed(0)} | ${postgres.toFixed(0)} | ${residentMb.toFixed(0)}\n`);
  }
  const [one = NaN, all = NaN] = added;
  process.stdout.write(`added: ${(all - one).toFixed(0)} ms per minute, wanted ≤ ${MAX_ADDED_MS}\n`);
  return all - one <= MAX_ADDED_MS;
}

await runProgram(idle);
