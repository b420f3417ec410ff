import type { LabelValues, Labels } from "./labels.ts";
import { combinations } from "./labels.ts";

// prom-client's histograms copy and hash their labels for every observation, which costs a request several microseconds.

/** Upper bounds in seconds, from a cached page to the longest request. */
const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The durations of one combination of label values. */
export class DurationSeries {
  readonly #bounds: readonly number[];
  /** how many durations lie between a bound and the one before; the last entry has those beyond all bounds */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array<number>(bounds.length + 1).fill(0);
  }

  observe(seconds: number): void {
    let index = 0;
    while (index < this.#bounds.length && seconds > (this.#bounds[index] ?? 0)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Returns the lines of Prometheus' text format. @param labels such as `route="/",method="GET"`; may be empty */
  lines(name: string, labels: string): string[] {
    const separator = labels === "" ? "" : ",";
    let total = 0;
    const buckets = [...this.#bounds, "+Inf"].map((bound, index) => {
      total += this.#counts[index] ?? 0;
      return `${name}_bucket{${labels}${separator}le="${bound}"} ${total}`;
    });
    const braces = labels === "" ? "" : `{${labels}}`;
    return [...buckets, `${name}_sum${braces} ${this.#sum}`, `${name}_count${braces} ${total}`];
  }
}

/** A histogram of durations. */
export interface DurationMetric<Label extends string> {
  /** @param seconds duration */
  observe: (labels: LabelValues<Label>, seconds: number) => void;
  /** Returns the series of a combination of label values, for a hot path to keep. */
  series: (labels: LabelValues<Label>) => DurationSeries;
}

const texts: (() => string)[] = [];

/**
 * Declares a histogram of durations.
 * @param name without the prefix `wishlist_`; ends with `_seconds`
 * @param bounds upper bounds of the buckets in seconds
 */
export function durations<Label extends string>(
  name: string,
  help: string,
  labels?: Labels<Label>,
  bounds: readonly number[] = BOUNDS,
): DurationMetric<Label> {
  const full = `wishlist_${name}`;
  const all = new Map<string, DurationSeries>();
  const find = (key: string): DurationSeries => {
    const known = all.get(key) ?? new DurationSeries(bounds);
    all.set(key, known);
    return known;
  };
  const series = (values: LabelValues<Label>): DurationSeries => find(labelText(values));
  for (const values of combinations(labels)) find(labelText(values));
  texts.push(() =>
    [
      `# HELP ${full} ${help}`,
      `# TYPE ${full} histogram`,
      ...[...all].flatMap(([key, one]) => one.lines(full, key)),
    ].join("\n"),
  );
  return {
    series,
    observe: (values, seconds) => {
      series(values).observe(seconds);
    },
  };
}

function labelText(labels: Readonly<Partial<Record<string, string | number>>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`)
    .join(",");
}

/** Returns all histograms in Prometheus' text format. */
export function durationsText(): string {
  return texts.map((text) => `${text()}\n`).join("\n");
}
