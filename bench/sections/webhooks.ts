import { copyOf, type Dataset } from "../data/dataset.ts";
import { addAtOnce, deliveryTime, forgetDeliveries } from "../data/deliveries.ts";
import { newProducts } from "../data/new-items.ts";
import { writingCustomers } from "../data/shape.ts";
import { say } from "../lifetime.ts";
import { sendPaced } from "../load/paced.ts";
import type { Target } from "../load/workload.ts";
import { perSecond } from "../measure/alternate.ts";
import { percentile, spreadOf } from "../measure/spread.ts";
import { startOurs, startReceiver } from "../servers.ts";
import { milliseconds, rate, type Row } from "../table.ts";
import { delaysAt, forget } from "../webhooks/receiver.ts";
import { whileSubscribed } from "../webhooks/subscriptions.ts";
import type { Bench } from "./bench.ts";

const MIN_PER_SECOND = 2_000;
const MAX_MEDIAN_MS = 20;
const MAX_P99_MS = 100;
/** What one receiver that hangs may add for the others: so many times as long, or so many milliseconds. */
const HANG = { ratio: 1.2, ms: 10 };

const PER_SECOND = 50;
const ENDPOINTS = 10;
const NINE = Array.from({ length: ENDPOINTS - 1 }, (_, n) => `/${n + 1}`);
const ANSWERS = "/10";
const HANGS = "/10/hang";

interface Parties {
  ours: Target;
  receiver: Target;
  dataset: Dataset;
}

/** Deliveries to receivers on this machine: how many, how late, and how late while one of the receivers hangs. */
export async function webhooks({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "webhooks");
  const settings = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };
  const parties = {
    dataset,
    receiver: await startReceiver(),
    ours: await startOurs(dataset, { ...options, settings }),
  };
  const [rounds, events, seconds] = options.quick ? [1, 400, 3] : [3, 4_000, 20];
  return [
    await throughput(parties, rounds, events),
    await delay(parties, rounds, seconds),
    await delayBesideHanging(parties, rounds, seconds),
  ];
}

async function throughput({ ours, receiver, dataset }: Parties, rounds: number, events: number): Promise<Row> {
  const paths = [...NINE, ANSWERS];
  const deliveries = events * paths.length;
  const once = async (): Promise<number> => {
    await forgetDeliveries(dataset);
    const seconds = await whileSubscribed(ours, receiver, paths, async () => {
      await addAtOnce(dataset, events);
      return deliveryTime(dataset, deliveries);
    });
    await delaysAt(receiver, paths, events);
    await forget(receiver);
    return deliveries / seconds;
  };
  say("webhooks: warming up");
  await once();
  const rates: number[] = [];
  for (let turn = 1; turn <= rounds; turn++) {
    const figure = await once();
    rates.push(figure);
    say(`webhooks, round ${turn} of ${rounds}: ${perSecond(figure)}`);
  }
  const measured = spreadOf(rates);
  return {
    work: `Webhooks, ${events.toLocaleString("en")} events to ${paths.length} receivers, every attempt recorded`,
    figure: rate(measured),
    against: "",
    ratio: "",
    required: `≥ ${perSecond(MIN_PER_SECOND)}`,
    passed: measured.median >= MIN_PER_SECOND,
  };
}

/** @returns milliseconds from each change to the arrival of its webhook, at the paths that are `watched` */
async function delays(
  { ours, receiver, dataset }: Parties,
  { paths, watched, seconds }: { paths: readonly string[]; watched: readonly string[]; seconds: number },
): Promise<number[]> {
  const workload = {
    steps: [{ kind: "add", lag: 0 }],
    readers: [],
    writers: writingCustomers(dataset.shape),
    firstProduct: newProducts(),
  } as const;
  const found = await whileSubscribed(ours, receiver, paths, async () => {
    const events = await sendPaced(ours, workload, { perSecond: PER_SECOND, seconds });
    return delaysAt(receiver, watched, events);
  });
  await forget(receiver);
  return found;
}

async function delay(parties: Parties, rounds: number, seconds: number): Promise<Row> {
  const medians: number[] = [];
  const highest: number[] = [];
  for (let turn = 1; turn <= rounds; turn++) {
    const found = await delays(parties, { paths: [ANSWERS], watched: [ANSWERS], seconds });
    medians.push(spreadOf(found).median);
    highest.push(percentile(found, 0.99));
    say(
      `delay, round ${turn} of ${rounds}: median ${milliseconds(medians.at(-1) ?? NaN)}, p99 ${milliseconds(highest.at(-1) ?? NaN)}`,
    );
  }
  const [median, p99] = [spreadOf(medians).median, spreadOf(highest).median];
  return {
    work: `From a change to its webhook's arrival, ${PER_SECOND} changes/s for ${seconds} s to one receiver`,
    figure: `median ${milliseconds(median)}, p99 ${milliseconds(p99)}`,
    against: "",
    ratio: "",
    required: `≤ ${MAX_MEDIAN_MS} ms, p99 ≤ ${MAX_P99_MS} ms`,
    passed: median <= MAX_MEDIAN_MS && p99 <= MAX_P99_MS,
  };
}

async function delayBesideHanging(parties: Parties, rounds: number, seconds: number): Promise<Row> {
  const p95 = async (tenth: string): Promise<number> =>
    percentile(await delays(parties, { paths: [...NINE, tenth], watched: NINE, seconds }), 0.95);
  const beside: { hanging: number[]; answering: number[] } = { hanging: [], answering: [] };
  for (let turn = 1; turn <= rounds; turn++) {
    const [hanging, answering] = [await p95(HANGS), await p95(ANSWERS)];
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
