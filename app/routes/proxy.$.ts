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

// What the store shows under its path, and the same with a slash behind it.
const routes = new Map(
  ["/proxy", "/proxy/"].map((path) => [path, resource(path, [getMyWishlist], { cors: "same-origin" })]),
);

/** The page, and whatever else is asked for under /proxy. */
async function answer(args: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  const { request, context } = args;
  const [path = ""] = context.http.target.split("?", 1);
  return (await routes.get(path)?.loader(args)) ?? notFoundResponse(context.http, request.method !== "HEAD");
}

export { answer as action, answer as loader };
