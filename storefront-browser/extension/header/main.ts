// Puts the link to the wishlist into the theme's header.
import { every } from "../dom.ts";
import { adapt, concernsHeader, placeHeaderLink } from "./link.ts";

/** Milliseconds between two updates in a page that keeps changing. */
const PAUSE = 100;
let timer: ReturnType<typeof setTimeout> | undefined;
let isToPlace = true;

function update(): void {
  timer = undefined;
  if (isToPlace) {
    isToPlace = false;
    wishlistCore.unobserved(() => placeHeaderLink(() => updateSoon(true)));
    every(".whl-counter").forEach(wishlistCore.track);
    wishlistCore.paint([]);
  }
  adapt();
}

function updateSoon(place: boolean): void {
  isToPlace ||= place;
  timer ??= setTimeout(update, PAUSE);
}

update();
wishlistCore.onChanges((changes) => updateSoon(concernsHeader(changes)));
addEventListener("resize", () => updateSoon(true));
// A bar may appear while scrolling, or slide in; a header may change its colours.
for (const event of ["scroll", "transitionend"]) addEventListener(event, () => updateSoon(false));
