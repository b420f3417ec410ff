import type pg from "pg";
import { errorKind, ERROR_KINDS } from "../database/errors.server.ts";
import type { GateRefusal, ShopGate } from "../database/shop-gate.server.ts";
import { WatchedClient } from "../database/watched-client.server.ts";
import { WORK_CLASSES, type WorkClass } from "../database/work-class.server.ts";
import { durations } from "./durations.server.ts";
import { counter, counterOf, gauge } from "./metrics.server.ts";

const classes = { class: WORK_CLASSES };

/** How often a statement ran and how long. Plain numbers, because every request counts several. */
export interface StatementUse {
  count: number;
  seconds: number;
}

const uses = new Map<string, StatementUse>();

/** Returns the counts of a named statement. */
export function statementUse(name: string): StatementUse {
  const use = uses.get(name) ?? { count: 0, seconds: 0 };
  uses.set(name, use);
  return use;
}

function readUses(read: (use: StatementUse) => number) {
  return [...uses]
    .filter(([, { count }]) => count > 0)
    .map(([statement, use]) => ({ labels: { statement }, value: read(use) }));
}

counterOf("statements_total", "Executions of the named statements", { statement: [] }, () =>
  readUses(({ count }) => count),
);
counterOf(
  "statement_seconds_total",
  "Time that executions of the named statements took, including the wait for a connection",
  { statement: [] },
  () => readUses(({ seconds }) => seconds),
);

const statementDurations = durations(
  "statement_duration_seconds",
  "Duration of named statements by class of work, including the wait for a connection",
  classes,
);

const durationsOf = {
  request: statementDurations.series({ class: "request" }),
  background: statementDurations.series({ class: "background" }),
  export: statementDurations.series({ class: "export" }),
  monitoring: statementDurations.series({ class: "monitoring" }),
} satisfies Record<WorkClass, unknown>;

/** Counts an execution. @param ms milliseconds */
export function countStatement(use: StatementUse, of: WorkClass, ms: number): void {
  use.count++;
  use.seconds += ms / 1_000;
  durationsOf[of].observe(ms / 1_000);
}

const errors = counter("database_errors_total", "Errors that PostgreSQL reported, by class of work and kind", {
  ...classes,
  kind: ERROR_KINDS,
});
const connectFailures = counter(
  "database_connect_failures_total",
  "Named statements that got no connection or lost it: the database is unreachable or silent, or all connections are in use",
  classes,
);
const connectionsOpened = counter("database_connections_opened_total", "Connections opened", classes);
const connectionsLost = counter(
  "database_connections_lost_total",
  "Connections that PostgreSQL closed while they were idle, or the process itself: PostgreSQL was silent, or gone after a fail-over",
  { ...classes, reason: ["closed", "silent", "gone"] },
);

/** Counts a statement's failure without an SQLSTATE: the statement did not reach PostgreSQL. */
export function countConnectFailure(of: WorkClass): void {
  connectFailures.inc({ class: of });
}

/** Counts the errors of a pool's connections. On the protocol's messages, so that those of Prisma and pg-boss count as well. */
export function countErrors(of: WorkClass, pool: pg.Pool): void {
  pool.on("connect", (client) => {
    connectionsOpened.inc({ class: of });
    client.connection.on("errorMessage", (message: unknown) => {
      const code = message instanceof Error && "code" in message ? String(message.code) : "";
      errors.inc({ class: of, kind: errorKind(code) });
    });
    if (client instanceof WatchedClient) {
      client.onLoss = (reason) => {
        connectionsLost.inc({ class: of, reason });
      };
    }
  });
  pool.on("error", (_error, client) => {
    if (!(client instanceof WatchedClient && client.loss)) connectionsLost.inc({ class: of, reason: "closed" });
  });
}

const gateRefusals = counter("shop_gate_refusals_total", "Work refused because its shop had too much in progress", {
  ...classes,
  reason: ["queue_full", "waited_too_long"],
});
const gateWaits = durations("shop_gate_wait_seconds", "Time that work waited for its shop's share", classes);

/** Returns the observers of a class's gate. */
export function gateObservers(of: WorkClass) {
  return {
    onWaited: (ms: number): void => {
      gateWaits.observe({ class: of }, ms / 1_000);
    },
    onRefused: (reason: GateRefusal): void => {
      gateRefusals.inc({ class: of, reason });
    },
  };
}

interface Connections {
  pools: Record<WorkClass, pg.Pool>;
  gates: Record<WorkClass, ShopGate>;
}

/** Declares the gauges of the connections. @param current returns undefined while no database is open */
export function measureConnections(current: () => Connections | undefined): void {
  gauge(
    "pool_connections",
    "Connections by class of work and state; `limit` is the maximum",
    { ...classes, state: ["used", "idle", "limit"] },
    () =>
      WORK_CLASSES.flatMap((of) => {
        const pool = current()?.pools[of];
        if (!pool) return [];
        return [
          { labels: { class: of, state: "used" }, value: pool.totalCount - pool.idleCount },
          { labels: { class: of, state: "idle" }, value: pool.idleCount },
          { labels: { class: of, state: "limit" }, value: pool.options.max },
        ];
      }),
  );
  gauge("pool_waiting", "Statements that wait for a connection", classes, () =>
    WORK_CLASSES.flatMap((of) => {
      const pool = current()?.pools[of];
      return pool ? [{ labels: { class: of }, value: pool.waitingCount }] : [];
    }),
  );
  gauge(
    "shop_gate_work",
    "Work within the shops' shares of the connections, by class and state",
    { ...classes, state: ["active", "waiting"] },
    () =>
      WORK_CLASSES.flatMap((of) => {
        const load = current()?.gates[of].load();
        if (!load) return [];
        return [
          { labels: { class: of, state: "active" }, value: load.active },
          { labels: { class: of, state: "waiting" }, value: load.waiting },
        ];
      }),
  );
}
