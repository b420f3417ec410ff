import { every } from "../dom.ts";
import { FORM } from "./product-form.ts";

/** Properties that a button takes from the theme's, as custom properties. */
const LOOK = ["font-family", "font-size", "font-weight", "letter-spacing", "text-transform", "border-radius"];

/** Returns the visible add-to-cart button of the form that is nearest to an element. */
export function submitNear(element: Element | null): HTMLElement | undefined {
  for (let around = element; around; around = around.parentElement) {
    const submit = every(`${FORM} [type=submit],${FORM} button:not([type])`, around).find(
      ({ offsetWidth }) => offsetWidth > 0,
    );
    if (submit) return submit;
  }
  return undefined;
}

/** Gives an element the look of the theme's nearest add-to-cart button. */
export function dress({ style, parentElement }: HTMLElement): void {
  const submit = submitNear(parentElement);
  if (!submit) return;
  const look = getComputedStyle(submit);
  for (const property of LOOK) style.setProperty(`--whl-${property}`, look.getPropertyValue(property));
}
