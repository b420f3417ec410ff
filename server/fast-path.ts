import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import type { AppBuild } from "./build.ts";
import { bySpecificity, matchSegments, segmentsOf, toPattern, toPlainPath, type Segment } from "./route-paths.ts";

type Handler = ((args: LoaderFunctionArgs) => unknown) & {
  /** maximum bytes of a request body; set by routes that declare a limit */
  bodyLimit?: number;
  /** the resource at a path, of a route that serves many (`app/http/surface.server.ts`) */
  resourceAt?: (
    path: string,
  ) => { path: string; bodyLimit: number; handler: (args: LoaderFunctionArgs) => unknown } | undefined;
};

interface ResourceRoute {
  segments: Segment[];
  plainPath: string;
  pattern: string;
  loader: Handler | undefined;
  action: Handler | undefined;
}

/** A resource route that matches a request, with the function that handles the request's method. */
export interface RouteMatch {
  handler: Handler;
  params: Record<string, string>;
  /** a path that Remix routes to the same route, whatever the actual path has in place of the parameters */
  plainPath: string;
  /** such as `/v1/wishlists/{customerId}` */
  pattern: string;
  /** maximum bytes of a request body, if the route declares it */
  bodyLimit: number | undefined;
}

/** Finds the resource route of a raw path. */
export type RouteMatcher = (method: string, path: string) => RouteMatch | undefined;

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
    const segments = segmentsOf(build.routes, route.id);
    routes.push({ segments, plainPath: toPlainPath(segments), pattern: toPattern(segments), loader, action });
  }
  routes.sort(bySpecificity);

  return (method, path) => {
    const given = path.slice(1).split("/");
    for (const route of routes) {
      const params = matchSegments(route.segments, given);
      if (!params) continue;
      const handler = method === "GET" || method === "HEAD" ? route.loader : route.action;
      if (!handler) return undefined;
      const { plainPath } = route;
      const resource = handler.resourceAt?.(path);
      return resource
        ? { handler: resource.handler, params, plainPath, pattern: resource.path, bodyLimit: resource.bodyLimit }
        : { handler, params, plainPath, pattern: route.pattern, bodyLimit: handler.bodyLimit };
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
