// Tells the merchant, in the theme's editor, where the theme gave no place for a heart or for the link.
import { every, setup } from "../page.ts";

/** Milliseconds after which hearts and link have come, if they come. */
const SETTLED = 3000;

function notice(text: string): void {
  if (!text) return;
  const box = Object.assign(document.createElement("p"), { className: "whl-message whl-notice", textContent: text });
  document.body.append(box);
}

setTimeout(() => {
  const hasPictures = every('a[href*="/products/"] img').length > 1;
  if (setup("cardsPart") && hasPictures && !every(".whl-card")[0]) notice(setup("noCards"));
  if (setup("headerPart") && setup("header") !== "floating" && !every(".whl-counter:not(.whl-counter--floating)")[0]) {
    notice(setup("noHeader"));
  }
}, SETTLED);
