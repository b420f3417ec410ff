import type { Problem } from "../platform/failure.ts";
import { decode, hasTooManyParameters, readParameters } from "../platform/text/query.ts";

/** The segments of a path such as `/v1/wishlists/{customerId}`. Literals must match exactly. */
export type PathPattern = readonly ({ literal: string } | { parameter: string })[];

export function parsePattern(path: string): PathPattern {
  return path
    .slice(1)
    .split("/")
    .map((segment) => {
      const [, parameter] = /^\{(\w+)\}$/.exec(segment) ?? [];
      return parameter === undefined ? { literal: segment } : { parameter };
    });
}

/** The parameters of a path. */
export interface MatchedPath {
  /** decoded */
  params: Record<string, string>;
  /** of parameters that could not be decoded */
  problems: Problem[];
}

/** Matches the segments of a raw path. @returns undefined when they do not fit the pattern */
export function matchPath(pattern: PathPattern, segments: readonly string[]): MatchedPath | undefined {
  if (segments.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if ("literal" in expected) {
      if (segment !== expected.literal) return undefined;
    } else if (segment === "") {
      return undefined;
    } else {
      const value = decode(segment);
      if (value === undefined) {
        problems.push({ path: `path.${expected.parameter}`, problem: "has an invalid percent-encoding" });
      } else {
        params[expected.parameter] = value;
      }
    }
  }
  return { params, problems };
}

/**
 * Parses a query. A repeated parameter is a problem, because the caller may have meant either value.
 * @param repeatable the parameters that may be repeated; their values are arrays
 * @param known the parameters that are read, where others are ignored
 */
export function parseQuery(
  query: string,
  repeatable: ReadonlySet<string>,
  known: ReadonlySet<string> | undefined,
): { values: Record<string, string | string[]>; problems: Problem[] } {
  if (hasTooManyParameters(query)) {
    return { values: {}, problems: [{ path: "query", problem: "has too many parameters" }] };
  }
  const given = readParameters(query);
  if (!given) return { values: {}, problems: [{ path: "query", problem: "has an invalid percent-encoding" }] };
  const values: [string, string | string[]][] = [];
  const problems: Problem[] = [];
  for (const [name, [value = "", ...more]] of given) {
    if (known && !known.has(name)) continue;
    if (repeatable.has(name)) {
      values.push([name, [value, ...more]]);
      continue;
    }
    values.push([name, value]);
    if (more.length > 0) problems.push({ path: `query.${name}`, problem: "is given more than once" });
  }
  // Unlike an assignment, `fromEntries` creates an own property for `__proto__`.
  return { values: Object.fromEntries(values), problems };
}

/** An unencoded `gid://shopify/Product/1` in a path; clients and proxies may have merged its two slashes. */
const RAW_GID = /gid:\/{1,2}shopify\/([A-Za-z]+)\/([^/?]+)/i;

/** Explains how to encode the GID in a path. @returns undefined when the path has no unencoded GID */
export function rawGidAdvice(target: string): string | undefined {
  const [, type, tail] = RAW_GID.exec(target) ?? [];
  if (type === undefined || tail === undefined) return undefined;
  return `There is no endpoint at this path. Percent-encode the GID in it, as gid:%2F%2Fshopify%2F${type}%2F<id>, or send only its last part.`;
}
