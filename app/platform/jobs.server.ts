import { setTimeout as after } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { executeSql } from "./database.server.ts";
import { onShutdown } from "./lifecycle.server.ts";
import { log } from "./log.server.ts";

/** Something done at fixed times, by one process of however many there are. */
export interface Job {
  name: string;
  /** in UTC */
  cron: string;
  work: () => Promise<void>;
}

const START_AGAIN = 5_000;
/** Milliseconds that the end of the process waits for a job. It is done again when its time has run out. */
const STOP_WITHIN = 2_000;
/** Seconds that a job may take before it counts as lost with its process. */
const EXPIRE_SECONDS = 3_600;

/** Begins to do jobs in the background. They are no part of any change: a process serves whether or not they can start. */
export function startJobs(jobs: readonly Job[]): void {
  const boss = new PgBoss({ db: { executeSql }, schema: "pgboss" });
  boss.on("error", (error) => {
    log.warn({ err: error }, "jobs can't reach the database; they go on when they can");
  });
  const stopped = new AbortController();
  const starting = start();

  async function start(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await boss.start();
        for (const { name, cron, work } of jobs) await provide(name, cron, work);
        return;
      } catch (error) {
        log.warn({ err: error }, "jobs could not start; they are tried again");
        await after(START_AGAIN, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  async function provide(name: string, cron: string, work: () => Promise<void>): Promise<void> {
    // At most one waits and one is done at a time, over all processes.
    await boss.createQueue(name, {
      policy: "stately",
      retryLimit: 3,
      retryBackoff: true,
      expireInSeconds: EXPIRE_SECONDS,
    });
    await boss.work(name, async () => {
      log.info({ job: name }, "a job begins");
      await work();
      log.info({ job: name }, "a job is done");
    });
    await boss.schedule(name, cron, null, { missed: "once" });
  }

  onShutdown("jobs", async () => {
    stopped.abort();
    await starting;
    await boss.stop({ graceful: true, timeout: STOP_WITHIN });
  });
}
