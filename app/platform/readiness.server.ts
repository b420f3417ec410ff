import { setTimeout as after } from "node:timers/promises";
import { run, statement } from "./database.server.ts";

export { isStopping } from "./lifecycle.server.ts";

/** Milliseconds within which the database must answer. */
const TIMEOUT = 1_000;

const ping = statement<{ one: number }>("readiness", "SELECT 1 AS one");

export async function checkDatabase(): Promise<boolean> {
  const answered = run(ping, []).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, after(TIMEOUT, false)]);
}
