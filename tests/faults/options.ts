import { parseArgs } from "node:util";
import { UsageError } from "../../bench/lifetime.ts";
import { SCENARIOS } from "./scenarios/index.ts";
import type { Scenario } from "./scenarios/scenario.ts";

export interface Options {
  scenarios: readonly Scenario[];
  /** whether the command names the scenarios, which must then run */
  named: boolean;
  quick: boolean;
  markdown: boolean;
  build: boolean;
  databaseUrl: string | undefined;
  /** ends with success although a goal of time is missed */
  anyTime: boolean;
}

const HELP = `npm run test:faults -- [names] [options]

Names: ${SCENARIOS.map(({ name }) => name).join(", ")} (default: all)

  --quick               shorter causes and less time in between
  --markdown            print the table in Markdown at the end
  --no-build            use the existing build/
  --any-time            end with exit code 0 when nothing is lost, missing or wrong, however long it took
  --database-url <url>  use this empty database, such as one on Citus; scenarios that control PostgreSQL are skipped
`;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        markdown: { type: "boolean", default: false },
        "no-build": { type: "boolean", default: false },
        "database-url": { type: "string" },
        "any-time": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

/** @throws UsageError, whose message includes the help */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  if (values.help) throw new UsageError(HELP);
  const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new UsageError(`Unknown scenarios: ${unknown.join(", ")}.\n\n${HELP}`);
  return {
    scenarios: SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    named: positionals.length > 0,
    quick: values.quick,
    markdown: values.markdown,
    build: !values["no-build"],
    databaseUrl: values["database-url"],
    anyTime: values["any-time"],
  };
}
