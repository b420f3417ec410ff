// `npm test`: finds the programs that the tests need, runs the checks, makes the build, and runs vitest twice, side by side. `--matrix` runs only the
// tests with the tag `matrix`, which `npm test` leaves out. Other arguments go to one vitest: `npm test -- tests/unit`, `npm test -- --project api`.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { StartError } from "../server/fail.ts";
import { freshBuild } from "../server/dev/fresh-build.ts";
import { CHECKS, runChecks, secondsSince } from "./checks.ts";
import { COMPILE_CACHE } from "./support/app/compile-cache.ts";
import { lookUpPrograms } from "./support/programs/lookup.ts";
import { describeSkipped } from "./support/programs/needs.ts";

const top = new URL("../", import.meta.url);

/** Projects whose tests keep a browser busy. */
const IN_BROWSERS = ["e2e", "example", "extension", "packages", "themes"];

interface Run {
  /** the file of vitest's report */
  report: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

function reportFile(name: string): string {
  return fileURLToPath(new URL(`node_modules/.cache/vitest-report${name}.json`, top));
}

/**
 * Returns the halves of all projects. Vitest runs one project after the other, and so would overload the processor with browsers first, and leave it
 * half idle afterwards, while tests wait for processes.
 */
function halves(tags: string, env: NodeJS.ProcessEnv): Run[] {
  const dataDir = env["WISHLIST_TEST_DATA_DIR"] ?? ".data/test";
  const common = [tags, "--maxWorkers=2"];
  return [
    {
      report: reportFile("-browsers"),
      args: [...common, ...IN_BROWSERS.map((name) => `--project=${name}`)],
      env: { ...env, WISHLIST_TEST_DATA_DIR: `${dataDir}-browsers` },
    },
    { report: reportFile(""), args: [...common, ...IN_BROWSERS.map((name) => `--project=!${name}`)], env },
  ];
}

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

/**
 * Runs vitest to its end. It gets Ctrl-C from the terminal itself, so only SIGTERM is forwarded.
 * @param stdio "pipe" prints whole lines, so that two runs can print at once
 * @returns its exit code
 */
function runTests({ report, args, env }: Run, stdio: "inherit" | "pipe"): Promise<number> {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], {
      cwd: top,
      env,
      stdio: ["inherit", stdio, stdio],
    });
    for (const output of [child.stdout, child.stderr]) if (output) createInterface({ input: output }).on("line", say);
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const wait = () => undefined;
    process.on("SIGTERM", forward).on("SIGINT", wait);
    child.on("error", reject);
    // Not "exit", after which output may still arrive.
    child.on("close", (code, signal) => {
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

/**
 * Prints the totals of vitest's reports, and which tests failed and were skipped.
 * @param tier "selection" also skips what the selection leaves out
 */
function summarise(runs: readonly Run[], exitCode: number, tier: "npm test" | "matrix" | "selection"): void {
  const reports = runs
    .filter(({ report }) => existsSync(report))
    .map(({ report }) => reportShape.parse(JSON.parse(readFileSync(report, "utf8"))));
  if (reports.length < runs.length) return;
  const testResults = reports.flatMap((one) => one.testResults);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const notRun = tests.filter(({ status, tags }) => {
    const isInTier = tier === "selection" || tags.includes("matrix") === (tier === "matrix");
    return isInTier && status !== "passed" && status !== "failed";
  });
  const skipped = notRun.filter(({ meta }) => meta.missingPrograms === undefined);
  if (skipped.length > 0 && tier !== "selection") {
    say(`Skipped (${skipped.length}):\n${skipped.map(({ fullName }) => `  ${fullName}`).join("\n")}`);
  }
  // A file that could not be loaded counts as one failure, and so does an error outside all tests.
  const unloaded = testResults.filter(({ status, assertionResults: [first] }) => status === "failed" && !first);
  for (const { fullName, status } of tests) if (status === "failed") say(`Failed: ${fullName}`);
  const [passed = 0, failedTests = 0] = (["numPassedTests", "numFailedTests"] as const).map((total) =>
    reports.reduce((sum, one) => sum + one[total], 0),
  );
  const failed = failedTests + unloaded.length;
  say(`${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);
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
const runs =
  tier === "selection"
    ? [{ report: reportFile(""), args, env }]
    : halves(`--tags-filter=${tier === "matrix" ? "matrix" : "!matrix"}`, env);
const exitCodes = await Promise.all(runs.map((run) => runTests(run, runs.length > 1 ? "pipe" : "inherit")));
const exitCode = exitCodes.find((code) => code !== 0) ?? 0;
say(`Done in ${secondsSince(start)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(", ")}`);
summarise(runs, exitCode, tier);
process.exitCode = exitCode === 0 && failedChecks.length > 0 ? 1 : exitCode;
