import { constants } from "node:os";
import { EnvironmentError } from "../app/platform/process/env.server.ts";
import { MigrationError } from "../app/platform/database/migrations.server.ts";
import { DatabaseServerError, DataFolderError, DataFolderInUseError, type OpenDatabase } from "./postgres/database.ts";
import { errorCode } from "./postgres/errors.ts";
import { readOwner } from "./postgres/owner-lock.ts";

/** An expected reason not to start. Only its message is printed, without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

const EXPECTED_ERRORS = [
  EnvironmentError,
  MigrationError,
  DataFolderInUseError,
  DataFolderError,
  DatabaseServerError,
  StartError,
];

// Classes of SQLSTATE with which PostgreSQL refuses a connection: exception, authorization, name, resources, and the part of intervention
// that is not about a statement.
const REFUSED_CONNECTION = /^(08|28|3D|53)...$|^57P..$/;
// Those of them that end by themselves: the server starts, stops, or has no free connection.
const PASSING_REFUSAL = /^(08|53|57)/;
// Messages of Node.js (TLS) and pg that have no error code.
const LOST_CONNECTION = /^(Connection terminated|timeout expired|timeout exceeded when trying to connect)/;
const TLS_FAILURE = /^(There was an error establishing an SSL|The server does not support SSL)|certificate/;

/** Returns why a connection to DATABASE_URL failed, and whether it may succeed later; undefined for other errors. */
export function connectionFailure(error: unknown): { message: string; mayPass: boolean } | undefined {
  // A host name with several addresses fails with one error for each.
  const [first] = error instanceof AggregateError ? error.errors.filter((one) => one instanceof Error) : [error];
  if (!(first instanceof Error)) return undefined;
  const { message } = first;
  const isNetwork = "syscall" in first && /^(connect|getaddrinfo|read|write)/.test(String(first.syscall));
  if (isNetwork || LOST_CONNECTION.test(message)) return { message, mayPass: true };
  const isRefused = "severity" in first && REFUSED_CONNECTION.test(errorCode(first));
  if (isRefused) return { message, mayPass: PASSING_REFUSAL.test(errorCode(first)) };
  return TLS_FAILURE.test(message) ? { message, mayPass: false } : undefined;
}

/** Returns the message of an expected error, and the stack of any other. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED_ERRORS.some((kind) => error instanceof kind)) return error.message;
  const failure = connectionFailure(error);
  if (failure) return `The database cannot be reached (${failure.message}). Check DATABASE_URL.`;
  return error.stack ?? error.message;
}

/** Signals that end the process: Ctrl-C, a supervisor, a terminal that is closed. */
export const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Keeps the shutdown going after its terminal was closed (SIGHUP). Writing to that terminal fails, which must not leave a database
 * running, and the log must not retry its last lines for ever at exit.
 */
export function surviveTerminalClose(signal: NodeJS.Signals): void {
  if (signal !== "SIGHUP" || !(process.stdout.isTTY || process.stderr.isTTY)) return;
  process.on("uncaughtException", () => undefined);
  process.prependListener("exit", () => {
    process.kill(process.pid, "SIGKILL");
  });
}

let ending = false;

/**
 * Closes the database that this process owns before a signal ends the process, until the returned function is called.
 * @param opening the embedded database of `dataDir`, if it is in use
 */
export function closeOnSignal(dataDir: string, opening: Promise<OpenDatabase | undefined>): () => void {
  const close = async (): Promise<void> => {
    // If another process owns the data folder, this process has nothing to close and need not wait for it.
    const owner = await readOwner(dataDir);
    if (owner?.pid === process.pid) await (await opening)?.close();
  };
  const end = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to npm and to this process, and npm forwards its own: ignore the second.
    if (ending) return;
    ending = true;
    surviveTerminalClose(signal);
    // Interrupted work may now fail without a handler.
    process.on("uncaughtException", () => undefined);
    const exit = (): never => process.exit(128 + constants.signals[signal]);
    close().then(exit, exit);
  };
  for (const signal of END_SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, end);
  };
}

/** Never resolves while a signal ends the process: errors are then a consequence of the signal and not reported. */
export async function haltIfEnding(): Promise<void> {
  if (ending) await new Promise(() => undefined);
}

/** Reports the error and ends the process with exit code 1. */
export async function fail(error: unknown): Promise<never> {
  await haltIfEnding();
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
