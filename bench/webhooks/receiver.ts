import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Target } from "../load/workload.ts";

const ARRIVE_WITHIN = 10_000;
const told = z.object({ delays: z.record(z.string(), z.array(z.number())) });

/**
 * Waits until as many webhooks have come to each of the paths, and no more of them than that.
 * @returns milliseconds from each one's timestamp to its arrival
 */
export async function delaysAt({ url }: Target, paths: readonly string[], each: number): Promise<number[]> {
  for (const deadline = performance.now() + ARRIVE_WITHIN; ;) {
    const { delays } = told.parse(await (await fetch(url)).json());
    const wanted = paths.map((path) => delays[path] ?? []);
    if (wanted.every(({ length }) => length === each)) return wanted.flat();
    if (performance.now() > deadline || wanted.some(({ length }) => length > each)) {
      throw new Error(`of ${each} webhooks each, ${wanted.map(({ length }) => length).join(", ")} came`);
    }
    await pause(50);
  }
}

/** Forgets what has come and lets go of what hangs. */
export async function forget({ url }: Target): Promise<void> {
  await fetch(url, { method: "DELETE" });
}
