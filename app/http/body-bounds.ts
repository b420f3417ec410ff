import type { Problem } from "../platform/failure.ts";

/** Elements of a list; no operation accepts more. */
const MAX_ELEMENTS = 1_000;
/** Fields of an object. */
const MAX_FIELDS = 100;
/** Characters of a field name in the path of a problem. */
const MAX_NAME_SHOWN = 50;
/** Values of a body, including lists and objects: four times as many as in the largest merge. */
const MAX_VALUES = 10_000;
/** Levels of nesting that schemas validate: body, list, item, field. */
const MAX_DEPTH = 4;

/**
 * Finds the first list or object of a parsed body that is too large for any operation, or has a name that no schema accepts. Validation creates an issue for each invalid
 * element, so a body of 256 KiB of invalid elements would block all other requests.
 */
export function findUnacceptable(value: unknown, path = "body", levels = MAX_DEPTH): Problem | undefined {
  if (typeof value !== "object" || value === null || levels === 0) return undefined;
  if (Array.isArray(value)) {
    if (value.length > MAX_ELEMENTS) return { path, problem: `has more than ${MAX_ELEMENTS} elements` };
    return firstProblem(value, (element, index) => findUnacceptable(element, `${path}[${index}]`, levels - 1));
  }
  const fields = Object.entries(value);
  if (fields.length > MAX_FIELDS) return { path, problem: `has more than ${MAX_FIELDS} fields` };
  // Schemas of free names would silently leave it out. A body's own fields are all known, so that schemas refuse it there.
  if (levels < MAX_DEPTH && Object.hasOwn(value, "__proto__")) {
    return { path: `${path}.__proto__`, problem: "is not a name that a field can have" };
  }
  return firstProblem(fields, ([name, field]) =>
    findUnacceptable(field, `${path}.${name.slice(0, MAX_NAME_SHOWN)}`, levels - 1),
  );
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/**
 * Counts the values of a JSON text before it is parsed, because parsing an object of 40,000 fields takes long.
 * @returns the problem of a text that has too many values
 */
export function findTooManyValues(json: Uint8Array): Problem | undefined {
  let values = 1;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
  }
  return values > MAX_VALUES ? { path: "body", problem: `has more than ${MAX_VALUES} values` } : undefined;
}

function firstProblem<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => Problem | undefined,
): Problem | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return undefined;
}
