import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { notFoundResponse, resource } from "../http/resource.server.ts";
import { shopper } from "../http/proxy/policies.server.ts";
import { failurePage, myWishlist, pageQuery } from "../storefront/index.server.ts";

const getMyWishlist = endpoint({
  method: "GET",
  operationId: "showMyWishlist",
  tag: "Storefront",
  summary: "The shopper's wishlist as a page of the store",
  access: shopper,
  params: noParameters,
  query: pageQuery,
  body: noBody,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, query }) => myWishlist(caller, query),
});

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
