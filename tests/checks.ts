import { spawn, type ChildProcess } from "node:child_process";
import { performance } from "node:perf_hooks";
import packageJson from "../package.json" with { type: "json" };

const LONGEST = ["format", "lint", "weight"];

/** The names of the checks: each is a script `check:<name>` of package.json. The longest come first, so that none ends long after the others. */
export const CHECKS: readonly string[] = Object.keys(packageJson.scripts)
  .filter((script) => script.startsWith("check:"))
  .map((script) => script.slice("check:".length))
  .sort((a, b) => Number(LONGEST.includes(b)) - Number(LONGEST.includes(a)));

const AT_A_TIME = 2;

const children = new Set<ChildProcess>();
// Ctrl-C reaches them from the terminal.
process.once("exit", () => {
  for (const child of children) child.kill();
});

/** Runs a script of package.json to its end. */
function run(name: string): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", `check:${name}`], { stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", (error) => resolve({ passed: false, output: error.message }));
    child.on("close", (code, signal) => {
      children.delete(child);
      if (signal !== null) output += `\nended by ${signal}`;
      resolve({ passed: code === 0, output });
    });
  });
}

/**
 * Runs checks, two at a time. Prints a line with the duration of each, and the output of one that fails.
 * @returns the names of those that failed
 */
export async function runChecks(checks: readonly string[]): Promise<string[]> {
  const width = Math.max(...CHECKS.map((name) => name.length));
  const queue = [...checks];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const start = performance.now();
      const { passed, output } = await run(name);
      process.stdout.write(`${passed ? "✓" : "✗"} ${name.padEnd(width)}  ${secondsSince(start).padStart(7)}\n`);
      if (!passed) {
        failed.push(name);
        process.stdout.write(`\n${output.trim()}\n\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return failed;
}

/** Returns a duration in words. @param start of `performance.now()` */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
