import { setTimeout as after } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { executeSql } from "./database.server.ts";
import { onShutdown } from "./lifecycle.server.ts";
import { log } from "./log.server.ts";
import { EXPIRE_SECONDS, startTaskWorkers, stopTaskWorkers, type Task } from "./tasks.server.ts";
import { runAs } from "./work-class.server.ts";

/** Work that runs at fixed times, each time in one of the processes. */
export interface Job {
  name: string;
  /** in UTC */
  cron: string;
  work: () => Promise<void>;
}

/** Milliseconds after which a failed start is tried again. */
const RESTART_DELAY = 5_000;
/** Milliseconds that a shutdown waits for a running job. A job that is cut off runs again after it has expired. */
const STOP_TIMEOUT = 2_000;
/** Seconds between two searches for lost jobs and tasks. */
const SUPERVISE_INTERVAL_SECONDS = 10;

/** Starts jobs and tasks in the background. The process serves requests even while they can't start. */
export function startJobs(jobs: readonly Job[], tasks: readonly Task[]): void {
  const boss = new PgBoss({
    db: { executeSql },
    schema: "pgboss",
    superviseIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    monitorIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
  });
  boss.on("error", (error) => {
    log.warn({ err: error }, "jobs can't reach the database; they continue when they can");
  });
  const stopping = new AbortController();
  const starting = start();

  async function start(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await boss.start();
        for (const job of jobs) await scheduleJob(boss, job);
        await startTaskWorkers(boss, tasks, stopping.signal);
        return;
      } catch (error) {
        log.warn({ err: error }, "jobs could not start and will be started again");
        await after(RESTART_DELAY, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  onShutdown("jobs", async () => {
    stopping.abort();
    stopTaskWorkers();
    await starting;
    await boss.stop({ graceful: true, timeout: STOP_TIMEOUT });
  });
}

async function scheduleJob(boss: PgBoss, { name, cron, work }: Job): Promise<void> {
  // "stately": over all processes at most one waits and one runs.
  await boss.createQueue(name, {
    policy: "stately",
    retryLimit: 3,
    retryBackoff: true,
    expireInSeconds: EXPIRE_SECONDS,
  });
  await boss.work(name, async () => {
    log.info({ job: name }, "a job started");
    await runAs("background", work);
    log.info({ job: name }, "a job finished");
  });
  await boss.schedule(name, cron, null, { missed: "once" });
}
