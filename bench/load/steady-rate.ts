import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { requestAt, type LoadRequest, type Target, type Workload } from "./workload.ts";

/**
 * Sends a workload at a steady rate, without waiting for earlier responses.
 * @returns the number of requests, all of which got a 2xx response
 */
export async function sendAtRate(
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

/**
 * Sends a workload at a steady rate, without waiting for earlier responses.
 * @returns the latencies in milliseconds from the time when each request was due, by method
 */
export async function measureAtRate(
  { url, token }: Target,
  workload: Workload,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Record<LoadRequest["method"], number[]>> {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const latencies: Record<LoadRequest["method"], number[]> = { GET: [], POST: [], DELETE: [] };
  const send = async (n: number, due: number): Promise<void> => {
    const { method, path, body = null } = requestAt(workload, n);
    const headers = {
      authorization: `Bearer ${token ?? ""}`,
      ...(body === null ? {} : { "content-type": "application/json" }),
    };
    const response = await pool.request({ method, path, body, headers });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path} responded with ${response.statusCode}: ${text}`);
    latencies[method].push(performance.now() - due);
  };
  const sent: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = started + (n * 1_000) / perSecond;
    await pause(Math.max(0, due - performance.now()));
    sent.push(send(n, due));
  }
  await Promise.all(sent);
  await pool.close();
  return latencies;
}
