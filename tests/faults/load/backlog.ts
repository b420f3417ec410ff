import { setTimeout as after } from "node:timers/promises";

type Rows = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Milliseconds between two looks. */
const INTERVAL = 200;
/** Seconds from which on a row counts as delayed. */
const DELAYED = 1;

const SQL = `
  SELECT (SELECT count(*) FROM activity WHERE shop_id = ANY ($1) AND processed_at IS NULL AND at < clock_timestamp() - $2 * interval '1 s')::int AS activity,
         (SELECT count(*) FROM webhook_delivery d JOIN webhook_endpoint e ON e.shop_id = d.shop_id AND e.id = d.endpoint_id
           WHERE d.shop_id = ANY ($1) AND d.status = 'pending' AND d.created_at < clock_timestamp() - $2 * interval '1 s' AND e.url NOT LIKE '%/hanging')::int AS deliveries`;

export interface Backlog {
  activity: number;
  deliveries: number;
}

/** Watches the rows that the outbox processor and the delivery workers have not handled within a second. */
export class BacklogWatch {
  readonly #rows: Rows;
  readonly #shopIds: readonly number[];
  readonly samples: { at: number; delayed: number }[] = [];
  #stopped = false;
  readonly #watching: Promise<void>;

  constructor(rows: Rows, shopIds: readonly number[]) {
    this.#rows = rows;
    this.#shopIds = shopIds;
    this.#watching = this.#watch();
  }

  async #read(seconds: number): Promise<Backlog | undefined> {
    try {
      const [row] = await this.#rows(SQL, [this.#shopIds, seconds]);
      return { activity: Number(row?.["activity"]), deliveries: Number(row?.["deliveries"]) };
    } catch {
      return undefined;
    }
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      const backlog = await this.#read(DELAYED);
      // An unreachable database counts as delayed.
      this.samples.push({ at: performance.now(), delayed: backlog ? backlog.activity + backlog.deliveries : 1 });
      await after(INTERVAL);
    }
  }

  /** Returns the milliseconds after which nothing was delayed any more, or undefined while something is. */
  caughtUpAfter(healedAt: number): number | undefined {
    const last = this.samples.findLast(({ delayed }) => delayed > 0);
    const next = this.samples.find(({ at }) => at >= Math.max(healedAt, (last?.at ?? 0) + 1));
    return next === undefined ? undefined : last === undefined || last.at < healedAt ? 0 : next.at - healedAt;
  }

  /** Waits until nothing is left to do. @returns what is left after the deadline */
  async empty(limitMs: number): Promise<Backlog | undefined> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const left = await this.#read(-3_600 * 24);
      if (left && left.activity + left.deliveries === 0) return undefined;
      if (performance.now() > deadline) return left ?? { activity: -1, deliveries: -1 };
      await after(INTERVAL);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
  }
}
