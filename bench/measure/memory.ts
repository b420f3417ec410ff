import { say } from "../lifetime.ts";
import type { LoadGenerator, Target, Workload } from "../load/workload.ts";
import { residentMemory } from "./process.ts";
import { mean } from "./spread.ts";

const SAMPLE_MS = 1_000;

/** Resident memory under load, in MB. */
export interface Memory {
  end: number;
  peak: number;
  /** means of the third and the fourth quarter of the period */
  third: number;
  fourth: number;
}

/** Samples a server's memory each second while it is under load. */
export async function memoryUnderLoad(
  generator: LoadGenerator,
  server: Target,
  workload: Workload,
  seconds: number,
): Promise<Memory> {
  const samples: number[] = [];
  const timer = setInterval(() => {
    residentMemory(server.pid).then(
      (mb) => {
        if (mb !== undefined) samples.push(mb);
      },
      () => undefined, // The process has ended: the load generator reports that.
    );
  }, SAMPLE_MS);
  const result = await generator.run(server, workload, seconds);
  clearInterval(timer);
  if (result.failed > 0) throw new Error(`memory: ${result.failed} of ${result.requests} requests got no 2xx response`);
  if (samples.length < 4) throw new Error("memory: too few samples");
  say(`memory: ${samples.map((mb) => mb.toFixed(0)).join(" ")} MB over ${result.requests} requests`);
  const quarter = (index: number): number =>
    mean(samples.slice(Math.floor((samples.length * index) / 4), Math.floor((samples.length * (index + 1)) / 4)));
  return { end: samples.at(-1) ?? NaN, peak: Math.max(...samples), third: quarter(2), fourth: quarter(3) };
}
