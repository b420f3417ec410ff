import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/shoppers.server.ts";
import { Failure } from "../platform/failure.ts";
import { cart, cartBody, cartData, signedQuery } from "../storefront/index.server.ts";

const postCart = endpoint({
  method: "POST",
  operationId: "recordShoppersCart",
  tag: "Storefront",
  summary: "Record that saved products were put into the cart",
  access: listKeeper,
  params: noParameters,
  query: signedQuery,
  body: cartBody,
  data: cartData,
  async handle({ who, body }) {
    const data = await cart(who, body);
    return data instanceof Failure ? data : { data };
  },
});

const route = resource("/proxy/api/cart", [postCart], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
