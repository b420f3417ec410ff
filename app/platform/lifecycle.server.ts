import { log } from "./log.server.ts";

interface Step {
  name: string;
  stop: () => Promise<void>;
}

const steps: Step[] = [];
let stopping = false;

/** Registers a step of the shutdown. Steps run in reverse order of registration. */
export function onShutdown(name: string, stop: () => Promise<void>): void {
  steps.push({ name, stop });
}

/** Tells whether the process is shutting down. */
export function isStopping(): boolean {
  return stopping;
}

export function beginStopping(): void {
  stopping = true;
}

/** Runs all shutdown steps, one after the other. A failing step is logged and does not prevent the others. */
export async function stopAll(): Promise<void> {
  stopping = true;
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step.stop();
    } catch (error) {
      log.error({ err: error, step: step.name }, "a shutdown step failed");
    }
  }
}
