/** Name of the product on its pages. */
export const PRODUCT = "Wishlist Headless";

export const ACCENT = "#b4235a";

/** SVG path of a heart, 32 by 32. */
export const HEART = "M16 28 4.6 16.2a7 7 0 0 1 10-9.9L16 7.8l1.4-1.5a7 7 0 0 1 10 9.9z";

/** Icon of the browser tab, inlined to save a request. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${ACCENT}" d="${HEART}"/></svg>`)}`;
