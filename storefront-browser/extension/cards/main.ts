// Puts hearts on product cards: loaded by pages that link to products.
import { enqueue, enqueueAll, enqueueChanges } from "./hearts.ts";

/** Milliseconds without a resize after which a window has its new size. */
const PAUSE = 200;
let resizing: ReturnType<typeof setTimeout> | undefined;

wishlistCore.onChanges(enqueueChanges);
// A late picture gets its size when it loads.
document.addEventListener(
  "load",
  ({ target }) => {
    // The card's link may be beside the picture.
    if (target instanceof HTMLImageElement) enqueue(target.closest("a,:has(a)") ?? target);
  },
  true,
);
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(enqueueAll, PAUSE);
});
enqueue(document.body);
