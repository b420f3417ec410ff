import { LRUCache } from "lru-cache";

/** Decoded once and strictly. undefined when an escape is broken or is no UTF-8. */
export function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parameters of a query: more than any page or operation takes, with what links bring along. */
const MAX_PARAMETERS = 100;

/** Is a query too long to be read parameter by parameter? Headers leave room for thousands. */
export function hasTooManyParameters(query: string): boolean {
  return query.length > MAX_PARAMETERS && query.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS;
}

function decodeWord(text: string): string | undefined {
  return decode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

// A signed query is read twice: for its signature, and for what it says.
// It is remembered by what anyone may send, so only queries of an ordinary length are.
const MAX_CACHED_LENGTH = 1_024;
const parsedQueries = new LRUCache<string, ReadonlyMap<string, readonly string[]>>({ max: 64 });

/**
 * A query's parameters, each with its values in the order in which they came.
 * @param query as it was sent, without `?`
 * @returns undefined when an escape is broken
 */
export function readParameters(query: string): ReadonlyMap<string, readonly string[]> | undefined {
  const known = parsedQueries.get(query);
  if (known) return known;
  const read = parse(query);
  if (read && query.length <= MAX_CACHED_LENGTH) parsedQueries.set(query, read);
  return read;
}

function parse(query: string): Map<string, string[]> | undefined {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decodeWord(equals < 0 ? part : part.slice(0, equals));
    const value = decodeWord(equals < 0 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}
