import type { FailureDefinitions } from "../platform/failure.ts";

export const STOREFRONT_FAILURES = {
  invalid_signature: { status: 401 },
  login_required: { status: 401 },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    storefront: typeof STOREFRONT_FAILURES;
  }
}
