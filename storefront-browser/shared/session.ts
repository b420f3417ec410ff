// Text that a tab keeps from page to page. Without storage it is lost with the page.

/** The key of the product that a shopper wanted to save before they log in. */
export const POSTPONED = "wishlist:save";
/** The key of a line that was saved for later before the page was loaded anew. */
export const UNDO = "wishlist:later";

/** Returns what `remember` has stored, or "". */
export function recall(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** @param text "" to store nothing any more */
export function remember(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // Blocked.
  }
}
