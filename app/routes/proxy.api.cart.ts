import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { cart, cartBody, cartData, signedQuery } from "../storefront/index.server.ts";

const postCart = endpoint({
  method: "POST",
  operationId: "recordShoppersCart",
  tag: "Storefront",
  summary: "Record that saved products were added to the cart",
  access: listOwner,
  bodyLimit: 64 * 1024,
  params: noParameters,
  query: signedQuery,
  body: cartBody,
  data: cartData,
  handle: async ({ caller, body }) => dataOrFailure(await cart(caller, body)),
});

const route = resource("/proxy/api/cart", [postCart], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
