import { setTimeout as pause } from "node:timers/promises";
import { run, statement } from "../database/database.server.ts";
import { countRun } from "../metrics/jobs.server.ts";
import { holderId } from "../ids.server.ts";
import { InterruptedError, onShutdown } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { traced } from "../tracing/tracing.server.ts";
import { runAs } from "../database/work-class.server.ts";
import { withPause } from "./retention.server.ts";

// Jobs that run for each shop once a day, at a time of the shop's own, so that thousands of shops are spread over the day. The table
// `shop_maintenance` has a row for each shop and job. All times are PostgreSQL's, because the clocks of processes differ. Each statement but
// the two that look for shops names one shop.

export interface ShopJob {
  name: string;
  /** the time zone in which a day begins */
  day: "UTC" | "shop";
  /** seconds from the beginning of the day over which the shops are spread */
  spread: number;
  /** Must be safe to repeat: after a kill it runs again from its beginning. */
  run: (shopId: number) => Promise<void>;
}

/** Milliseconds between two looks for due shops. */
const POLL_MS = 10_000;
/** Shops per look. A full slice is followed by the next look at once. */
const SLICE = 20;
/** Milliseconds between two looks for shops without a row, such as new ones. */
const ENROL_MS = 3_600_000;
/** Seconds that a lease lasts unless it is renewed. After a kill, the shop in progress has to wait so long; the others do not. */
const LEASE_SECONDS = 60;
/** Seconds until a failed run is tried again: doubled with each failure. */
const BACK_OFF = { first: 60, max: 6 * 3_600 };
/** Milliseconds that a shutdown waits for the run in progress. */
const STOP_MS = 2_000;

/**
 * SQL for the next time of a job for the shop `s`; $1 is the day's time zone ('shop' for that of the shop) and $2 the seconds of the spread.
 * Multiples of the golden ratio spread consecutive ids evenly.
 */
const NEXT_SLOT = `
  SELECT min(t.slot) AS slot
    FROM (SELECT CASE WHEN $1 = 'shop' THEN s.time_zone ELSE $1 END AS zone) z
   CROSS JOIN generate_series(0, 1) AS n
   CROSS JOIN LATERAL (SELECT ((now() AT TIME ZONE z.zone)::date + n)::timestamp AT TIME ZONE z.zone
                              + floor((s.id * 0.6180339887498949 % 1) * $2::integer) * interval '1 s' AS slot) AS t
   WHERE t.slot > now()`;

/** Unscoped: it adds the missing rows of all shops, and moves a time that is later than the next slot, as after a change of the time zone. */
const enrolStatement = statement<Record<string, never>>(
  "shop_jobs_enrol",
  `INSERT INTO shop_maintenance (shop_id, job, due_at)
   SELECT s.id, $3, next.slot
     FROM shop s CROSS JOIN LATERAL (${NEXT_SLOT}) AS next
    WHERE NOT EXISTS (SELECT 1 FROM shop_maintenance m WHERE m.shop_id = s.id AND m.job = $3 AND m.due_at <= next.slot)
    ORDER BY s.id
       ON CONFLICT (shop_id, job) DO UPDATE SET due_at = EXCLUDED.due_at`,
);

/** Unscoped: it selects the shops for which a job is due and that no process works on. */
const dueStatement = statement<{ shop_id: number }>(
  "shop_jobs_due",
  `SELECT shop_id FROM shop_maintenance
    WHERE job = $1 AND due_at <= now() AND (lease_until IS NULL OR lease_until < now()) ORDER BY due_at LIMIT $2`,
);

const claimStatement = statement<{ failures: number }>(
  "shop_jobs_claim",
  `UPDATE shop_maintenance SET lease_holder = $3, lease_until = now() + $4 * interval '1 s'
    WHERE shop_id = $1 AND job = $2 AND due_at <= now() AND (lease_until IS NULL OR lease_until < now())
   RETURNING failures`,
);

const renewStatement = statement<Record<string, never>>(
  "shop_jobs_renew",
  `UPDATE shop_maintenance SET lease_until = now() + $4 * interval '1 s'
    WHERE shop_id = $1 AND job = $2 AND lease_holder = $3`,
);

const releaseStatement = statement<Record<string, never>>(
  "shop_jobs_release",
  `UPDATE shop_maintenance SET lease_holder = NULL, lease_until = NULL WHERE shop_id = $1 AND job = $2 AND lease_holder = $3`,
);

