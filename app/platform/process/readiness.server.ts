import { setTimeout as after } from "node:timers/promises";
import { run, statement } from "../database/database.server.ts";
import { gauge } from "../metrics/metrics.server.ts";
import { isStopping } from "./lifecycle.server.ts";

export { isStopping } from "./lifecycle.server.ts";

/** Milliseconds within which the database must respond. */
const TIMEOUT = 1_000;

const ping = statement<{ one: number }>("readiness", "SELECT 1 AS one");

/** Milliseconds for which a result is reused. */
const CACHE_MS = 1_000;

let last: { at: number; result: Promise<boolean> } | undefined;

/** Checks that the database responds. Runs at most once a second, because `/readyz` needs no authentication. */
export function checkDatabase(): Promise<boolean> {
  const now = performance.now();
  if (!last || now - last.at >= CACHE_MS) last = { at: now, result: pingDatabase() };
  return last.result;
}

gauge("database_up", "1 while the database responds within a second", undefined, async () => [
  { labels: {}, value: (await checkDatabase()) ? 1 : 0 },
]);
gauge("stopping", "1 once the process shuts down", undefined, () => [{ labels: {}, value: isStopping() ? 1 : 0 }]);

async function pingDatabase(): Promise<boolean> {
  const responded = run(ping, []).then(
    () => true,
    () => false,
  );
  return Promise.race([responded, after(TIMEOUT, false)]);
}
