import { createRequestHandler, type AppLoadContext } from "@remix-run/node";
import type { Env } from "../app/platform/process/env.server.ts";
import { builtAssets } from "./assets.ts";
import type { AppBuild } from "./build.ts";
import { clientRequestId, withClientRequestId } from "./client-request-id.ts";
import { callRoute, matchResourceRoutes, type RouteMatch, type RouteMatcher } from "./fast-path.ts";
import { pagePatterns } from "./route-paths.ts";
import { cleanTarget, escapeUndecodable, isHost } from "./target.ts";

/** The only paths that a process with the role `worker` serves, beside its metrics. */
const HEALTH = new Set(["/healthz", "/readyz"]);

/** Paths that API clients try by mistake, where there are no pages: other versions, and the API's words without the version. */
const API_LIKE = /^\/(?:v\d+|api|rest|graphql|wishlists?|analytics|openapi(?:\.\w+)?|swagger(?:\.\w+)?)(?:\/|$)/i;

/** Remix's former parameter for one route's data. Remix would log an error with a stack for each such request. */
const LEGACY_DATA = /[?&]_data(?:=|&|$)/;

type Service = AppBuild["entry"]["module"]["service"];
type Failure = InstanceType<Service["Failure"]>;

/** What the app needs of a request before its body is read. */
export interface RequestHead {
  method: string;
  /** the request target as it was sent, which parsing as a URL would normalise */
  target: string;
  headers: {
    host?: string | undefined;
    "content-length"?: string | undefined;
    "x-forwarded-for"?: string | string[] | undefined;
    traceparent?: string | string[] | undefined;
    "x-request-id"?: string | string[] | undefined;
  };
  /** HTTP/1.1 requires the header Host */
  httpVersion: string;
  /** address of the peer: the client, or the nearest proxy */
  remoteAddress: string;
}

/** One request on its way to a response. */
export interface Exchange {
  /** the response to a request that must not reach a route */
  refusal: Response | undefined;
  /** path and query that the request passed to `respond` must have */
  path: string;
  /** Returns the response of the matching route. Never rejects. */
  respond: (request: Request) => Promise<Response>;
  /** Writes the request's line to the log. */
  finish: (status: number, options: { aborted: boolean }) => void;
}

/** Everything of a request that does not need a socket. */
export interface App {
  /** Checks the head of a request and finds its route. */
  receive: (head: RequestHead) => Exchange;
  /**
   * Responds to a request that comes from this process, without a socket.
   * @param target the request target, where it is not the one of the request's URL
   */
  request: (request: Request, from?: { target?: string; remoteAddress?: string }) => Promise<Response>;
  /** Returns the response to bytes that are not valid HTTP. */
  malformed: (message: string) => Response;
}

interface Routing {
  match: RouteMatcher;
  pagePattern: (path: string) => string | undefined;
  remix: (request: Request, context?: AppLoadContext) => Promise<Response>;
}

interface Admitted {
  build: AppBuild;
  context: AppLoadContext;
  /** the matching resource route, if any; otherwise Remix finds a page */
  route: RouteMatch | undefined;
}

/**
 * Creates the app of a build: gives each request its id and the client's address, refuses requests that must not reach a route, and calls
 * the route directly or through Remix.
 * @param currentBuild called for each request, so that a development server can replace the build
 */
