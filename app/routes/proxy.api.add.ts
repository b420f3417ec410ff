import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/shoppers.server.ts";
import { Failure } from "../platform/failure.ts";
import { add, addedData, itemBody, signedQuery } from "../storefront/index.server.ts";

const postAdd = endpoint({
  method: "POST",
  operationId: "saveForShopper",
  tag: "Storefront",
  summary: "Save a product",
  access: listKeeper,
  params: noParameters,
  query: signedQuery,
  body: itemBody,
  data: addedData,
  async handle({ who, body }) {
    const data = await add(who, body);
    return data instanceof Failure ? data : { data };
  },
});

const route = resource("/proxy/api/add", [postAdd], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
