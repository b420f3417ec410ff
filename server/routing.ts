import { createRequestHandler, type AppLoadContext } from "@remix-run/node";
import type { AppBuild } from "./build.ts";
import { matchResourceRoutes, type RouteMatcher } from "./fast-path.ts";
import { pagePatterns } from "./route-paths.ts";

/** Where the requests to a build go. */
export interface Routing {
  match: RouteMatcher;
  /** Returns the pattern of a path that is no resource route's. */
  otherPattern: (path: string) => string | undefined;
  /** Renders a page. */
  remix: (request: Request, context?: AppLoadContext) => Promise<Response>;
}

/** Returns a function for the routing of a build, which is made once per build. */
export function createRoutings(mode: "production" | "development"): (build: AppBuild) => Routing {
  const routings = new WeakMap<AppBuild, Routing>();
  return (build) => {
    let routing = routings.get(build);
    if (!routing) {
      const pagePattern = pagePatterns(build);
      routing = {
        match: matchResourceRoutes(build),
        otherPattern: (path) => (path.startsWith("/assets/") ? "/assets/*" : pagePattern(path)),
        remix: createRequestHandler(build, mode),
      };
      routings.set(build, routing);
    }
    return routing;
  };
}
