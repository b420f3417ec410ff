import { z } from "zod";
import { csvCells, unescapeCell } from "../../platform/text/csv.ts";
import { customerIdSchema, listIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { addedAtSchema } from "../guests/merge.server.ts";
import { changedDetails, DETAIL_TYPES, EXPECTED_DETAILS, storedDetails, type Details } from "../items/details.ts";
import { listNameSchema, nameKey } from "../lists/names.ts";
import { DEFAULT_LIST } from "../owner.ts";
import { COLUMNS, REQUIRED_COLUMNS, type Column, type Format } from "./columns.ts";
import { spreadsheetProblem } from "./ids.ts";
import type { FileRecord } from "./records.ts";

/** A line of a file: an item of a list, or a list without items. */
export interface FileEntry {
  line: number;
  kind: "customer" | "guest";
  ownerId: string;
  list: FileList;
  /** undefined for a list without items */
  item: FileItem | undefined;
}

interface FileItem {
  productId: string;
  variantId: string;
  addedAt: string;
  details: Details;
  savedPrice: string | undefined;
}

/** The list of an item. */
interface FileList {
  /** the name as it is compared with others; empty for the default list */
  key: string;
  /** the id that a new list gets; undefined for a fresh one */
  id: string | undefined;
  name: string | undefined;
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

const listFields = { listId: listIdSchema.nullish(), listName: listNameSchema.nullish() };

const itemFields = {
  ...listFields,
  productId: productIdSchema,
  variantId: variantIdSchema,
  addedAt: addedAtSchema,
  ...changedDetails,
  savedPrice: z
    .string()
    .regex(/^\d{1,18}(?:\.\d{1,3})?$/)
    .nullish(),
};

/** Returns the schema of a line that has these fields beside its owner. */
function lineSchema<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.discriminatedUnion(
    "owner",
    [
      z.strictObject({ owner: z.literal("customer"), ownerId: customerIdSchema, ...fields }),
      z.strictObject({ owner: z.literal("guest"), ownerId: guestHashSchema, ...fields }),
    ],
    { error: "must be customer or guest" },
  );
}

const listSchema = lineSchema(listFields).transform((given) => ({ ...given, item: undefined }));

const itemSchema = lineSchema(itemFields).transform(({ owner, ownerId, listId, listName, ...item }) => {
  const { productId, variantId, addedAt, savedPrice, ...details } = item;
  return {
    ...{ owner, ownerId, listId, listName },
    item: { productId, variantId, addedAt, details: storedDetails(details), savedPrice: savedPrice ?? undefined },
  };
});

/** Fields of which a list without items has none. */
const ITEM_FIELDS = Object.keys(itemFields).filter((field) => !Object.hasOwn(listFields, field));

const COLUMN_NAMES = Object.keys(COLUMNS).filter((name): name is Column => name in COLUMNS);

/** Ids of lists that the service has made. A list of another file gets a new id. */
const OWN_LIST_ID = /^lst_[0-9A-Za-z]{22,40}$/;

const NAMELESS = "is missing; every list except the default list needs a name";

/** Returns the list of an item, or undefined when it is a named list without a name. */
function listOf(id: string | undefined, name: string | undefined): FileList | undefined {
  if (id === DEFAULT_LIST || (id === undefined && name === undefined)) return { key: "", id: undefined, name };
  return name === undefined
    ? undefined
    : { key: nameKey(name), id: id !== undefined && OWN_LIST_ID.test(id) ? id : undefined, name };
}

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
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  const expected = `The first line must name the columns: ${COLUMN_NAMES.join(",")}.`;
  if (missing.length > 0) return `${expected} Add the missing columns: ${missing.join(", ")}.`;
  if (columns.length < names.length) return `${expected} Remove the other columns.`;
  if (new Set(columns).size < columns.length) return `${expected} Name each column once.`;
  return { delimiter, columns };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const TYPES: Partial<Record<Column, string>> = DETAIL_TYPES;

/** Returns the value of a CSV cell as NDJSON has it. An empty cell of a column that may be missing means no value. */
function valueOf(column: Column, cell: string): unknown {
  if (cell === "" && column !== "owner" && !REQUIRED_COLUMNS.includes(column)) return undefined;
  const type = TYPES[column] ?? "text";
  if (type === "jsonb") return parsedJson(cell);
  return type !== "text" && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell) ? Number(cell) : cell;
}

/** Returns the value of a JSON text, or the text when it is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
      header.columns.map((name, index) => [COLUMNS[name], valueOf(name, unescapeCell((cells[index] ?? "").trim()))]),
    );
  }
  const value = parsedJson(text);
  return isRecord(value) ? value : "is not a JSON object";
}

const ID_COLUMNS: readonly Column[] = ["owner_id", "product_id", "variant_id"];

/** Returns the problems of ids that a spreadsheet has converted to numbers in a CSV line. */
function convertedIds(text: string, header: Header | undefined): Omit<LineProblem, "line">[] {
  if (!header) return [];
  const cells = csvCells(text, header.delimiter) ?? [];
  return header.columns.flatMap((field, index) => {
    const problem = ID_COLUMNS.includes(field) ? spreadsheetProblem((cells[index] ?? "").trim()) : undefined;
    return problem === undefined ? [] : [{ field, problem }];
  });
}

const FLAWS = { "too-long": "is longer than any item can be", unclosed: "has a quote that is not closed" } as const;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Returns the fields of a line that has a list without items; undefined for a line with an item. */
function emptyListOf(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!isGiven(fields["listName"]) || ITEM_FIELDS.some((field) => isGiven(fields[field]))) return undefined;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !ITEM_FIELDS.includes(field)));
}

/**
 * Parses a record into an item or a list without items, or into its problems.
 * @param header the header of a CSV file
 * @returns undefined for an empty line
 */
export function readLine(
  { line, bytes, flaw }: FileRecord,
  format: Format,
  header: Header | undefined,
): FileEntry | LineProblem[] | undefined {
  const whole = (problem: string): LineProblem[] => [{ line, field: "", problem }];
  if (flaw) return whole(FLAWS[flaw]);
  const text = decodeRecord(bytes);
  if (text === undefined) return whole("is not in UTF-8");
  if (text.trim() === "") return undefined;
  const fields = fieldsOf(text, header);
  if (typeof fields === "string") return whole(fields);
  const converted = convertedIds(text, header);
  if (converted.length > 0) return converted.map((problem) => ({ line, ...problem }));
  const emptyList = emptyListOf(fields);
  const { data, error } = emptyList
    ? listSchema.safeParse({ owner: "customer", ...emptyList })
    : itemSchema.safeParse({ owner: "customer", ...fields });
  if (!data) return problemsOf(error, format).map((problem) => ({ line, ...problem }));
  const list = listOf(data.listId ?? undefined, data.listName ?? undefined);
  if (!list) return [{ line, field: format === "csv" ? "list_name" : COLUMNS.list_name, problem: NAMELESS }];
  return { line, kind: data.owner, ownerId: data.ownerId, list, item: data.item };
}

/** Problems of fields that are no text, in words. */
const OTHER_TYPES: Partial<Record<Column, string>> = {
  ...EXPECTED_DETAILS,
  saved_price: "must be an amount without currency, such as 129.00",
};

function problemOfType(field: Column | undefined): string | undefined {
  return field === undefined ? undefined : OTHER_TYPES[field];
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
        : code === "custom"
          ? message
          : (problemOfType(field) ?? (code === "invalid_type" ? "is missing or not a string" : message));
    if (!problems.has(shown)) problems.set(shown, problem);
  }
  return [...problems].map(([field, problem]) => ({ field, problem }));
}
