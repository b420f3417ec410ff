// Puts hearts on product cards: loaded by pages that link to products.
import { enqueue, enqueueAll, enqueueChanges } from "./hearts.ts";

/** Milliseconds after which a window has its new size. */
const PAUSE = 200;
let resizing: ReturnType<typeof setTimeout> | undefined;

wishlistCore.onChanges(enqueueChanges);
// A picture that loads late shows how large it is.
document.addEventListener(
  "load",
  ({ target }) => {
    // Its card's link need not be around it.
    if (target instanceof HTMLImageElement) enqueue(target.closest("a,:has(a)") ?? target);
  },
  true,
);
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(enqueueAll, PAUSE);
});
enqueue(document.body);
