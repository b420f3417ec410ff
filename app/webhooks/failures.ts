import type { FailureDefinitions } from "../platform/failure.ts";

/** Webhooks of a shop. */
export const WEBHOOK_CAP = 20;

export const WEBHOOK_FAILURES = {
  webhook_not_found: {
    status: 404,
    meaning: "The shop has no such webhook, or the webhook has no such delivery.",
    message: "There is no webhook with this id.",
  },
  webhook_limit_reached: {
    status: 409,
    meaning: "The shop has the maximum number of webhooks.",
    message: `The shop has ${WEBHOOK_CAP} webhooks, the maximum. Delete one before you create another.`,
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    webhooks: typeof WEBHOOK_FAILURES;
  }
}