const slotStatement = statement<{ slot: Date }>(
  "shop_jobs_slot",
  `SELECT next.slot FROM shop s CROSS JOIN LATERAL (${NEXT_SLOT}) AS next WHERE s.id = $3`,
);

const finishStatement = statement<Record<string, never>>(
  "shop_jobs_finish",
  `UPDATE shop_maintenance SET due_at = $4, finished_at = now(), failures = 0, lease_holder = NULL, lease_until = NULL
    WHERE shop_id = $1 AND job = $2 AND lease_holder = $3`,
);

const failStatement = statement<Record<string, never>>(
  "shop_jobs_fail",
  `UPDATE shop_maintenance SET due_at = now() + $4 * interval '1 s', failures = failures + 1, lease_holder = NULL, lease_until = NULL
    WHERE shop_id = $1 AND job = $2 AND lease_holder = $3`,
);

/** Runs one job for the due shops, one shop after the other, until the process stops. */
class JobRunner {
  readonly #job: ShopJob;
  readonly #holder = holderId();
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  /** the shop in progress, or the one whose run was interrupted */
  #current: number | undefined;
  #enrolAt = 0;

  constructor(job: ShopJob) {
    this.#job = job;
    this.#done = runAs("background", () => this.#loop());
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const more = await this.#runDue().catch((error: unknown) => {
        if (!(error instanceof InterruptedError)) {
          log.warn({ job: this.#job.name, err: error }, "can't look for shops whose job is due; it is tried again");
        }
        return false;
      });
      if (!more) await pause(POLL_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** Runs the job for a slice of the due shops. @returns whether there may be more */
  async #runDue(): Promise<boolean> {
    const { name, day, spread } = this.#job;
    if (performance.now() >= this.#enrolAt) {
      await run(enrolStatement, [day, spread, name]);
      this.#enrolAt = performance.now() + ENROL_MS;
    }
    const due = await run(dueStatement, [name, SLICE]);
    for (const { shop_id } of due) {
      if (this.#stopping.signal.aborted) return false;
      // A restored or long-stopped service has all shops due at once: the pauses spread them.
      await withPause(() => this.#runFor(shop_id));
    }
    return due.length === SLICE;
  }

  async #runFor(shopId: number): Promise<void> {
    const { name, day, spread } = this.#job;
    const lease = [shopId, name, this.#holder];
    const [claimed] = await run(claimStatement, [...lease, LEASE_SECONDS]);
    if (!claimed) return;
    this.#current = shopId;
    const renewal = setInterval(() => void this.#renew(lease), (LEASE_SECONDS * 1_000) / 3);
    try {
      const attributes = { "wishlist.shop_id": shopId };
      await traced(`job ${name}`, { parent: null, attributes }, () => countRun(name, () => this.#job.run(shopId)));
      const [next] = await run(slotStatement, [day, spread, shopId]);
      // A shop that was erased in the meantime has no row to finish either.
      if (next) await run(finishStatement, [...lease, next.slot]);
    } catch (error) {
      // `stop` releases the lease.
      if (error instanceof InterruptedError || this.#stopping.signal.aborted) return;
      log.error({ job: name, err: error, shopId }, "a job of a shop failed; it is tried again later");
      const seconds = Math.min(BACK_OFF.first * 2 ** claimed.failures, BACK_OFF.max);
      await run(failStatement, [...lease, seconds]);
    } finally {
      clearInterval(renewal);
    }
    this.#current = undefined;
  }

  async #renew(lease: readonly unknown[]): Promise<void> {
    await runAs("background", () => run(renewStatement, [...lease, LEASE_SECONDS])).catch((error: unknown) => {
      // Two processes that work on the same shop delete the same rows, which is harmless.
      log.warn({ job: this.#job.name, err: error }, "could not renew the lease of a shop's job");
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#done, pause(STOP_MS, undefined, { ref: false })]);
    const shopId = this.#current;
    // Another process need not wait for the lease to expire.
    if (shopId !== undefined) await run(releaseStatement, [shopId, this.#job.name, this.#holder]);
  }
}

/** Starts jobs that run for each shop once a day. Processes share the shops; at most one works on a job of a shop. */
export function startShopJobs(jobs: readonly ShopJob[]): void {
  const runners = jobs.map((job) => new JobRunner(job));
  onShutdown("shop jobs", async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
  });
}
