import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Target } from "../load/workload.ts";

const ARRIVAL_TIMEOUT_MS = 10_000;
const delaysShape = z.object({ delays: z.record(z.string(), z.array(z.number())) });

/**
 * Waits until exactly this number of webhooks has arrived at each path.
 * @returns milliseconds from the timestamp of each webhook to its arrival
 */
export async function delaysAt({ url }: Target, paths: readonly string[], each: number): Promise<number[]> {
  for (const deadline = performance.now() + ARRIVAL_TIMEOUT_MS; ;) {
    const { delays } = delaysShape.parse(await (await fetch(url)).json());
    const wanted = paths.map((path) => delays[path] ?? []);
    if (wanted.every(({ length }) => length === each)) return wanted.flat();
    if (performance.now() > deadline || wanted.some(({ length }) => length > each)) {
      throw new Error(`expected ${each} webhooks at each path, got ${wanted.map(({ length }) => length).join(", ")}`);
    }
    await pause(50);
  }
}

/** Deletes the recorded delays and closes hanging requests. */
export async function resetReceiver({ url }: Target): Promise<void> {
  await fetch(url, { method: "DELETE" });
}
