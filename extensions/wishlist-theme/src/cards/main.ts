// Puts hearts on product cards: loaded by pages that link to products.
import { every, setup } from "../page.ts";
import { useSelector } from "./card.ts";
import { decorate, enqueue, enqueueAll, enqueueChanges, onResized } from "./hearts.ts";
import { inSlices } from "./slices.ts";

/** Milliseconds after which a window has its new size. */
const PAUSE = 200;
let resizing: ReturnType<typeof setTimeout> | undefined;
let isBusy = false;
let isPresetUsed = false;

function decorateSoon(): void {
  if (isBusy) return;
  isBusy = true;
  inSlices(decorate(), (fresh) => {
    isBusy = false;
    wishlistCore.arrive(fresh);
    if (!isPresetUsed && !setup("cards") && !every(".whl-card")[0]) void usePreset();
  });
}

/** Where no card was found, the theme may be known by its name. */
async function usePreset(): Promise<void> {
  isPresetUsed = true;
  useSelector(await wishlistCore.preset("cards"));
  enqueue(document.body);
  decorateSoon();
}

onResized(decorateSoon);
wishlistCore.onChanges((changes) => {
  enqueueChanges(changes);
  decorateSoon();
});
// A picture that loads late shows how large it is.
document.addEventListener(
  "load",
  ({ target }) => {
    if (!(target instanceof HTMLImageElement) || !target.parentElement) return;
    enqueue(target.closest("a") ?? target.parentElement);
    decorateSoon();
  },
  true,
);
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    enqueueAll();
    decorateSoon();
  }, PAUSE);
});
enqueue(document.body);
decorateSoon();
