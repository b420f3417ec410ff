import type { FailureDefinitions } from "../platform/failure.ts";

/** Active API keys of a shop. */
export const KEY_CAP = 50;

const AT_CAP = `The shop has ${KEY_CAP} active API keys, the maximum.`;

export const ROTATION_AT_CAP = `${AT_CAP} Until the overlap ends, the old and the new key both count. Revoke a key that is no longer used, or rotate without an overlap.`;

export const ACCESS_FAILURES = {
  missing_token: {
    status: 401,
    meaning: "The request has no `Authorization` header.",
    message: "Send the access token as `Authorization: Bearer <token>`.",
  },
  invalid_token: {
    status: 401,
    meaning: "The access token is not valid, or its API key was revoked.",
    message: "The access token is not valid. Get a new one from POST /v1/auth/token.",
  },
  token_expired: {
    status: 401,
    meaning: "The access token has expired.",
    message: "The access token has expired. Get a new one from POST /v1/auth/token.",
  },
  invalid_credentials: {
    status: 401,
    meaning: "The key and the secret do not match an active API key.",
    message:
      "The API key and secret do not match an active key. Send the key id (wlk_…) as `api_key` and its secret (wls_…) as `api_secret`. Create keys in the app under Settings, API keys.",
  },
  invalid_publishable_key: {
    status: 401,
    meaning: "The publishable key is unknown, or was revoked.",
    message:
      "No active publishable key has this id. Send the key (wlp_…) as `publishable_key`. Create keys in the app under API keys.",
  },
  origin_not_allowed: {
    status: 403,
    meaning: "The publishable key does not allow the origin of the page that sent the request.",
    message:
      "This publishable key does not allow the origin https://other.example. Add it to the key in the app under API keys.",
  },
  not_bound: {
    status: 400,
    meaning: "The path names `me`, but the access token is not bound to a shopper.",
    message:
      "`me` is the shopper to whom a token is bound, and this token is bound to none. Name the customer instead.",
  },
  customer_required: {
    status: 403,
    meaning: "The access token is a guest's, and only customers can do this.",
    message: "Guests can't share lists. Log the customer in first.",
  },
  guest_lists_off: {
    status: 403,
    meaning: "The shop keeps no lists for guests.",
    message: "In this store, only logged-in customers have wishlists. Log in first.",
  },
  insufficient_scope: {
    status: 403,
    meaning: "The access token or the API key lacks a scope.",
    message: "This token lacks the scope `write_wishlists`.",
    details: { requiredScope: "write_wishlists" },
  },
  customer_mismatch: {
    status: 403,
    meaning: "The access token is bound to another customer.",
    message: "This token is bound to another customer.",
  },
  key_limit_reached: {
    status: 409,
    meaning: "The shop has the maximum number of active API keys.",
    message: `${AT_CAP} Revoke a key that is no longer used, then create this one.`,
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    access: typeof ACCESS_FAILURES;
  }
}
