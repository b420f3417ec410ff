import { setTimeout as pause } from "node:timers/promises";
import { requestAt, type Target, type Workload } from "./workload.ts";

/**
 * Sends a workload at a steady rate, without waiting for earlier responses.
 * @returns the number of requests, all of which got a 2xx response
 */
export async function sendPaced(
  { url, token }: Target,
  workload: Workload,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const headers = { authorization: `Bearer ${token ?? ""}`, "content-type": "application/json" };
  const send = async (n: number): Promise<void> => {
    const { method, path, body = null } = requestAt(workload, n);
    const response = await fetch(url + path, { method, headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  };
  const count = perSecond * seconds;
  const responses: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, started + (n * 1000) / perSecond - performance.now()));
    responses.push(send(n));
  }
  await Promise.all(responses);
  return count;
}
