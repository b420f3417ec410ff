/** Comparison of two dumps of the schema (schema-dump.ts), to find what would break processes of the release before. */

/** Name of a thing in the schema, such as "column wishlist.handle", and its definition. */
type Things = ReadonlyMap<string, string>;

interface Change {
  /** names the thing; contractions.json lists it under this name */
  what: string;
  why: string;
}

function withoutComma(line: string): string {
  return line.trim().replace(/,$/, "");
}

/** Reads a dump line by line: its statements are written by one program, in one form. */
export function parseSchema(dump: string): Things {
  const things = new Map<string, string>();
  let table = "";
  for (const line of dump.split("\n")) {
    const [, created] = /^CREATE TABLE (\w+) \($/.exec(line) ?? [];
    if (created !== undefined) {
      table = created;
      things.set(`table ${table}`, "");
      continue;
    }
    const [, sequence] = /^CREATE SEQUENCE (\w+) AS/.exec(line) ?? [];
    if (sequence !== undefined) things.set(`sequence ${sequence}`, "");
    const [, constraint, constraintText] = /^ {2}CONSTRAINT (\w+) (.*)$/.exec(line) ?? [];
    if (constraint !== undefined && constraintText !== undefined) {
      things.set(`constraint ${constraint} of ${table}`, withoutComma(constraintText));
      continue;
    }
    const [, column, columnText] = /^ {2}(\w+) (.*)$/.exec(line) ?? [];
    if (column !== undefined && columnText !== undefined)
      things.set(`column ${table}.${column}`, withoutComma(columnText));
    const [, unique, index] = /^CREATE (UNIQUE )?INDEX (\w+) /.exec(line) ?? [];
    if (index !== undefined)
      things.set(`${unique === undefined ? "index" : "unique index"} ${index} of ${table}`, line);
    const [, trigger] = /^CREATE TRIGGER (\w+) /.exec(line) ?? [];
    if (trigger !== undefined) things.set(`trigger ${trigger} of ${table}`, line);
    const [, signature, result] = /^-- FUNCTION (\w+\(.*\)) RETURNS (.*) LANGUAGE /.exec(line) ?? [];
    if (signature !== undefined && result !== undefined)
      things.set(`function ${signature.split("(", 1)[0] ?? ""}`, `${signature} RETURNS ${result}`);
    const [, type, labels] = /^CREATE TYPE (\w+) AS ENUM (.*);$/.exec(line) ?? [];
    if (type !== undefined && labels !== undefined) things.set(`type ${type}`, labels);
  }
  return things;
}

const ORDER_OF_SIZE = ["smallint", "integer", "bigint", "numeric"];

function typeOf(column: string): string {
  return column.replace(/ (?:NOT NULL|DEFAULT|GENERATED)\b.*$/, "");
}

/** Says why a process of the release before can't use the column as it is now. */
function columnProblem(before: string, after: string): string | undefined {
  const [old, now] = [typeOf(before), typeOf(after)];
  const isUnbounded = old.startsWith("numeric(") && now === "numeric";
  const isLarger = ORDER_OF_SIZE.indexOf(now) > ORDER_OF_SIZE.indexOf(old) && ORDER_OF_SIZE.includes(old);
  if (old !== now && now !== "text" && !isLarger && !isUnbounded) return `its type was ${old} and is ${now}`;
  const strict = after.includes(" NOT NULL");
  if (strict && !before.includes(" NOT NULL")) return "it accepts NULL no longer";
  if (strict && before.includes(" DEFAULT ") && !after.includes(" DEFAULT ")) return "it has a default no longer";
  return after.includes(" GENERATED ") && !before.includes(" GENERATED ")
    ? "it can't be written to any longer"
    : undefined;
}

/** Splits a list of parameters at the commas between them. */
function parametersOf(signature: string): string[] {
  const list = signature.slice(signature.indexOf("(") + 1, signature.lastIndexOf(") RETURNS "));
  const parts = [""];
  let depth = 0;
  for (const character of list) {
    if ("([".includes(character)) depth++;
    if (")]".includes(character)) depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function functionProblem(before: string, after: string): string | undefined {
  const resultOf = (signature: string): string => signature.slice(signature.lastIndexOf(" RETURNS "));
  const inputs = (signature: string): string[] => parametersOf(signature).filter((one) => !one.startsWith("OUT "));
  const outputs = (signature: string): string[] => parametersOf(signature).filter((one) => one.startsWith("OUT "));
  const [old, now] = [inputs(before), inputs(after)];
  const gone = [...old, ...outputs(before)].filter((one) => ![...now, ...outputs(after)].includes(one));
  if (gone.length > 0) return `its parameter ${gone.join(", ")} is gone or changed`;
  const added = now.filter((one) => !old.includes(one));
  const required = added.filter((one) => !one.includes(" DEFAULT "));
  if (required.length > 0) return `its parameter ${required.join(", ")} has no default`;
  if (old.some((one, index) => now[index] !== one)) return "its parameters have another order";
  const isRecord = resultOf(before) === " RETURNS record" && resultOf(after) === " RETURNS record";
  return isRecord || resultOf(before) === resultOf(after) ? undefined : "it returns another type";
}

/** Constraints and unique indexes that reject rows of the release before. */
function rejectsMore(what: string, before: Things): boolean {
  const [, table] = /^(?:constraint|unique index) \w+ of (\w+)$/.exec(what) ?? [];
  return table !== undefined && before.has(`table ${table}`);
}

/** Returns every change that a process of the release before may not survive. */
export function breakingChanges(before: Things, after: Things): Change[] {
  const changes: Change[] = [];
  for (const [what, old] of before) {
    const now = after.get(what);
    const isIndex = what.startsWith("index ");
    if (now === undefined) {
      if (!isIndex) changes.push({ what, why: "it is gone" });
      continue;
    }
    if (now === old || isIndex) continue;
    const why = what.startsWith("column ")
      ? columnProblem(old, now)
      : what.startsWith("function ")
        ? functionProblem(old, now)
        : `it was ${old} and is ${now}`;
    if (why !== undefined) changes.push({ what, why });
  }
  for (const [what, now] of after) {
    if (before.has(what)) continue;
    const [, table] = /^column (\w+)\./.exec(what) ?? [];
    const isRequired = now.includes(" NOT NULL") && !now.includes(" DEFAULT ") && !now.includes(" GENERATED ");
    if (table !== undefined && before.has(`table ${table}`) && isRequired)
      changes.push({ what, why: "it is new, must have a value, and has no default" });
    if (rejectsMore(what, before)) changes.push({ what, why: "it is new and may reject rows" });
    if (what.startsWith("trigger ") && before.has(`table ${what.split(" of ")[1] ?? ""}`))
      changes.push({ what, why: "it is new and changes what a statement does" });
  }
  return changes;
}
