import type { AppBuild } from "./build.ts";

export type Segment = { literal: string } | { parameter: string } | "rest";

interface Routed {
  segments: readonly Segment[];
}

/** Returns the path of a route, its parents' paths included. */
function fullPath(routes: AppBuild["routes"], id: string): string {
  const route = routes[id];
  if (!route) return "";
  const parent = route.parentId === undefined ? "" : fullPath(routes, route.parentId);
  return [parent, route.path ?? ""].filter((part) => part !== "").join("/");
}

function toSegment(text: string): Segment {
  if (text === "*") return "rest";
  return text.startsWith(":") ? { parameter: text.slice(1) } : { literal: text };
}

/** Returns the segments of a route's path. */
export function segmentsOf(routes: AppBuild["routes"], id: string): Segment[] {
  return fullPath(routes, id).split("/").map(toSegment);
}

/** Orders literals before parameters before the rest, from the left, as Remix ranks paths of the same length. */
export function bySpecificity(a: Routed, b: Routed): number {
  const rank = (segment: Segment | undefined): number =>
    segment === undefined ? 3 : segment === "rest" ? 2 : "parameter" in segment ? 1 : 0;
  for (let i = 0; i < Math.max(a.segments.length, b.segments.length); i++) {
    const difference = rank(a.segments[i]) - rank(b.segments[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns a path with other segments in place of the parameters and the rest, such as `/v1/wishlists/_/items`. */
export function toPlainPath(segments: readonly Segment[]): string {
  return segments
    .map((segment) => (typeof segment === "object" && "literal" in segment ? `/${segment.literal}` : "/_"))
    .join("");
}

export function matchSegments(
  segments: readonly Segment[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (segments.length !== given.length && segments.at(-1) !== "rest") return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (segment === "rest") {
      params["*"] = given.slice(index).join("/");
      return params;
    }
    const text = given[index];
    if (text === undefined) return undefined;
    if ("parameter" in segment) params[segment.parameter] = text;
    else if (segment.literal !== text) return undefined;
  }
  return params;
}

/** Returns a route's path for people and metrics, such as `/v1/wishlists/{customerId}` or `/auth/*`. */
export function toPattern(segments: readonly Segment[]): string {
  return segments
    .map((segment) => {
      if (segment === "rest") return "/*";
      return "literal" in segment ? `/${segment.literal}` : `/{${segment.parameter}}`;
    })
    .join("");
}

/** Returns a function that finds the pattern of a page's path. Remix routes pages; their patterns are for the metrics. */
export function pagePatterns(build: AppBuild): (path: string) => string | undefined {
  const pages = Object.values(build.routes)
    .filter(({ module }) => module.default)
    .map(({ id }) => ({ segments: segmentsOf(build.routes, id) }))
    .sort(bySpecificity);
  return (path) => {
    // Navigation within the admin requests a page's data only.
    const given = path
      .slice(1)
      .replace(/\.data$/, "")
      .split("/");
    const page = pages.find(({ segments }) => matchSegments(segments, given));
    return page && toPattern(page.segments);
  };
}
