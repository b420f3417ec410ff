import type { FailureDefinitions } from "../platform/failure.ts";

export const CONTACT_FAILURES = {
  alerts_unavailable: {
    status: 409,
    meaning: "The shop offers no such alert: the kind is off, the plan has no alerts, or no receiver of alerts is set.",
    message: "This shop offers no alerts of this kind.",
  },
  alert_request_limit: {
    status: 409,
    meaning: "The customer has asked for the most alerts that are possible. Withdraw one first.",
    message: "The customer has 500 open requests for alerts, the maximum. Withdraw one first.",
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    contacts: typeof CONTACT_FAILURES;
  }
}
