import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";
import pg from "pg";
import { sha256 } from "../encryption/crypto.server.ts";
import {
  countConnectFailure,
  countErrors,
  countStatement,
  gateObservers,
  measureConnections,
  statementUse,
  type StatementUse,
} from "../metrics/database.server.ts";
import { env } from "../process/env.server.ts";
import { log } from "../log/log.server.ts";
import { queryInSpans, tracesStatements } from "../tracing/statements.server.ts";
import { shopGate, type ShopGate } from "./shop-gate.server.ts";
import { WatchedClient, watchedBy } from "./watched-client.server.ts";
import { isInTransactionOf, workClass, type WorkClass } from "./work-class.server.ts";

// Counts and ids are bigint in the database and `number` here; none exceeds 2^53. Prisma returns `bigint`, which its few readers convert.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds; long enough for a loaded machine. */
const TRANSACTION = { maxWait: 5_000, timeout: 20_000 };

/** Milliseconds that a statement waits for a free or new connection. */
const CONNECT_TIMEOUT = 5_000;

/**
 * Milliseconds after which PostgreSQL cancels a statement, a wait for a lock, and an idle transaction; and after which the process closes a
 * connection in use on which nothing arrives, because PostgreSQL is silent.
 */
const TIME_LIMITS: Record<WorkClass, { statement: number; lock: number; idle: number; silence: number }> = {
  request: { statement: 10_000, lock: 5_000, idle: 60_000, silence: 11_000 },
  background: { statement: 300_000, lock: 10_000, idle: 60_000, silence: 310_000 },
  // An open snapshot prevents vacuum from removing rows. The reader of an export may pause for as long as a transaction may be idle.
  export: { statement: 60_000, lock: 5_000, idle: 60_000, silence: 70_000 },
  monitoring: { statement: 2_000, lock: 1_000, idle: 60_000, silence: 3_000 },
};

/** Maximum concurrent exports over all shops. */
export const EXPORT_CONNECTIONS = 4;
/** Connections that work with locks may not use. They are for reading pages, with two statements at a time. */
const RESERVED = 2;
/** Calls of a shop that may wait for its share of the connections. */
const MAX_QUEUED_CALLS = 500;
/** Milliseconds that a call waits for its share: with a connection's and a silent statement's time, a request gets 503 within 20 s. */
const QUEUE_TIMEOUT = 3_000;

/** Returns the connections of each class of work, and how many of them shop statements may hold: over all shops, and per shop. */
export function connectionShares(poolSize: number) {
  const total = Math.max(1, poolSize - RESERVED);
  const background = Math.max(2, Math.ceil(poolSize * 0.4));
  return {
    request: { connections: poolSize, total, perShop: Math.min(total, Math.max(1, Math.floor(poolSize * 0.4))) },
    background: { connections: background, total: background, perShop: Math.ceil(background / 2) },
    export: { connections: EXPORT_CONNECTIONS, total: EXPORT_CONNECTIONS, perShop: 1 },
    monitoring: { connections: 1, total: 1, perShop: 1 },
  };
}

interface Database {
  pools: Record<WorkClass, pg.Pool>;
  gates: Record<WorkClass, ShopGate>;
  prisma: PrismaClient;
}

let open: Database | undefined;

measureConnections(() => open);

function openPool(of: WorkClass, connectionString: string, max: number): pg.Pool {
  const { statement, lock, idle, silence } = TIME_LIMITS[of];
  const pool = new pg.Pool({
    Client: watchedBy(silence),
    connectionString,
    max,
    application_name: "wishlist",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle,
  });
  // An idle connection that PostgreSQL closes (a restart) is replaced at the next use. Without a handler, the error would end the process.
  countErrors(of, pool);
  pool.on("error", (error) => {
    // `pool.end` does not wait for the connections to close, so a database that stops next may close them first.
    if (!pool.ending) log.warn({ err: error }, "an idle database connection was lost");
  });
  pool.on("acquire", (client) => {
    if (client instanceof WatchedClient) client.inUse = true;
  });
  pool.on("release", (_error, client) => {
    if (client instanceof WatchedClient) client.inUse = false;
  });
  return pool;
}

