import { log } from "./log.server.ts";

interface Step {
  name: string;
  stop: () => Promise<void>;
}

const steps: Step[] = [];
let stopping = false;

/** Something that runs until the process stops. The last one registered stops first. */
export function onShutdown(name: string, stop: () => Promise<void>): void {
  steps.push({ name, stop });
}

/** Has the process been told to end? Then it is not ready for more work. */
export function isStopping(): boolean {
  return stopping;
}

export function beginStopping(): void {
  stopping = true;
}

/** Stops everything registered, one after the other. A step that fails is logged and does not keep the others. */
export async function stopAll(): Promise<void> {
  stopping = true;
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step.stop();
    } catch (error) {
      log.error({ err: error, step: step.name }, "a step of the shutdown failed");
    }
  }
}
