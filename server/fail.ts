import { constants } from "node:os";
import { EnvironmentError } from "../app/platform/env.server.ts";
import { MigrationError } from "../app/platform/migrations.server.ts";
import { DatabaseServerError, DataFolderError, DataFolderInUseError } from "./postgres/database.ts";

/** An expected reason not to start. Its message is all that needs to be said. */
export class StartError extends Error {
  override readonly name = "StartError";
}

const EXPECTED = [
  EnvironmentError,
  MigrationError,
  DataFolderInUseError,
  DataFolderError,
  DatabaseServerError,
  StartError,
];

// Network errors of Node.js, and the classes of SQLSTATE in which PostgreSQL turns a connection down.
const UNREACHABLE = /^(E[A-Z_]+|28...|3D...|08...|53...|57...)$/;

/** What is wrong with the database of DATABASE_URL, if it is the connection that failed. */
function connectionTrouble(error: Error): string | undefined {
  // A name with several addresses fails once for each.
  const [first = error] = error instanceof AggregateError ? error.errors.filter((one) => one instanceof Error) : [];
  const code = "code" in first && typeof first.code === "string" ? first.code : "";
  const isPostgres = "severity" in first || ("syscall" in first && /^(connect|getaddrinfo|read)/.test(String(first.syscall)));
  return isPostgres && UNREACHABLE.test(code) ? first.message : undefined;
}

/** An expected reason in its own words, in one line; anything else with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  const trouble = connectionTrouble(error);
  if (trouble !== undefined) return `The database cannot be reached (${trouble}). Check DATABASE_URL.`;
  return error.stack ?? error.message;
}

let ending = false;

/**
 * From here until the returned function is called, SIGINT and SIGTERM undo what was begun and end the process.
 * @param undo whether it fails or not, the process ends afterwards
 */
export function endOnSignal(undo: () => Promise<unknown>): () => void {
  const end = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to npm and to us, and npm passes its own on: the second is the same wish.
    if (ending) return;
    ending = true;
    // What is cut off now fails as a consequence, be it awaited or not.
    process.on("uncaughtException", () => undefined);
    const exit = (): never => process.exit(128 + constants.signals[signal]);
    undo().then(exit, exit);
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  return () => {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
  };
}

/** Goes on unless a signal is ending the process: then what has failed is only a consequence, and there is nothing to say. */
export async function unlessEnding(): Promise<void> {
  if (ending) await new Promise(() => undefined);
}

/** Ends the process and says why. */
export async function fail(error: unknown): Promise<never> {
  await unlessEnding();
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
