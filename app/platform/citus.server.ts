import { runOne, statement } from "./database.server.ts";

const citusStatement = statement<{ installed: boolean }>(
  "citus",
  "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS installed",
);

let asked: Promise<boolean> | undefined;

/** Returns whether the database has the Citus extension, with which it may be distributed over several servers. */
export function hasCitus(): Promise<boolean> {
  asked ??= runOne(citusStatement, []).then(({ installed }) => installed);
  asked.catch(() => (asked = undefined));
  return asked;
}
