import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { sqlStateOf } from "./errors.server.ts";

/** Milliseconds that a migration waits for a table's lock, because statements that need the table queue behind it meanwhile. */
const LOCK_TIMEOUT = 2_000;
/** Milliseconds until a migration that did not get its lock is tried again, and the number of tries. */
const LOCK_RETRY = 1_000;
const LOCK_ATTEMPTS = 60;
/** SQLSTATE of a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** An expected reason why a database can't be brought up to date. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** Runs part of a migration; a failure names that part. */
export async function naming<Result>(part: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    throw new MigrationError(`${part} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs work in one transaction, all or nothing, and tries it again while other transactions hold a lock that it needs. */
export async function migrationTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query("BEGIN");
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
      await work();
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK");
      const cause = error instanceof MigrationError ? error.cause : error;
      if (sqlStateOf(cause) !== LOCK_NOT_AVAILABLE || attempt >= LOCK_ATTEMPTS) throw error;
    }
    await after(LOCK_RETRY);
  }
}
