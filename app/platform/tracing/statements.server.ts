import type pg from "pg";
import { workClass } from "../database/work-class.server.ts";
import { currentSpan, rootSpan } from "./context.server.ts";
import { isTracing, traced } from "./tracing.server.ts";

const SET_TRACE = { name: "trace_set", text: "SELECT set_config('wishlist.trace', $1, false)" };

/** Returns whether statements of the current work have spans: only as part of a trace that is exported. */
export function tracesStatements(): boolean {
  return isTracing() && currentSpan()?.traceparent !== undefined;
}

/** The `traceparent` that the rows of a change keep. */
export function traceOfChange(): string | undefined {
  return isTracing() ? currentSpan()?.traceparent : undefined;
}

export interface TracedStatement {
  name: string;
  text: string;
  values: unknown[];
  /** set for a statement that may change the shop's data */
  shopId: number | undefined;
}

/**
 * Runs a statement in a span with its waits: for the shop's share of the connections, and for a connection. Values are never recorded.
 * @param gate runs work within the shop's share
 */
export function queryInSpans<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { name, text, values, shopId }: TracedStatement,
  gate: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<pg.QueryResult<Row>> {
  const attributes = {
    "db.system.name": "postgresql",
    "wishlist.statement": name,
    "wishlist.work_class": workClass(),
    "wishlist.shop_id": shopId,
  };
  rootSpan()?.set({ "wishlist.shop_id": shopId });
  return traced(`statement ${name}`, { kind: "client", attributes }, async () => {
    const trace = shopId === undefined ? undefined : currentSpan()?.traceparent;
    if (shopId === undefined) return gate(async () => queryOn<Row>(await connect(pool), { name, text, values }, trace));
    let begin: () => void = () => undefined;
    void traced("wait for the shop's share", {}, () => new Promise<void>((resolve) => (begin = resolve)));
    return gate(async () => {
      begin();
      return queryOn<Row>(await connect(pool), { name, text, values }, trace);
    }).finally(begin);
  });
}

function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return traced("wait for a connection", {}, () => pool.connect());
}

/** Runs a statement on a connection and releases it. @param trace kept by the rows that the statement writes */
async function queryOn<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  trace: string | undefined,
): Promise<pg.QueryResult<Row>> {
  // pool.query has a listener too: the lost connection of a running statement would end the process.
  const ignore = (): void => undefined;
  client.on("error", ignore);
  const release = (failed: boolean): void => {
    client.off("error", ignore);
    client.release(failed);
  };
  try {
    if (trace !== undefined) await client.query({ ...SET_TRACE, values: [trace] });
    const result = await client.query<Row>(query);
    // Not awaited: the caller need not wait until the connection is clean.
    if (trace === undefined) release(false);
    else
      void client.query({ ...SET_TRACE, values: [""] }).then(
        () => release(false),
        () => release(true),
      );
    return result;
  } catch (error) {
    // As pool.query does: a connection in an unknown state is closed.
    release(true);
    throw error;
  }
}
