import { fields, text } from "./checked.ts";
import type { Target } from "./wishlist.ts";

/** Where a product waits that can be saved after a login only. */
const KEY = "wishlist:save";

/** Remembers for this visit what the shopper wanted to save before they log in. */
export function postpone(target: Target): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(target));
  } catch {
    // Without storage the shopper presses again.
  }
}

/** Returns what was postponed, once. */
export function takePostponed(): Target | undefined {
  try {
    const { id, handle, variant, choice } = fields(JSON.parse(sessionStorage.getItem(KEY) ?? "0"));
    sessionStorage.removeItem(KEY);
    const target = { id: text(id), handle: text(handle), variant: text(variant), choice: text(choice) };
    return target.id || target.handle ? target : undefined;
  } catch {
    return;
  }
}
