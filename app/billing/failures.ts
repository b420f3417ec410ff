import type { FailureDefinitions } from "../platform/failure.ts";

export const BILLING_FAILURES = {
  plan_required: {
    status: 403,
    meaning: "The shop's plan does not include this feature.",
    message: "Sharing needs the Starter plan or a higher one.",
    details: { requiredPlan: "starter" },
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    billing: typeof BILLING_FAILURES;
  }
}
