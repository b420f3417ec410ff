import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "./compile-cache.ts";

/** Node's arguments for the production process, as of `npm start`. */
export const START = ["--max-semi-space-size=16", fileURLToPath(new URL("../../../server/main.ts", import.meta.url))];

/** A production process that may serve or refuse to start. */
export interface Launched {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Resolves with the exit code when all output has been read; null after a signal. */
  ended: Promise<number | null>;
}

/** @param env the complete environment except PATH and the compile cache */
export function launch(env: Record<string, string>): Launched {
  const child = spawn(process.execPath, START, {
    env: { ...COMPILE_CACHE, PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: once(child, "close").then(() => child.exitCode),
  };
}
