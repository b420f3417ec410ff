/** How the product shows itself on its own pages. */
export const PRODUCT = "Wishlist Headless";

export const ACCENT = "#b4235a";

/** A heart, as the path of an SVG of 32 by 32. */
export const HEART = "M16 28 4.6 16.2a7 7 0 0 1 10-9.9L16 7.8l1.4-1.5a7 7 0 0 1 10 9.9z";

/** The tab's icon, inside the page: nothing to ask for. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${ACCENT}" d="${HEART}"/></svg>`)}`;
