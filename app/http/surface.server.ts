import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { COMMON_FAILURES, Failure } from "../platform/failure.ts";
import type { RequestContext } from "./context.ts";
import { type MatchedPath, matchPath, parsePattern, type PathPattern, rawGidAdvice } from "./request-target.ts";
import { failureResponse } from "./response.server.ts";

/** What responds to requests for one path. */
export interface Resource {
  /** such as `/v1/wishlists/{customerId}` */
  path: string;
  /** maximum bytes of a request body */
  bodyLimit: number;
  respond: (request: Request, context: RequestContext, matched: MatchedPath) => Promise<Response>;
}

/**
 * The loader and the action of a resource route with a rest parameter: it finds the resource by the path that was sent and leaves the method to it. Remix's
 * dispatch would run a loader for HEAD and OPTIONS, respond with 400 or 405 without `Allow`, and match the normalised path.
 */
export interface Surface {
  (args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response>;
  /** Finds the resource of a raw path. The HTTP server needs its limit before it reads the body, its path for the metrics, and then calls its handler. */
  resourceAt: (path: string) => { path: string; bodyLimit: number; handler: Handler } | undefined;
}

type Handler = (args: LoaderFunctionArgs | ActionFunctionArgs) => Promise<Response>;

/** Combines resources into a surface. Where several match a path, a literal segment precedes a parameter. */
export function surface(resources: readonly Resource[]): Surface {
  const routes = resources
    .map((resource) => ({ resource, pattern: parsePattern(resource.path) }))
    .sort((a, b) => bySpecificity(a.pattern, b.pattern));

  function resourceAt(given: string): ReturnType<Surface["resourceAt"]> {
    const segments = given.slice(1).split("/");
    for (const { resource, pattern } of routes) {
      const matched = matchPath(pattern, segments);
      if (!matched) continue;
      const { path, bodyLimit } = resource;
      const handler: Handler = ({ request, context: { http } }) => {
        http.logged.route = path;
        return resource.respond(request, http, matched);
      };
      return { path, bodyLimit, handler };
    }
    return undefined;
  }

  async function respond(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
    const { http } = args.context;
    const [path = ""] = http.target.split("?", 1);
    return resourceAt(path)?.handler(args) ?? notFoundResponse(http, args.request.method !== "HEAD");
  }

  return Object.assign(respond, { resourceAt });
}

/** Orders patterns of the same length: literals before parameters, from the left. */
function bySpecificity(a: PathPattern, b: PathPattern): number {
  const rank = (pattern: PathPattern): string => pattern.map((segment) => ("literal" in segment ? "0" : "1")).join("");
  return a.length - b.length || Number.parseInt(rank(a), 2) - Number.parseInt(rank(b), 2);
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
