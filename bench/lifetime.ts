import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Clean-up functions for the end of the bench, called in reverse order. */
const cleanUps: (() => Promise<void>)[] = [];
const children = new Set<ChildProcess>();
let ending: Promise<void> | undefined;

const KILL_AFTER = 15_000;

export function onEnd(cleanUp: () => Promise<void>): void {
  cleanUps.push(cleanUp);
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Starts a program that is terminated when the bench ends. */
export function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, [...args], options);
  children.add(child);
  child.once("exit", () => children.delete(child));
  child.once("error", () => children.delete(child));
  return child;
}

/** Sends SIGTERM to a program, later SIGKILL, and waits until it has ended. */
export async function terminate(child: ChildProcess): Promise<void> {
  if (!children.has(child)) return;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      resolve();
    });
  });
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER);
  await exited;
  clearTimeout(forced);
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export function runToEnd(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = launch(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, ...output });
    });
  });
}

/** Runs a program to its end. @returns its standard output @throws when it fails, with its output */
export async function runOrThrow(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** Terminates all running programs and then calls the clean-up functions. */
export function endAll(): Promise<void> {
  ending ??= (async () => {
    await Promise.all([...children].map(terminate));
    for (let cleanUp = cleanUps.pop(); cleanUp; cleanUp = cleanUps.pop()) {
      await cleanUp().catch((error: unknown) => {
        say(error instanceof Error ? error.message : String(error));
      });
    }
  })();
  return ending;
}

/** Returns true after a signal to stop. Later failures are consequences of the signal. */
export function isEnding(): boolean {
  return ending !== undefined;
}

function endOnSignals(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, () => {
      if (isEnding()) return;
      say("\nStopping …");
      void endAll().then(() => process.exit(code));
    });
  }
}

/** Wrong arguments. Only the message is printed, without a stack. */
export class UsageError extends Error {}

/**
 * Runs a program that starts others, removes all that it has started, and ends the process: with 0 if `work` returns true, otherwise with 1.
 * After a signal the process ends with the signal's code.
 */
export async function runProgram(work: () => Promise<boolean>): Promise<void> {
  endOnSignals();
  let passed = false;
  try {
    passed = await work();
  } catch (error) {
    if (error instanceof UsageError) say(error.message);
    else if (!isEnding()) say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  if (isEnding()) return;
  await endAll();
  process.exit(passed ? 0 : 1);
}

/** Builds the app, as `npm run build`. */
export async function buildApp(): Promise<void> {
  say("Building the app …");
  await runOrThrow("npm", ["run", "--silent", "build"], { cwd: fileURLToPath(new URL("../", import.meta.url)) });
}
