import { setTimeout as after } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import type { z } from "zod";
import { executeSql } from "./database.server.ts";
import { onShutdown } from "./lifecycle.server.ts";
import { log } from "./log.server.ts";
import { runAs } from "./work-class.server.ts";

/** Something done at fixed times, by one process of however many there are. */
export interface Job {
  name: string;
  /** in UTC */
  cron: string;
  work: () => Promise<void>;
}

/** Something done once it was asked for (`sendTask`), by one process of however many there are, until it succeeds. */
export interface Task<Data extends object = object> {
  name: string;
  /** what of a task waits or is done at a time: one of each for its key, or any number */
  exclusive: boolean;
  /** how many of it a process does at a time */
  concurrency: number;
  data: z.ZodType<Data>;
  run: (data: unknown, signal: AbortSignal) => Promise<void>;
}

const RESTART_DELAY = 5_000;
/** Milliseconds that the end of the process waits for a job. It is done again when its time has run out. */
const STOP_TIMEOUT = 2_000;
/** Seconds that a job may take before it counts as lost with its process. */
const EXPIRE_SECONDS = 3_600;
/** Seconds without a sign of life after which a task counts as lost with its process, and between looks for such. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_INTERVAL_SECONDS = 10;
/** Seconds that a finished task is remembered: whoever sends it again within that time is not heard. */
const TASK_RETENTION_SECONDS = 8 * 24 * 3_600;
/** A task is tried for about two days. */
const TASK_RETRIES = { retryLimit: 60, retryDelay: 2, retryBackoff: true, retryDelayMax: 3_600 };

/**
 * @param alone at most one waits and one is done at a time for the `key` that it is sent with
 * @param lanes how many of it a process does at a time: more than one where a slow one must not keep the others waiting
 * @param work may be done twice, when the process ends in the middle of it
 */
export function task<Data extends object>(
  name: string,
  data: z.ZodType<Data>,
  work: (data: Data, signal: AbortSignal) => Promise<void>,
  { exclusive = false, concurrency = 1 } = {},
): Task<Data> {
  return { name, exclusive, concurrency, data, run: (given, signal) => work(data.parse(given), signal) };
}

const queues = {
  job: { policy: "stately", retryLimit: 3, retryBackoff: true, expireInSeconds: EXPIRE_SECONDS },
  task: {
    ...TASK_RETRIES,
    expireInSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: TASK_RETENTION_SECONDS,
  },
} as const;

async function provideTaskQueue(boss: PgBoss, { name, exclusive }: Pick<Task, "name" | "exclusive">): Promise<void> {
  await boss.createQueue(name, { ...queues.task, policy: exclusive ? "stately" : "standard" });
}

/** The one that works, while it does, and wakes who works on a task. */
let working: { boss: PgBoss; wake: (task: string) => void } | undefined;
/** Of a process that leaves tasks to others. */
let sending: Promise<PgBoss> | undefined;

async function startSending(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql }, schema: "pgboss", supervise: false, schedule: false });
  boss.on("error", (error) => {
    log.warn({ err: error }, "tasks can't be handed on; whoever asks for one is told");
  });
  await boss.start();
  onShutdown("task sender", () => boss.stop({ graceful: false }));
  return boss;
}

/**
 * Has a task done.
 * @param options.id the task's own id: one that was sent within the last eight days is not done again
 * @param options.key what a task that is done alone is about
 */
export async function sendTask<Data extends object>(
  { name, exclusive }: Task<Data>,
  data: Data,
  options: { id?: string; key?: string } = {},
): Promise<void> {
  let boss = working?.boss;
  if (!boss) {
    sending ??= startSending().catch((error: unknown) => {
      sending = undefined;
      throw error;
    });
    boss = await sending;
    await provideTaskQueue(boss, { name, exclusive });
  }
  await boss.send(name, data, {
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.key === undefined ? {} : { singletonKey: options.key }),
  });
  working?.wake(name);
}

/** Begins to do jobs in the background. They are no part of any change: a process serves whether or not they can start. */
export function startJobs(jobs: readonly Job[], tasks: readonly Task[]): void {
  const boss = new PgBoss({
    db: { executeSql },
    schema: "pgboss",
    superviseIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
    monitorIntervalSeconds: SUPERVISE_INTERVAL_SECONDS,
  });
  boss.on("error", (error) => {
    log.warn({ err: error }, "jobs can't reach the database; they go on when they can");
  });
  const stopped = new AbortController();
  const starting = start();

  async function start(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await boss.start();
        for (const job of jobs) await provideJob(job);
        const wakes = new Map<string, () => void>();
        for (const one of tasks) wakes.set(one.name, await provideTask(one));
        working = { boss, wake: (name) => wakes.get(name)?.() };
        return;
      } catch (error) {
        log.warn({ err: error }, "jobs could not start; they are tried again");
        await after(RESTART_DELAY, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  async function provideJob({ name, cron, work }: Job): Promise<void> {
    // At most one waits and one is done at a time, over all processes.
    await boss.createQueue(name, queues.job);
    await boss.work(name, async () => {
      log.info({ job: name }, "a job begins");
      await runAs("background", work);
      log.info({ job: name }, "a job is done");
    });
    await boss.schedule(name, cron, null, { missed: "once" });
  }

  /** @returns wakes whoever works on it */
  async function provideTask(one: Task): Promise<() => void> {
    await provideTaskQueue(boss, one);
    const workers: string[] = [];
    const wake = (lane: number): void => {
      const worker = workers[lane % workers.length];
      if (worker !== undefined) boss.notifyWorker(worker);
    };
    for (let lane = 0; lane < one.concurrency; lane++) {
      const worker = await boss.work(one.name, async ([job]) => {
        if (!job) return;
        // Where there was one there may be more: left to itself a worker looks every two seconds, however much waits.
        wake(lane + 1);
        await attempt(one, job).finally(() => {
          wake(lane);
        });
      });
      workers.push(worker);
    }
    return () => {
      wake(0);
    };
  }

  async function attempt(one: Task, job: { data: unknown; signal: AbortSignal }): Promise<void> {
    const signal = AbortSignal.any([job.signal, stopped.signal]);
    const done = await runAs("background", () => one.run(job.data, signal)).then(
      () => true,
      (error: unknown) => {
        if (!stopped.signal.aborted) log.warn({ job: one.name, err: error }, "a task failed; it is tried again");
        return false;
      },
    );
    // What is thrown is kept with the task, where nothing of a customer belongs.
    if (!done) throw new Error("see the log");
    log.info({ job: one.name }, "a task is done");
  }

  onShutdown("jobs", async () => {
    stopped.abort();
    working = undefined;
    await starting;
    await boss.stop({ graceful: true, timeout: STOP_TIMEOUT });
  });
}
