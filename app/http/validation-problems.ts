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

/** zod's names of types that are not everyday English. */
const TYPE_NAMES: Record<string, string> = { int: "whole number" };

/** What is counted, by the origin of an issue of size. Numbers are compared themselves. */
const COUNTED: Record<string, string> = { string: "character", array: "element", record: "entry", file: "byte" };

/** Returns the text of a problem for which the schema has no message of its own, in place of zod's. */
function defaultText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${aOrAn(TYPE_NAMES[issue.expected] ?? issue.expected)}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return sizeText("at least", Number(issue.minimum), COUNTED[issue.origin]);
    case "too_big":
      return sizeText("at most", Number(issue.maximum), COUNTED[issue.origin]);
    default:
      return undefined;
  }
}

function sizeText(bound: string, size: number, counted: string | undefined): string {
  if (counted === undefined) return `must be ${bound} ${size}`;
  const noun = size === 1 ? counted : counted === "entry" ? "entries" : `${counted}s`;
  return `must have ${bound} ${size} ${noun}`;
}

/** Options with which a schema checks input whose problems {@link toProblems} reports. */
export const CHECK_OPTIONS = { reportInput: true, error: defaultText } as const;

/** @param issue reported with `reportInput`: only its input distinguishes a missing field from one of the wrong type */
function problemText(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value")) return MISSING;
  if (issue.code === "invalid_union" && issue.discriminator !== undefined)
    return "options" in issue && Array.isArray(issue.options)
      ? `must be one of: ${issue.options.join(", ")}`
      : issue.message;
  if (issue.code === "invalid_key" || issue.code === "invalid_element")
    return issue.issues[0]?.message ?? issue.message;
  return issue.message;
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
 * Converts zod's issues, found with {@link CHECK_OPTIONS}, to problems for the caller. An unknown field next to a missing field with a similar name is reported as one
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
    const at = problemPath(part, issue.path);
    const problem = problemText(issue);
    if (!(problem === MISSING && explained.has(at))) problems.push({ path: at, problem });
  }
  return problems;
}
