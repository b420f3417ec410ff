import type { FailureDefinitions } from "../platform/failure.ts";

export const WISHLIST_FAILURES = {
  share_not_found: {
    status: 404,
    meaning: "No share link has this token.",
    message: "There is no shared wishlist with this token.",
  },
  wishlist_full: {
    status: 409,
    meaning: "The wishlist has the maximum number of items.",
    message: "The wishlist is full. Remove items before adding more; nothing was changed.",
  },
  share_expired: {
    status: 410,
    meaning: "The share link has expired or was revoked.",
    message: "This share link has expired or was revoked. Ask the wishlist's owner for a new one.",
  },
  guest_folded: { status: 410 },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    wishlists: typeof WISHLIST_FAILURES;
  }
}
