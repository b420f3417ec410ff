// `node bench/soak.ts`: an hour of mixed load on one process of the service, with samples each minute. Fails when a line through the samples
// after the warm-up rises by more than the bounds below, or when a request fails. `--minutes <n>` and `--warm-up <n>` change the times,
// `--turns <n>` the rate.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../server/postgres/database.ts";
import { copyOf, provideDataset, provideShop, withClient, type Dataset } from "./data/dataset.ts";
import { SMALL, writingCustomers } from "./data/shape.ts";
import { isEnding, onEnd, runProgram, say } from "./lifetime.ts";
import { startMixedLoad, type MixedLoad, type MixedShop } from "./load/mixed.ts";
import type { Target } from "./load/workload.ts";
import { inspect, type Inspector } from "./measure/inspector.ts";
import { openDescriptors, processorTime, residentMemory } from "./measure/process.ts";
import { lineThrough, percentile } from "./measure/spread.ts";
import { exchange, startReceiver, startService } from "./servers.ts";
import { freePort } from "../tests/support/http/ports.ts";
import { resetReceiver } from "./webhooks/receiver.ts";
import { subscribe } from "./webhooks/subscriptions.ts";

const SHOPS = 3;
/** Access tokens are valid for an hour. */
const EXCHANGE_EVERY_MINUTES = 20;
const EVENTS = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"];

/** What is sampled each minute. Log-like tables grow until their retention, so tables are shown and not bounded. */
interface Sample {
  residentMb: number;
  heapMb: number;
  connections: number;
  descriptors: number;
  loopDelayMs: number;
}

/** How far the line through a sample's values may rise: a share of its beginning, or an amount, whichever is more. */
const BOUNDS: Record<keyof Sample, { share: number; amount: number }> = {
  residentMb: { share: 0.05, amount: 10 },
  heapMb: { share: 0.05, amount: 2 },
  connections: { share: 0, amount: 1 },
  descriptors: { share: 0, amount: 3 },
  loopDelayMs: { share: 0.1, amount: 2 },
};

const options = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    "warm-up": { type: "string", default: "15" },
    turns: { type: "string", default: "60" },
  },
}).values;
const [minutes, warmUp, turns] = [Number(options.minutes), Number(options["warm-up"]), Number(options.turns)];

/** Creates the shops and their webhooks. */
async function prepareShops(dataset: Dataset, service: Target, receiver: Target, secret: string): Promise<MixedShop[]> {
  const shops: MixedShop[] = [];
  for (let index = 0; index < SHOPS; index++) {
    const domain = `soak-${index}.myshopify.com`;
    const { key } = await provideShop(dataset.url, domain);
    const target = { ...service, token: await exchange(service.url, key) };
    const refresh = setInterval(() => {
      exchange(service.url, key).then(
        (token) => (target.token = token),
        (error: unknown) => {
          say(`the token exchange failed: ${String(error)}`);
        },
      );
    }, EXCHANGE_EVERY_MINUTES * 60_000);
    onEnd(async () => {
      clearInterval(refresh);
      await Promise.resolve();
    });
    const webhookId = await subscribe(target, `${receiver.url}/${index}`, EVENTS);
    shops.push({ target, proxy: { shop: domain, secret }, webhookId, customers: writingCustomers(dataset.shape) });
  }
  return shops;
}

interface Tables {
  connections: number;
  activity: number;
  deliveries: number;
  items: number;
  pending: number;
}

/** Counts the service's connections and reads table sizes in MB. */
async function readDatabase(url: string): Promise<Tables> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<Tables>(
      `SELECT (SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'wishlist%') AS connections,
              pg_total_relation_size('activity') / 1e6::float8 AS activity,
              (pg_total_relation_size('webhook_delivery') + pg_total_relation_size('webhook_attempt') + pg_total_relation_size('webhook_event')) / 1e6::float8 AS deliveries,
              pg_total_relation_size('wishlist_item') / 1e6::float8 AS items,
              (SELECT count(*)::integer FROM webhook_delivery WHERE status = 'pending') AS pending`,
    );
    if (!rows[0]) throw new Error("the database returned no row");
    return rows[0];
  });
}

