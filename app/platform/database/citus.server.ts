import { runOne, statement } from "./database.server.ts";

const citusStatement = statement<{ installed: boolean }>(
  "citus",
  "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS installed",
);

let installed: Promise<boolean> | undefined;

/** Returns whether the database has the Citus extension, with which it may be distributed over several servers. */
export function hasCitus(): Promise<boolean> {
  installed ??= runOne(citusStatement, []).then((row) => row.installed);
  installed.catch(() => (installed = undefined));
  return installed;
}
