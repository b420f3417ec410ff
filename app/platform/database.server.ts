import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";
import pg from "pg";
import { z } from "zod";
import { sha256 } from "./crypto.server.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";

// Counts and ids come as bigint; none outgrows 2^53 within the life of a shop.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds: a loaded machine must not fail what it could do a little later. */
const TRANSACTION = { maxWait: 10_000, timeout: 20_000 };

/** Milliseconds that a statement waits for a connection, a free one or a new one. */
const CONNECT_TIMEOUT = 15_000;

interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
}

let open: Database | undefined;

function database(): Database {
  if (!open) {
    const { databaseUrl, databasePoolSize } = env();
    if (databaseUrl === undefined) throw new Error("DATABASE_URL is not set and no embedded database was provided");
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: databasePoolSize,
      application_name: "wishlist",
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    });
    // An idle connection that PostgreSQL closes (a restart) is replaced at the next use; unhandled it would end the process.
    pool.on("error", (error) => {
      // The pool's end does not wait for its connections', so a database that stops next may still come first.
      if (!pool.ending) log.warn({ err: error }, "an idle database connection was lost");
    });
    const adapter = new PrismaPg(pool, {
      statementNameGenerator: ({ sql }) => "p_" + sha256(sql).toString("hex", 0, 12),
    });
    open = { pool, prisma: new PrismaClient({ adapter, transactionOptions: TRANSACTION }) };
  }
  return open;
}

/** Prisma on the shared pool: for everything but the hot statements. */
export function prisma(): PrismaClient {
  return database().prisma;
}

/** The pool that everything shares. */
function pool(): pg.Pool {
  return database().pool;
}

/** One hot statement. Named, so that PostgreSQL parses and plans it once a connection. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** carries the row's type only */
  readonly row?: Row;
}

/** @param name unique in the process; says in PostgreSQL's log whose statement it is */
export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

/** Runs a hot statement on the shared pool. */
export async function run<Row extends pg.QueryResultRow>(
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await pool().query<Row>({ name, text, values: [...values] });
  return result.rows;
}

/** The only row of a statement that always yields one. */
export async function runOne<Row extends pg.QueryResultRow>(
  of: Statement<Row>,
  values: readonly unknown[],
): Promise<Row> {
  const [row] = await run(of, values);
  if (row === undefined) throw new Error(`${of.name} yielded no row`);
  return row;
}

/** Seconds that whoever reads a snapshot may take over its next rows: what they look at can't be cleaned up meanwhile. */
const SNAPSHOT_PATIENCE = 60;

/**
 * The rows of a statement, a few at a time, all of them as they were at one moment. It holds a connection until it has been read to its end
 * or is left (`return`).
 * @param size rows at a time
 */
export async function* readSnapshot<Row extends pg.QueryResultRow>(
  { text }: Statement<Row>,
  values: readonly unknown[],
  size: number,
): AsyncGenerator<Row[], void> {
  const client = await pool().connect();
  let whole = false;
  // PostgreSQL ends the connection of a reader who takes too long: the next look for rows tells.
  client.on("error", () => undefined);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${SNAPSHOT_PATIENCE}s'`);
    await client.query(`DECLARE snapshot NO SCROLL CURSOR FOR ${text}`, [...values]);
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${size} FROM snapshot`);
      if (rows.length === 0) break;
      yield rows;
    }
    await client.query("COMMIT");
    whole = true;
  } finally {
    client.removeAllListeners("error");
    // With its transaction, whatever state that is in.
    client.release(!whole);
  }
}

/** For libraries that bring their own statements. */
export async function executeSql(text: string, values?: unknown[]): Promise<{ rows: pg.QueryResultRow[] }> {
  return pool().query<pg.QueryResultRow>(text, values);
}

/** Ends the pool once its running statements are done. */
export async function closeDatabase(): Promise<void> {
  const closing = open;
  open = undefined;
  if (closing) {
    await closing.prisma.$disconnect();
    await closing.pool.end();
  }
}

// Classes of SQLSTATE (PostgreSQL manual, appendix A) in which the server, not the statement, is at fault.
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);

function saysUnavailable(sqlState: string): boolean {
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return false;
  // A protocol violation is a mistake of ours; a read-only transaction is a server that has become a standby.
  return sqlState !== "08P01" && (UNAVAILABLE_CLASSES.has(sqlState.slice(0, 2)) || sqlState === "25006");
}

/** PostgreSQL's own error in one of Prisma's. */
const wrappedByPrisma = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.string() }) }) }),
});

/** PostgreSQL's code (SQLSTATE) of an error, also of one that came through Prisma; empty when it is none of PostgreSQL's. */
export function sqlStateOf(error: unknown): string {
  const wrapped = wrappedByPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalCode;
  return wrapped ?? (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");
}

/** Is the database out of reach (restarting, full, cut off), so that the caller should try again later? */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code)) return true;
  // Prisma's codes look like SQLSTATEs, of which none begins like that.
  if (/^P[12]\d{3}$/.test(code)) {
    if (/^P(1001|1002|1008|1017|2024|2028)$/.test(code)) return true;
    return saysUnavailable(wrappedByPrisma.safeParse(error).data?.meta.driverAdapterError.cause.originalCode ?? "");
  }
  if (saysUnavailable(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}
