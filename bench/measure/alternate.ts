import { isEnding, say } from "../lifetime.ts";
import type { LoadGenerator, LoadResult, Target, Workload } from "../load/workload.ts";
import { processorTime } from "./process.ts";
import { spreadOf, type Spread } from "./spread.ts";

/** One of the compared servers or workloads. */
export interface Contender {
  name: string;
  target: Target;
  /** Returns the workload of the next round. The time of preparation is not measured. */
  prepare: (seconds: number) => Promise<Workload> | Workload;
  /** @throws when the round did not have the expected effect */
  verify: (workload: Workload, result: LoadResult) => Promise<void> | void;
}

export interface RoundPlan {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}

interface Round extends LoadResult {
  /** microseconds of CPU time per request in the server's process, without PostgreSQL */
  processor: number;
}

async function round(generator: LoadGenerator, contender: Contender, seconds: number): Promise<Round> {
  if (isEnding()) throw new Error("stopped");
  const workload = await contender.prepare(seconds);
  const before = await processorTime(contender.target.pid);
  const result = await generator.run(contender.target, workload, seconds);
  const after = await processorTime(contender.target.pid);
  if (result.failed > 0) {
    throw new Error(`${contender.name}: ${result.failed} of ${result.requests} requests got no 2xx response`);
  }
  if (result.requests === 0) throw new Error(`${contender.name}: no request got a response`);
  await contender.verify(workload, result);
  return { ...result, processor: (((after ?? NaN) - (before ?? NaN)) * 1_000) / result.requests };
}

/**
 * Measures contenders in turn (A B C A B C …), so that other load on the machine affects all of them equally.
 * @returns requests per second, in the order of the contenders
 */
export async function alternate<const Contenders extends readonly Contender[]>(
  generator: LoadGenerator,
  title: string,
  contenders: Contenders,
  { rounds, seconds, warmUpSeconds }: RoundPlan,
): Promise<{ [Place in keyof Contenders]: Spread }> {
  say(`${title}: warming up`);
  for (const contender of contenders) await round(generator, contender, warmUpSeconds);
  const rates: number[][] = contenders.map(() => []);
  for (let turn = 1; turn <= rounds; turn++) {
    const line: string[] = [];
    for (const [index, contender] of contenders.entries()) {
      const result = await round(generator, contender, seconds);
      const rate = result.requests / result.seconds;
      rates[index]?.push(rate);
      const { p99, processor } = result;
      line.push(`${contender.name} ${perSecond(rate)} (p99 ${p99.toFixed(1)} ms, CPU ${processor.toFixed(0)} µs)`);
    }
    say(`${title}, round ${turn} of ${rounds}: ${line.join(" · ")}`);
  }
  return rates.map(spreadOf) as { [Place in keyof Contenders]: Spread };
}
