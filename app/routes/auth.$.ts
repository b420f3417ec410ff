import type { LoaderFunctionArgs } from "@remix-run/node";
import { failureResponse } from "../http/response.server.ts";
import { withPolicy } from "../http/admin/page-headers.server.ts";
import { Failure } from "../platform/failure.ts";
import { publicRequest, authenticate, isUntrustedDestination } from "../shopify.server.ts";

/** The pages of Shopify's library that fetch a session token or leave the admin's iframe. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { requestId, target, logged } = context.http;
  logged.route = "/auth/*";
  try {
    await authenticate.admin(publicRequest(request, target));
  } catch (thrown) {
    if (thrown instanceof Response) return withPolicy(thrown);
    if (!isUntrustedDestination(thrown)) throw thrown;
    logged.code = "invalid_request";
    const failure = new Failure("invalid_request", "query.exitIframe must be an address of Shopify or of this app.");
    return failureResponse(failure, { requestId, cors: "same-origin" });
  }
  return new Response(null, { status: 204 });
}
