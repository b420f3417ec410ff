import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { copyOf, provideDatabase, provideShop, withClient, type Database } from "../data/dataset.ts";
import { dropPrice, ownersContent, readFanOut, resetAlerts } from "../data/owners.ts";
import { say } from "../lifetime.ts";
import { percentile, spreadOf, type Spread } from "../measure/spread.ts";
import type { Bench } from "./bench.ts";
import { exchange, startReceiver, startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import { delaysOfOtherShop } from "../webhooks/delays.ts";
import { resetReceiver } from "../webhooks/receiver.ts";
import { subscribe } from "../webhooks/subscriptions.ts";

const MAX_RATIO = 1.2;
const PER_SECOND = 50;
const OTHER = "/other";
const ALERTS = "/alerts";
/** Milliseconds in which attempts in progress end after a round. */
const LAST_ATTEMPTS_MS = 2_000;

/** What happens meanwhile: nothing, the fan-out alone, or also the sending and delivery of its alerts. */
type Case = "idle" | "fan-out" | "delivery";

/** Measures the delay of another shop's webhooks while the alerts of a million owners are created, and while they are delivered as well. */
export async function besideFanOut({ options, serverUrl }: Bench): Promise<Row[]> {
  const owners = options.quick ? 100_000 : 1_000_000;
  const database = await copyOf(serverUrl, await provideDatabase(serverUrl, ownersContent(owners)), "beside");
  const other = await provideShop(database.url, "other.myshopify.com");
  const settings = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };
  const service = await startService(database, { ...options, settings });
  const receiver = await startReceiver();
  const otherService = { ...service, token: await exchange(service.url, other.key) };
  await subscribe(otherService, receiver.url + OTHER, ["wishlist.item.added"]);
  await subscribe(service, receiver.url + ALERTS, ["wishlist.alert.price_dropped"]);
  const seconds = options.quick ? 3 : 10;

  const p95s: Record<Case, number[]> = { idle: [], "fan-out": [], delivery: [] };
  await withClient(database.url, async (client) => {
    // The first round is a warm-up.
    for (let turn = 0; turn <= options.rounds; turn++) {
      for (const name of ["idle", "fan-out", "delivery"] as const) {
        await resetAlerts(client, database, { digest: name === "fan-out" });
        if (name !== "idle") await begin(client, database);
        const p95 = percentile(
          await delaysOfOtherShop(otherService, receiver, { watched: [OTHER], perSecond: PER_SECOND, seconds }),
          0.95,
        );
        if (name !== "idle") await end(client, database);
        if (turn > 0) p95s[name].push(p95);
        say(`deliveries of another shop, round ${turn} of ${options.rounds}, ${name}: p95 ${milliseconds(p95)}`);
        await pause(LAST_ATTEMPTS_MS);
        await resetReceiver(receiver);
      }
    }
  });
  const idle = spreadOf(p95s.idle);
  const range = ({ median, min, max }: Spread): string =>
    `${milliseconds(median)} (${min.toFixed(1)}–${max.toFixed(1)})`;
  const row = (work: string, beside: Spread): Row => ({
    work,
    figure: range(beside),
    against: `without ${range(idle)}`,
    ratio: `${(beside.median / idle.median).toFixed(2)} ×`,
    required: `≤ ${MAX_RATIO} ×`,
    passed: beside.median <= idle.median * MAX_RATIO,
  });
  const work = "p95 of another shop's webhooks during";
  return [
    row(`${work} a fan-out to ${owners.toLocaleString("en")} owners`, spreadOf(p95s["fan-out"])),
    row(`${work} it and the delivery of its alerts`, spreadOf(p95s.delivery)),
  ];
}

async function begin(client: Client, database: Database): Promise<void> {
  await dropPrice(client, database);
  while (((await readFanOut(client, database))?.alerts ?? 0) === 0) await pause(50);
}

/** Ends the fan-out. @throws when it was over before */
async function end(client: Client, database: Database): Promise<void> {
  const { rowCount } = await client.query(
    "UPDATE alert_occurrence SET status = 'cancelled', finished_at = now() WHERE shop_id = $1 AND status = 'open'",
    [database.shopId],
  );
  if (rowCount !== 1) throw new Error("the fan-out ended before the round");
}
