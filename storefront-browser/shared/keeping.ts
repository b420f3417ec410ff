// Honours Shopify's Customer Privacy API: https://shopify.dev/docs/api/customer-privacy
import { KEY, storage } from "./saved-list.ts";

/** Tells whether the visitor allows the store to remember preferences; undefined while Shopify's API has not loaded. */
export function isAllowed(): boolean | undefined {
  // A page without Shopify's loader, such as a preview, has no consent to ask for.
  if (!window.Shopify?.loadFeatures) return true;
  return window.Shopify.customerPrivacy?.preferencesProcessingAllowed();
}

/** Moves the record to where the visitor allows it. Without an answer it stays where it is. */
function place(): void {
  const allowed = isAllowed();
  if (allowed === undefined) return;
  try {
    const [from, to] = allowed ? [sessionStorage, localStorage] : [localStorage, sessionStorage];
    const record = from.getItem(KEY);
    // Another tab's record may be in localStorage already. It wins, because all tabs read it.
    if (record !== null && storage() === from) to.setItem(KEY, record);
    from.removeItem(KEY);
  } catch {
    // Storage is blocked or full. The record stays where it is.
  }
}

/** Calls back when the visitor's decision is known, and when it changes. */
export function onConsent(callback: () => void): void {
  document.addEventListener("visitorConsentCollected", callback);
  // The callback runs at once if the API has loaded before.
  window.Shopify?.loadFeatures?.([{ name: "consent-tracking-api", version: "0.1" }], callback);
}

/** Keeps the record of the shopper's list for the visit alone, unless and until the visitor allows more. */
export function followConsent(): void {
  place();
  document.addEventListener("wishlist:change", place);
  onConsent(place);
}
