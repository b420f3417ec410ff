import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { runAs } from "../database/work-class.server.ts";
import { durationsText } from "./durations.server.ts";
import { combinations, labelNamesOf, type Labels, type LabelValues } from "./labels.ts";

/**
 * The metrics of this process in Prometheus' format. Each module declares the metrics of what it does, beside the code that counts. Label
 * values come from closed or bounded sets: never a shop, a customer, an id, an address or anything of a request's content.
 */
const registry = new Registry();

/** Milliseconds that a scrape waits for a reading of the database. */
const READING_TIMEOUT = 3_000;

interface Description<Label extends string> {
  name: string;
  help: string;
  labelNames: Label[];
  registers: Registry[];
}

function describe<Label extends string>(
  name: string,
  help: string,
  labels: Labels<Label> | undefined,
): Description<Label> {
  return { name: `wishlist_${name}`, help, labelNames: labelNamesOf(labels), registers: [registry] };
}

export interface CounterMetric<Label extends string> {
  inc: (labels: LabelValues<Label>, by?: number) => void;
}

/**
 * Declares a counter. Combinations of known label values start at 0, so that the first increase is visible.
 * @param name without the prefix `wishlist_`; ends with `_total`
 */
export function counter<Label extends string>(
  name: string,
  help: string,
  labels?: Labels<Label>,
): CounterMetric<Label> {
  const metric = new Counter(describe(name, help, labels));
  for (const values of combinations(labels)) metric.inc(values, 0);
  return {
    inc: (values, by = 1) => {
      metric.inc({ ...values }, by);
    },
  };
}

/** One value of a metric at the time of a scrape. */
export interface Reading<Label extends string> {
  labels: LabelValues<Label>;
  value: number;
}

type Readings<Label extends string> = readonly Reading<Label>[] | undefined;
type Read<Label extends string> = () => Readings<Label> | Promise<Readings<Label>>;

/** Declares a gauge that is read when it is scraped. It has no value when `read` returns undefined or fails. */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labels: Labels<Label> | undefined,
  read: Read<Label>,
): void {
  new Gauge({
    ...describe(name, help, labels),
    async collect() {
      const readings = await readSafely(read);
      this.reset();
      // A gauge without labels is 0 after a reset, which would look like a reading.
      if (labels === undefined) this.remove();
      for (const { labels: values, value } of readings ?? []) this.set({ ...values }, value);
    },
  });
}

/** Declares a counter whose values are kept elsewhere, as plain numbers of a hot path, and read when it is scraped. */
export function counterOf<Label extends string>(
  name: string,
  help: string,
  labels: Labels<Label> | undefined,
  read: () => readonly Reading<Label>[],
): void {
  new Counter({
    ...describe(name, help, labels),
    collect() {
      this.reset();
      for (const { labels: values, value } of read()) this.inc({ ...values }, value);
    },
  });
}

async function readSafely<Label extends string>(read: Read<Label>): Promise<Readings<Label>> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

/**
 * Shares a reading of the database among all metrics that need it and among scrapes: it is read at most once in `ttl`, and never twice
 * at the same time. It runs as work of the class `monitoring`.
 * @param ttl milliseconds
 * @returns a function that returns undefined when the database does not respond in time
 */
export function sharedReading<Value>(ttl: number, read: () => Promise<Value>): () => Promise<Value | undefined> {
  let last: { at: number; value: Promise<Value | undefined>; isPending: boolean } | undefined;
  return async () => {
    const now = performance.now();
    if (!last || (!last.isPending && now - last.at >= ttl)) {
      const reading = { at: now, value: runAs("monitoring", read).catch(() => undefined), isPending: true };
      void reading.value.finally(() => {
        reading.isPending = false;
      });
      last = reading;
    }
    return withTimeout(last.value);
  };
}

function withTimeout<Value>(value: Promise<Value | undefined>): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(undefined);
    }, READING_TIMEOUT);
    void value.then((found) => {
      clearTimeout(timer);
      resolve(found);
    });
  });
}

/** Starts the metrics of Node.js and of the process, whose observers cost a little, so that only a process that is scraped has them. */
export function startMetrics(build: { version: string; role: string }): void {
  collectDefaultMetrics({ register: registry });
  // Counts of Node.js' internals that break Prometheus' rules for names.
  for (const kind of ["resources", "handles", "requests"]) {
    registry.removeSingleMetric(`nodejs_active_${kind}`);
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  const labels = { ...build, node: process.version.slice(1) };
  gauge(
    "build_info",
    "Always 1; version, role and Node.js version of the process",
    { version: [], role: [], node: [] },
    () => [{ labels, value: 1 }],
  );
}

let scraping: Promise<string> | undefined;

/** The media type of `scrape`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Returns all metrics as text. Concurrent scrapes share one collection. */
export function scrape(): Promise<string> {
  scraping ??= registry
    .metrics()
    .then((text) => `${text}\n${durationsText()}`)
    .finally(() => {
      scraping = undefined;
    });
  return scraping;
}
