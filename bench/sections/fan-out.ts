import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { copyOf, provideDatabase, withClient, type Database } from "../data/dataset.ts";
import { dropPrice, ownersContent, readFanOut, resetAlerts } from "../data/owners.ts";
import { isEnding, say } from "../lifetime.ts";
import type { Target } from "../load/workload.ts";
import { residentMemory } from "../measure/process.ts";
import { spreadOf } from "../measure/spread.ts";
import type { Bench } from "./bench.ts";
import { startService } from "../servers.ts";
import type { Row } from "../table.ts";

const MAX_SECONDS = 60;
/** How far resident memory may rise from the first tenth of a fan-out to its last. */
const MAX_RISE = 1.05;
const SAMPLE_MS = 250;
const TIMEOUT_MS = 600_000;

/** Measures the fan-out of a price drop to all owners of a variant, without the sending of the alerts, and the service's memory during it. */
export async function fanOut({ options, serverUrl }: Bench): Promise<Row[]> {
  const owners = options.quick ? 20_000 : 1_000_000;
  const database = await copyOf(serverUrl, await provideDatabase(serverUrl, ownersContent(owners)), "fan_out");
  const service = await startService(database, options);
  const rounds = Math.min(options.rounds, 3);
  const seconds: number[] = [];
  const rises: { first: number; last: number; peak: number }[] = [];
  await withClient(database.url, async (client) => {
    // The round before the first one is a warm-up, in which the heap grows to its size.
    for (let turn = 0; turn <= rounds; turn++) {
      const measured = await measure(client, database, service, owners);
      const { first, last, peak } = measured.memory;
      say(
        `fan-out, round ${turn} of ${rounds}: ${measured.seconds.toFixed(1)} s, resident memory ${first.toFixed(1)} to ${last.toFixed(1)} MB, at most ${peak.toFixed(1)}`,
      );
      if (turn === 0) continue;
      seconds.push(measured.seconds);
      rises.push(measured.memory);
    }
  });
  const time = spreadOf(seconds);
  const rise = spreadOf(rises.map(({ first, last }) => last / first));
  const last = spreadOf(rises.map((memory) => memory.last));
  const work = `Fan-out of a price drop to ${owners.toLocaleString("en")} owners`;
  return [
    {
      work: `${work}, to rows`,
      figure: `${time.median.toFixed(1)} s (${time.min.toFixed(1)}–${time.max.toFixed(1)})`,
      against: "",
      ratio: "",
      required: `≤ ${MAX_SECONDS} s`,
      passed: time.median <= MAX_SECONDS,
    },
    {
      work: "Resident memory in the last tenth of it",
      figure: `${last.median.toFixed(1)} MB`,
      against: "in the first tenth",
      ratio: `${rise.median.toFixed(3)} ×`,
      required: `≤ ${MAX_RISE} ×`,
      passed: rise.median <= MAX_RISE,
    },
  ];
}

interface Measured {
  seconds: number;
  /** resident memory in MB, in the first and last tenth of the time */
  memory: { first: number; last: number; peak: number };
}

async function measure(client: Client, database: Database, { pid }: Target, owners: number): Promise<Measured> {
  await resetAlerts(client, database, { digest: true });
  await dropPrice(client, database);
  const samples: number[] = [];
  for (const deadline = performance.now() + TIMEOUT_MS; ;) {
    if (isEnding()) throw new Error("stopped");
    const progress = await readFanOut(client, database);
    if (progress) {
      const mb = await residentMemory(pid);
      if (mb !== undefined) samples.push(mb);
      if (progress.seconds !== undefined) {
        if (progress.alerts !== owners) throw new Error(`${progress.alerts} of ${owners} owners have an alert`);
        const tenth = Math.max(1, Math.floor(samples.length / 10));
        const of = (some: number[]): number => spreadOf(some).median;
        return {
          seconds: progress.seconds,
          memory: { first: of(samples.slice(0, tenth)), last: of(samples.slice(-tenth)), peak: Math.max(...samples) },
        };
      }
    }
    if (performance.now() > deadline) throw new Error("the fan-out did not end within 10 minutes");
    await pause(SAMPLE_MS);
  }
}
