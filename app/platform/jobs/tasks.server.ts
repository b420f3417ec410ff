import { PgBoss } from "pg-boss";
import type { z } from "zod";
import { executeSql, run, statement } from "../database/database.server.ts";
import { countRun } from "../metrics/jobs.server.ts";
import { onShutdown } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { traced } from "../tracing/tracing.server.ts";
import { runAs } from "../database/work-class.server.ts";

/** Seconds that a task may take before it counts as lost with its process. */
const EXPIRE_SECONDS = 3_600;
/** Seconds without a heartbeat after which a task counts as lost with its process. */
const HEARTBEAT_SECONDS = 20;
/** Seconds that a finished task is kept. Sending the same task id again within that time has no effect. */
const TASK_RETENTION_SECONDS = 8 * 24 * 3_600;
/** About two days of attempts. */
const TASK_RETRIES = { retryLimit: 60, retryDelay: 2, retryBackoff: true, retryDelayMax: 3_600 };

/** Work that runs once it was requested with `sendTask`, in one of the processes, and is retried until it succeeds. */
export interface Task<Data extends object = object> {
  name: string;
  /** for each key at most one task waits and one runs */
  exclusive: boolean;
  /** how many of these tasks a process runs at the same time */
  concurrency: number;
  data: z.ZodType<Data>;
  run: (data: unknown, signal: AbortSignal) => Promise<void>;
}

/**
 * Declares a task.
 * @param exclusive at most one waits and one runs for each `key` that it is sent with
 * @param concurrency how many a process runs at the same time: more than one where a slow task must not delay the others
 * @param work may run twice when the process ends in the middle of it
 */
export function task<Data extends object>(
  name: string,
  data: z.ZodType<Data>,
  work: (data: Data, signal: AbortSignal) => Promise<void>,
  { exclusive = false, concurrency = 1 } = {},
): Task<Data> {
  return { name, exclusive, concurrency, data, run: (given, signal) => work(data.parse(given), signal) };
}

export async function createTaskQueue(
  boss: PgBoss,
  { name, exclusive }: Pick<Task, "name" | "exclusive">,
): Promise<void> {
  await boss.createQueue(name, {
    ...TASK_RETRIES,
    expireInSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: TASK_RETENTION_SECONDS,
    policy: exclusive ? "stately" : "standard",
  });
}

/** Set while this process runs tasks. `wake` makes its workers fetch at once instead of at their next poll. */
let running: { boss: PgBoss; wake: (task: string) => void } | undefined;
/** Set once a process that runs no tasks has sent one. */
let sender: Promise<PgBoss> | undefined;

async function startSender(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql }, schema: "pgboss", supervise: false, schedule: false });
  boss.on("error", (error) => {
    log.warn({ err: error }, "the task sender failed; the caller of sendTask gets the error");
  });
  await boss.start();
  onShutdown("task sender", () => boss.stop({ graceful: false }));
  return boss;
}

/**
 * Requests a task.
 * @param options.id the task's id; a task with an id that was sent within the last eight days is not run again
 * @param options.key what an exclusive task is about
 * @param options.startAfter when it may start; at once by default
 */
export async function sendTask<Data extends object>(
  { name, exclusive }: Task<Data>,
  data: Data,
  options: { id?: string; key?: string; startAfter?: Date } = {},
): Promise<void> {
  let boss = running?.boss;
  if (!boss) {
    sender ??= startSender().catch((error: unknown) => {
      sender = undefined;
      throw error;
    });
    boss = await sender;
    await createTaskQueue(boss, { name, exclusive });
  }
  await boss.send(name, data, {
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.key === undefined ? {} : { singletonKey: options.key }),
    ...(options.startAfter === undefined ? {} : { startAfter: options.startAfter }),
  });
  running?.wake(name);
}

/** Starts workers for each task. @param stopping aborts running tasks */
export async function startTaskWorkers(boss: PgBoss, tasks: readonly Task[], stopping: AbortSignal): Promise<void> {
  const wakes = new Map<string, () => void>();
  for (const one of tasks) wakes.set(one.name, await startWorkers(boss, one, stopping));
  running = { boss, wake: (name) => wakes.get(name)?.() };
}

/** From now on, tasks that this process sends are run by other processes or after the next start. */
export function stopTaskWorkers(): void {
  running = undefined;
}

/** @returns wakes a worker */
async function startWorkers(boss: PgBoss, one: Task, stopping: AbortSignal): Promise<() => void> {
  await createTaskQueue(boss, one);
  const workers: string[] = [];
  const wake = (index: number): void => {
    const worker = workers[index % workers.length];
    if (worker !== undefined) boss.notifyWorker(worker);
  };
  for (let index = 0; index < one.concurrency; index++) {
    const worker = await boss.work(one.name, async ([job]) => {
      if (!job) return;
      // There may be more tasks, and pg-boss polls only every two seconds, whatever the queue depth.
      wake(index + 1);
      await attempt(one, job, stopping).finally(() => {
        wake(index);
      });
    });
    workers.push(worker);
  }
  return () => {
    wake(0);
  };
}

/** Whether an earlier exclusive task of the same key waits for its retry. Read through the index that makes it one at most. */
const retryWaitsStatement = statement<{ waits: boolean }>(
  "task_retry_waits",
  `SELECT EXISTS (
     SELECT 1 FROM pgboss.job own JOIN pgboss.job other ON other.name = own.name
        AND coalesce(other.singleton_key, '') = coalesce(own.singleton_key, '')
      WHERE own.name = $1 AND own.id = $2 AND other.state = 'retry' AND other.policy = 'stately') AS waits`,
);

async function retryWaits({ name, exclusive }: Task, id: string): Promise<boolean> {
  if (!exclusive) return false;
  const [row] = await run(retryWaitsStatement, [name, id]);
  return row?.waits ?? false;
}

async function attempt(
  one: Task,
  job: { id: string; data: unknown; signal: AbortSignal },
  stopping: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([job.signal, stopping]);
  const work = (): Promise<void> => runAs("background", () => one.run(job.data, signal));
  const succeeded = await traced(`task ${one.name}`, { parent: null }, () => countRun(one.name, work)).then(
    () => true,
    (error: unknown) => {
      if (!stopping.aborted) log.warn({ job: one.name, err: error }, "a task failed and will be retried");
      return false;
    },
  );
  // pg-boss lets one task of a key wait for a retry, and would end a second one as failed for good. The first does the work of both.
  if (!succeeded && (await retryWaits(one, job.id).catch(() => false))) return;
  // pg-boss stores the thrown error with the task, where no customer data may be.
  if (!succeeded) throw new Error("see the log");
  log.info({ job: one.name }, "a task finished");
}
