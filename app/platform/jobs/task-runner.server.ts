import { setTimeout as after } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { executeSql } from "../database/database.server.ts";
import { onShutdown, onStopping } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { startTaskWorkers, stopTaskWorkers, type Task } from "./tasks.server.ts";

/** Milliseconds after which a failed start is tried again. */
const RESTART_DELAY = 5_000;
/** Milliseconds that a shutdown waits for a running task. A task that is cut off runs again after it has expired. */
const STOP_TIMEOUT = 2_000;
/** Seconds between two searches for lost tasks. */
const SUPERVISE_INTERVAL_SECONDS = 10;

/** Starts the workers of tasks in the background. The process serves requests even while they can't start. */
export function startTasks(tasks: readonly Task[]): void {
  const boss = new PgBoss({
    db: { executeSql },
    schema: "pgboss",
    // Work at fixed times runs shop by shop (shop-jobs.server.ts).
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    monitorIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
  });
  boss.on("error", (error) => {
    log.warn({ err: error }, "tasks can't reach the database; they continue when they can");
  });
  const stopping = new AbortController();
  const starting = start();

  async function start(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await boss.start();
        await startTaskWorkers(boss, tasks, stopping.signal);
        return;
      } catch (error) {
        log.warn({ err: error }, "tasks could not start and will be started again");
        await after(RESTART_DELAY, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopOnce());

  async function stopOnce(): Promise<void> {
    stopping.abort();
    stopTaskWorkers();
    await starting;
    await boss.stop({ graceful: true, timeout: STOP_TIMEOUT });
  }

  // Early, because a task that began now would be interrupted, and its attempt would be lost.
  onStopping(() => {
    stop().catch(() => undefined);
  });
  onShutdown("tasks", stop);
}
