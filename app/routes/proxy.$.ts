import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { notFoundResponse, resource } from "../http/resource.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";

// The wishlist page, with and without a trailing slash.
const routes = new Map(
  ["/proxy", "/proxy/"].map((path) => [path, resource(path, [getMyWishlist], { cors: "same-origin" })]),
);

/** Responds to the page and to every other path under /proxy. */
async function respond(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const [path = ""] = context.http.target.split("?", 1);
  return (await routes.get(path)?.loader(args)) ?? notFoundResponse(context.http, request.method !== "HEAD");
}

export { respond as action, respond as loader };
