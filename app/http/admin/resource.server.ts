import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { publicRequest } from "../../shopify.server.ts";
import type { RequestContext } from "../context.ts";
import { BODY_LIMIT } from "../body.server.ts";
import { adminSession, type AdminSession } from "./session.server.ts";

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

interface ResourceRequest extends AdminSession {
  query: URLSearchParams;
  request: Request;
  http: RequestContext;
}

/**
 * Creates the `loader` or `action` of a route without a component, such as a download or an upload, behind the merchant's session.
 * @param path route name in the log
 * @param bodyLimit maximum size of a request body in bytes
 */
export function adminResource(
  path: string,
  respond: (request: ResourceRequest) => Promise<Response>,
  { bodyLimit = BODY_LIMIT }: { bodyLimit?: number } = {},
) {
  const handle = async ({ request: received, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const { http } = context;
    http.logged.route = path;
    const request = publicRequest(received, http.target);
    const session = await adminSession(request, context);
    const response = await respond({ ...session, query: new URL(request.url).searchParams, request, http });
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
    return response;
  };
  return Object.assign(handle, { bodyLimit });
}

/** Returns a response that the browser saves as a file. */
export function csvDownload(name: string, body: BodyInit): Response {
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
