import { Client } from "undici";
import { z } from "zod";
import { provide } from "../data/dataset.ts";
import { A_PRODUCT, historyContent, LONG_HISTORY, SHORT_HISTORY, TINY_HISTORY, type History } from "../data/history.ts";
import { isEnding, say } from "../lifetime.ts";
import type { Target } from "../load/workload.ts";
import { spreadOf } from "../measure/spread.ts";
import { startOurs } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const MAX_RATIO = 1.3;
const MAX_MS = 5;

const DAYS = 365;
const TOP = 100;

/** Each with what its answer has to be when every day and every product have activity. */
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
  { name: "product", path: `product/${A_PRODUCT}`, data: z.object({ wishlistCount: z.int() }) },
] as const;

/** Medians of a round, in milliseconds. */
interface Round {
  all: number;
  /** by report */
  each: number[];
}

/** What reports cost, by the length of the history behind them. */
export async function reports({ options, serverUrl }: Bench): Promise<Row[]> {
  const [long, short] = options.quick ? [SHORT_HISTORY, TINY_HISTORY] : [LONG_HISTORY, SHORT_HISTORY];
  const turns = options.quick ? 20 : 200;
  // Nothing but reports: work at fixed times would find its days in the history as well.
  const settings = { WISHLIST_ROLE: "web" };
  const asking = async (history: History): Promise<Ask> =>
    opened(await startOurs(await provide(serverUrl, historyContent(history)), { ...options, settings }));
  const askLong = await asking(long);
  const askShort = await asking(short);

  say("reports: warming up");
  for (const ask of [askLong, askShort]) await askInTurns(ask, turns * 2);
  const rounds: { long: Round; short: Round }[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    const round = { long: await askInTurns(askLong, turns), short: await askInTurns(askShort, turns) };
    rounds.push(round);
    say(
      `reports, round ${turn} of ${options.rounds}: ${milliseconds(round.long.all)} and ${milliseconds(round.short.all)}`,
    );
  }
  const a = spreadOf(rounds.map(({ long: { all } }) => all));
  const b = spreadOf(rounds.map(({ short: { all } }) => all));
  const each = REPORTS.map(({ name }, place) => ({
    name,
    median: spreadOf(rounds.map(({ long: round }) => round.each[place] ?? NaN)).median,
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

/** Asks for one report over a connection that is kept. @returns milliseconds until the answer was whole */
type Ask = (path: string) => Promise<{ text: string; ms: number }>;

/** @throws when a report is not what its history makes of it */
async function opened({ url, token }: Target): Promise<Ask> {
  const client = new Client(url);
  const headers = { authorization: `Bearer ${token ?? ""}` };
  const ask: Ask = async (path) => {
    if (isEnding()) throw new Error("stopped");
    const started = performance.now();
    const answer = await client.request({ method: "GET", path: `/v1/analytics/${path}`, headers });
    const text = await answer.body.text();
    const ms = performance.now() - started;
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return { text, ms };
  };
  for (const { path, data } of REPORTS) z.object({ data }).parse(JSON.parse((await ask(path)).text));
  return ask;
}

async function askInTurns(ask: Ask, turns: number): Promise<Round> {
  const times: number[][] = REPORTS.map(() => []);
  const all: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    let sum = 0;
    for (const [place, { path }] of REPORTS.entries()) {
      const { ms } = await ask(path);
      times[place]?.push(ms);
      sum += ms;
    }
    all.push(sum);
  }
  return { all: spreadOf(all).median, each: times.map((of) => spreadOf(of).median) };
}
