import { exchangeBody, exchangedSchema, issueToken, TOKEN_LIFETIME } from "../access/index.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { credentials } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";
import { customerIdSchema } from "../wishlists/index.server.ts";

const exchangeToken = endpoint({
  method: "POST",
  operationId: "exchangeToken",
  tag: "Access",
  summary: "Exchange an API key for an access token",
  description: "The token is valid for an hour. Request a new one when it has expired; there is no refresh token.",
  access: credentials,
  bodyLimit: 4 * 1024,
  params: noParameters,
  query: noParameters,
  body: exchangeBody(customerIdSchema),
  data: exchangedSchema,
  failures: ["insufficient_scope"],
  async handle({ caller, body }) {
    const token = await issueToken(caller, { scopes: body.scope, customerId: body.customer_id });
    return token instanceof Failure ? token : { data: { token, expiresIn: TOKEN_LIFETIME } };
  },
});

const route = resource("/v1/auth/token", [exchangeToken]);

export const loader = route.loader;
export const action = route.action;
