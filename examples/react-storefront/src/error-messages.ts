import type { WishlistError } from "@wishlist-headless/sdk";

/** Says in the shopper's words why a request to the wishlist failed. */
export function messageOf(error: WishlistError): string {
  switch (error.code) {
    case "network_error":
    case "timed_out":
    case "invalid_response":
    case "internal_error":
      return "Your wishlist can't be reached right now. Check your connection and try again.";
    case "rate_limited":
      return "That was too fast. Wait a moment and try again.";
    case "guest_lists_off":
    case "customer_required":
      return "Log in to do that.";
    case "plan_required":
      return "This shop has one list per shopper.";
    case "list_name_taken":
      return "You have a list with this name. Choose a different one.";
    case "list_limit_reached":
      return "You have the maximum number of lists. Delete one first.";
    case "wishlist_full":
      return "This list is full. Remove something first.";
    case "list_not_found":
      return "This list was deleted.";
    case "item_not_found":
      return "This item is not in the list any more.";
    case "share_not_found":
    case "share_expired":
      return "This link doesn't work any more. Ask the person who sent it for a new one.";
    default:
      // Such as a key without this origin: a developer's mistake, and the message says how to mend it.
      return `Your wishlist doesn't work right now. (${error.message})`;
  }
}
