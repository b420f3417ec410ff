import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import type { AppBuild } from "./build.ts";

type Handler = ((args: LoaderFunctionArgs) => unknown) & {
  /** maximum bytes of a request body; set by routes that declare a limit */
  bodyLimit?: number;
};
type Segment = { literal: string } | { parameter: string } | "rest";

interface ResourceRoute {
  segments: Segment[];
  plainPath: string;
  loader: Handler | undefined;
  action: Handler | undefined;
}

/** A resource route that matches a request, with the function that handles the request's method. */
export interface RouteMatch {
  handler: Handler;
  params: Record<string, string>;
  /** a path that Remix routes to the same route, whatever the actual path has in place of the parameters */
  plainPath: string;
}

/** Finds the resource route of a raw path. */
export type RouteMatcher = (method: string, path: string) => RouteMatch | undefined;

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

/** Orders literals before parameters before the rest, from the left, as Remix ranks paths of the same length. */
function bySpecificity(a: ResourceRoute, b: ResourceRoute): number {
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

function matchSegments(segments: readonly Segment[], given: readonly string[]): Record<string, string> | undefined {
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
 * Returns a matcher for the resource routes of a build: those with a loader or an action and no component. Calling their functions directly
 * saves the half millisecond that Remix's request handler costs, which does nothing that these routes need.
 */
export function matchResourceRoutes(build: AppBuild): RouteMatcher {
  const routes: ResourceRoute[] = [];
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
      const params = matchSegments(route.segments, given);
      if (!params) continue;
      const handler = method === "GET" || method === "HEAD" ? route.loader : route.action;
      return handler ? { handler, params, plainPath: route.plainPath } : undefined;
    }
    return undefined;
  };
}

/** Calls a route's function as Remix does. A response that the function throws is its response. */
export async function callRoute(match: RouteMatch, request: Request, context: AppLoadContext): Promise<Response> {
  try {
    const response = await match.handler({ request, params: match.params, context });
    if (response instanceof Response) return response;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("a resource route did not return a Response");
}
