import { isFields } from "../shared/checked.ts";
import type { Target } from "../shared/saved-list.ts";
import { recall, remember } from "../shared/session.ts";

/** In sessionStorage: the product that can be saved after a login only. */
const KEY = "wishlist:save";

/** Remembers for this visit what the shopper wanted to save before they log in. */
export function postpone(target: Target): void {
  remember(KEY, JSON.stringify(target));
}

/** Returns what was postponed, and forgets it. */
export function takePostponed(): Target | undefined {
  const known: unknown = JSON.parse(recall(KEY) || "0");
  remember(KEY, "");
  return isTarget(known) ? known : undefined;
}

/** Only `postpone` writes this key. */
function isTarget(value: unknown): value is Target {
  return isFields(value);
}
