import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";

/** What has to be ended when the bench ends, however it does. The last one started ends first. */
const ends: (() => Promise<void>)[] = [];
const children = new Set<ChildProcess>();
let ending: Promise<void> | undefined;

const KILL_AFTER = 15_000;

export function atEnd(end: () => Promise<void>): void {
  ends.push(end);
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Starts a program that the bench's end ends. */
export function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, [...args], options);
  children.add(child);
  child.once("exit", () => children.delete(child));
  child.once("error", () => children.delete(child));
  return child;
}

/** Tells a program to end and waits until it has. */
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
    const said = { stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, ...said });
    });
  });
}

/** Ends the programs that are still running, and then everything else that was begun. */
export function endAll(): Promise<void> {
  ending ??= (async () => {
    await Promise.all([...children].map(terminate));
    for (let end = ends.pop(); end; end = ends.pop()) {
      await end().catch((error: unknown) => {
        say(error instanceof Error ? error.message : String(error));
      });
    }
  })();
  return ending;
}

/** Has the bench been told to stop? Then what fails now fails because of that. */
export function isEnding(): boolean {
  return ending !== undefined;
}

export function endOnSignals(): void {
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
