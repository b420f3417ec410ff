// Remembers the product of a product page, for the suggestions of an empty wishlist. Loaded by the app embed on product pages alone.
import { isAllowed, onConsent } from "../../shared/keeping.ts";
import { rememberViewed } from "../../shared/viewed.ts";

const handle = document.currentScript?.dataset["handle"];

function remember(): void {
  if (handle) rememberViewed(handle, isAllowed());
}

remember();
onConsent(remember);
