// `npm run test:faults`: disturbs two web processes, a worker, PostgreSQL with a synchronous standby, Redis and receivers under load, and
// measures what is lost and how long recovery takes. docs/reliability.md explains the figures. `-- --help` lists the options.
import { buildApp, isEnding, runProgram, say } from "../../bench/lifetime.ts";
import { FULL, measure, QUICK, type Result } from "./measure.ts";
import { readOptions, type Options } from "./options.ts";
import { describe, losses, markdown, missedGoals } from "./report.ts";
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
  for (const scenario of options.scenarios) {
    const reason = obstacle(scenario, rig);
    if (reason !== undefined) {
      say(`${scenario.name} is skipped: ${reason}.\n`);
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
  const missed = results.filter((result) => missedGoals(result).length > 0).map(({ scenario }) => scenario.name);
  say(missed.length === 0 ? "Every goal is met." : `Goals are missed: ${missed.join(", ")}.`);
  if (failed.length > 0) say(`Could not be measured: ${failed.join(", ")}.`);
  const lossless = results.every((result) => losses(result).length === 0);
  return failed.length === 0 && (missed.length === 0 || (options.anyTime && lossless));
}

await runProgram(() => run(readOptions(process.argv.slice(2))));
