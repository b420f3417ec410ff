import { fileURLToPath } from "node:url";
import { z } from "zod";
import { mixedWorkload } from "../contenders.ts";
import { removeNewItems } from "../data/new-items.ts";
import { pageCustomers } from "../data/shape.ts";
import { runToEnd, say } from "../lifetime.ts";
import { memoryUnderLoad } from "../measure/memory.ts";
import { spreadOf, type Spread } from "../measure/spread.ts";
import { SECRETS, startService } from "../servers.ts";
import type { Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const MAX_MICROSECONDS = 30;
/** A shopper's token counts as fast as any when its verification takes at most this multiple of another's. */
const AS_FAST = 1.2;
const MAX_MB = 300;
/** Memory counts as flat when the mean of the fourth quarter is at most this multiple of the third quarter's. */
const FLAT = 1.03;

const tokenScript = fileURLToPath(new URL("../token-verification.ts", import.meta.url));
const tokenResult = z.object({ microseconds: z.number(), shoppers: z.number() });

export async function token({ options, main }: Bench): Promise<Row[]> {
  const { url, key } = await main();
  const env = {
    ...process.env,
    ...SECRETS,
    DATABASE_URL: url,
    BENCH_KEY_ID: key.keyId,
    BENCH_KEY_SECRET: key.secret,
  };
  const figures: number[] = [];
  const ofShoppers: number[] = [];
  for (let turn = 1; turn <= options.rounds; turn++) {
    const { stdout, stderr } = await runToEnd(process.execPath, [tokenScript, String(options.tokenRequests)], { env });
    const line = stdout.split("\n").findLast((text) => text.startsWith('{"microseconds"'));
    if (line === undefined) throw new Error(`the token verification printed no result: ${stderr}`);
    const { microseconds, shoppers } = tokenResult.parse(JSON.parse(line));
    figures.push(microseconds);
    ofShoppers.push(shoppers);
    say(
      `token verification, round ${turn} of ${options.rounds}: ${microseconds.toFixed(2)} µs, shopper's ${shoppers.toFixed(2)} µs`,
    );
  }
  const spread = spreadOf(figures);
  const { median } = spread;
  const storefront = spreadOf(ofShoppers);
  const ratio = storefront.median / median;
  return [
    {
      work: `Token verification, per request (${options.tokenRequests.toLocaleString("en")} requests, 200 tokens)`,
      figure: microseconds(spread),
      against: "",
      ratio: "",
      required: `≤ ${MAX_MICROSECONDS} µs`,
      passed: median <= MAX_MICROSECONDS,
    },
    {
      work: "The same with shoppers' tokens of a publishable key",
      figure: microseconds(storefront),
      against: `tokens of a key with a secret ${microseconds(spread)}`,
      ratio: `${ratio.toFixed(2)} ×`,
      required: `≤ ${AS_FAST} ×`,
      passed: ratio <= AS_FAST,
    },
  ];
}

function microseconds({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} µs (${min.toFixed(2)}–${max.toFixed(2)})`;
}

export async function memory(bench: Bench): Promise<Row[]> {
  const { options, generator } = bench;
  const main = await bench.main();
  const service = await startService(main, options);
  await removeNewItems(main);
  const workload = mixedWorkload(main, pageCustomers(main.shape));
  const { end, peak, third, fourth } = await memoryUnderLoad(generator, service, workload, options.memorySeconds);
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
