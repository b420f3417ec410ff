// Puts the embed's button on product pages, and gives all product buttons the look of the theme's own.
import { afterLayout, boxOf, copyOf, every, on } from "../dom.ts";
import { choose, FORM, awaitChoice, variantOf } from "./product-form.ts";

/** Properties that a button takes from the theme's, as custom properties. */
const LOOK = ["font-family", "font-size", "font-weight", "letter-spacing", "text-transform", "border-radius"];

/** Pixels between two buttons, at least. */
const ROOM = 8;

const { onChanges, paint, productButtons, setup, track } = wishlistCore;
let own: HTMLElement | undefined;
let isToPlace = false;

function present(): HTMLElement[] {
  return [...productButtons].filter(({ isConnected }) => isConnected);
}

/** Returns the visible add-to-cart button of the form that is nearest to an element. */
function submitNear(element: Element | null): HTMLElement | undefined {
  for (let around = element; around; around = around.parentElement) {
    const submit = every(`${FORM} [type=submit],${FORM} button:not([type])`, around).find(
      ({ offsetWidth }) => offsetWidth > 0,
    );
    if (submit) return submit;
  }
  return undefined;
}

/** Gives the button its own width beside a narrow button, and room above and below where the theme leaves none. */
function keepDistance(button: HTMLElement, submit: HTMLElement): void {
  const give = (side: string): void => button.style.setProperty(`margin-${side}`, `${ROOM}px`, "important");
  if (submit.offsetWidth < 0.9 * (submit.parentElement?.clientWidth ?? 0)) {
    button.classList.remove("whl-button--full");
    give("inline");
  }
  const { previousElementSibling: above, nextElementSibling: below } = button;
  const isCloseTo = (other: Element | null, edge: "top" | "bottom", own: number): boolean =>
    other !== null && Math.abs(boxOf(other)[edge] - own) < ROOM;
  const { top, bottom } = boxOf(button);
  // Measured first, as each margin moves the elements below.
  const sides = [isCloseTo(above, "bottom", top) && "start", isCloseTo(below, "top", bottom) && "end"];
  for (const side of sides) if (side) give(`block-${side}`);
}

/** Puts the button beside the add-to-cart button, unless the page has a button block. */
function place(): void {
  if (setup("productPlace") && present().length === 0) {
    own ??= copyOf("product");
    const submit = submitNear(document.body);
    if (own && submit) {
      submit[setup("productPlace") === "before" ? "before" : "after"](own);
      keepDistance(own, submit);
      track(own);
    }
  }
  for (const button of present()) {
    const submit = button.matches(".whl-button--button") && submitNear(button.parentElement);
    if (!submit) continue;
    const look = getComputedStyle(submit);
    for (const property of LOOK) button.style.setProperty(`--whl-${property}`, look.getPropertyValue(property));
  }
  paint(present());
}

/** Places the buttons when the page is laid out, as themes' styles can make a layout expensive. */
function placeSoon(): void {
  if (isToPlace) return;
  isToPlace = true;
  afterLayout(() => {
    isToPlace = false;
    place();
  });
}

wishlistCore.variantOf = variantOf;
paint(present());
placeSoon();
onChanges(placeSoon);
on("variant:change", () => paint(present()));
on("change", (event) => {
  choose(event);
  paint(present());
});
on("shopify:product:select", (event) => {
  choose(event, event.promise);
  paint(present());
  event.promise?.then(() => paint(present())).catch(() => undefined);
});

export default awaitChoice;
