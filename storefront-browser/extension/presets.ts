// Selectors for the most used themes by their `schema_name`.

/** For pages whose elements do not tell. */
export interface Preset {
  /** product cards */
  cards: string;
  /** the link or button that opens the cart; the wishlist's link goes beside it */
  cart: string;
}

const ARCHETYPE: Preset = {
  cards: ".grid-product,.grid-item",
  cart: ".js-drawer-open-cart,.js-drawer-open-right-link",
};
const DAWN: Preset = { cards: ".card-wrapper", cart: "#cart-icon-bubble" };
const HORIZON: Preset = { cards: "product-card,.resource-card", cart: "header-actions :is(a,button):has(cart-icon)" };
const MAESTROOO: Preset = {
  cards: "product-card,product-item,.product-item",
  cart: '[aria-controls="cart-drawer"],[aria-controls="mini-cart"]',
};
const TIMBER: Preset = { cards: ".grid-link,.grid-product", cart: ".header-cart-btn,.cart-page-link,.cart-link" };

/** By theme. */
export const presets: Record<string, Preset> = {
  Broadcast: { cards: ".product-item", cart: "[data-cart-toggle]" },
  Debut: { cards: ".grid-view-item", cart: ".site-header__cart" },
  Empire: { cards: ".productitem", cart: ".site-header-cart--button" },
  Pipeline: { cards: ".product-grid-item,.product-item", cart: "[data-cart-toggle]" },
  Symmetry: { cards: "product-block,.product-block", cart: ".cart-link" },
  Turbo: { cards: ".product-thumbnail,.thumbnail", cart: ".cart-button,.mini_cart" },
  Warehouse: { cards: ".product-item", cart: '.header__cart-toggle[href$="/cart"]' },
};
for (const [preset, names] of [
  [ARCHETYPE, ["Brooklyn", "Expanse", "Impulse", "Motion", "Streamline"]],
  [
    DAWN,
    [
      "Be Yours",
      "Colorblock",
      "Craft",
      "Crave",
      "Dawn",
      "Origin",
      "Publisher",
      "Refresh",
      "Ride",
      "Sense",
      "Spotlight",
      "Studio",
      "Taste",
      "Trade",
    ],
  ],
  [HORIZON, ["Atelier", "Dwell", "Fabric", "Heritage", "Horizon", "Pitch", "Ritual", "Savor", "Tinker", "Vessel"]],
  [MAESTROOO, ["Focal", "Impact", "Prestige"]],
  [TIMBER, ["Minimal", "Supply", "Venture"]],
] as const) {
  for (const name of names) presets[name] = preset;
}
/** The preset of the page's theme. */
export default presets[globalThis.Shopify?.theme?.schema_name ?? ""];
