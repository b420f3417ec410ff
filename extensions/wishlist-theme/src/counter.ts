import { copyOf, every, setup } from "./page.ts";

/** Puts the link to the wishlist into the theme's header: among its icons where that moves nothing, over their edge otherwise. */
export function addCounter(): void {
  const link = copyOf("[data-wishlist-counter]");
  const host = document.querySelector(`:is(${setup("header")})`);
  if (!link || !host) return;
  // The host, too: a browser counts as moved what grows towards its start.
  const neighbours = [host, ...every("header :is(a,button,summary,img,input)")];
  const layout = (): string => JSON.stringify(neighbours.map((one) => one.getBoundingClientRect()));
  const before = layout();
  host.prepend(link);
  if (layout() === before) return;
  link.classList.add("whl-counter--over");
  host.classList.add("whl-host");
}
