// Puts the link to the wishlist into the theme's header.
import { afterLayout } from "../dom.ts";
import { adapt, concernsHeader, placeHeaderLink } from "./link.ts";

/** Milliseconds between two updates in a page that keeps changing. */
const PAUSE = 100;
let timer: ReturnType<typeof setTimeout> | undefined;
let isToPlace = true;
/** The search for a place that is under way. */
let search: Iterator<void> | undefined;

function update(): void {
  timer = undefined;
  if (isToPlace) {
    isToPlace = false;
    search = placeHeaderLink(() => updateSoon(true));
    goOn(search);
  } else adapt();
}

/** Takes a step of a search. The next one is another task, so that the browser can do its own work between them. */
function goOn(given: Iterator<void>): void {
  // A later search has replaced it.
  if (given !== search) return;
  let isDone: boolean | undefined;
  wishlistCore.unobserved(() => (isDone = given.next().done));
  if (!isDone) {
    setTimeout(goOn, 0, given);
    return;
  }
  adapt();
}

function updateSoon(place: boolean): void {
  isToPlace ||= place;
  timer ??= setTimeout(afterLayout, PAUSE, update);
}

afterLayout(update);
wishlistCore.onChanges((changes) => updateSoon(concernsHeader(changes)));
addEventListener("resize", () => updateSoon(true));
// A bar may appear while scrolling, or slide in; a header may change its colours.
for (const event of ["scroll", "transitionend"]) addEventListener(event, () => updateSoon(false));
