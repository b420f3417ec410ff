import { exchangeBody, exchangedSchema, issueToken, TOKEN_LIFETIME } from "../../access/index.server.ts";
import { endpoint, noParameters } from "../../http/endpoint.server.ts";
import { credentials, publishableKey, sessionToken } from "../../http/v1/policies.server.ts";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import {
  storefrontToken,
  storefrontTokenBody,
  storefrontTokenSchema,
  customerAccountToken,
  customerAccountTokenBody,
  customerAccountTokenSchema,
} from "../../shopper-tokens/index.server.ts";
import { customerIdSchema } from "../../wishlists/index.server.ts";

export const exchangeToken = endpoint({
  operationId: "exchangeToken",
  sdkMethod: "tokens.exchangeApiKey",
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

const KEY = "wlp_…";
const GUEST = "pV1yHn5mT0cQx8KfZr3J2w";
const CUSTOMER = "shcat_0f5Qb2mN8yV3xK7wZ1tR6s";

export const exchangePublishableKey = endpoint({
  operationId: "exchangePublishableKey",
  sdkMethod: "tokens.exchangePublishableKey",
  tag: "Access",
  summary: "Exchange a publishable key for a shopper's token",
  description:
    "For pages and apps, which must not hold a secret. The token is bound to a guest, whose random id the browser keeps, or to the customer whom Shopify names for a token of the Customer Account API. It gives access to `/v1/wishlists/me` and the paths below it. With both, the guest's lists are merged into the customer's first, exactly once.",
  access: publishableKey,
  bodyExamples: {
    guest: { summary: "A guest", value: { publishable_key: KEY, guest_id: GUEST } },
    customer: { summary: "A customer", value: { publishable_key: KEY, customer_access_token: CUSTOMER } },
    login: {
      summary: "A customer who was a guest before",
      value: { publishable_key: KEY, customer_access_token: CUSTOMER, guest_id: GUEST },
    },
  },
  bodyLimit: 8 * 1024,
  params: noParameters,
  query: noParameters,
  body: storefrontTokenBody,
  data: storefrontTokenSchema,
  failures: ["guest_lists_off", "invalid_customer_token", "customer_accounts_unavailable"],
  async handle({ caller, body }) {
    return dataOrFailure(await storefrontToken(caller, body));
  },
});

export const exchangeSessionToken = endpoint({
  operationId: "exchangeSessionToken",
  sdkMethod: "tokens.exchangeSessionToken",
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
