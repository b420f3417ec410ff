import { copyOf, type Dataset } from "../data/dataset.ts";
import { addAtOnce, deliveryTime, deleteDeliveries } from "../data/deliveries.ts";
import { writingCustomers } from "../data/shape.ts";
import { say } from "../lifetime.ts";
import type { Target } from "../load/workload.ts";
import { perSecond } from "../measure/alternate.ts";
import { percentile, spreadOf } from "../measure/spread.ts";
import { startService, startReceiver } from "../servers.ts";
import { milliseconds, rate, type Row } from "../table.ts";
import { bareLoop } from "../webhooks/bare-loop.ts";
import { delaysOfAdds } from "../webhooks/delays.ts";
import { delaysAt, resetReceiver } from "../webhooks/receiver.ts";
import { whileSubscribed } from "../webhooks/subscriptions.ts";
import type { Bench } from "./bench.ts";

const MIN_PER_SECOND = { single: 4_000, batched: 40_000 } as const;
const MAX_MEDIAN_MS = 20;
const MAX_P99_MS = 100;
/** Limits for the delay of other receivers while one hangs: a ratio, or additional milliseconds. */
const HANG = { ratio: 1.2, ms: 10 };

const PER_SECOND = 50;
const ENDPOINTS = 10;
const NINE_PATHS = Array.from({ length: ENDPOINTS - 1 }, (_, n) => `/${n + 1}`);
const RESPONDING_PATH = "/10";
const HANGING_PATH = "/10/hang";

interface Setup {
  service: Target;
  receiver: Target;
  dataset: Dataset;
}

/** Measures deliveries to local receivers: rate, delay, and delay while one of the receivers hangs. */
export async function webhooks({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "webhooks");
  const settings = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };
  const setup = {
    dataset,
    receiver: await startReceiver(),
    service: await startService(dataset, { ...options, settings }),
  };
  const [rounds, events, seconds] = options.quick ? [1, 400, 3] : [3, 4_000, 20];
  return [
    ...(await throughput(setup, rounds, events)),
    await delay(setup, rounds, seconds),
    await delayBesideHanging(setup, rounds, seconds),
  ];
}

const CONTENDERS = ["single", "batched", "bare"] as const;

/** Measures deliveries without and with batches, and a loop that records nothing, in turn. */
async function throughput({ service, receiver, dataset }: Setup, rounds: number, events: number): Promise<Row[]> {
  const paths = [...NINE_PATHS, RESPONDING_PATH];
  const deliveries = events * paths.length;
  const deliver = async (batch: boolean): Promise<number> => {
    await deleteDeliveries(dataset);
    const work = async (): Promise<number> => {
      await addAtOnce(dataset, events);
      return deliveryTime(dataset, deliveries);
    };
    return whileSubscribed(service, receiver, paths, work, { batch });
  };
  const once = async (contender: (typeof CONTENDERS)[number]): Promise<number> => {
    const seconds =
      contender === "bare" ? await bareLoop(receiver, paths, events) : await deliver(contender === "batched");
    await delaysAt(receiver, paths, events);
    await resetReceiver(receiver);
    return deliveries / seconds;
  };
  say("webhooks: warming up");
  for (const contender of CONTENDERS) await once(contender);
  const rates: Record<(typeof CONTENDERS)[number], number[]> = { single: [], batched: [], bare: [] };
  for (let turn = 1; turn <= rounds; turn++) {
    for (const contender of CONTENDERS) {
      const figure = await once(contender);
      rates[contender].push(figure);
      say(`webhooks ${contender}, round ${turn} of ${rounds}: ${perSecond(figure)}`);
    }
  }
  const bare = spreadOf(rates.bare);
  const row = (contender: "single" | "batched", how: string): Row => {
    const measured = spreadOf(rates[contender]);
    return {
      work: `Webhooks${how}, ${events.toLocaleString("en")} events to ${paths.length} receivers, every attempt recorded`,
      figure: rate(measured),
      against: `loop without a database ${rate(bare)}`,
      ratio: `${(measured.median / bare.median).toFixed(2)} ×`,
      required: `≥ ${perSecond(MIN_PER_SECOND[contender])}`,
      passed: measured.median >= MIN_PER_SECOND[contender],
    };
  };
  return [row("single", ""), row("batched", " in batches")];
}

/** Returns the milliseconds from each change to the arrival of its webhook, at the `watched` paths. */
async function delays(
  { service, receiver, dataset }: Setup,
  { paths, watched, seconds }: { paths: readonly string[]; watched: readonly string[]; seconds: number },
): Promise<number[]> {
  const writers = writingCustomers(dataset.shape);
  const measured = await whileSubscribed(service, receiver, paths, () =>
    delaysOfAdds(service, receiver, { writers, watched, perSecond: PER_SECOND, seconds }),
  );
  await resetReceiver(receiver);
  return measured;
}

async function delay(setup: Setup, rounds: number, seconds: number): Promise<Row> {
  const medians: number[] = [];
  const p99s: number[] = [];
  for (let turn = 1; turn <= rounds; turn++) {
    const measured = await delays(setup, { paths: [RESPONDING_PATH], watched: [RESPONDING_PATH], seconds });
    medians.push(spreadOf(measured).median);
    p99s.push(percentile(measured, 0.99));
    say(
      `delay, round ${turn} of ${rounds}: median ${milliseconds(medians.at(-1) ?? NaN)}, p99 ${milliseconds(p99s.at(-1) ?? NaN)}`,
    );
  }
  const [median, p99] = [spreadOf(medians).median, spreadOf(p99s).median];
  return {
    work: `From a change to its webhook's arrival, ${PER_SECOND} changes/s for ${seconds} s to one receiver`,
    figure: `median ${milliseconds(median)}, p99 ${milliseconds(p99)}`,
    against: "",
    ratio: "",
    required: `≤ ${MAX_MEDIAN_MS} ms, p99 ≤ ${MAX_P99_MS} ms`,
    passed: median <= MAX_MEDIAN_MS && p99 <= MAX_P99_MS,
  };
}

async function delayBesideHanging(setup: Setup, rounds: number, seconds: number): Promise<Row> {
  const p95 = async (tenth: string): Promise<number> =>
    percentile(await delays(setup, { paths: [...NINE_PATHS, tenth], watched: NINE_PATHS, seconds }), 0.95);
  const beside: { hanging: number[]; answering: number[] } = { hanging: [], answering: [] };
  for (let turn = 1; turn <= rounds; turn++) {
    const [hanging, answering] = [await p95(HANGING_PATH), await p95(RESPONDING_PATH)];
    beside.hanging.push(hanging);
    beside.answering.push(answering);
    say(`a receiver hangs, round ${turn} of ${rounds}: p95 ${milliseconds(hanging)}, none: ${milliseconds(answering)}`);
  }
  const [hanging, answering] = [spreadOf(beside.hanging).median, spreadOf(beside.answering).median];
  return {
    work: `The same to ${ENDPOINTS} receivers of which one hangs: p95 of the others`,
    figure: milliseconds(hanging),
    against: `when none hangs ${milliseconds(answering)}`,
    ratio: `${(hanging / answering).toFixed(2)} ×`,
    required: `≤ ${HANG.ratio} × or + ${HANG.ms} ms`,
    passed: hanging <= Math.max(answering * HANG.ratio, answering + HANG.ms),
  };
}
