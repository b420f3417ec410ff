import { isBusy, isUnavailable } from "../platform/database/errors.server.ts";
import { COMMON_FAILURES, Failure } from "../platform/failure.ts";
import { log } from "../platform/log/log.server.ts";
import {
  compressedResponse,
  failureResponse,
  optionsResponse,
  successResponse,
  type CorsPolicy,
  type SuccessResult,
} from "./response.server.ts";
import { BODY_LIMIT } from "./body.server.ts";
import { preferredEncoding } from "./compression.server.ts";
import type { RequestContext } from "./context.ts";
import type { Endpoint, MatchedRequest } from "./endpoint.server.ts";
import { statusOf } from "./failure-registry.ts";
import { HTTP_FAILURES } from "./failures.ts";
import type { MatchedPath } from "./request-target.ts";
import type { Resource } from "./surface.server.ts";

/** Seconds after which a caller may retry while the database is unreachable. */
const RETRY_AFTER = 2;

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

export type Method = (typeof METHODS)[number];

/** The endpoints of a surface by method and path, such as `GET /v1/wishlists/{customerId}`. */
export type EndpointTable = Readonly<Record<`${Method} /${string}`, Endpoint>>;

/** An endpoint at its place in a table. */
export interface MountedEndpoint extends Endpoint {
  method: Method;
}

/** A path with the endpoints of its methods. */
export interface EndpointResource extends Resource {
  endpoints: readonly MountedEndpoint[];
}

/** Returns the resources of a table: one for each path, in the table's order. */
export function resourcesOf(table: EndpointTable, cors: CorsPolicy): EndpointResource[] {
  const byPath = new Map<string, MountedEndpoint[]>();
  for (const [key, endpoint] of Object.entries(table)) {
    const [given = "", path = ""] = key.split(" ", 2);
    const method = METHODS.find((one) => one === given);
    if (method === undefined) throw new Error(`${key} has no known method`);
    const mounted = byPath.get(path) ?? [];
    byPath.set(path, [...mounted, { ...endpoint, method }]);
  }
  return [...byPath].map(([path, endpoints]) => resource(path, endpoints, cors));
}

function resource(path: string, endpoints: readonly MountedEndpoint[], cors: CorsPolicy): EndpointResource {
  const methods = endpoints.flatMap(({ method, writes }) =>
    method === "GET" && !writes ? [method, "HEAD"] : [method],
  );
  const allow = [...methods, "OPTIONS"].join(", ");

  function unsupported(params: Record<string, string>): Failure {
    for (const { explainMethod } of endpoints) {
      const problem = explainMethod?.(params);
      if (problem) {
        return new Failure("invalid_request", `${problem.path} ${problem.problem}.`, { details: [problem] });
      }
    }
    return new Failure("method_not_allowed", `${path} supports ${allow}.`);
  }

  async function respond(request: Request, context: RequestContext, matched: MatchedPath): Promise<Response> {
    const { requestId, target } = context;
    const { method } = request;
    if (method === "OPTIONS") return optionsResponse(allow, requestId, cors);
    const withBody = method !== "HEAD";
    const found = endpoints.find(
      (candidate) => methods.includes(method) && candidate.method === (withBody ? method : "GET"),
    );
    if (!found) {
      const failure = unsupported(matched.params);
      context.logged.code = failure.code;
      return failureResponse(failure, { requestId, headers: { Allow: allow }, withBody, cors });
    }

    const mark = target.indexOf("?");
    const incoming: MatchedRequest = {
      request,
      context,
      ...matched,
      query: mark < 0 ? "" : target.slice(mark + 1),
      withBody,
      limits: {},
    };
    const result = await respondSafely(found, incoming);
    const headers = incoming.limits;
    if (result instanceof Failure) {
      context.logged.code = result.code;
      const page = found.failurePage?.(result);
      const statusInBody = context.throughAppProxy === true;
      if (statusInBody) context.logged.status = statusOf(result.code);
      if (!page) return failureResponse(result, { requestId, headers, withBody, cors, statusInBody });
      const status = statusInBody ? 200 : statusOf(result.code);
      const wait = result.retryAfter === undefined ? {} : { "Retry-After": String(result.retryAfter) };
      return successResponse(page, { status, requestId, headers: { ...headers, ...wait }, withBody, cors });
    }
    if ("stream" in result) context.timing.streamingSince = performance.now();
    const frame = { status: found.status ?? 200, requestId, headers, withBody, cors };
    if (!found.compressed || "stream" in result) return successResponse(result, frame);
    const encoding = preferredEncoding(request.headers.get("accept-encoding"));
    const shared = found.access.kind === "unmetered";
    const effort = found.compressed === "fast" ? "fast" : "normal";
    return compressedResponse(result, frame, { encoding, shared, effort });
  }

  const bodyLimit = Math.max(...endpoints.map((endpoint) => endpoint.bodyLimit ?? BODY_LIMIT));
  return { path, endpoints, bodyLimit, respond };
}

/** Never throws: an unexpected error becomes a generic failure, and the log has the details. */
async function respondSafely(endpoint: Endpoint, incoming: MatchedRequest): Promise<SuccessResult<unknown> | Failure> {
  try {
    return await endpoint.respond(incoming);
  } catch (error) {
    const fields = { err: error, requestId: incoming.context.requestId, operation: endpoint.operationId };
    if (isBusy(error)) {
      log.warn(fields, "the database was too busy");
      const message = "Too many requests for this shop are in progress. Nothing was changed; try again shortly.";
      return new Failure("service_unavailable", message, { retryAfter: RETRY_AFTER });
    }
    if (isUnavailable(error)) {
      log.warn(fields, "the database was unreachable");
      const { message } = COMMON_FAILURES.service_unavailable;
      return new Failure("service_unavailable", message, { retryAfter: RETRY_AFTER });
    }
    log.error(fields, "an endpoint failed");
    return new Failure("internal_error", HTTP_FAILURES.internal_error.message);
  }
}
