import api from "./scripts/api.js?raw";
import appearance from "./scripts/appearance.js?raw";
import buying from "./scripts/buying.js?raw";
import cart from "./scripts/cart.js?raw";
import items from "./scripts/items.js?raw";
import loading from "./scripts/loading.js?raw";
import messages from "./scripts/messages.js?raw";
import page from "./scripts/page.js?raw";
import sharing from "./scripts/sharing.js?raw";
import storage from "./scripts/storage.js?raw";
import variants from "./scripts/variants.js?raw";

/** Comments on lines of their own, and indentation: a browser needs neither. */
const UNNEEDED = /^[ \t]*(?:\/\/.*|\/?\*.*)?\n?/gm;

/** The pages' scripts: each part finds those before it at `window`. */
export const script = [...[storage, api, messages, loading, items, variants, cart, buying, sharing, appearance, page]]
  .join("")
  .replaceAll(UNNEEDED, "");
