// `npm run test:faults`: disturbs two web processes, a worker, PostgreSQL with a synchronous standby, Redis and receivers under load, and
// measures what is lost and how long recovery takes. docs/reliability.md explains the figures. `-- --help` lists the options.
import { buildApp, isEnding, runProgram, say } from "../../bench/lifetime.ts";
import { FULL, measure, QUICK, type Result } from "./measure.ts";
import { readOptions, type Options } from "./options.ts";
import { describe, markdown, summarize } from "./report.ts";
import { startRig, type Rig } from "./rig/rig.ts";
import { libfaketime } from "./rig/services.ts";
import type { Scenario } from "./scenarios/scenario.ts";

/** Returns why a scenario can't run here, or undefined. */
function obstacle({ needs }: Scenario, { database }: Rig): string | undefined {
  if (needs === "postgres" && !database) return "it needs control of PostgreSQL";
  if (needs === "volumes" && database?.hasVolumes !== true)
    return "it needs PostgreSQL on a file system that root mounts";
  if (needs === "faketime" && libfaketime() === undefined)
    return "it needs libfaketime (Debian: apt-get install libfaketime)";
  return undefined;
}

async function run(options: Options): Promise<boolean> {
  if (options.build) await buildApp();
  say("Starting PostgreSQL, Redis, receivers and the service …");
  const rig = await startRig(options.databaseUrl);
  const results: Result[] = [];
  const failed: string[] = [];
  const skipped: string[] = [];
  for (const scenario of options.scenarios) {
    const reason = obstacle(scenario, rig);
    if (reason !== undefined) {
      say(`${scenario.name} is skipped: ${reason}.\n`);
      skipped.push(scenario.name);
      continue;
    }
    try {
      const result = await measure(scenario, rig, options.quick ? QUICK : FULL);
      say(describe(result));
      results.push(result);
    } catch (error) {
      if (isEnding()) return false;
      say(`${scenario.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      failed.push(scenario.name);
    }
  }
  if (options.markdown) process.stdout.write(markdown(results));
  const { lines, passed } = summarize({ results, failed, skipped }, options);
  for (const line of lines) say(line);
  return passed;
}

await runProgram(() => run(readOptions(process.argv.slice(2))));
