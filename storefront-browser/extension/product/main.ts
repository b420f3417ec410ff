// Puts the embed's button on product pages, and gives all product buttons the look of the theme's own.
import { afterLayout, ALERT_FORM, boxOf, copyOf, on } from "../dom.ts";
import { dress, submitNear } from "./look.ts";
import { choose, awaitChoice, variantOf } from "./product-form.ts";

/** Pixels between two buttons, at least. */
const ROOM = 8;

const { onChanges, paint, productButtons, setup, track } = wishlistCore;
let own: HTMLElement | undefined;
let isToPlace = false;

function present(): HTMLElement[] {
  return [...productButtons].filter(({ isConnected }) => isConnected);
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
  for (const button of present()) if (button.matches(".whl-button--button")) dress(button);
  // The markup of a quick view brings a form for alerts, but not its script.
  if (document.querySelector(ALERT_FORM)) import(/* @vite-ignore */ setup("alertPart")).catch(() => undefined);
  repaint();
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

/** Shows what the buttons, and forms for alerts, stand for now. */
function repaint(): void {
  paint(present());
  wishlistCore.onChoice?.();
}

Object.assign(wishlistCore, { variantOf, awaitChoice, submitNear, dress });
repaint();
placeSoon();
onChanges(placeSoon);
on("variant:change", repaint);
on("change", (event) => {
  choose(event);
  repaint();
});
on("shopify:product:select", (event) => {
  choose(event, event.promise);
  repaint();
  event.promise?.then(repaint).catch(() => undefined);
});

export default awaitChoice;
