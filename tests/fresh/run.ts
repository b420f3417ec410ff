// `npm run test:fresh`: runs the commands of the README as an ordinary user on a bare Debian that has Node and npm and nothing else.
import { mkdtempSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { isEnding, onEnd, runProgram, say, UsageError } from "../../bench/lifetime.ts";
import { isMade, makeRoot, removeRoot, start } from "./root.ts";

const HELP = `npm run test:fresh -- [options] [command]

Runs the commands of the README, or the given one, in a new root. It needs root and debootstrap, and takes about 40 minutes.

  --root <folder>  the root's folder (default: a new one in /var/tmp); one that an earlier run kept is used again as it is
  --keep           keep the root
`;

const DEMO = "npm ci && npm run demo";
const TESTS = "npm ci && npm test";
/** The demo prints it when it is ready. */
const READY = "Ctrl-C stops everything";

interface Result {
  command: string;
  seconds: number;
  passed: boolean;
  outcome: string;
}

function readOptions(): { root: string; keep: boolean; command: string } {
  const { values, positionals } = parseOptions();
  if (process.getuid?.() !== 0) throw new UsageError("It makes a root folder and mounts, so it must run as root.");
  const root = values.root ?? mkdtempSync("/var/tmp/wishlist-fresh-");
  return { root, keep: values.keep, command: positionals.join(" ") };
}

function parseOptions() {
  try {
    const options = { root: { type: "string" }, keep: { type: "boolean", default: false } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

async function measure(command: string, work: () => Promise<Omit<Result, "command" | "seconds">>): Promise<Result> {
  say(`\n$ ${command}`);
  const began = performance.now();
  const result = await work();
  return { command, seconds: (performance.now() - began) / 1_000, ...result };
}

function runCommand(root: string, command: string): Promise<Result> {
  return measure(command, async () => {
    const code = await start(root, command).ended;
    return { passed: code === 0, outcome: `exit status ${String(code)}` };
  });
}

/** Runs the demo until it is ready, and stops it as Ctrl-C in its terminal does. */
function runDemo(root: string): Promise<Result> {
  return measure(DEMO, async () => {
    const { child, ended } = start(root, DEMO, "pipe");
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      process.stdout.write(text);
      const wasReady = output.includes(READY);
      output += text;
      if (!wasReady && output.includes(READY) && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    });
    const code = await ended;
    const ready = output.includes(READY);
    // npm ends with 130 after Ctrl-C if it sees the signal first.
    const passed = ready && (code === 0 || code === 130);
    return { passed, outcome: `${ready ? "ready, stopped with Ctrl-C" : "not ready"}, exit status ${String(code)}` };
  });
}

await runProgram(async () => {
  const { root, keep, command } = readOptions();
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  for (const shown of [DEMO, TESTS]) if (!readme.includes(shown)) throw new Error(`README.md does not show: ${shown}`);
  onEnd(async () => {
    if (keep) say(`The root is kept: ${root}`);
    else removeRoot(root);
  });
  if (!isMade(root)) {
    say(`Installing Debian in ${root} …`);
    makeRoot(root);
  }
  const results =
    command === "" ? [await runDemo(root), await runCommand(root, TESTS)] : [await runCommand(root, command)];
  if (isEnding()) return false;
  say("");
  for (const { command, seconds, outcome } of results) say(`${command}: ${outcome} after ${seconds.toFixed(0)} s`);
  return results.every(({ passed }) => passed);
});
