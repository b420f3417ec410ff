import type { Client } from "pg";
import { catalogAdder } from "../contenders.ts";
import { copyOf, withClient, type Database } from "../data/dataset.ts";
import { fillActivity, type Choice } from "../data/unprocessed-activity.ts";
import { say } from "../lifetime.ts";
import { alternate, perSecond } from "../measure/alternate.ts";
import { spreadOf } from "../measure/spread.ts";
import { startService } from "../servers.ts";
import { comparison, rate, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

/** Rows per transaction of the service (app/activity/outbox.server.ts). */
const BATCH = 5_000;

/** Measures what the outbox processor costs writers, and how fast it processes a backlog. */
export async function outbox(bench: Bench): Promise<Row[]> {
  return [
    await backlog(bench, { choice: "popular", of: "of products by Zipf's law", atLeast: 20_000 }),
    await backlog(bench, { choice: "another", of: "each of another product" }),
    await addingMeanwhile(bench),
  ];
}

async function addingMeanwhile({ options, generator, serverUrl, small }: Bench): Promise<Row> {
  const original = await small();
  // Each server has its own database, because an outbox processor takes whatever it finds.
  const processed = await copyOf(serverUrl, original, "processed");
  const unprocessed = await copyOf(serverUrl, original, "unprocessed");
  const contenders = [
    catalogAdder("with the outbox processor", await startService(processed, options), processed, "processed"),
    catalogAdder(
      "without",
      await startService(unprocessed, { ...options, settings: { WISHLIST_ROLE: "web" } }),
      unprocessed,
      "unprocessed",
    ),
  ] as const;
  const [a, b] = await alternate(generator, "POST add and the outbox", contenders, options);
  return comparison(
    "POST add, new item, the outbox processor keeping up",
    a,
    { name: "without it", measured: b },
    0.85,
  );
}

async function backlog(
  { options, serverUrl, small }: Bench,
  { choice, of, atLeast = 0 }: { choice: Choice; of: string; atLeast?: number },
): Promise<Row> {
  const rows = options.quick ? 20_000 : 200_000;
  const database = await copyOf(serverUrl, await small(), "backlog");
  const rates: number[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    await fillActivity(database, rows, choice);
    const seconds = await withClient(database.url, (client) => processAll(client, database, rows));
    rates.push(rows / seconds);
    say(`outbox of changes ${of}, round ${turn} of ${options.rounds}: ${perSecond(rows / seconds)}`);
  }
  const measured = spreadOf(rates);
  return {
    work: `Outbox of ${rows.toLocaleString("en")} changes ${of}, ${BATCH.toLocaleString("en")} at a time`,
    figure: rate(measured),
    against: "",
    ratio: "",
    required: atLeast ? `≥ ${perSecond(atLeast)}` : "",
    passed: measured.median >= atLeast,
  };
}

/** @returns seconds */
async function processAll(client: Client, { shopId }: Database, rows: number): Promise<number> {
  const started = performance.now();
  let processed = 0;
  for (let batch = BATCH; batch === BATCH; processed += batch) {
    const result = await client.query<{ processed: number }>({
      name: "outbox_process",
      text: "SELECT processed FROM outbox_process(p_shop_id => $1, p_limit => $2, p_wait => true)",
      values: [shopId, BATCH],
    });
    batch = result.rows[0]?.processed ?? 0;
  }
  const seconds = (performance.now() - started) / 1000;
  const { rows: sums } = await client.query<{ items: number }>(
    "SELECT sum(items_added)::integer AS items FROM product_daily WHERE shop_id = $1",
    [shopId],
  );
  if (processed !== rows || sums[0]?.items !== rows) {
    throw new Error(`${processed} of ${rows} rows were processed, ${sums[0]?.items ?? 0} are in the rollups`);
  }
  return seconds;
}
