import type { AppLoadContext } from "@remix-run/node";
import type { Env } from "../app/platform/process/env.server.ts";
import { pathOf, servesNoRequests } from "./admission.ts";
import { builtAssets } from "./assets.ts";
import type { AppBuild } from "./build.ts";
import { callRoute, type RouteMatch } from "./fast-path.ts";
import type { Routing } from "./routing.ts";

/** Paths that API clients try by mistake, where there are no pages: other versions, and the API's words without the version. */
const API_LIKE = /^\/(?:v\d+|api|rest|graphql|wishlists?|analytics|openapi(?:\.\w+)?|swagger(?:\.\w+)?)(?:\/|$)/i;

/** A request that may reach a route. */
export interface Admitted {
  build: AppBuild;
  context: AppLoadContext;
  routing: Routing;
  /** the matching resource route, if any; otherwise Remix finds a page */
  route: RouteMatch | undefined;
}

/** Returns a function that calls the route of a request, directly or through Remix. It never rejects. */
export function createDispatch({ role }: Env): (request: Request, admitted: Admitted) => Promise<Response> {
  let assets: ReturnType<typeof builtAssets> | undefined;

  /** Serves the metrics to a caller with their token; to any other the path does not exist. */
  async function respondMetrics(request: Request, admitted: Admitted): Promise<Response> {
    const { service } = admitted.build.entry.module;
    const { http } = admitted.context;
    const response = await service.metricsResponse(request, http);
    if (response) return response;
    if (role !== "worker") return callOrRender(request, admitted);
    const failure = servesNoRequests(service);
    http.logged.code = failure.code;
    return service.failureResponse(failure, { requestId: http.requestId, headers: { Connection: "close" } });
  }

  function callOrRender(request: Request, { build, context, routing, route }: Admitted): Response | Promise<Response> {
    const { target } = context.http;
    const { service } = build.entry.module;
    if (target.startsWith("/assets/")) return (assets ??= builtAssets())(request);
    if (!route && API_LIKE.test(pathOf(target))) {
      return service.notFoundResponse(context.http, request.method !== "HEAD");
    }
    return route ? callRoute(route, request, context) : routing.remix(request, context);
  }

  return async (request, admitted) => {
    const { service } = admitted.build.entry.module;
    const { target, requestId } = admitted.context.http;
    try {
      const isMetrics = pathOf(target) === service.METRICS_PATH;
      return await (isMetrics ? respondMetrics(request, admitted) : callOrRender(request, admitted));
    } catch (error) {
      service.log.error({ err: error, requestId }, "a request failed");
      const message = "Something went wrong on our side. Quote the request id when you report it.";
      return service.failureResponse(new service.Failure("internal_error", message), { requestId });
    }
  };
}
