import { LRUCache } from "lru-cache";

/** Percent-decodes a text once. @returns undefined when an escape is invalid or not UTF-8 */
export function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Maximum parameters of a query. More than any page or operation has: a look-up of 250 products, tracking parameters of links. */
const MAX_PARAMETERS = 300;

/** Tells whether a query has too many parameters to parse. The maximum request size allows thousands. */
export function hasTooManyParameters(query: string): boolean {
  return query.length > MAX_PARAMETERS && query.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS;
}

function decodeWord(text: string): string | undefined {
  return decode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

// A signed query is parsed twice: for its signature and for its values.
// The cache's key is unauthenticated input, so only queries of ordinary length are cached.
const MAX_CACHED_LENGTH = 1_024;
const parsedQueries = new LRUCache<string, ReadonlyMap<string, readonly string[]>>({ max: 64 });

/**
 * Returns a query's parameters, each with its values in their order.
 * @param query as it was sent, without `?`
 * @returns undefined when an escape is invalid
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
