import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { isBusy, isUnavailable } from "../platform/database-errors.server.ts";
import { COMMON_FAILURES, Failure, type Problem } from "../platform/failure.ts";
import { log } from "../platform/log.server.ts";
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
import { rawGidAdvice } from "./raw-gid.ts";
import { matchPath, parsePattern } from "./request-target.ts";

/** Seconds after which a caller may retry while the database is unreachable. */
const RETRY_AFTER = 2;

export interface Resource {
  /** such as `/v1/wishlists/{customerId}` */
  path: string;
  endpoints: readonly Endpoint[];
}

interface ResourceOptions {
  /** explains a request with an unsupported method, when more is wrong with it than the method */
  explainUnsupported?: (params: Record<string, string>) => Problem | undefined;
  /** "any-origin" by default */
  cors?: CorsPolicy;
}

/**
 * Combines the endpoints of one path into a Remix resource route. Loader and action are the same function, which selects the endpoint by
 * method: Remix's dispatch would run a loader for HEAD and OPTIONS, and would respond with 400 or 405 without `Allow`.
 */
export function resource(
  path: string,
  endpoints: readonly Endpoint[],
  { explainUnsupported, cors = "any-origin" }: ResourceOptions = {},
) {
  const pattern = parsePattern(path);
  const methods = endpoints.flatMap(({ method, writes }) =>
    method === "GET" && !writes ? [method, "HEAD"] : [method],
  );
  const allow = [...methods, "OPTIONS"].join(", ");

  async function handle({
    request,
    context: { http: context },
  }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
    const { requestId, target } = context;
    const mark = target.indexOf("?");
    const matched = matchPath(pattern, mark < 0 ? target : target.slice(0, mark));
    // Remix's router matches the normalised path, which differs from the path that was sent.
    if (!matched) return notFoundResponse(context);
    context.logged.route = path;

    const { method } = request;
    if (method === "OPTIONS") return optionsResponse(allow, requestId, cors);
    const withBody = method !== "HEAD";
    const found = endpoints.find(
      (candidate) => methods.includes(method) && candidate.method === (withBody ? method : "GET"),
    );
    if (!found) {
      const problem = explainUnsupported?.(matched.params);
      const failure = problem
        ? new Failure("invalid_request", `${problem.path} ${problem.problem}.`, { details: [problem] })
        : new Failure("method_not_allowed", `${path} supports ${allow}.`);
      context.logged.code = failure.code;
      return failureResponse(failure, { requestId, headers: { Allow: allow }, withBody, cors });
    }

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

  // A Remix route module can't have other exports, so the description is a property of the handler. The HTTP server reads `bodyLimit`.
  const described: Resource = { path, endpoints };
  const bodyLimit = Math.max(...endpoints.map((endpoint) => endpoint.bodyLimit ?? BODY_LIMIT));
  const handler = Object.assign(handle, { described, bodyLimit });
  return { loader: handler, action: handler };
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

/** Returns the message for an unknown path. */
function notFoundAdvice(target: string): string {
  const [path = ""] = target.split("?", 1);
  if (!/^\/v1(?:\/|$)/.test(path))
    return "There is no endpoint at this path. The API's paths begin with /v1; GET /v1/docs lists them.";
  if (path !== "/v1/" && path.endsWith("/")) return "There is no endpoint at this path. Remove the trailing slash.";
  return COMMON_FAILURES.not_found.message;
}

export function notFoundResponse(context: RequestContext, withBody = true): Response {
  const failure = new Failure("not_found", rawGidAdvice(context.target) ?? notFoundAdvice(context.target));
  context.logged.code = failure.code;
  return failureResponse(failure, { requestId: context.requestId, withBody });
}
