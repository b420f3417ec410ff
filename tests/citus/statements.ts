import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { z } from "zod";
import { oneLine } from "../support/database/statements.ts";
import type { Database } from "../support/database/database.ts";

/** A statement as a process has sent it. */
export interface SentStatement {
  text: string;
  /** of one of its executions, as PostgreSQL logs them: literals */
  values: string[];
}

/** Where Citus runs a statement. */
export type Place =
  /** on the coordinator alone, with its own tables and its copies of reference tables */
  | "coordinator"
  /** on the node of one shop */
  | "one shard"
  /** on several nodes */
  | "several shards";

/** Adds to a URL that PostgreSQL logs the statements of its connections. */
export function loggingStatements(url: string): string {
  const logging = new URL(url);
  logging.searchParams.set("options", "-c log_statement=all");
  return logging.href;
}

// A message continues on lines that begin with a tab.
const MESSAGE = /^\d{4}-\d\d-\d\d [\d:.]+ UTC \[(\d+)\] (\S*) ([A-Z]+): {2}/m;

/** Returns the coordinator's log, or undefined when it is not on this machine. */
export async function serverLog({ rows }: Database): Promise<string | undefined> {
  const [folder] = await rows<{ data_directory: string }>("SHOW data_directory");
  const file = path.join(folder?.data_directory ?? "", "server.log");
  return existsSync(file) ? file : undefined;
}

/** Reads the different statements that were logged for a database. */
export async function sentStatements(file: string, database: Database): Promise<SentStatement[]> {
  const log = await readFile(file, "utf8");
  const parts = log.replaceAll("\n\t", "\n").split(MESSAGE);
  const found = new Map<string, SentStatement>();
  const last = new Map<string, SentStatement>();
  // Each message is its process, its database, its level and its text, after what stands before the first one.
  for (let index = 1; index + 3 < parts.length; index += 4) {
    const [pid = "", name, level, text = ""] = parts.slice(index, index + 4);
    if (name !== database.name) continue;
    const [, sql] = /^(?:statement|execute [^:]+): (.*)/s.exec(text) ?? [];
    if (level === "LOG" && sql !== undefined) {
      const statement = found.get(oneLine(sql)) ?? { text: sql.trim(), values: [] };
      found.set(oneLine(sql), statement);
      last.set(pid, statement);
    }
    const [, values] = /^parameters: (.*)/s.exec(text) ?? [];
    const statement = last.get(pid);
    if (level === "DETAIL" && values !== undefined && statement) statement.values = literals(values.trim());
  }
  // What Citus makes of a statement for the coordinator's own shards is logged, too.
  return [...found.values()].filter(({ text }) => !/\w_\d{6}\b/.test(text));
}

/** Returns the literals of `$1 = '…', $2 = NULL, …`. */
function literals(parameters: string): string[] {
  return [...parameters.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)].map(([, literal = "NULL"]) => literal);
}

const job = z.object({ "Task Count": z.number() });

/** Returns the numbers of tasks in a plan, at any depth. */
function taskCounts(plan: unknown): number[] {
  if (Array.isArray(plan)) return plan.flatMap(taskCounts);
  if (typeof plan !== "object" || plan === null) return [];
  const own = job.safeParse(plan);
  return [...(own.success ? [own.data["Task Count"]] : []), ...Object.values(plan).flatMap(taskCounts)];
}

/** Asks Citus where it would run a statement. @returns undefined for a statement that has no plan, such as BEGIN */
export async function placeOf(client: pg.Client, { text: sent, values }: SentStatement): Promise<Place | undefined> {
  // A cursor's query has the place, and EXPLAIN takes no cursor.
  const text = sent.replace(/^DECLARE .*? CURSOR FOR /is, "");
  if (!/^(?:--.*\n\s*)*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text)) return undefined;
  await client.query("BEGIN");
  try {
    await client.query(`PREPARE sent AS ${text}`);
    const { rows: types } = await client.query<{ type: string }>(
      "SELECT unnest(parameter_types)::text AS type FROM pg_prepared_statements WHERE name = 'sent'",
    );
    // Not EXECUTE: Citus plans no INSERT … SELECT with parameters there.
    const given = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
      const index = Number(place) - 1;
      return `(${values[index] ?? "NULL"}::${types[index]?.type ?? "text"})`;
    });
    const { rows } = await client.query<{ "QUERY PLAN": unknown }>(`EXPLAIN (FORMAT JSON) ${given}`);
    const tasks = taskCounts(rows.map((row) => row["QUERY PLAN"]));
    if (tasks.length === 0) return "coordinator";
    return Math.max(...tasks) > 1 ? "several shards" : "one shard";
  } catch (cause) {
    throw new Error(`no plan with the values ${values.join(", ")} for: ${text}`, { cause });
  } finally {
    await client.query("ROLLBACK");
    await client.query("DEALLOCATE ALL");
  }
}
