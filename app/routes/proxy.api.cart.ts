import { endpoint, noParameters, outcome } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/proxy/policies.server.ts";
import { cart, cartBody, cartData, signedQuery } from "../storefront/index.server.ts";

const postCart = endpoint({
  method: "POST",
  operationId: "recordShoppersCart",
  tag: "Storefront",
  summary: "Record that saved products were put into the cart",
  access: listKeeper,
  bodyLimit: 64 * 1024,
  params: noParameters,
  query: signedQuery,
  body: cartBody,
  data: cartData,
  handle: async ({ who, body }) => outcome(await cart(who, body)),
});

const route = resource("/proxy/api/cart", [postCart], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
