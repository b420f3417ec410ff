import { constants } from "node:os";
import { EnvironmentError } from "../app/platform/env.server.ts";
import { MigrationError } from "../app/platform/migrations.server.ts";
import { DatabaseServerError, DataFolderError, DataFolderInUseError, type OpenDatabase } from "./postgres/database.ts";
import { errorCode } from "./postgres/errors.ts";
import { readOwner } from "./postgres/owner-lock.ts";

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

// The classes of SQLSTATE in which PostgreSQL turns a connection down: exception, authorization, name, resources, intervention.
const TURNED_DOWN = /^(08|28|3D|53|57)...$/;
// What Node.js (TLS) and pg say without a code of their own.
const NOT_TALKING =
  /^(Connection terminated|timeout expired|There was an error establishing an SSL|The server does not support SSL)|certificate/;

/** What is wrong with the database of DATABASE_URL, if it is the connection that failed. */
function connectionTrouble(error: Error): string | undefined {
  // A name with several addresses fails once for each.
  const [first = error] = error instanceof AggregateError ? error.errors.filter((one) => one instanceof Error) : [];
  const isNetwork = "syscall" in first && /^(connect|getaddrinfo|read|write)/.test(String(first.syscall));
  const isRefused = "severity" in first && TURNED_DOWN.test(errorCode(first));
  return isNetwork || isRefused || NOT_TALKING.test(first.message) ? first.message : undefined;
}

/** An expected reason in its own words, in one line; anything else with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  const trouble = connectionTrouble(error);
  if (trouble !== undefined) return `The database cannot be reached (${trouble}). Check DATABASE_URL.`;
  return error.stack ?? error.message;
}

/** What asks a process to end: Ctrl-C, a supervisor, a terminal that is closed. */
export const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A terminal that was closed (SIGHUP) takes no more output. That is no reason to leave a database behind, nor to wait for ever at the
 * exit, where the log tries again and again to write its last lines.
 */
export function outliveTerminal(signal: NodeJS.Signals): void {
  if (signal !== "SIGHUP" || !(process.stdout.isTTY || process.stderr.isTTY)) return;
  process.on("uncaughtException", () => undefined);
  process.prependListener("exit", () => {
    process.kill(process.pid, "SIGKILL");
  });
}

let ending = false;

/**
 * From here until the returned function is called, a signal to end closes the database that this process owns first.
 * @param opening the embedded database of `dataDir`, if that is the one in use
 */
export function closeOnSignal(dataDir: string, opening: Promise<OpenDatabase | undefined>): () => void {
  const close = async (): Promise<void> => {
    // While another process holds the data there is nothing to close, and no need to wait for it.
    const owner = await readOwner(dataDir);
    if (owner?.pid === process.pid) await (await opening)?.close();
  };
  const end = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to npm and to us, and npm passes its own on: the second is the same wish.
    if (ending) return;
    ending = true;
    outliveTerminal(signal);
    // What is cut off now fails as a consequence, be it awaited or not.
    process.on("uncaughtException", () => undefined);
    const exit = (): never => process.exit(128 + constants.signals[signal]);
    close().then(exit, exit);
  };
  for (const signal of END_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, end);
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
