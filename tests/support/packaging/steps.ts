import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const TOP = fileURLToPath(new URL("../../../", import.meta.url));
const READY_MS = 120_000;
const POLL_MS = 250;

export const SECRETS = {
  TOKEN_SECRETS: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a program to its end and returns its standard output.
 * @throws when it fails, with the end of its output
 */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: TOP,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error) throw error;
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${args.join(" ")} failed:\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
}

export function expect(condition: boolean, problem: string): void {
  if (!condition) throw new Error(problem);
}

/** Waits until a service is ready. */
export async function ready(url: string, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    expect(isRunning(), "the service ended before it was ready");
    expect(performance.now() < deadline, "the service was not ready after two minutes");
    await pause(POLL_MS);
  }
}
