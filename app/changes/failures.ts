import type { FailureDefinitions } from "../platform/failure.ts";

export const CHANGE_FAILURES = {
  cursor_expired: {
    status: 410,
    meaning: "Changes after this cursor are not kept any more.",
    message:
      "Changes after this cursor are not kept any more. Get a new cursor with since=now, read the lists anew, then continue from that cursor.",
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    changes: typeof CHANGE_FAILURES;
  }
}
