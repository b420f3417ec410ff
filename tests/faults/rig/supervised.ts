import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { isEnding } from "../../../bench/lifetime.ts";

/** Milliseconds until a process that ended by itself is started again, as systemd's `RestartSec=1` does. */
const RESTART_DELAY = 1_000;

export interface Program {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** receives standard output and error */
  logFile: string;
  uid?: number | undefined;
  gid?: number | undefined;
}

/** A process that is started again whenever it ends without having been stopped. */
export class Supervised {
  program: Program;
  /** how often the supervisor has started the process again by itself */
  restarts = 0;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #wanted = false;

  constructor(program: Program) {
    this.program = program;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#wanted = true;
    if (this.#child) return;
    const { command, args, env, logFile, uid, gid } = this.program;
    const log = openSync(logFile, "a");
    // In a separate process group, so that Ctrl-C in a terminal reaches the script alone, which then cleans up in order.
    const user = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
    const child = spawn(command, [...args], { env, stdio: ["ignore", log, log], detached: true, cwd: "/", ...user });
    closeSync(log);
    this.#child = child;
    this.#exited = once(child, "exit").then(
      () => this.#ended(),
      () => this.#ended(),
    );
  }

  #ended(): void {
    this.#child = undefined;
    if (this.#wanted && !isEnding()) void this.#startAgain();
  }

  async #startAgain(): Promise<void> {
    await after(RESTART_DELAY);
    if (!this.#wanted || this.#child || isEnding()) return;
    this.restarts++;
    this.start();
  }

  /** Sends a signal. The supervisor starts the process again if that ends it. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends the process and waits for its end. It is not started again. */
  async stop(signal: NodeJS.Signals, killAfterMs = 40_000): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (!child) return;
    child.kill(signal);
    const forced = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    await this.#exited;
    clearTimeout(forced);
  }
}
