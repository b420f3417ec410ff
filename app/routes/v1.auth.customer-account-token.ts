import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { sessionToken } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  customerAccountToken,
  customerAccountTokenBody,
  customerAccountTokenSchema,
} from "../shopper-tokens/index.server.ts";

const exchangeSessionToken = endpoint({
  method: "POST",
  operationId: "exchangeSessionToken",
  tag: "Access",
  summary: "Exchange Shopify's session token for a customer's token",
  description:
    "For this app's customer account UI extension. The token is bound to the customer whom Shopify's session token names, and gives access to `/v1/wishlists/me` and the paths below it for 15 minutes. Tokens of the admin are refused.",
  access: sessionToken,
  bodyLimit: 8 * 1024,
  params: noParameters,
  query: noParameters,
  body: customerAccountTokenBody,
  data: customerAccountTokenSchema,
  async handle({ caller }) {
    return { data: await customerAccountToken(caller) };
  },
});

const route = resource("/v1/auth/customer-account-token", [exchangeSessionToken]);

export const loader = route.loader;
export const action = route.action;
