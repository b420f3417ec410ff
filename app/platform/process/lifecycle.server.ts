import { log } from "../log/log.server.ts";

interface Step {
  name: string;
  stop: () => Promise<void>;
}

/** The work was cut off by the shutdown of the process and is repeated by another process or after the next start. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

const steps: Step[] = [];
const early: (() => void)[] = [];
let stopping = false;

/** Registers a step of the shutdown. Steps run in reverse order of registration. */
export function onShutdown(name: string, stop: () => Promise<void>): void {
  steps.push({ name, stop });
}

/** Tells whether the process is shutting down. */
export function isStopping(): boolean {
  return stopping;
}

/** Registers what ends at once when the process is told to stop, before requests that still arrive are finished. */
export function onStopping(stop: () => void): void {
  early.push(stop);
}

export function beginStopping(): void {
  stopping = true;
  for (const stop of early.splice(0)) stop();
}

/** Runs all shutdown steps, one after the other. A failing step is logged and does not prevent the others. */
export async function stopAll(): Promise<void> {
  beginStopping();
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step.stop();
    } catch (error) {
      log.error({ err: error, step: step.name }, "a shutdown step failed");
    }
  }
}
