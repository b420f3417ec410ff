import { copyOf, provideShop } from "../data/dataset.ts";
import { addExpiredDays, ExpiredDays } from "../data/expired-day.ts";
import { newProducts } from "../data/new-items.ts";
import { pageCustomers, writingCustomers } from "../data/shape.ts";
import { say } from "../lifetime.ts";
import { measureAtRate } from "../load/steady-rate.ts";
import type { Workload } from "../load/workload.ts";
import { percentile, spreadOf, type Spread } from "../measure/spread.ts";
import { startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const MAX_RATIO = 1.2;
const PER_SECOND = 100;
/** A busy shop's changes of a day. */
const CHANGES = 500_000;

type Case = "purging" | "idle";
type Kind = "adds" | "reads";

/** Measures how retention, which purges another shop's large days, slows down adds and reads. */
export async function retention({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const dataset = await copyOf(serverUrl, await small(), "retention");
  const expiring = { ...dataset, ...(await provideShop(dataset.url, "expiring.myshopify.com")) };
  await addExpiredDays(expiring, options.quick ? CHANGES / 10 : CHANGES);
  const service = await startService(dataset, options);
  const days = new ExpiredDays(expiring);
  const workload = (): Workload => ({
    steps: [...Array.from({ length: 2 }, () => ({ kind: "page", lag: 0 }) as const), { kind: "add", lag: 0 }],
    readers: pageCustomers(dataset.shape),
    writers: writingCustomers(dataset.shape),
    firstProduct: newProducts(),
  });
  const measure = async (name: Case): Promise<Record<Kind, number>> => {
    const load = () => measureAtRate(service, workload(), { perSecond: PER_SECOND, seconds: options.seconds });
    const { GET, POST } = await (name === "purging" ? days.while(load) : load());
    return { adds: percentile(POST, 0.99), reads: percentile(GET, 0.99) };
  };

  say("retention: warming up");
  await measure("idle");
  const figures: Record<Case, Record<Kind, number[]>> = {
    purging: { adds: [], reads: [] },
    idle: { adds: [], reads: [] },
  };
  const turns = options.quick ? options.rounds : 2 * options.rounds;
  for (let turn = 1; turn <= turns; turn++) {
    const line: string[] = [];
    // In turns, because other load on the machine changes from minute to minute.
    for (const name of turn % 2 === 0 ? (["idle", "purging"] as const) : (["purging", "idle"] as const)) {
      const { adds, reads } = await measure(name);
      figures[name].adds.push(adds);
      figures[name].reads.push(reads);
      line.push(`${name} p99 of adds ${milliseconds(adds)}, of reads ${milliseconds(reads)}`);
    }
    say(
      `retention, round ${turn} of ${turns}: ${line.join(" · ")} (${(days.purged * 100).toFixed(0)} % of the days purged)`,
    );
  }
  await days.close();
  const range = ({ median, min, max }: Spread): string =>
    `${milliseconds(median)} (${min.toFixed(0)}–${max.toFixed(0)})`;
  return (["adds", "reads"] as const).map((kind) => {
    const [purging, idle] = [spreadOf(figures.purging[kind]), spreadOf(figures.idle[kind])];
    return {
      work: `p99 of ${kind} while retention purges ${CHANGES.toLocaleString("en")} changes of another shop`,
      figure: range(purging),
      against: `without ${range(idle)}`,
      ratio: `${(purging.median / idle.median).toFixed(2)} ×`,
      required: `≤ ${MAX_RATIO} ×`,
      passed: purging.median <= idle.median * MAX_RATIO,
    };
  });
}
