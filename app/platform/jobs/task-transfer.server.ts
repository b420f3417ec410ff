import type pg from "pg";
import { PgBoss } from "pg-boss";
import { createTaskQueue } from "./tasks.server.ts";

/** Tasks of a backup. They are sent again by a restore, so that the file does not depend on pg-boss's tables. */

export const JOBS_SCHEMA = "pgboss";

/**
 * Selects the tasks that wait, run or are to be retried. Finished tasks are left out: their ids keep a repeated webhook of Shopify from being processed again, which is harmless (app/store-events).
 */
export const UNFINISHED_TASKS = `
  SELECT j.id, j.name, q.policy = 'stately' AS exclusive, j.data, j.singleton_key, j.start_after
    FROM ${JOBS_SCHEMA}.job j JOIN ${JOBS_SCHEMA}.queue q ON q.name = j.name
   WHERE j.state < 'completed' AND j.name NOT LIKE '\\_\\_pgboss%'`;

/** A table of the session for the rows of UNFINISHED_TASKS. */
export const TASK_TABLE = "restored_task";
const CREATE_TASK_TABLE = `
  CREATE TEMPORARY TABLE ${TASK_TABLE} (
    id uuid, name text, exclusive boolean, data jsonb, singleton_key text, start_after timestamptz
  ) ON COMMIT DROP`;

/** Tasks that are sent at a time. */
const BATCH = 1_000;

interface TaskRow {
  id: string;
  data: object | null;
  singletonKey: string | null;
  startAfter: string;
}

export async function createTaskTable(client: pg.Client): Promise<void> {
  await client.query(CREATE_TASK_TABLE);
}

/** Runs statements in the caller's transaction. pg-boss puts those that belong together into one of its own. */
function withinTransaction(client: pg.Client) {
  return {
    executeSql: (text: string, values?: unknown[]) =>
      client.query<Record<string, unknown>>(text.replace(/^\s*BEGIN;/, "").replace(/COMMIT;\s*$/, ""), values),
  };
}

/**
 * Replaces all jobs and tasks by those of the task table, in the caller's transaction.
 * @returns the number of tasks
 */
export async function replaceTasks(client: pg.Client): Promise<number> {
  await client.query(`DROP SCHEMA IF EXISTS ${JOBS_SCHEMA} CASCADE`);
  const boss = new PgBoss({ db: withinTransaction(client), schema: JOBS_SCHEMA, supervise: false, schedule: false });
  const failed = new Promise<never>((_resolve, reject) => boss.once("error", reject));
  failed.catch(() => undefined);
  try {
    return await Promise.race([sendTasks(client, boss), failed]);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function sendTasks(client: pg.Client, boss: PgBoss): Promise<number> {
  await boss.start();
  const queues = await client.query<{ name: string; exclusive: boolean }>(
    `SELECT DISTINCT name, exclusive FROM ${TASK_TABLE} ORDER BY name`,
  );
  let sent = 0;
  for (const queue of queues.rows) {
    await createTaskQueue(boss, queue);
    let after = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const { rows } = await client.query<TaskRow>(
        `SELECT id, data, singleton_key AS "singletonKey", to_json(greatest(start_after, now())) #>> '{}' AS "startAfter"
           FROM ${TASK_TABLE} WHERE name = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
        [queue.name, after],
      );
      if (rows.length === 0) break;
      await boss.insert(queue.name, rows.map(toJob));
      sent += rows.length;
      after = rows.at(-1)?.id ?? after;
    }
  }
  return sent;
}

/** A task that ran while another with its key waited becomes one that waits: of these, pg-boss keeps one. */
function toJob({ id, data, singletonKey, startAfter }: TaskRow) {
  return { id, startAfter, ...(data === null ? {} : { data }), ...(singletonKey === null ? {} : { singletonKey }) };
}
