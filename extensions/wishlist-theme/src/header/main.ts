// Puts the link to the wishlist into the theme's header.
import { every } from "../page.ts";
import { adapt, concernsHeader, placeHeaderLink } from "./link.ts";

/** Milliseconds between two looks at a page that keeps changing. */
const PAUSE = 100;
let timer: ReturnType<typeof setTimeout> | undefined;
let isToPlace = true;

function look(): void {
  timer = undefined;
  if (isToPlace) {
    isToPlace = false;
    wishlistCore.unobserved(() => placeHeaderLink(() => lookSoon(true)));
    every(".whl-counter").forEach(wishlistCore.track);
    wishlistCore.paint([]);
  }
  adapt();
}

function lookSoon(place: boolean): void {
  isToPlace ||= place;
  timer ??= setTimeout(look, PAUSE);
}

look();
wishlistCore.onChanges((changes) => lookSoon(concernsHeader(changes)));
addEventListener("resize", () => lookSoon(true));
// A bar may come with the scrolling, or slide in; a header may change its colours.
for (const event of ["scroll", "transitionend"]) addEventListener(event, () => lookSoon(false));