export function createApp(env: Env, currentBuild: () => AppBuild): App {
  const routings = new WeakMap<AppBuild, Routing>();
  let assets: ReturnType<typeof builtAssets> | undefined;

  function routingOf(build: AppBuild): Routing {
    let routing = routings.get(build);
    if (!routing) {
      routing = {
        match: matchResourceRoutes(build),
        pagePattern: pagePatterns(build),
        remix: createRequestHandler(build, env.production ? "production" : "development"),
      };
      routings.set(build, routing);
    }
    return routing;
  }

  function dispatch(request: Request, admitted: Admitted): Response | Promise<Response> {
    const { service } = admitted.build.entry.module;
    return pathOf(admitted.context.http.target) === service.METRICS_PATH
      ? respondMetrics(request, admitted)
      : callOrRender(request, admitted);
  }

  /** Serves the metrics to a caller with their token; to any other the path does not exist. */
  async function respondMetrics(request: Request, admitted: Admitted): Promise<Response> {
    const { service } = admitted.build.entry.module;
    const { http } = admitted.context;
    const response = await service.metricsResponse(request, http);
    if (response) return response;
    if (env.role !== "worker") return callOrRender(request, admitted);
    const failure = servesNoRequests(service);
    http.logged.code = failure.code;
    return service.failureResponse(failure, { requestId: http.requestId, headers: { Connection: "close" } });
  }

  function callOrRender(request: Request, { build, context, route }: Admitted): Response | Promise<Response> {
    const { target } = context.http;
    const { service } = build.entry.module;
    if (target.startsWith("/assets/")) return (assets ??= builtAssets())(request);
    if (!route && API_LIKE.test(pathOf(target))) {
      return service.notFoundResponse(context.http, request.method !== "HEAD");
    }
    if (route) return callRoute(route, request, context);
    return routingOf(build).remix(request, context);
  }

  /** Returns the pattern of a path that is no resource route's. */
  function otherPattern(build: AppBuild, path: string): string | undefined {
    return path.startsWith("/assets/") ? "/assets/*" : routingOf(build).pagePattern(path);
  }

  async function respond(request: Request, admitted: Admitted): Promise<Response> {
    try {
      return await dispatch(request, admitted);
    } catch (error) {
      const { service } = admitted.build.entry.module;
      const { requestId } = admitted.context.http;
      service.log.error({ err: error, requestId }, "a request failed");
      const message = "Something went wrong on our side. Quote the request id when you report it.";
      return service.failureResponse(new service.Failure("internal_error", message), { requestId });
    }
  }

  function receive(head: RequestHead): Exchange {
    const started = performance.now();
    const build = currentBuild();
    const { service } = build.entry.module;
    const requestId = service.requestId();
    const givenId = clientRequestId(head.headers["x-request-id"]);
    const logged: AppLoadContext["http"]["logged"] = {};
    const timing: AppLoadContext["http"]["timing"] = {};
    const traced = HEALTH.has(head.target)
      ? undefined
      : service.startRequestSpan(head.method, requestId, head.headers.traceparent);
    const traceId = traced?.traceparent === undefined ? undefined : traced.traceId;
    const finish: Exchange["finish"] = (sent, { aborted }) => {
      const status = logged.status ?? sent;
      const exactMs = performance.now() - started;
      const ms = Math.round(exactMs * 10) / 10;
      const ids = { requestId, clientRequestId: givenId, traceId };
      service.log.info(
        { ...ids, method: head.method, ...logged, status, ms, ...(aborted ? { aborted } : {}) },
        "request",
      );
      if (traced) service.endRequestSpan(traced, head.method, { ...logged, status, aborted });
      const pattern = logged.route ?? route?.pattern ?? otherPattern(build, path);
      const { streamingSince } = timing;
      // A stream is open for as long as its client wants, so that its length says nothing about the service.
      const counted =
        streamingSince === undefined ? { ms: exactMs, aborted } : { ms: streamingSince - started, aborted: false };
      service.countRequest({ route: pattern, method: head.method, status, ...counted });
    };

    service.countArrival();
    const target = cleanTarget(head.target) ?? "";
    const path = pathOf(target);
    const route = routingOf(build).match(head.method, path);
    const failure = refusalOf(head, target, route, { service, env });
    if (failure) {
      logged.code = failure.code;
      const refusal = withClientRequestId(service.failureResponse(failure, { requestId }), givenId);
      return { refusal, path: "/", respond: async () => refusal, finish };
    }
    const clientAddress = service.clientAddress(
      head.remoteAddress,
      // How many of Shopify's own proxies to trust is known once the request's signature has been checked.
      env.trustedProxyHops === 0 && target.startsWith("/proxy") ? undefined : forwardedFor(head),
      env.trustedProxyHops,
    );
    const context: AppLoadContext = { http: { requestId, clientAddress, target, timing, logged } };
    return {
      refusal: undefined,
      // A resource route reads the raw target. Remix's router would decode it, fold its case and take `.data`, `?index` and `?_data` for its
      // own protocol, so that the fast path and Remix would respond differently.
      path: route ? route.plainPath : escapeUndecodable(target),
      respond: (request) => {
        const work = async (): Promise<Response> =>
          withClientRequestId(await respond(request, { build, context, route }), givenId);
        return traced ? service.withinSpan(traced, work, { isRoot: true }) : work();
      },
      finish,
    };
  }

  async function request(
    given: Request,
    { target, remoteAddress = "127.0.0.1" }: { target?: string; remoteAddress?: string } = {},
  ): Promise<Response> {
    const url = new URL(given.url);
    const header = (name: string): string | undefined => given.headers.get(name) ?? undefined;
    const exchange = receive({
      method: given.method,
      target: target ?? url.pathname + url.search,
      headers: {
        host: header("host") ?? url.host,
        "content-length": header("content-length"),
        "x-forwarded-for": header("x-forwarded-for"),
        traceparent: header("traceparent"),
        "x-request-id": header("x-request-id"),
      },
      httpVersion: "1.1",
      remoteAddress,
    });
    const response = exchange.refusal ?? (await exchange.respond(new Request(new URL(exchange.path, url), given)));
    exchange.finish(response.status, { aborted: false });
    return response;
  }

  return {
    receive,
    request,
    malformed(message) {
      const { service } = currentBuild().entry.module;
      const failure = new service.Failure("invalid_request", message);
      return service.failureResponse(failure, { requestId: service.requestId() });
    },
  };
}

function servesNoRequests(service: Service): Failure {
  return new service.Failure("not_found", "This process works in the background and serves no requests.");
}

function pathOf(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

function forwardedFor({ headers }: RequestHead): string | undefined {
  const given = headers["x-forwarded-for"];
  return typeof given === "string" ? given : given?.join(",");
}

/**
 * Returns the reason why a request must not reach a route, if there is one.
 * @param target empty when it is not valid
 */
function refusalOf(
  { headers, httpVersion }: RequestHead,
  target: string,
  route: RouteMatch | undefined,
  { service, env }: { service: Service; env: Env },
): Failure | undefined {
  const { host } = headers;
  if (host === undefined ? httpVersion === "1.1" : host !== "" && !isHost(host)) {
    return new service.Failure("invalid_request", "The request's Host header is missing or not valid.");
  }
  if (target === "") {
    const message = "The request's path is not valid. Percent-encode it; `.` and `..` are not ids.";
    return new service.Failure("invalid_request", message);
  }
  const limit = route ? (route.bodyLimit ?? service.BODY_LIMIT) : service.FORM_BODY_LIMIT;
  if (Number(headers["content-length"] ?? 0) > limit) return service.payloadTooLarge(limit);
  if (env.role === "worker" && !HEALTH.has(target) && pathOf(target) !== service.METRICS_PATH) {
    return servesNoRequests(service);
  }
  if (!route && LEGACY_DATA.test(target)) {
    return new service.Failure("invalid_request", "query._data is not a known query parameter.");
  }
  return undefined;
}