function database(): Database {
  if (!open) {
    const { databaseUrl, databasePoolSize } = env();
    if (databaseUrl === undefined) throw new Error("DATABASE_URL is not set and no embedded database was provided");
    const shares = connectionShares(databasePoolSize);
    const pool = (of: WorkClass): pg.Pool => openPool(of, databaseUrl, shares[of].connections);
    const pools = {
      request: pool("request"),
      background: pool("background"),
      export: pool("export"),
      monitoring: pool("monitoring"),
    };
    const gate = (of: WorkClass, queue: number, wait: number): ShopGate =>
      shopGate({ ...shares[of], queue, wait, ...gateObservers(of) });
    const adapter = new PrismaPg(pools.request, {
      statementNameGenerator: ({ sql }) => "p_" + sha256(sql).toString("hex", 0, 12),
    });
    open = {
      pools,
      gates: {
        request: gate("request", MAX_QUEUED_CALLS, QUEUE_TIMEOUT),
        // Jobs are few, and no request waits for them.
        background: gate("background", Infinity, TIME_LIMITS.background.statement),
        export: gate("export", 1, QUEUE_TIMEOUT),
        monitoring: gate("monitoring", 1, QUEUE_TIMEOUT),
      },
      prisma: new PrismaClient({ adapter, transactionOptions: TRANSACTION }),
    };
  }
  return open;
}

/** Returns Prisma on the connections for requests, for all but the hot statements. */
export function prisma(): PrismaClient {
  return database().prisma;
}

/** Returns the connections for the current work. */
function pool(): pg.Pool {
  return database().pools[workClass()];
}

/**
 * Runs work that can wait for a shop's locks, within the shop's share of the connections.
 * @throws ShopBusyError when too many calls of the shop wait; the work has not started
 */
export function withinShare<Result>(shopId: number, work: () => Promise<Result>, of = workClass()): Promise<Result> {
  // The transaction already has a slot; waiting for a second one could deadlock.
  return isInTransactionOf(shopId) ? work() : database().gates[of](shopId, work);
}

/** A hot statement. Named, so that PostgreSQL parses and plans it once per connection. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Whether it can wait for locks of a shop or takes long. It then runs within the share of the shop, whose id is $1. */
  readonly shared: boolean;
  readonly use: StatementUse;
  /** only for the type of the rows */
  readonly row?: Row;
}

/** @param name unique in the process; identifies the statement in PostgreSQL's log */
export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text, shared: false, use: statementUse(name) };
}

/** A statement that can wait for locks of a shop, or takes long. $1 is the shop's id. */
export function shopStatement<Row>(name: string, text: string): Statement<Row> {
  return { name, text, shared: true, use: statementUse(name) };
}

/** Runs a query of a statement and counts its time and a failure to connect. */
async function countedQuery<Result>(use: StatementUse, query: () => Promise<Result>): Promise<Result> {
  const of = workClass();
  const started = performance.now();
  try {
    return await query();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) countConnectFailure(of);
    throw error;
  } finally {
    countStatement(use, of, performance.now() - started);
  }
}

/** Runs a statement on the connections for the current work. */
export async function run<Row extends pg.QueryResultRow>(
  { name, text, shared, use }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const [shopId] = shared ? values : [];
  if (shared && typeof shopId !== "number") throw new Error(`the first value of ${name} is not a shop id`);
  const gate = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const counted = (): Promise<Result> => countedQuery(use, work);
    return typeof shopId === "number" ? withinShare(shopId, counted) : counted();
  };
  const query = { name, text, values: [...values] };
  if (!tracesStatements()) return (await gate(() => pool().query<Row>(query))).rows;
  const traced = { ...query, shopId: typeof shopId === "number" ? shopId : undefined };
  return (await queryInSpans<Row>(pool(), traced, gate)).rows;
}

/** Returns the only row of a statement that always returns one. */
export async function runOne<Row extends pg.QueryResultRow>(
  of: Statement<Row>,
  values: readonly unknown[],
): Promise<Row> {
  const [row] = await run(of, values);
  if (row === undefined) throw new Error(`${of.name} returned no row`);
  return row;
}

/**
 * Yields the rows of a statement in batches, from one snapshot. It holds an export connection until all rows are read or the generator is
 * closed (`return`). When a minute passes between two batches, PostgreSQL ends the transaction and the next batch throws.
 * @param size rows per batch
 */
export async function* readSnapshot<Row extends pg.QueryResultRow>(
  { text }: Statement<Row>,
  values: readonly unknown[],
  size: number,
): AsyncGenerator<Row[], void> {
  const client = await database().pools.export.connect();
  let whole = false;
  // PostgreSQL closes the connection of a reader that takes too long.
  client.on("error", () => undefined);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
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
    // Closing the connection also ends a transaction in an unknown state.
    client.release(!whole);
  }
}

/** Runs a statement of a library, such as pg-boss. */
export async function executeSql(text: string, values?: unknown[]): Promise<{ rows: pg.QueryResultRow[] }> {
  return pool().query<pg.QueryResultRow>(text, values);
}

/** Closes the connections after their running statements. */
export async function closeDatabase(): Promise<void> {
  const closing = open;
  open = undefined;
  if (closing) {
    await closing.prisma.$disconnect();
    await Promise.all(Object.values(closing.pools).map((pool) => pool.end()));
  }
}
