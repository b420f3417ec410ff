import { Client } from "undici";
import { z } from "zod";
import { provideDatabase } from "../data/dataset.ts";
import {
  SAMPLE_PRODUCT_ID,
  historyContent,
  LONG_HISTORY,
  SHORT_HISTORY,
  TINY_HISTORY,
  type History,
} from "../data/history.ts";
import { isEnding, say } from "../lifetime.ts";
import type { Target } from "../load/workload.ts";
import { spreadOf } from "../measure/spread.ts";
import { startService } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const MAX_RATIO = 1.3;
const MAX_MS = 5;

const DAYS = 365;
const TOP = 100;

/** The reports, with schemas that require activity on every day and of every product. */
const REPORTS = [
  {
    name: "overview",
    path: `overview?days=${DAYS}`,
    data: z.object({ totalWishlistedItems: z.int().positive(), activeShoppers: z.int().positive() }),
  },
  {
    name: "daily",
    path: `daily?days=${DAYS}`,
    data: z.object({ days: z.array(z.object({ itemsAdded: z.int().positive() })).length(DAYS) }),
  },
  {
    name: "top products",
    path: `top-products?limit=${TOP}`,
    data: z.object({ products: z.array(z.unknown()).length(TOP) }),
  },
  { name: "product", path: `product/${SAMPLE_PRODUCT_ID}`, data: z.object({ wishlistCount: z.int() }) },
] as const;

/** Medians of one round, in milliseconds. */
interface Round {
  all: number;
  /** by report */
  each: number[];
}

/** Measures reports over a long and a short history. */
export async function reports({ options, serverUrl }: Bench): Promise<Row[]> {
  const [long, short] = options.quick ? [SHORT_HISTORY, TINY_HISTORY] : [LONG_HISTORY, SHORT_HISTORY];
  const turns = options.quick ? 20 : 200;
  // Without the worker, whose jobs would process the history as well.
  const settings = { WISHLIST_ROLE: "web" };
  const openHistory = async (history: History): Promise<FetchReport> =>
    openClient(await startService(await provideDatabase(serverUrl, historyContent(history)), { ...options, settings }));
  const fetchLong = await openHistory(long);
  const fetchShort = await openHistory(short);

  say("reports: warming up");
  for (const fetchReport of [fetchLong, fetchShort]) await measureRound(fetchReport, turns * 2);
  const rounds: { long: Round; short: Round }[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    const round = { long: await measureRound(fetchLong, turns), short: await measureRound(fetchShort, turns) };
    rounds.push(round);
    say(
      `reports, round ${turn} of ${options.rounds}: ${milliseconds(round.long.all)} and ${milliseconds(round.short.all)}`,
    );
  }
  const a = spreadOf(rounds.map(({ long: { all } }) => all));
  const b = spreadOf(rounds.map(({ short: { all } }) => all));
  const each = REPORTS.map(({ name }, index) => ({
    name,
    median: spreadOf(rounds.map(({ long: round }) => round.each[index] ?? NaN)).median,
  }));
  const range = ({ median, min, max }: typeof a): string =>
    `${milliseconds(median)} (${min.toFixed(1)}–${max.toFixed(1)})`;
  return [
    {
      work: `Four reports over ${DAYS} days, ${long.events.toLocaleString("en")} events of ${long.shoppers.toLocaleString("en")} shoppers`,
      figure: range(a),
      against: `${short.events.toLocaleString("en")} events of ${short.shoppers.toLocaleString("en")} shoppers ${range(b)}`,
      ratio: `${(a.median / b.median).toFixed(2)} ×`,
      required: `≤ ${MAX_RATIO} ×`,
      passed: a.median <= b.median * MAX_RATIO,
    },
    {
      work: "Each of the four",
      figure: each.map(({ name, median }) => `${name} ${milliseconds(median)}`).join(", "),
      against: "",
      ratio: "",
      required: `≤ ${MAX_MS} ms`,
      passed: each.every(({ median }) => median <= MAX_MS),
    },
  ];
}

/** Requests a report over a keep-alive connection. @returns its text, and the milliseconds until its last byte */
type FetchReport = (path: string) => Promise<{ text: string; ms: number }>;

/** Opens a connection and checks each report once. @throws when a report does not match its schema */
async function openClient({ url, token }: Target): Promise<FetchReport> {
  const client = new Client(url);
  const headers = { authorization: `Bearer ${token ?? ""}` };
  const fetchReport: FetchReport = async (path) => {
    if (isEnding()) throw new Error("stopped");
    const started = performance.now();
    const response = await client.request({ method: "GET", path: `/v1/analytics/${path}`, headers });
    const text = await response.body.text();
    const ms = performance.now() - started;
    if (response.statusCode !== 200) throw new Error(`${path} responded with ${response.statusCode}: ${text}`);
    return { text, ms };
  };
  for (const { path, data } of REPORTS) z.object({ data }).parse(JSON.parse((await fetchReport(path)).text));
  return fetchReport;
}

async function measureRound(fetchReport: FetchReport, turns: number): Promise<Round> {
  const times: number[][] = REPORTS.map(() => []);
  const all: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    let sum = 0;
    for (const [index, { path }] of REPORTS.entries()) {
      const { ms } = await fetchReport(path);
      times[index]?.push(ms);
      sum += ms;
    }
    all.push(sum);
  }
  return { all: spreadOf(all).median, each: times.map((of) => spreadOf(of).median) };
}
