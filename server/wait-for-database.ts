import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { connectionFailure, StartError } from "./fail.ts";

/** Milliseconds for an attempt to connect, between two attempts, and between two reports. */
const CONNECT_TIMEOUT = 10_000;
const RETRY_INTERVAL = 500;
const REPORT_INTERVAL = 5_000;

/** @throws when the database cannot be reached, or can only be read */
async function tryDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "wishlist start",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  // A connection that is lost between two statements would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
    if (rows[0]?.standby === true) throw new ReadOnlyError();
  } finally {
    await client.end().catch(() => undefined);
  }
}

class ReadOnlyError extends StartError {
  constructor() {
    super("The database is a read-only standby. Let DATABASE_URL name the primary.");
  }
}

/** Returns why the database is not ready yet, or undefined for an error that waiting does not remedy. */
function waitingReason(error: unknown): string | undefined {
  if (error instanceof ReadOnlyError) return "it is a read-only standby";
  const failure = connectionFailure(error);
  return failure?.mayPass === true ? failure.message : undefined;
}

/**
 * Waits until the database accepts connections and changes. After a power cut it may come up later than this process, and supervisors
 * delay further restarts of a process that ends again and again.
 * @throws the last error when that takes too long, and at once an error that waiting does not remedy, such as a wrong password
 */
export async function waitForDatabase(
  databaseUrl: string,
  seconds: number,
  onProgress: (message: string) => void,
): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  let reportAt = 0;
  for (;;) {
    try {
      await tryDatabase(databaseUrl);
      return;
    } catch (error) {
      const reason = waitingReason(error);
      const left = deadline - performance.now();
      if (reason === undefined || left <= 0) throw error;
      if (performance.now() >= reportAt) {
        reportAt = performance.now() + REPORT_INTERVAL;
        onProgress(`Waiting for the database (${reason}), for up to ${Math.ceil(left / 1_000)} s more`);
      }
      await after(Math.min(RETRY_INTERVAL, left));
    }
  }
}
