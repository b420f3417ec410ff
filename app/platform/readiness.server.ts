import { setTimeout as after } from "node:timers/promises";
import { run, statement } from "./database.server.ts";

export { isStopping } from "./lifecycle.server.ts";

/** Milliseconds within which the database must answer. */
const TIMEOUT = 1_000;

const ping = statement<{ one: number }>("readiness", "SELECT 1 AS one");

/** Milliseconds that an answer of the database counts for everybody who asks. */
const CACHE_MS = 1_000;

let last: { at: number; answer: Promise<boolean> } | undefined;

/** Does the database answer? Asks it once a second at most: anybody may request `/readyz`. */
export function checkDatabase(): Promise<boolean> {
  const now = performance.now();
  if (!last || now - last.at >= CACHE_MS) last = { at: now, answer: pingDatabase() };
  return last.answer;
}

async function pingDatabase(): Promise<boolean> {
  const answered = run(ping, []).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, after(TIMEOUT, false)]);
}
