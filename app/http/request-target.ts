import type { Problem } from "../platform/failure.ts";
import { decode, hasTooManyParameters, readParameters } from "../platform/query.ts";

/** `/v1/wishlists/{customerId}` as segments; a parameter is its name, a literal is compared as it stands. */
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

/** Path parameters of a raw path, or undefined when it is not of the pattern. */
export function matchPath(
  pattern: PathPattern,
  path: string,
): { params: Record<string, string>; problems: Problem[] } | undefined {
  const segments = path.slice(1).split("/");
  if (segments.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [place, expected] of pattern.entries()) {
    const segment = segments[place] ?? "";
    if ("literal" in expected) {
      if (segment !== expected.literal) return undefined;
    } else if (segment === "") {
      return undefined;
    } else {
      const value = decode(segment);
      if (value === undefined) {
        problems.push({ path: `path.${expected.parameter}`, problem: "holds a broken percent-encoding" });
      } else {
        params[expected.parameter] = value;
      }
    }
  }
  return { params, problems };
}

/** The query's parameters. A repeated one is a problem: whichever were taken, the caller may have meant the other. */
export function parseQuery(query: string): { values: Record<string, string>; problems: Problem[] } {
  if (hasTooManyParameters(query)) {
    return { values: {}, problems: [{ path: "query", problem: "has too many parameters" }] };
  }
  const given = readParameters(query);
  if (!given) return { values: {}, problems: [{ path: "query", problem: "holds a broken percent-encoding" }] };
  const values: [string, string][] = [];
  const problems: Problem[] = [];
  for (const [name, [value = "", ...more]] of given) {
    values.push([name, value]);
    if (more.length > 0) problems.push({ path: `query.${name}`, problem: "is given more than once" });
  }
  // Unlike an assignment, this makes a property of `__proto__` too.
  return { values: Object.fromEntries(values), problems };
}
