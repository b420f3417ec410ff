import { open } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { until } from "../until.ts";
import type { TestDatabase } from "./database.ts";

/** An executed statement, possibly inside a function, according to its plan. */
export interface Executed {
  /** with white space collapsed */
  text: string;
  /** false inside a function or trigger */
  direct: boolean;
  /** the tables that it read, with the conditions */
  scans: { table: string; conditions: string }[];
  /** the tables that it wrote */
  writes: { table: string; operation: string }[];
}

const text = z.string().default("");
const ownFields = z.object({
  "Node Type": text,
  "Relation Name": text,
  Operation: text,
  // The conditions under which rows are read.
  "Index Cond": text,
  "Recheck Cond": text,
  Filter: text,
  "TID Cond": text,
});
type Node = z.infer<typeof ownFields> & { Plans: Node[] };
const node: z.ZodType<Node> = ownFields.extend({ Plans: z.lazy(() => z.array(node).default([])) });
const planShape = z.object({ "Query Text": z.string(), Plan: node });

export function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, " ").trim();
}

function flatten(root: Node): Node[] {
  return [root, ...root.Plans.flatMap(flatten)];
}

/**
 * Makes a database log every statement with its plan from its next connections on. Nested loops are forced, so that a
 * condition shows where its table is read.
 */
export async function explainEverything(database: TestDatabase): Promise<void> {
  const settings = {
    log_statement: "all",
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
    enable_hashjoin: "off",
    enable_mergejoin: "off",
    enable_seqscan: "off",
    enable_bitmapscan: "off",
  };
  for (const [name, value] of Object.entries(settings)) {
    await database.rows(`ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
  }
}

/**
 * Reads the server's log from here on. Only a database of `explainEverything` writes plans to it.
 * @returns a function that returns all statements executed since
 */
export async function recordStatements(database: TestDatabase): Promise<() => Promise<Executed[]>> {
  const [folder] = await database.rows<{ data_directory: string }>("SHOW data_directory");
  const file = await open(path.join(folder?.data_directory ?? "", "server.log"));
  const from = (await file.stat()).size;
  return async () => {
    const log = await until("a complete log", async () => {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return isComplete(buffer.toString()) && buffer.toString();
    });
    await file.close();
    return toStatements(log, database.name);
  };
}

/** Whether the log ends with a whole message: another database's may just be written. */
function isComplete(log: string): boolean {
  const last = messagesOf(log).at(-1);
  if (last === undefined) return true;
  if (!last.endsWith("\n")) return false;
  const json = planOf(last.replace(/^\S+ /, ""));
  if (json === undefined) return true;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** Returns the messages of a log, each with its database before it. A message continues on lines that begin with a tab. */
function messagesOf(log: string): string[] {
  return log
    .replaceAll("\n\t", "\n")
    .split(/^\d{4}-\d\d-\d\d [\d:.]+ UTC \[\d+\] /m)
    .slice(1);
}

function planOf(message: string): string | undefined {
  return /^LOG: {2}duration: [\d.]+ ms {2}plan:\n(.*)/s.exec(message)?.[1];
}

function toStatements(log: string, database: string): Executed[] {
  // Databases of other test files write to the same log.
  const messages = messagesOf(log)
    .filter((message) => message.startsWith(`${database} LOG: `))
    .map((message) => message.slice(database.length + 1));
  const sent = new Set<string>();
  for (const message of messages) {
    const [, text] = /^LOG: {2}(?:statement|execute [^:]+): (.*)/s.exec(message) ?? [];
    if (text !== undefined) sent.add(oneLine(text));
  }
  return messages.flatMap((message) => {
    const json = planOf(message);
    if (json === undefined) return [];
    const { "Query Text": query, Plan: root } = planShape.parse(JSON.parse(json));
    const nodes = flatten(root);
    const text = oneLine(query);
    return {
      text,
      direct: sent.has(text),
      scans: nodes
        .filter((one) => one["Relation Name"] !== "" && one["Node Type"] !== "ModifyTable")
        .map((one) => ({
          table: one["Relation Name"],
          conditions: [one["Index Cond"], one["Recheck Cond"], one.Filter, one["TID Cond"]].join(" "),
        })),
      writes: nodes
        .filter((one) => one["Node Type"] === "ModifyTable")
        .map((one) => ({ table: one["Relation Name"], operation: one.Operation })),
    };
  });
}
