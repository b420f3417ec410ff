import { z } from "zod";
import type { Problem } from "../platform/failure.ts";

const NOUN = { path: "path parameter", query: "query parameter", body: "field" } as const;

type Part = keyof typeof NOUN;

/** Unknown names that are compared with the known ones. Comparisons cost time. */
const MAX_NAMES_COMPARED = 20;
/** Maximum characters of a name that can be a misspelt known name. */
const MAX_NAME_LENGTH = 40;
/** Maximum problems that are collected; responses show fewer. */
const MAX_PROBLEMS = 100;

function problemPath(part: Part, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (out, key) => (typeof key === "number" ? `${out}[${key}]` : `${out}.${String(key)}`),
    part,
  );
}

/** Treats `productId`, `product_id` and `ProductID` as similar, and names that differ in one or two letters. */
function resembles(a: string, b: string): boolean {
  if (a.length > MAX_NAME_LENGTH) return false;
  const [x, y] = [a, b].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  return x !== undefined && y !== undefined && (x === y || editDistance(x, y) <= Math.min(2, Math.floor(y.length / 3)));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const MISSING = "is missing";

/** How zod's own messages begin. Those of this service's schemas are used as they are. */
const BY_ZOD = /^(Invalid|Too) /;

const DISJUNCTION = new Intl.ListFormat("en", { type: "disjunction" });

function alternatives(values: readonly unknown[]): string {
  return DISJUNCTION.format(values.map((value) => `\`${String(value)}\``));
}

function isMissing(object: unknown, field = ""): boolean {
  return typeof object === "object" && object !== null && !Object.hasOwn(object, field);
}

/** zod's types that have another name in JSON. */
const JSON_TYPES: Readonly<Record<string, string>> = { int: "integer", record: "object" };

/** @param issue reported with `reportInput`: only its input distinguishes a missing field from one of the wrong type */
function problemText(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return MISSING;
  if (!BY_ZOD.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${aOrAn(JSON_TYPES[issue.expected] ?? issue.expected)}`;
    case "too_small":
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_value":
      return issue.input === undefined ? MISSING : `must be ${alternatives(issue.values)}`;
    case "invalid_union":
      if (!("options" in issue)) return issue.message;
      return isMissing(issue.input, issue.discriminator) ? MISSING : `must be ${alternatives(issue.options)}`;
    case "invalid_key":
      return `has an invalid name, which ${issue.issues.map(problemText).join(" and ")}`;
    default:
      return issue.message;
  }
}

function aOrAn(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Returns the field names that a schema defines for the object at `path`. */
function knownNames(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of path) {
    at = unwrap(at);
    if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodObject && typeof key === "string") at = at.shape[key];
    else return [];
  }
  at = unwrap(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}

/**
 * Converts zod's issues to problems for the caller. An unknown field next to a missing field with a similar name is reported as one
 * misspelling instead of two problems.
 */
export function toProblems(part: Part, error: z.ZodError, schema: z.ZodType): Problem[] {
  const problems: Problem[] = [];
  const explained = new Set<string>();
  let compared = 0;
  for (const issue of error.issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const names = knownNames(schema, issue.path);
    for (const key of issue.keys) {
      if (problems.length === MAX_PROBLEMS) return problems;
      const meant = compared++ < MAX_NAMES_COMPARED ? names.find((name) => resembles(key, name)) : undefined;
      if (meant !== undefined) explained.add(problemPath(part, [...issue.path, meant]));
      const hint =
        meant !== undefined ? `; did you mean \`${meant}\`?` : names.length > 0 ? `; known: ${names.join(", ")}` : "";
      problems.push({ path: problemPath(part, [...issue.path, key]), problem: `is not a known ${NOUN[part]}${hint}` });
    }
  }
  for (const issue of error.issues) {
    if (problems.length === MAX_PROBLEMS) break;
    if (issue.code === "unrecognized_keys") continue;
    // The name itself can be empty or unreadable.
    const at = problemPath(part, issue.code === "invalid_key" ? issue.path.slice(0, -1) : issue.path);
    const problem = problemText(issue);
    if (!(problem === MISSING && explained.has(at))) problems.push({ path: at, problem });
  }
  return problems;
}
