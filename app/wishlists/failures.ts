import type { FailureDefinitions } from "../platform/failure.ts";

const GUEST_MERGED = "This guest has logged in, and the list was merged into the customer's. Create a new guest id.";

export const WISHLIST_FAILURES = {
  share_not_found: {
    status: 404,
    meaning: "No share link has this token.",
    message: "There is no shared wishlist with this token.",
  },
  list_not_found: {
    status: 404,
    meaning: "The customer has no list with this id.",
    message: "This customer has no list with this id. GET /v1/wishlists/{customerId}/lists returns the lists.",
  },
  item_not_found: {
    status: 404,
    meaning: "The list does not have this item. `details` names the item where several were given.",
    message: "The list does not have this item.",
  },
  version_not_found: {
    status: 404,
    meaning: "The list never had this version.",
    message: "The list never had this version. GET …/history returns its versions.",
  },
  list_name_taken: {
    status: 409,
    meaning: "Another list of the customer has this name. Upper and lower case are the same.",
    message: "Another list has this name. Choose a different one.",
  },
  list_limit_reached: {
    status: 409,
    meaning: "The customer has the maximum number of lists.",
    message: "There are 50 lists already. Delete one before creating another.",
    details: { limit: 50 },
  },
  default_list: {
    status: 409,
    meaning: "The operation does not exist for the default list, which cannot be deleted or moved.",
    message: "The default list cannot be deleted.",
  },
  wishlist_full: {
    status: 409,
    meaning: "The wishlist has the maximum number of items.",
    message: "The wishlist is full. Remove items before adding more; nothing was changed.",
  },
  version_expired: {
    status: 410,
    meaning: "The changes since this version are not kept any more, so that the list can't be brought back to it.",
    message:
      "The history of the list begins after this version. GET …/history returns the versions that can be restored.",
  },
  share_expired: {
    status: 410,
    meaning: "The share link has expired or was revoked.",
    message: "This share link has expired or was revoked. Ask the wishlist's owner for a new one.",
  },
  guest_merged: {
    status: 410,
    meaning: "The guest's lists were merged into a customer's. The guest's id is no longer valid.",
    message: GUEST_MERGED,
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    wishlists: typeof WISHLIST_FAILURES;
  }
}
