import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import type { AppBuild } from "./build.ts";

type Handler = ((args: LoaderFunctionArgs) => unknown) & {
  /** bytes that the body of a request may have; set by routes that say so */
  bodyLimit?: number;
};
type Segment = { literal: string } | { parameter: string } | "rest";

interface LaneRoute {
  segments: Segment[];
  plainPath: string;
  loader: Handler | undefined;
  action: Handler | undefined;
}

export interface Hit {
  handler: Handler;
  params: Record<string, string>;
  /** a path that leads Remix to the same route, whatever the real one holds in place of the parameters */
  plainPath: string;
}

/** Finds the resource route of a raw path, with the function that answers the method. */
export type ExpressLane = (method: string, path: string) => Hit | undefined;

/** The path of a route with its parents' paths before it. */
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

/** Literals before parameters before the rest, from the left: the order in which Remix ranks paths of one length. */
function bySpecificity(a: LaneRoute, b: LaneRoute): number {
  const rank = (segment: Segment | undefined): number =>
    segment === undefined ? 3 : segment === "rest" ? 2 : "parameter" in segment ? 1 : 0;
  for (let i = 0; i < Math.max(a.segments.length, b.segments.length); i++) {
    const difference = rank(a.segments[i]) - rank(b.segments[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function toPlainPath(segments: readonly Segment[]): string {
  return segments
    .map((segment) => (typeof segment === "object" && "literal" in segment ? `/${segment.literal}` : "/_"))
    .join("");
}

function match(segments: readonly Segment[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length && segments.at(-1) !== "rest") return undefined;
  const params: Record<string, string> = {};
  for (const [place, segment] of segments.entries()) {
    if (segment === "rest") {
      params["*"] = given.slice(place).join("/");
      return params;
    }
    const text = given[place];
    if (text === undefined) return undefined;
    if ("parameter" in segment) params[segment.parameter] = text;
    else if (segment.literal !== text) return undefined;
  }
  return params;
}

/**
 * A way past Remix's request handler for resource routes (a loader or action and no component): it costs about half a millisecond a
 * request and does nothing that these need. Anything that is not found here goes to Remix.
 */
export function expressLane(build: AppBuild): ExpressLane {
  const routes: LaneRoute[] = [];
  for (const route of Object.values(build.routes)) {
    if (route.module.default) continue;
    const { loader, action } = route.module;
    if (!loader && !action) continue;
    const segments = fullPath(build.routes, route.id).split("/").map(toSegment);
    routes.push({ segments, plainPath: toPlainPath(segments), loader, action });
  }
  routes.sort(bySpecificity);

  return (method, path) => {
    const given = path.slice(1).split("/");
    for (const route of routes) {
      const params = match(route.segments, given);
      if (!params) continue;
      const handler = method === "GET" || method === "HEAD" ? route.loader : route.action;
      return handler ? { handler, params, plainPath: route.plainPath } : undefined;
    }
    return undefined;
  };
}

/** Calls a route's function as Remix would. A response that it throws is its answer. */
export async function ride(hit: Hit, request: Request, context: AppLoadContext): Promise<Response> {
  try {
    const answer = await hit.handler({ request, params: hit.params, context });
    if (answer instanceof Response) return answer;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("a resource route did not answer with a Response");
}
