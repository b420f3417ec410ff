import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { copyOf, provideShop, type Database } from "../data/dataset.ts";
import { fillFeed } from "../data/feed.ts";
import { say } from "../lifetime.ts";
import { openStreams } from "../load/event-streams.ts";
import type { Target } from "../load/workload.ts";
import { perSecond } from "../measure/alternate.ts";
import { residentMemory } from "../measure/process.ts";
import { percentile, spreadOf } from "../measure/spread.ts";
import { startService } from "../servers.ts";
import { milliseconds, rate, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const MIN_PER_SECOND = 50_000;
const PAGE = 1_000;

const pageSchema = z.object({
  data: z.object({ changes: z.array(z.unknown()), nextCursor: z.string(), hasMore: z.boolean() }),
});

/** Measures how fast one client reads the whole change feed, page by page. */
export async function replay({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const changes = options.quick ? 100_000 : 1_000_000;
  const database = await copyOf(serverUrl, await small(), "feed");
  await fillFeed(database, changes);
  const service = await startService(database, options);
  const encodings = ["identity", "br"] as const;
  const rates = { identity: [] as number[], br: [] as number[] };
  for (let turn = 1; turn <= options.rounds; turn++) {
    for (const encoding of encodings) {
      const started = performance.now();
      const read = await readAll(service, encoding);
      if (read !== changes) throw new Error(`${read} of ${changes} changes were read`);
      const measured = changes / ((performance.now() - started) / 1_000);
      rates[encoding].push(measured);
      say(`replay (${encoding}), round ${turn} of ${options.rounds}: ${perSecond(measured)}`);
    }
  }
  return encodings.map((encoding) => {
    const measured = spreadOf(rates[encoding]);
    const how = encoding === "br" ? ", compressed" : "";
    return {
      work: `Replay of ${changes.toLocaleString("en")} changes, ${PAGE.toLocaleString("en")} a page, one client${how}`,
      figure: rate(measured),
      against: "",
      ratio: "",
      required: `≥ ${perSecond(MIN_PER_SECOND)}`,
      passed: measured.median >= MIN_PER_SECOND,
    };
  });
}

async function readAll({ url, token = "" }: Target, encoding: string): Promise<number> {
  let read = 0;
  for (let since = ""; ;) {
    const response = await fetch(`${url}/v1/changes?limit=${PAGE}${since}`, {
      headers: { authorization: `Bearer ${token}`, "accept-encoding": encoding },
    });
    const { data } = pageSchema.parse(await response.json());
    read += data.changes.length;
    if (!data.hasMore) return read;
    since = `&since=${data.nextCursor}`;
  }
}

const MAX_KB = 40;
const MAX_IDLE_MB = 200;
const MAX_P50 = 30;
const MAX_P99 = 150;
const PAUSE_MS = 20;
/** Shops of the second half of the streams: one shop has no more than half of a process's. */
const OTHER_SHOPS = 5;
/** Seconds until the memory of new streams is measured: the garbage of their requests is collected by then. */
const CALM_SECONDS = 20;

/** Measures the memory of open streams of customers, and the time from a change at one process to a stream of another. */
export async function streams({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const database = await copyOf(serverUrl, await small(), "streams");
  const serving = await startService(database, { ...options, settings: { WISHLIST_ROLE: "web" } });
  const changing = await startService(database, options);
  const counts = options.quick ? [500, 1_000] : [5_000, 10_000];
  const [first = 0, second = 0] = counts;
  const tokens = await customerTokens(serving, database, first);
  const others: string[] = [];
  for (let n = 0; n < OTHER_SHOPS; n++) {
    const shop = await provideShop(database.url, `streams-${n}.myshopify.com`);
    others.push(...(await customerTokens(serving, shop, (second - first) / OTHER_SHOPS)));
  }

  await pause(options.quick ? 1_000 : CALM_SECONDS * 1_000);
  const before = await memoryOf(serving);
  const open = await openStreams(serving.url, tokens);
  await pause(options.quick ? 1_000 : CALM_SECONDS * 1_000);
  const each = ((await memoryOf(serving)) - before) / first;
  const times = await latencies(changing, open, options.quick ? 100 : 1_000, first);
  const more = await openStreams(serving.url, others);
  await pause(options.quick ? 1_000 : CALM_SECONDS * 1_000);
  const all = await memoryOf(serving);
  open.close();
  more.close();

  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const row = (work: string, figure: string, required: string, passed: boolean): Row => ({
    work,
    figure,
    against: "",
    ratio: "",
    required,
    passed,
  });
  const mb = all - before;
  return [
    row(
      `Memory of a stream, ${first.toLocaleString("en")} open`,
      `${(each * 1_000).toFixed(1)} kB`,
      `≤ ${MAX_KB} kB`,
      each * 1_000 <= MAX_KB,
    ),
    row(
      `Memory of ${second.toLocaleString("en")} idle streams`,
      `${mb.toFixed(0)} MB (process ${all.toFixed(0)} MB)`,
      `≤ ${MAX_IDLE_MB} MB`,
      mb <= MAX_IDLE_MB,
    ),
    row(
      `From a change to a stream of another process, ${first.toLocaleString("en")} open`,
      `median ${milliseconds(p50)}, p99 ${milliseconds(p99)}`,
      `≤ ${MAX_P50} ms, ≤ ${MAX_P99} ms`,
      p50 <= MAX_P50 && p99 <= MAX_P99,
    ),
  ];
}

async function memoryOf({ pid }: Target): Promise<number> {
  const mb = await residentMemory(pid);
  if (mb === undefined) throw new Error("the service has ended");
  return mb;
}

function customerOf(index: number): string {
  return String(6_000_000_000_000 + index);
}

const exchanged = z.object({ data: z.object({ token: z.string() }) });

/** Returns a token for each of a number of customers. */
async function customerTokens({ url }: Target, { key }: Pick<Database, "key">, count: number): Promise<string[]> {
  const tokens: string[] = [];
  const exchange = async (customer: string): Promise<string> => {
    const response = await fetch(`${url}/v1/auth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ api_key: key.keyId, api_secret: key.secret, customer_id: customer }),
    });
    return exchanged.parse(await response.json()).data.token;
  };
  while (tokens.length < count) {
    const places = Array.from({ length: Math.min(50, count - tokens.length) }, (_, n) => tokens.length + n);
    tokens.push(...(await Promise.all(places.map((index) => exchange(customerOf(index))))));
  }
  return tokens;
}

/** Returns the milliseconds from each request for a change to the arrival of the change. */
async function latencies(
  { url, token = "" }: Target,
  open: Awaited<ReturnType<typeof openStreams>>,
  changes: number,
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < changes; n++) {
    const index = (n * 7_919) % count;
    const product = String(9_000_000_000_000 + n);
    const arrival = open.arrival(index, product);
    const started = performance.now();
    const response = await fetch(`${url}/v1/wishlists/${customerOf(index)}/items`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ product_id: product, variant_id: product }),
    });
    if (!response.ok) throw new Error(`an add responded with ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    times.push((await arrival) - started);
    await pause(PAUSE_MS);
  }
  return times;
}
