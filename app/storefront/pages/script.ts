import asking from "./asking.js?raw";
import cart from "./cart.js?raw";
import items from "./items.js?raw";
import saying from "./saying.js?raw";
import sharing from "./sharing.js?raw";
import stored from "./stored.js?raw";
import page from "./wishlist.js?raw";

/** The pages' script: each part finds those before it at `window`. */
export const script = [stored, asking, saying, items, cart, sharing, page].join("");
