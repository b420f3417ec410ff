// Puts the link to the wishlist into the theme's header.
import { concernsHeader, placeHeaderLink, usePreset } from "./link.ts";

/** Milliseconds between two looks at a header that keeps changing. */
const PAUSE = 100;
let timer: ReturnType<typeof setTimeout> | undefined;

function place(): void {
  timer = undefined;
  const asking = usePreset();
  if (asking) {
    void asking.then(placeSoon);
    return;
  }
  wishlistCore.unobserved(placeHeaderLink);
  for (const link of document.getElementsByClassName("whl-counter")) wishlistCore.track(link);
  wishlistCore.paint([]);
}

function placeSoon(): void {
  timer ??= setTimeout(place, PAUSE);
}

place();
wishlistCore.onChanges((changes) => {
  if (concernsHeader(changes)) placeSoon();
});
addEventListener("resize", placeSoon);
