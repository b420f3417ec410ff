import type { Client } from "pg";
import { catalogueAdder } from "../contenders.ts";
import { copyOf, withClient, type Database } from "../data/dataset.ts";
import { fillActivity, type Choice } from "../data/waiting-activity.ts";
import { say } from "../lifetime.ts";
import { alternate, perSecond } from "../measure/alternate.ts";
import { spreadOf } from "../measure/spread.ts";
import { startOurs } from "../servers.ts";
import { comparison, rate, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

/** What the service takes at a time (app/activity/relay.server.ts). */
const BATCH = 5_000;

/** What the relay costs those who write, and how fast it is when much has come together. */
export async function relay(bench: Bench): Promise<Row[]> {
  return [
    await draining(bench, { choice: "popular", of: "of products by Zipf's law", atLeast: 20_000 }),
    await draining(bench, { choice: "another", of: "each of another product" }),
    await addingMeanwhile(bench),
  ];
}

async function addingMeanwhile({ options, generator, serverUrl, small }: Bench): Promise<Row> {
  const original = await small();
  // Both servers run all the time, and a relay takes whatever it finds in its database: each has its own.
  const relayed = await copyOf(serverUrl, original, "relayed");
  const waiting = await copyOf(serverUrl, original, "waiting");
  const contenders = [
    catalogueAdder("with the relay", await startOurs(relayed, options), relayed, "relayed"),
    catalogueAdder(
      "without",
      await startOurs(waiting, { ...options, settings: { WISHLIST_ROLE: "web" } }),
      waiting,
      "waiting",
    ),
  ] as const;
  const [a, b] = await alternate(generator, "POST add and the relay", contenders, options);
  return comparison("POST add, new item, the relay keeping up", a, { name: "without the relay", measured: b }, 0.85);
}

async function draining(
  { options, serverUrl, small }: Bench,
  { choice, of, atLeast = 0 }: { choice: Choice; of: string; atLeast?: number },
): Promise<Row> {
  const rows = options.quick ? 20_000 : 200_000;
  const database = await copyOf(serverUrl, await small(), "drained");
  const rates: number[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    await fillActivity(database, rows, choice);
    const seconds = await withClient(database.url, (client) => drain(client, database, rows));
    rates.push(rows / seconds);
    say(`relay of changes ${of}, round ${turn} of ${options.rounds}: ${perSecond(rows / seconds)}`);
  }
  const measured = spreadOf(rates);
  return {
    work: `Relay of ${rows.toLocaleString("en")} waiting changes ${of}, ${BATCH.toLocaleString("en")} at a time`,
    figure: rate(measured),
    against: "",
    ratio: "",
    required: atLeast ? `≥ ${perSecond(atLeast)}` : "",
    passed: measured.median >= atLeast,
  };
}

/** @returns seconds */
async function drain(client: Client, { shopId }: Database, rows: number): Promise<number> {
  const started = performance.now();
  let relayed = 0;
  for (let batch = BATCH; batch === BATCH; relayed += batch) {
    const result = await client.query<{ relayed: number }>({
      name: "relay",
      text: "SELECT relayed FROM relay(p_shop_id => $1, p_limit => $2, p_wait => true)",
      values: [shopId, BATCH],
    });
    batch = result.rows[0]?.relayed ?? 0;
  }
  const seconds = (performance.now() - started) / 1000;
  const { rows: sums } = await client.query<{ items: number }>(
    "SELECT sum(items_added)::integer AS items FROM product_daily WHERE shop_id = $1",
    [shopId],
  );
  if (relayed !== rows || sums[0]?.items !== rows) {
    throw new Error(`${relayed} of ${rows} rows were relayed, ${sums[0]?.items ?? 0} are in the rollups`);
  }
  return seconds;
}
