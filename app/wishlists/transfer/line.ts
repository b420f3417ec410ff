import { z } from "zod";
import { customerIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { addedAtSchema } from "../merge.server.ts";
import { COLUMNS, type Column, type Format } from "./columns.ts";
import { csvCells, unescapeCell } from "../../platform/csv.ts";
import { spreadsheetProblem } from "./ids.ts";
import type { FileRecord } from "./records.ts";

/** An item as a line of a file contains it. */
export interface FileItem {
  line: number;
  kind: "customer" | "guest";
  ownerId: string;
  productId: string;
  variantId: string;
  addedAt: string;
}

/** A problem of a line. It never contains values of the line, which may be personal data. */
export interface LineProblem {
  line: number;
  /** the column's name; "" for a problem of the whole line */
  field: string;
  problem: string;
}

/** The delimiter and columns of a CSV file, from its first record. */
export interface Header {
  delimiter: string;
  columns: readonly Column[];
}

/** A guest is known by the hash of an id that their browser keeps. */
const guestHashSchema = z.string().regex(/^[\w-]{43}$/, "must be a guest's id from an export, 43 characters");

const itemFields = { productId: productIdSchema, variantId: variantIdSchema, addedAt: addedAtSchema };

const itemSchema = z.discriminatedUnion(
  "owner",
  [
    z.strictObject({ owner: z.literal("customer"), ownerId: customerIdSchema, ...itemFields }),
    z.strictObject({ owner: z.literal("guest"), ownerId: guestHashSchema, ...itemFields }),
  ],
  { error: "must be customer or guest" },
);

const COLUMN_NAMES = Object.keys(COLUMNS).filter((name): name is Column => name in COLUMNS);
const REQUIRED = COLUMN_NAMES.filter((name) => name !== "owner");

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes a record. @returns undefined when it is not UTF-8 */
export function decodeRecord(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses the first record of a CSV file. @returns the header, or why the file can't be read */
export function readHeader(record: string): Header | string {
  // The delimiter of spreadsheets depends on the user's country.
  const delimiter = [",", ";", "\t"].find((candidate) => record.includes(candidate)) ?? ",";
  const names = (csvCells(record, delimiter) ?? []).map((name) => name.trim().toLowerCase());
  const columns = names.filter((name): name is Column => Object.hasOwn(COLUMNS, name));
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  const expected = `The first line must name the columns: ${COLUMN_NAMES.join(",")}.`;
  if (missing.length > 0) return `${expected} Add the missing columns: ${missing.join(", ")}.`;
  if (columns.length < names.length) return `${expected} Remove the other columns.`;
  if (new Set(columns).size < columns.length) return `${expected} Name each column once.`;
  return { delimiter, columns };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the fields of a line, or the problem of the whole line. */
function fieldsOf(text: string, header: Header | undefined): Record<string, unknown> | string {
  if (header) {
    const cells = csvCells(text, header.delimiter);
    if (!cells) return "has a quote that does not enclose a whole field";
    if (cells.length !== header.columns.length) {
      return `has ${cells.length} fields, and the first line names ${header.columns.length}`;
    }
    return Object.fromEntries(
      header.columns.map((name, place) => [COLUMNS[name], unescapeCell((cells[place] ?? "").trim())]),
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The line is not JSON; it gets the problem below.
  }
  return "is not a JSON object";
}

const ID_COLUMNS: readonly Column[] = ["owner_id", "product_id", "variant_id"];

/** Returns the problems of ids that a spreadsheet has converted to numbers in a CSV line. */
function convertedIds(text: string, header: Header | undefined): Omit<LineProblem, "line">[] {
  if (!header) return [];
  const cells = csvCells(text, header.delimiter) ?? [];
  return header.columns.flatMap((field, place) => {
    const problem = ID_COLUMNS.includes(field) ? spreadsheetProblem((cells[place] ?? "").trim()) : undefined;
    return problem === undefined ? [] : [{ field, problem }];
  });
}

const FLAWS = { "too-long": "is longer than any item can be", unclosed: "has a quote that is not closed" } as const;

/**
 * Parses a record into an item, or into its problems.
 * @param header the header of a CSV file
 * @returns undefined for an empty line
 */
export function readLine(
  { line, bytes, flaw }: FileRecord,
  format: Format,
  header: Header | undefined,
): FileItem | LineProblem[] | undefined {
  const whole = (problem: string): LineProblem[] => [{ line, field: "", problem }];
  if (flaw) return whole(FLAWS[flaw]);
  const text = decodeRecord(bytes);
  if (text === undefined) return whole("is not in UTF-8");
  if (text.trim() === "") return undefined;
  const fields = fieldsOf(text, header);
  if (typeof fields === "string") return whole(fields);
  const converted = convertedIds(text, header);
  if (converted.length > 0) return converted.map((problem) => ({ line, ...problem }));
  const { data, error } = itemSchema.safeParse({ owner: "customer", ...fields });
  if (data) {
    const { owner, ownerId, productId, variantId, addedAt } = data;
    return { line, kind: owner, ownerId, productId, variantId, addedAt };
  }
  return problemsOf(error, format).map((problem) => ({ line, ...problem }));
}

function problemsOf(error: z.ZodError, format: Format): Omit<LineProblem, "line">[] {
  const problems = new Map<string, string>();
  for (const { path, message, code } of error.issues) {
    const [name] = path;
    const field = COLUMN_NAMES.find((column) => COLUMNS[column] === name);
    const shown = field === undefined ? "" : format === "csv" ? field : COLUMNS[field];
    const problem =
      code === "unrecognized_keys"
        ? `has unknown fields; known: ${Object.values(COLUMNS).join(", ")}`
        : code === "invalid_type"
          ? "is missing or not a string"
          : message;
    if (!problems.has(shown)) problems.set(shown, problem);
  }
  return [...problems].map(([field, problem]) => ({ field, problem }));
}
