import { dataOrFailure, endpoint, noParameters } from "../http/endpoint.server.ts";
import { publishableKey } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { storefrontToken, storefrontTokenBody, storefrontTokenSchema } from "../shopper-tokens/index.server.ts";

const KEY = "wlp_…";
const GUEST = "pV1yHn5mT0cQx8KfZr3J2w";
const CUSTOMER = "shcat_0f5Qb2mN8yV3xK7wZ1tR6s";

const exchangePublishableKey = endpoint({
  method: "POST",
  operationId: "exchangePublishableKey",
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

const route = resource("/v1/auth/storefront-token", [exchangePublishableKey]);

export const loader = route.loader;
export const action = route.action;
