// The second half of `npm test`: builds the app, finds the programs that the tests need, and runs vitest.
// Arguments go to vitest: `npm test -- tests/unit`, `npm test -- --project api -t merge`.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { StartError } from "../server/fail.ts";
import { freshBuild } from "../server/dev/fresh-build.ts";
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
          meta: z.object({ missingPrograms: z.array(z.string()).optional() }),
        }),
      ),
    }),
  ),
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a command to its end. It gets Ctrl-C from the terminal itself, so only SIGTERM is forwarded. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: top, env, stdio: "inherit" });
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
  say(`The build is ready after ${((performance.now() - start) / 1000).toFixed(1)} s.`);
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

/** Prints the totals of vitest's report, and which tests were skipped. A filtered run also skips what the filter leaves out. */
function summarise(exitCode: number, filtered: boolean): void {
  if (!existsSync(report)) return;
  const { numPassedTests, numFailedTests, testResults } = reportShape.parse(JSON.parse(readFileSync(report, "utf8")));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const notRun = tests.filter(({ status }) => status !== "passed" && status !== "failed");
  const skipped = notRun.filter(({ meta }) => meta.missingPrograms === undefined);
  if (skipped.length > 0 && !filtered) {
    say(`Skipped (${skipped.length}):\n${skipped.map(({ fullName }) => `  ${fullName}`).join("\n")}`);
  }
  // A file that could not be loaded counts as one failure, and so does an error outside all tests.
  const unloaded = testResults.filter(({ status, assertionResults: [first] }) => status === "failed" && !first);
  const failed = numFailedTests + unloaded.length;
  say(`${numPassedTests} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);
  for (const line of describeSkipped(notRun.map(({ meta }) => meta))) say(line);
}

const args = process.argv.slice(2);
const folders = args.filter((argument) => argument.startsWith("tests/"));
const unitOnly = folders.length > 0 && folders.every((folder) => folder.startsWith("tests/unit"));

const env: NodeJS.ProcessEnv = { ...COMPILE_CACHE, ...process.env };
// Without NO_COLOR, vitest colours output to files and pipes as well.
if (!process.stdout.isTTY && env["FORCE_COLOR"] === undefined) env["NO_COLOR"] ??= "1";
if (!unitOnly) {
  Object.assign(env, programs());
  await build();
}
rmSync(report, { force: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const exitCode = await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args], env);
summarise(exitCode, args.length > 0);
process.exitCode = exitCode;
