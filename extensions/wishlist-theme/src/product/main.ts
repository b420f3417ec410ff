// Puts the embed's button on a product page, and gives the page's buttons the look of the theme's own.
import { copyOf, every, setup } from "../page.ts";
import { FORM, productButtons } from "../product-form.ts";

/** What a button takes from the theme's, as custom properties. */
const LOOK = ["font-family", "font-size", "font-weight", "letter-spacing", "text-transform", "border-radius"];

let own: HTMLElement | undefined;

/** Puts the button beside the one that adds to the cart, where the theme's editor has put none. */
function place(): void {
  const submit = every(`${FORM} [type=submit],${FORM} button:not([type])`).find(({ offsetWidth }) => offsetWidth > 0);
  if (!submit) return;
  if (setup("productPlace") && productButtons().length === 0) {
    own ??= copyOf("product");
    if (own) submit[setup("productPlace") === "before" ? "before" : "after"](own);
  }
  const look = getComputedStyle(submit);
  for (const button of productButtons()) {
    if (!button.matches(".whl-button--button")) continue;
    for (const property of LOOK) button.style.setProperty(`--whl-${property}`, look.getPropertyValue(property));
  }
  wishlistCore.paint(productButtons());
}

place();
wishlistCore.onChanges(place);
