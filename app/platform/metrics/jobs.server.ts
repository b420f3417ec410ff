import { run, statement } from "../database/database.server.ts";
import { sqlStateOf } from "../database/errors.server.ts";
import { InterruptedError } from "../process/lifecycle.server.ts";
import { durations } from "./durations.server.ts";
import { counter, gauge, sharedReading } from "./metrics.server.ts";

/** Milliseconds for which scrapes share a reading. pg-boss itself counts every ten seconds. */
const FRESH_MS = 10_000;
/** The same for the jobs, whose reading needs a row for each shop. */
const JOBS_FRESH_MS = 60_000;

/** pg-boss keeps these counts in a row for each queue. `ready` are those that could start now. */
const queuesStatement = statement<{
  queue: string;
  ready: number;
  deferred: number;
  active: number;
  failed: number;
}>(
  "job_queues",
  `SELECT name AS queue, ready_count AS ready, deferred_count AS deferred, active_count AS active, failed_count AS failed
     FROM pgboss.queue WHERE name !~ '^__' ORDER BY name`,
);

/** Unscoped: how many shops are due for each job, for the metrics. */
const shopJobsStatement = statement<{
  job: string;
  due: number;
  failing: number;
  overdue_seconds: number;
  succeeded_at: Date | null;
}>(
  "shop_jobs_states",
  `SELECT job, count(*) FILTER (WHERE due_at <= now()) AS due, count(*) FILTER (WHERE failures > 0) AS failing,
          greatest(extract(epoch FROM now() - min(due_at)), 0)::float8 AS overdue_seconds, max(finished_at) AS succeeded_at
     FROM shop_maintenance GROUP BY job ORDER BY job`,
);

/** A queue of tasks. */
export interface QueueState {
  queue: string;
  /** could start now */
  ready: number;
  /** wait for their time, or for a retry */
  deferred: number;
  active: number;
  /** have no further attempt */
  failed: number;
}

/** A job that runs for each shop once a day. */
export interface ShopJobState {
  job: string;
  /** shops for which it is due */
  due: number;
  /** shops for which its last run failed */
  failing: number;
  /** seconds for which the first of them has been due; 0 when none is */
  overdueSeconds: number;
  /** when it last succeeded for any shop */
  succeededAt: Date | undefined;
}

/** Reads the states of the queues of tasks. Before a process has started tasks, there are none. */
export async function readQueueStates(): Promise<QueueState[]> {
  try {
    return await run(queuesStatement, []);
  } catch (error) {
    if (sqlStateOf(error) === "42P01" || sqlStateOf(error) === "3F000") return [];
    throw error;
  }
}

/** Reads the states of the jobs that run shop by shop. */
export async function readShopJobStates(): Promise<ShopJobState[]> {
  return (await run(shopJobsStatement, [])).map(({ job, due, failing, overdue_seconds, succeeded_at }) => ({
    job,
    due,
    failing,
    overdueSeconds: overdue_seconds,
    succeededAt: succeeded_at ?? undefined,
  }));
}

const sharedQueues = sharedReading(FRESH_MS, readQueueStates);
const sharedJobs = sharedReading(JOBS_FRESH_MS, readShopJobStates);

const STATES = ["ready", "deferred", "active", "failed"] as const;

gauge(
  "tasks",
  "Tasks by queue and state, as pg-boss counted them at most 20 s ago: `ready` could start now, `deferred` wait for a retry or their time, `failed` have no further attempt",
  { queue: [], state: STATES },
  async () =>
    (await sharedQueues())?.flatMap((queue) =>
      STATES.map((state) => ({ labels: { queue: queue.queue, state }, value: queue[state] })),
    ),
);
gauge(
  "shop_jobs",
  "Shops for which a job is due, and for which its last run failed",
  { name: [], state: ["due", "failing"] },
  async () =>
    (await sharedJobs())?.flatMap(({ job, due, failing }) => [
      { labels: { name: job, state: "due" }, value: due },
      { labels: { name: job, state: "failing" }, value: failing },
    ]),
);
gauge("shop_job_overdue_seconds", "Time for which a job has been due for a shop", { name: [] }, async () =>
  (await sharedJobs())?.map(({ job, overdueSeconds }) => ({ labels: { name: job }, value: overdueSeconds })),
);
gauge("job_last_success_timestamp_seconds", "When a job last succeeded for any shop", { name: [] }, async () =>
  (await sharedJobs())?.flatMap(({ job, succeededAt }) =>
    succeededAt ? [{ labels: { name: job }, value: succeededAt.getTime() / 1_000 }] : [],
  ),
);

// Not `job`, which is Prometheus' own label.
const runs = counter("job_runs_total", "Runs of jobs and tasks in this process", {
  name: [],
  outcome: ["succeeded", "failed"],
});
const runDurations = durations(
  "job_run_duration_seconds",
  "Duration of the runs of jobs and tasks",
  { name: [] },
  [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800],
);

/** Runs a job or task and counts it, unless a shutdown cuts it off. */
export async function countRun<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const count = (outcome: "succeeded" | "failed"): void => {
    runs.inc({ name, outcome });
    runDurations.observe({ name }, (performance.now() - started) / 1_000);
  };
  try {
    const result = await work();
    count("succeeded");
    return result;
  } catch (error) {
    if (!(error instanceof InterruptedError)) count("failed");
    throw error;
  }
}
