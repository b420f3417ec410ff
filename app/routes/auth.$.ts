import type { LoaderFunctionArgs } from "@remix-run/node";
import { asSent, authenticate } from "../shopify.server.ts";

/** The pages of Shopify's library between which a browser goes to get a session token, and out of the admin's frame. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await authenticate.admin(asSent(request, context.http.target));
  return new Response(null, { status: 204 });
}
