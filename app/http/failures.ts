import type { FailureDefinitions } from "../platform/failure.ts";

/** Error codes that follow from how a request was sent, whatever it asks for. */
export const HTTP_FAILURES = {
  invalid_json: {
    status: 400,
    meaning: "The body is missing, or is not valid JSON in UTF-8.",
    message: "The request has no body. Send a JSON object.",
  },
  forbidden_origin: { status: 403 },
  method_not_allowed: {
    status: 405,
    meaning: "The path does not support this method. `Allow` lists the methods that it supports.",
    message: "/v1/wishlists/{customerId} supports GET, HEAD, OPTIONS.",
  },
  payload_too_large: {
    status: 413,
    meaning:
      "The body is larger than the operation allows: 4 KiB for the token exchange, 256 KiB for a merge, 16 KiB for all others.",
    message: "The request body has more than 16384 bytes.",
  },
  unsupported_media_type: {
    status: 415,
    meaning: "The `Content-Type` of the body is not JSON.",
    message: "Send the body as JSON, with `Content-Type: application/json`.",
  },
  idempotency_mismatch: {
    status: 422,
    meaning: "The `Idempotency-Key` was used for a different request.",
    message: "This Idempotency-Key was used for a different request. Create a new key for each request.",
  },
  internal_error: {
    status: 500,
    meaning: "An unexpected error in the service.",
    message: "Something went wrong on our side. Quote the request id when you report it.",
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    http: typeof HTTP_FAILURES;
  }
}
