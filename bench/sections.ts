import { fileURLToPath } from "node:url";
import { z } from "zod";
import { adder, haveSameAnswers, mixedWorkload, reader, removers } from "./contenders.ts";
import type { Dataset } from "./data/dataset.ts";
import { removeNewItems } from "./data/new-items.ts";
import { longCustomers, pageCustomers } from "./data/shape.ts";
import { runToEnd, say } from "./lifetime.ts";
import type { LoadGenerator } from "./load/workload.ts";
import { alternate } from "./measure/alternate.ts";
import { memoryUnderLoad } from "./measure/memory.ts";
import { spreadOf } from "./measure/spread.ts";
import type { Options, Section } from "./options.ts";
import { SECRETS, startBare, startOurs } from "./servers.ts";
import { comparison, type Row } from "./table.ts";

export interface Bench {
  options: Options;
  generator: LoadGenerator;
  /** the big database */
  main: Dataset;
  /** the one to compare it with, made when it is needed */
  small: () => Promise<Dataset>;
}

const MAX_MICROSECONDS = 30;
const MAX_MB = 300;
/** Memory counts as flat when its mean in the fourth quarter is at most this many times that in the third. */
const FLAT = 1.03;

async function page({ options, generator, main }: Bench): Promise<Row[]> {
  const ours = await startOurs(main, options);
  const rows = await startBare("rows", main);
  const json = await startBare("json", main);
  const remix = await startOurs(main, { ...options, lane: "off" });
  const customers = pageCustomers(main.shape);
  await haveSameAnswers([ours, rows, json, remix], customers);
  const contenders = [
    await reader("this service", ours, customers),
    await reader("bare-rows", rows, customers),
    await reader("bare-json", json, customers),
    await reader("Remix's handler", remix, customers),
  ] as const;
  const [a, b, c, d] = await alternate(generator, "GET page", contenders, options);
  const work = "GET page of 20 out of 50, authenticated";
  return [
    comparison(work, a, { name: "bare-rows", measured: b }, 1.5),
    comparison(work, a, { name: "bare-json", measured: c }, 0.75),
    comparison(work, a, { name: "the same route through Remix's handler", measured: d }, 5),
  ];
}

async function long({ options, generator, main }: Bench): Promise<Row[]> {
  const ours = await startOurs(main, options);
  const customers = longCustomers(main.shape);
  const contenders = [
    await reader("2,500 items", ours, customers),
    await reader("50 items", ours, pageCustomers(main.shape).slice(0, customers.length)),
  ] as const;
  const [a, b] = await alternate(generator, "GET of a long wishlist", contenders, options);
  return [comparison("GET first page of a 2,500-item wishlist", a, { name: "of a 50-item one", measured: b }, 0.9)];
}

async function size({ options, generator, main, small }: Bench): Promise<Row[]> {
  const other = await small();
  const inMain = await startOurs(main, options);
  const inSmall = await startOurs(other, options);
  const [big, little] = [main, other].map(({ shape }) => `${shape.items.toLocaleString("en")} items`) as [
    string,
    string,
  ];
  const contenders = [
    await reader(big, inMain, pageCustomers(main.shape)),
    await reader(little, inSmall, pageCustomers(other.shape)),
  ] as const;
  const [a, b] = await alternate(generator, "GET by size of the table", contenders, options);
  return [comparison(`GET page of 20 out of 50, ${big} in the table`, a, { name: little, measured: b }, 0.9)];
}

async function add({ options, generator, main }: Bench): Promise<Row[]> {
  const ours = await startOurs(main, options);
  const bare = await startBare("json", main);
  await removeNewItems(main);
  const contenders = [adder("this service", ours, main), adder("bare", bare, main)] as const;
  const [a, b] = await alternate(generator, "POST add", contenders, options);
  return [comparison("POST add, new item", a, { name: "bare server, same SQL function", measured: b }, 0.8)];
}

async function remove({ options, generator, main }: Bench): Promise<Row[]> {
  const ours = await startOurs(main, options);
  const bare = await startBare("json", main);
  const remover = removers(main);
  const contenders = [remover("this service", ours), remover("bare", bare)] as const;
  const [a, b] = await alternate(generator, "DELETE", contenders, options);
  return [comparison("DELETE, existing item", a, { name: "bare server, same SQL function", measured: b }, 0.8)];
}

const tokenScript = fileURLToPath(new URL("token-verification.ts", import.meta.url));
const tokenResult = z.object({ microseconds: z.number() });

async function token({ options, main: { url, key } }: Bench): Promise<Row[]> {
  const env = {
    ...process.env,
    ...SECRETS,
    DATABASE_URL: url,
    BENCH_KEY_ID: key.keyId,
    BENCH_KEY_SECRET: key.secret,
  };
  const figures: number[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    const { stdout, stderr } = await runToEnd(process.execPath, [tokenScript, String(options.tokenRequests)], { env });
    const line = stdout.split("\n").findLast((text) => text.startsWith('{"microseconds"'));
    if (line === undefined) throw new Error(`no figure for the token verification: ${stderr}`);
    const { microseconds } = tokenResult.parse(JSON.parse(line));
    figures.push(microseconds);
    say(`token verification, round ${turn} of ${options.rounds}: ${microseconds.toFixed(2)} µs`);
  }
  const { median, min, max } = spreadOf(figures);
  return [
    {
      work: `Token verification, per request (${options.tokenRequests.toLocaleString("en")} requests, 200 tokens)`,
      figure: `${median.toFixed(2)} µs (${min.toFixed(2)}–${max.toFixed(2)})`,
      against: "",
      ratio: "",
      required: `≤ ${MAX_MICROSECONDS} µs`,
      passed: median <= MAX_MICROSECONDS,
    },
  ];
}

async function memory({ options, generator, main }: Bench): Promise<Row[]> {
  const ours = await startOurs(main, options);
  await removeNewItems(main);
  const workload = mixedWorkload(main, pageCustomers(main.shape));
  const { end, peak, third, fourth } = await memoryUnderLoad(generator, ours, workload, options.memorySeconds);
  const work = `Resident memory after ${options.memorySeconds} s at full load`;
  return [
    {
      work: `${work} (8 reads : 1 add : 1 removal)`,
      figure: `${end.toFixed(0)} MB (peak ${peak.toFixed(0)})`,
      against: "",
      ratio: "",
      required: `≤ ${MAX_MB} MB`,
      passed: end <= MAX_MB,
    },
    {
      work: "The same, fourth quarter of that time",
      figure: `${fourth.toFixed(0)} MB on average`,
      against: `third quarter ${third.toFixed(0)} MB`,
      ratio: `${(fourth / third).toFixed(3)} ×`,
      required: `≤ ${FLAT} ×`,
      passed: fourth <= third * FLAT,
    },
  ];
}

/** What each section measures. Each starts the servers that it needs and leaves their end to the caller. */
export const MEASURE: Record<Section, (bench: Bench) => Promise<Row[]>> = {
  get: page,
  long,
  size,
  add,
  delete: remove,
  token,
  memory,
};
