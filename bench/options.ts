import { parseArgs } from "node:util";
import { UsageError } from "./lifetime.ts";

/** All sections, in the order of measurement. */
export const SECTIONS = [
  "get",
  "first",
  "details",
  "long",
  "size",
  "proxy",
  "add",
  "batch",
  "delete",
  "token",
  "memory",
  "outbox",
  "reports",
  "fairness",
  "retention",
  "webhooks",
  "emails",
  "beside-emails",
  "klaviyo",
  "price-change",
  "fan-out",
  "beside",
  "variant-index",
  "sync",
  "orders",
  "replay",
  "streams",
  "admin",
  "cards",
  "blocking",
] as const;

/** Sections that need more than npm brings, and so only run when they are named. */
const ON_DEMAND = ["citus"] as const;

export type Section = (typeof SECTIONS | typeof ON_DEMAND)[number];

export interface Options {
  sections: ReadonlySet<Section>;
  quick: boolean;
  build: boolean;
  /** writes a CPU profile of each process of the service */
  profile: boolean;
  generator: "wrk" | "autocannon" | undefined;
  rounds: number;
  /** length of one round */
  seconds: number;
  warmUpSeconds: number;
  memorySeconds: number;
  tokenRequests: number;
}

const HELP = `npm run bench -- [options]

  --only <a,b>      measure only these: ${SECTIONS.join(", ")};
                    or ${ON_DEMAND.join(", ")}, with what npm run test:citus needs
  --quick           20,000 items and short rounds: a test that everything works, without meaningful figures
  --seconds <n>     length of a round (8; quick 2)
  --rounds <n>      rounds of each contender (5; quick 2)
  --load <name>     wrk or autocannon (default: wrk if available)
  --no-build        measure the existing build/
  --profile         write CPU profiles of the service to .data/bench/profiles
`;

function positive(text: string | undefined, fallback: number, name: string): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} must be a positive integer.\n\n${HELP}`);
  return value;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string" },
        quick: { type: "boolean", default: false },
        seconds: { type: "string" },
        rounds: { type: "string" },
        load: { type: "string" },
        "no-build": { type: "boolean", default: false },
        profile: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

/** @throws UsageError, whose message includes the help */
export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  if (values.help) throw new UsageError(HELP);
  const { quick, load } = values;
  const named = values.only?.split(",").map((name) => name.trim());
  const all: readonly Section[] = [...SECTIONS, ...ON_DEMAND];
  const unknown = named?.filter((name) => !all.some((section) => section === name)) ?? [];
  if (unknown.length > 0) throw new UsageError(`Unknown sections in --only: ${unknown.join(", ")}.\n\n${HELP}`);
  if (load !== undefined && load !== "wrk" && load !== "autocannon") {
    throw new UsageError(`--load must be wrk or autocannon.\n\n${HELP}`);
  }
  return {
    sections: new Set(named === undefined ? SECTIONS : all.filter((section) => named.includes(section))),
    quick,
    build: !values["no-build"],
    profile: values.profile,
    generator: load,
    rounds: positive(values.rounds, quick ? 2 : 5, "rounds"),
    seconds: positive(values.seconds, quick ? 2 : 8, "seconds"),
    // V8 compiles hot code only after tens of thousands of requests; a long-running server is measured after that.
    warmUpSeconds: quick ? 1 : 20,
    memorySeconds: quick ? 8 : 60,
    tokenRequests: quick ? 100_000 : 1_000_000,
  };
}
