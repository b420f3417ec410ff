import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { z } from "zod";
import { copyOf, provideShop, withClient, type Database } from "../data/dataset.ts";
import { pageCustomers } from "../data/shape.ts";
import { launch, say } from "../lifetime.ts";
import { PAGE_LIMIT, type Target } from "../load/workload.ts";
import { percentile, spreadOf, type Spread } from "../measure/spread.ts";
import { exchange, startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const STORM = fileURLToPath(new URL("../storm.ts", import.meta.url));
const STORMING = "storming.myshopify.com";
const CUSTOMER = "storming-customer";
const MAX_RATIO = 1.2;
const READS_PER_SECOND = 100;
/** Milliseconds for which the storming shop's locks are alternately held, as by an erasure or a large import, and free. */
const HOLD_MS = 200;
const RELEASE_MS = 20;

const CASES = ["idle", "waiting", "working", "reading"] as const;
type Case = (typeof CASES)[number];

/** Changes of the storming shop, each with the largest details: more than a page holds. */
const CHANGES = 1_000;

/** Measures how a request storm of one shop slows down readers of another: while the storm waits for locks, while it runs freely, and while it reads changes. */
export async function fairness({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "fairness");
  const storming = { ...dataset, ...(await provideShop(dataset.url, STORMING)) };
  await prepare(storming);
  const service = await startService(dataset, options);
  const stormingToken = await exchange(service.url, storming.key);
  const customers = pageCustomers(dataset.shape);
  // Many short rounds, because other load on the machine changes from minute to minute.
  const turns = options.quick ? options.rounds : 3 * options.rounds;
  const seconds = Math.ceil(options.seconds / 2);

  const measure = async (name: Case): Promise<number> => {
    const reading = (): Promise<number[]> => readAtRate(service, customers, seconds);
    const target = { ...service, token: stormingToken };
    const storm = (): Promise<number[]> => duringStorm(target, name === "reading" ? "changes" : "mixed", reading);
    const delays = name === "idle" ? reading() : name === "waiting" ? whileLocked(storming, storm) : storm();
    return percentile(await delays, 0.99);
  };
  say("fairness: warming up");
  for (const name of CASES) await measure(name);
  const p99: Record<Case, number[]> = { idle: [], waiting: [], working: [], reading: [] };
  for (let turn = 1; turn <= turns; turn++) {
    for (const name of CASES) {
      await prepare(storming);
      p99[name].push(await measure(name));
    }
    const line = Object.entries(p99).map(([name, values]) => `${name} ${milliseconds(values.at(-1) ?? NaN)}`);
    say(`fairness, round ${turn} of ${turns}: p99 of another shop's page: ${line.join(", ")}`);
  }
  const idle = spreadOf(p99.idle);
  const row = (work: string, measured: Spread, atMost?: number): Row => ({
    work,
    figure: range(measured),
    against: `idle ${range(idle)}`,
    ratio: `${(measured.median / idle.median).toFixed(2)} ×`,
    required: atMost === undefined ? "" : `≤ ${atMost} ×`,
    passed: measured.median <= idle.median * (atMost ?? Infinity),
  });
  return [
    row("p99 of a page while another shop has 30 calls waiting for its locks", spreadOf(p99.waiting), MAX_RATIO),
    row("the same while those 30 calls work as fast as they can", spreadOf(p99.working)),
    row("the same while 60 callers read that shop's changes, pages of 1 MB", spreadOf(p99.reading)),
  ];
}

function range({ median, min, max }: Spread): string {
  return `${milliseconds(median)} (${min.toFixed(1)}–${max.toFixed(1)})`;
}

/** Empties the wishlist that the storm writes to, removes its cap, and writes changes to read. */
async function prepare({ url, shopId }: Database): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("ALTER TABLE shop DROP CONSTRAINT IF EXISTS shop_item_cap_check");
    await client.query("UPDATE shop SET item_cap = 1000000000 WHERE id = $1", [shopId]);
    for (const table of ["activity", "wishlist_item", "wishlist"])
      await client.query(`DELETE FROM ${table} WHERE shop_id = $1`, [shopId]);
    await client.query("SELECT wishlist_add($1, 'customer', $2, 'first', 'first', 'api', now())", [shopId, CUSTOMER]);
    await client.query(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, data, at, day)
       SELECT $1, 'added', 'api', 'customer', $2, id, 1, 1, n, n, jsonb_build_object('note', repeat('x', 4000)), now(), current_date
         FROM wishlist, generate_series(1, $3) AS n WHERE shop_id = $1 AND owner_id = $2`,
      [shopId, CUSTOMER, CHANGES],
    );
    await client.query("VACUUM activity, wishlist_item, wishlist");
  });
}

/** Reads pages at a steady rate. @returns the milliseconds of each read */
async function readAtRate({ url, token }: Target, customers: readonly string[], seconds: number): Promise<number[]> {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const headers = { authorization: `Bearer ${token ?? ""}` };
  const read = async (n: number, due: number): Promise<number> => {
    const path = `/v1/wishlists/${customers[n % customers.length] ?? ""}?limit=${PAGE_LIMIT}`;
    const response = await pool.request({ method: "GET", path, headers });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${path} responded with ${response.statusCode}: ${text}`);
    // Measured from the scheduled time, so that a stall counts for every request that it delays.
    return performance.now() - due;
  };
  const reads: Promise<number>[] = [];
  const started = performance.now();
  for (let n = 0; n < READS_PER_SECOND * seconds; n++) {
    const due = started + (n * 1000) / READS_PER_SECOND;
    await pause(Math.max(0, due - performance.now()));
    reads.push(read(n, due));
  }
  const delays = await Promise.all(reads);
  await pool.close();
  return delays;
}

const statuses = z.record(z.string(), z.number());

/** Runs `work` while clients of a shop, in a separate process, send requests without a pause. */
async function duringStorm<T>({ url, token }: Target, calls: "mixed" | "changes", work: () => Promise<T>): Promise<T> {
  const storm = launch(process.execPath, [STORM], {
    env: { NODE_ENV: "production", URL: url, TOKEN: token ?? "", CUSTOMER, CALLS: calls },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!storm.stdout) throw new Error("the storm has no standard output");
  const lines = createInterface({ input: storm.stdout })[Symbol.asyncIterator]();
  await lines.next();
  // Time for all clients to start.
  await pause(500);
  const done = await work();
  const exited = once(storm, "exit");
  storm.kill("SIGTERM");
  const counts = statuses.parse(JSON.parse(String((await lines.next()).value)));
  await exited;
  if (!(Number(counts["200"]) > 0)) throw new Error(`the storm got no 200: ${JSON.stringify(counts)}`);
  return done;
}

/** Runs `work` while the shop's locks are held most of the time. */
async function whileLocked<T>({ url, shopId }: Database, work: () => Promise<T>): Promise<T> {
  let stopped = false;
  const holding = withClient(url, async (client) => {
    while (!stopped) {
      await client.query("BEGIN");
      await client.query("SELECT pg_advisory_xact_lock(advisory_lock_key('outbox', $1::text))", [shopId]);
      await client.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = $2 FOR UPDATE", [shopId, CUSTOMER]);
      await pause(HOLD_MS);
      await client.query("COMMIT");
      await pause(RELEASE_MS);
    }
  });
  try {
    return await work();
  } finally {
    stopped = true;
    await holding;
  }
}
