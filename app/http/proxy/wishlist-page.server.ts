import { failurePage, myWishlist, pageQuery } from "../../storefront/index.server.ts";
import { endpoint, noBody, noParameters } from "../endpoint.server.ts";
import { shopper } from "./policies.server.ts";

/**
 * The shopper's wishlist as a page of the store: at its own address, and at those of its forms, where a browser without JavaScript stays
 * after a form and returns by reload or bookmark.
 */
export const getMyWishlist = endpoint({
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
