// `npm test`: finds the programs that the tests need, runs the checks, makes the build, and runs vitest. `--matrix` runs only the tests with the tag
// `matrix`, which `npm test` leaves out. Other arguments go to vitest: `npm test -- tests/unit`, `npm test -- --project api -t merge`.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { StartError } from "../server/fail.ts";
import { freshBuild } from "../server/dev/fresh-build.ts";
import { CHECKS, runChecks, secondsSince } from "./checks.ts";
import { COMPILE_CACHE } from "./support/app/compile-cache.ts";
import { lookUpPrograms } from "./support/programs/lookup.ts";
import { describeSkipped } from "./support/programs/needs.ts";

const top = new URL("../", import.meta.url);
const report = fileURLToPath(new URL("node_modules/.cache/vitest-report.json", top));
const reportShape = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          tags: z.array(z.string()),
          meta: z.object({ missingPrograms: z.array(z.string()).optional() }),
        }),
      ),
    }),
  ),
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs vitest to its end. It gets Ctrl-C from the terminal itself, so only SIGTERM is forwarded. @returns its exit code */
function runTests(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...args], {
      cwd: top,
      env,
      stdio: "inherit",
    });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const wait = () => undefined;
    process.on("SIGTERM", forward).on("SIGINT", wait);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      process.off("SIGTERM", forward).off("SIGINT", wait);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Builds the app unless the build is up to date. */
async function build(): Promise<void> {
  const start = performance.now();
  try {
    await freshBuild((message) => {
      say(`${message} …`);
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    say(`${error.message}\nNo test has run.`);
    process.exit(1);
  }
  say(`The build is ready after ${secondsSince(start)}.`);
}

/** Finds the programs that the tests start. Lists all missing ones before it ends the process. */
function programs(): Readonly<Record<string, string>> {
  const { found, env, missing, problems } = lookUpPrograms();
  for (const { title, path } of found) say(`${title}: ${path}`);
  for (const { title } of missing) say(`${title}: none. The tests that need it are skipped.`);
  if (problems.length > 0) {
    say(`\n${problems.join("\n")}\nNo test has run. \`npm run test:fast\` needs no other programs.`);
    process.exit(1);
  }
  return env;
}

/** Prints the totals of vitest's report, and which tests were skipped. @param tier "selection" also skips what the selection leaves out */
function summarise(exitCode: number, tier: "npm test" | "matrix" | "selection"): void {
  if (!existsSync(report)) return;
  const { numPassedTests, numFailedTests, testResults } = reportShape.parse(JSON.parse(readFileSync(report, "utf8")));
  const notRun = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => {
      const isInTier = tier === "selection" || tags.includes("matrix") === (tier === "matrix");
      return isInTier && status !== "passed" && status !== "failed";
    });
  const skipped = notRun.filter(({ meta }) => meta.missingPrograms === undefined);
  if (skipped.length > 0 && tier !== "selection") {
    say(`Skipped (${skipped.length}):\n${skipped.map(({ fullName }) => `  ${fullName}`).join("\n")}`);
  }
  // A file that could not be loaded counts as one failure, and so does an error outside all tests.
  const unloaded = testResults.filter(({ status, assertionResults: [first] }) => status === "failed" && !first);
  const failed = numFailedTests + unloaded.length;
  say(`${numPassedTests} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);
  for (const line of describeSkipped(notRun.map(({ meta }) => meta))) say(line);
}

const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== "--matrix");
const tier = args.length > 0 ? "selection" : given.includes("--matrix") ? "matrix" : "npm test";
const folders = args.filter((argument) => argument.startsWith("tests/"));
const unitOnly = folders.length > 0 && folders.every((folder) => folder.startsWith("tests/unit"));
const failedChecks: string[] = [];

const env: NodeJS.ProcessEnv = { ...COMPILE_CACHE, ...process.env };
// Without NO_COLOR, vitest colours output to files and pipes as well.
if (!process.stdout.isTTY && env["FORCE_COLOR"] === undefined) env["NO_COLOR"] ??= "1";
const start = performance.now();
if (!unitOnly) Object.assign(env, programs());
if (tier === "npm test") failedChecks.push(...(await runChecks(CHECKS)));
if (!unitOnly) await build();
rmSync(report, { force: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const tags = tier === "selection" ? [] : [`--tags-filter=${tier === "matrix" ? "matrix" : "!matrix"}`];
const exitCode = await runTests([...reporters, ...tags, ...args], env);
say(`Done in ${secondsSince(start)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(", ")}`);
summarise(exitCode, tier);
process.exitCode = exitCode === 0 && failedChecks.length > 0 ? 1 : exitCode;
