// `npm run check`: runs every `check:…` script of package.json, two at a time, and prints a line with its duration.
// The output of a failed check is printed. Arguments select checks: `npm run check -- lint types`.
import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import packageJson from "../package.json" with { type: "json" };

const AT_A_TIME = 2;

const all = Object.keys(packageJson.scripts)
  .filter((script) => script.startsWith("check:"))
  .map((script) => script.slice("check:".length));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown checks: ${unknown.join(", ")}. Available checks: ${all.join(", ")}.\n`);
  process.exit(2);
}
const checks = named.length > 0 ? named : all;
const width = Math.max(...checks.map((name) => name.length));

/** Runs a script of package.json to its end. */
function run(name: string): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", `check:${name}`], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", (error) => resolve({ passed: false, output: error.message }));
    child.on("close", (code, signal) => {
      if (signal !== null) output += `\nended by ${signal}`;
      resolve({ passed: code === 0, output });
    });
  });
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

const start = performance.now();
const queue = [...checks];
const failed: string[] = [];

async function work(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const began = performance.now();
    const { passed, output } = await run(name);
    process.stdout.write(`${passed ? "✓" : "✗"} ${name.padEnd(width)}  ${seconds(began).padStart(7)}\n`);
    if (!passed) {
      failed.push(name);
      process.stdout.write(`\n${output.trim()}\n\n`);
    }
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, work));

const verdict =
  failed.length === 0
    ? "All checks passed"
    : `${failed.length} of ${checks.length} checks failed (${failed.join(", ")})`;
process.stdout.write(`${verdict} in ${seconds(start)}.\n\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