const HEADER =
  "minute | requests/s | p50 / p99 ms | CPU | RSS MB | heap MB | connections | descriptors | loop p99 ms | activity, deliveries, items MB | pending";

async function sampleMinute(
  minute: number,
  { load, service, inspector, url }: { load: MixedLoad; service: Target; inspector: Inspector; url: string },
): Promise<Sample & { failed: number }> {
  const before = await processorTime(service.pid);
  await pause(60_000);
  const cpu = (Number(await processorTime(service.pid)) - Number(before)) / 60_000;
  const { requests, latencies, failures } = load.take();
  const loop = await inspector.eventLoopDelay();
  const heapMb = await inspector.heapAfterCollection();
  const tables = await readDatabase(url);
  const residentMb = await residentMemory(service.pid);
  if (residentMb === undefined) throw new Error("the service has ended");
  const sample = {
    residentMb,
    heapMb,
    connections: tables.connections,
    descriptors: await openDescriptors(service.pid),
    loopDelayMs: loop.p99,
  };
  const fields = [
    String(minute),
    (requests / 60).toFixed(0),
    `${percentile(latencies, 0.5).toFixed(1)} / ${percentile(latencies, 0.99).toFixed(1)}`,
    `${(cpu * 100).toFixed(0)} %`,
    residentMb.toFixed(1),
    heapMb.toFixed(2),
    String(tables.connections),
    String(sample.descriptors),
    loop.p99.toFixed(1),
    [tables.activity, tables.deliveries, tables.items].map((mb) => mb.toFixed(1)).join(", "),
    String(tables.pending),
  ];
  process.stdout.write(`${fields.join(" | ")}\n`);
  for (const failure of failures.slice(0, 3)) say(failure);
  return { ...sample, failed: failures.length };
}

/** @returns whether every line is flat within its bound */
function judge(samples: readonly Sample[]): boolean {
  const names: (keyof Sample)[] = ["residentMb", "heapMb", "connections", "descriptors", "loopDelayMs"];
  return names
    .map((name) => {
      const { from, to } = lineThrough(samples.map((sample) => sample[name]));
      const bound = Math.max(from * BOUNDS[name].share, BOUNDS[name].amount);
      const flat = to - from <= bound;
      process.stdout.write(
        `${name}: from ${from.toFixed(2)} to ${to.toFixed(2)}, may rise by ${bound.toFixed(2)}: ${flat ? "flat" : "RISES"}\n`,
      );
      return flat;
    })
    .every(Boolean);
}

async function soak(): Promise<boolean> {
  const database = await openDatabase({
    dataDir: fileURLToPath(new URL("../.data/soak", import.meta.url)),
    role: "server",
    label: "soak",
    onProgress: say,
  });
  onEnd(() => database.close());
  const dataset = await copyOf(database.adminUrl, await provideDataset(database.adminUrl, SMALL), "soak");
  const secret = randomBytes(16).toString("hex");
  const inspectorPort = await freePort();
  const receiver = await startReceiver();
  const service = await startService(dataset, {
    profile: false,
    nodeArguments: [`--inspect=127.0.0.1:${inspectorPort}`],
    settings: {
      NODE_ENV: "test",
      WEBHOOKS_ALLOW_LOOPBACK: "1",
      RATE_LIMIT_NEW_GUESTS_PER_HOUR: "999999999",
      SHOPIFY_API_KEY: randomBytes(16).toString("hex"),
      SHOPIFY_API_SECRET: secret,
      SHOPIFY_APP_URL: "https://wishlist.example.com",
    },
  });
  const inspector = await inspect(inspectorPort);
  const shops = await prepareShops(dataset, service, receiver, secret);
  const load = startMixedLoad(service.url, shops, turns);
  process.stdout.write(`${HEADER}\n`);
  const samples: Sample[] = [];
  let failed = 0;
  for (let minute = 1; minute <= minutes && !isEnding(); minute++) {
    const sample = await sampleMinute(minute, { load, service, inspector, url: dataset.url });
    failed += sample.failed;
    if (minute > warmUp) samples.push(sample);
    await resetReceiver(receiver);
  }
  await load.stop();
  inspector.close();
  process.stdout.write(`failed requests: ${failed}\n`);
  return judge(samples) && failed === 0;
}

await runProgram(soak);
