import { z } from "zod";
import { ShopBusyError } from "./shop-gate.server.ts";

// Classes of SQLSTATE (PostgreSQL manual, appendix A) in which the server, not the statement, is at fault.
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);

function saysUnavailable(sqlState: string): boolean {
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return false;
  // A protocol violation (08P01) is a bug of the service; a read-only transaction (25006) means that the server has become a standby.
  return sqlState !== "08P01" && (UNAVAILABLE_CLASSES.has(sqlState.slice(0, 2)) || sqlState === "25006");
}

/** The part of a Prisma error that contains PostgreSQL's error. */
const wrappedByPrisma = z.object({
  meta: z.object({
    driverAdapterError: z.object({
      cause: z.object({ originalCode: z.string(), originalMessage: z.string().optional() }),
    }),
  }),
});

/** Returns PostgreSQL's message in an error of pg or Prisma. */
export function databaseMessageOf(error: unknown): string {
  const wrapped = wrappedByPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalMessage;
  return wrapped ?? (error instanceof Error ? error.message : "");
}

/** Returns the SQLSTATE of an error of pg or Prisma, or an empty string for other errors. */
export function sqlStateOf(error: unknown): string {
  const wrapped = wrappedByPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalCode;
  return wrapped ?? (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");
}

/** Kinds of errors that metrics count. */
export const ERROR_KINDS = ["statement_timeout", "lock_timeout", "conflict", "unavailable", "rejected"] as const;

/**
 * Returns the kind of an error with an SQLSTATE: cancelled by the time limit of its class of work, waited too long for a lock, rolled back
 * in a conflict with concurrent work, caused by the server's state, or rejected for what the statement says.
 */
export function errorKind(sqlState: string): (typeof ERROR_KINDS)[number] {
  if (sqlState === "57014") return "statement_timeout";
  if (sqlState === "55P03") return "lock_timeout";
  if (sqlState === "40001" || sqlState === "40P01") return "conflict";
  return saysUnavailable(sqlState) ? "unavailable" : "rejected";
}

/** SQLSTATEs of a change that was rolled back because of concurrent changes: cancelled, lock timeout, serialization failure, deadlock. */
const BUSY = new Set(["57014", "55P03", "40001", "40P01"]);

/** Tells whether concurrent work prevented a change. Nothing was changed, and the caller should retry later. */
export function isBusy(error: unknown): boolean {
  return error instanceof ShopBusyError || BUSY.has(sqlStateOf(error));
}

/**
 * Tells whether the database is unreachable (restarting, full, disconnected), busy, or moving the shop to another node, so that the caller should
 * retry later.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isBusy(error)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code)) return true;
  // Prisma's codes look like SQLSTATEs, but no SQLSTATE begins with P1 or P2.
  if (/^P[12]\d{3}$/.test(code)) {
    if (/^P(1001|1002|1008|1017|2024|2028)$/.test(code)) return true;
    return saysUnavailable(wrappedByPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalCode ?? "");
  }
  if (saysUnavailable(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|could not find valid entry for shard/.test(
    error.message,
  );
}
