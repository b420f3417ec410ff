import type { FailureDefinitions } from "../platform/failure.ts";

export const SHOPPER_TOKEN_FAILURES = {
  invalid_customer_token: {
    status: 401,
    meaning: "The shop's Customer Account API does not accept the customer's access token.",
    message: "The shop does not accept this customer access token. Refresh it, or let the customer log in again.",
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
