import { setTimeout as pause } from "node:timers/promises";
import { requestAt, type Target, type Workload } from "./workload.ts";

/**
 * Sends a workload at a steady pace, whether earlier requests have been answered or not.
 * @returns how many requests it has sent, all of them answered 2xx
 */
export async function sendPaced(
  { url, token }: Target,
  workload: Workload,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const headers = { authorization: `Bearer ${token ?? ""}`, "content-type": "application/json" };
  const send = async (n: number): Promise<void> => {
    const { method, path, body = null } = requestAt(workload, n);
    const answer = await fetch(url + path, { method, headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  };
  const count = perSecond * seconds;
  const answers: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, started + (n * 1000) / perSecond - performance.now()));
    answers.push(send(n));
  }
  await Promise.all(answers);
  return count;
}
