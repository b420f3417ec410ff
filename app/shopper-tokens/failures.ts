import type { FailureDefinitions } from "../platform/failure.ts";

export const SHOPPER_TOKEN_FAILURES = {
  invalid_customer_token: {
    status: 401,
    meaning: "The shop's Customer Account API does not accept the customer's access token.",
    message: "The shop does not accept this customer access token. Refresh it, or let the customer log in again.",
  },
  invalid_session_token: {
    status: 401,
    meaning: "Shopify's session token is not valid for this app and a shop that has installed it.",
    message:
      "Shopify did not sign this session token for this app, or the shop has uninstalled it. Call `shopify.sessionToken.get()` for a new one.",
  },
  session_without_customer: {
    status: 403,
    meaning: "Shopify's session token names no customer.",
    message:
      "This session token names no customer. Let the customer log in. If the customer is logged in, the app lacks access to protected customer data: request it in Shopify's Partner Dashboard.",
  },
  customer_accounts_unavailable: {
    status: 503,
    meaning: "The shop's Customer Account API can't be asked right now. Guests are not affected.",
    message: "Shopify can't be asked about this customer right now. Nothing was changed; try again shortly.",
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    shopperTokens: typeof SHOPPER_TOKEN_FAILURES;
  }
}
