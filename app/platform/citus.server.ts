import { runOne, statement } from "./database.server.ts";

const citusStatement = statement<{ installed: boolean }>(
  "citus",
  "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS installed",
);

let response: Promise<boolean> | undefined;

/** Returns whether the database has the Citus extension, with which it may be distributed over several servers. */
export function hasCitus(): Promise<boolean> {
  response ??= runOne(citusStatement, []).then(({ installed }) => installed);
  response.catch(() => (response = undefined));
  return response;
}
