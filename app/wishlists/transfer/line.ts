import { z } from "zod";
import { customerIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { addedAtSchema } from "../merge.server.ts";
import { COLUMNS, type Column, type Format } from "./columns.ts";
import { csvCells, unescapeCell } from "../../platform/csv.ts";
import { spreadsheetProblem } from "./ids.ts";
import type { FileRecord } from "./records.ts";

/** An item as a line of a file says it. */
export interface FileItem {
  line: number;
  kind: "customer" | "guest";
  ownerId: string;
  productId: string;
  variantId: string;
  addedAt: string;
}

/** What is wrong with a line: nothing of what it says is repeated, as that may name somebody. */
export interface LineProblem {
  line: number;
  /** the column's name; "" when it is the whole line */
  field: string;
  problem: string;
}

/** How a file is to be read, as its first record says it. */
export interface Header {
  delimiter: string;
  columns: readonly Column[];
}

/** A guest is known by the hash of an id that their browser keeps. */
const guestHashSchema = z.string().regex(/^[\w-]{43}$/, "must be a guest as an export names one, 43 characters");

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

/** undefined when it is not UTF-8 */
export function decodeRecord(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** @returns why the file can't be read, in words */
export function readHeader(record: string): Header | string {
  // Spreadsheets separate by what the user's country uses.
  const delimiter = [",", ";", "\t"].find((one) => record.includes(one)) ?? ",";
  const names = (csvCells(record, delimiter) ?? []).map((name) => name.trim().toLowerCase());
  const columns = names.filter((name): name is Column => Object.hasOwn(COLUMNS, name));
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  const wanted = `The first line must name the columns: ${COLUMN_NAMES.join(",")}.`;
  if (missing.length > 0) return `${wanted} It lacks ${missing.join(", ")}.`;
  if (columns.length < names.length) return `${wanted} It has others, too. Remove them.`;
  if (new Set(columns).size < columns.length) return `${wanted} It names one of them twice.`;
  return { delimiter, columns };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a line, or what is wrong with it as a whole. */
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
    // told below
  }
  return "is not a JSON object";
}

const ID_COLUMNS: readonly Column[] = ["owner_id", "product_id", "variant_id"];

/** The ids of a CSV line that a spreadsheet has turned into numbers. */
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
 * What a record says.
 * @param header of a CSV file
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
        ? `has fields that are not known; those are ${Object.values(COLUMNS).join(", ")}`
        : code === "invalid_type"
          ? "is missing, or is no text"
          : message;
    if (!problems.has(shown)) problems.set(shown, problem);
  }
  return [...problems].map(([field, problem]) => ({ field, problem }));
}
