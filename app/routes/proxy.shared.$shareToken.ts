import { z } from "zod";
import { endpoint, noBody } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { shopper } from "../http/proxy/policies.server.ts";
import { failurePage, pageQuery, sharedWishlist } from "../storefront/index.server.ts";

const getShared = endpoint({
  method: "GET",
  operationId: "showSharedWishlist",
  tag: "Storefront",
  summary: "A shared wishlist as a page of the store",
  access: shopper,
  // A malformed token gets the same page as an unknown one, because people may open an incomplete link.
  params: z.strictObject({ shareToken: z.string() }),
  query: pageQuery,
  body: noBody,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, params, query, withBody }) => sharedWishlist(caller, params.shareToken, query.page, withBody),
});

const route = resource("/proxy/shared/{shareToken}", [getShared], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
