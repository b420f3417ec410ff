// The script of the wishlist's pages, for what needs one: customers can see, sort and change their lists without it. Guests' lists are
// known to the browser alone, so theirs are filled in here.
import { followConsent } from "../shared/keeping.ts";
import { listen } from "./listeners.ts";
import { start } from "./start.ts";

declare global {
  /** Starts the lists that have come into the page. */
  var wishlistPage: (() => void) | undefined;
}

// A script that puts the page into another one runs this again.
if (!window.wishlistPage) {
  listen();
  followConsent();
  window.wishlistPage = () => {
    for (const root of document.querySelectorAll<HTMLElement>("[data-wishlist-root]:not([data-started])")) {
      root.dataset["started"] = "";
      void start(root);
    }
  };
}
window.wishlistPage();
