import type { AppLoadContext } from "@remix-run/node";
import type { Env } from "../app/platform/process/env.server.ts";
import { clientAddressOf, pathOf, refusalOf, type RequestHead } from "./admission.ts";
import type { AppBuild } from "./build.ts";
import { withClientRequestId } from "./client-request-id.ts";
import { createDispatch } from "./dispatch.ts";
import { beginRecord } from "./request-record.ts";
import { createRoutings } from "./routing.ts";
import { cleanTarget, escapeUndecodable } from "./target.ts";

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

/**
 * Creates the app of a build: gives each request its id and the client's address, refuses requests that must not reach a route, and calls
 * the route directly or through Remix.
 * @param currentBuild called for each request, so that a development server can replace the build
 */
export function createApp(env: Env, currentBuild: () => AppBuild): App {
  const routingOf = createRoutings(env.production ? "production" : "development");
  const dispatch = createDispatch(env);

  function receive(head: RequestHead): Exchange {
    const build = currentBuild();
    const { service } = build.entry.module;
    const record = beginRecord(service, head);
    const { requestId, givenId, logged, timing } = record;
    const target = cleanTarget(head.target) ?? "";
    const path = pathOf(target);
    const routing = routingOf(build);
    const route = routing.match(head.method, path);
    const finish: Exchange["finish"] = (status, options) =>
      record.finish(status, options, () => route?.pattern ?? routing.otherPattern(path));

    const failure = refusalOf(head, target, route, { service, env });
    if (failure) {
      logged.code = failure.code;
      const refusal = withClientRequestId(service.failureResponse(failure, { requestId }), givenId);
      return { refusal, path: "/", respond: async () => refusal, finish };
    }
    const clientAddress = clientAddressOf(head, target, service, env);
    const context: AppLoadContext = { http: { requestId, clientAddress, target, timing, logged } };
    return {
      refusal: undefined,
      // A resource route reads the raw target. Remix's router would decode it, fold its case and take `.data`, `?index` and `?_data` for its
      // own protocol, so that the fast path and Remix would respond differently.
      path: route ? route.plainPath : escapeUndecodable(target),
      respond: (request) =>
        record.within(async () =>
          withClientRequestId(await dispatch(request, { build, context, routing, route }), givenId),
        ),
      finish,
    };
  }

  return {
    receive,
    request: (given, from) => requestInProcess(receive, given, from),
    malformed(message) {
      const { service } = currentBuild().entry.module;
      const failure = new service.Failure("invalid_request", message);
      return service.failureResponse(failure, { requestId: service.requestId() });
    },
  };
}

/** Responds to a request that has come over no socket, as if it had. */
async function requestInProcess(
  receive: App["receive"],
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
