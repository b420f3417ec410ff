import type { Product } from "./products.ts";

/**
 * A test theme, modelled on real ones. Marks that only tests read: `data-t-card` (the product's handle) on a card,
 * `data-t-part` on its parts, `data-t-list` around the cards, `data-t-clip` on an element that hides slides,
 * `data-t-place` around places that are not cards.
 */
export interface TestTheme {
  name: string;
  css: string;
  /** returns the cards of these products, as children of the list */
  cards: (products: readonly Product[]) => string;
  /** returns the list around the cards */
  list: (cards: string) => string;
  /** the header's z-index */
  layer: number;
  direction?: "rtl";
  /** controls at the header's end; links with icons by default */
  controls?: () => string;
}

export function picture({ hue, title }: Product, alt = title, attributes = ""): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><rect width="300" height="300" fill="hsl(${hue} 30% 84%)"/><circle cx="150" cy="160" r="80" fill="hsl(${hue} 35% 45%)"/></svg>`;
  return `<img ${attributes} width="300" height="300" alt="${alt}" src="data:image/svg+xml,${encodeURIComponent(svg)}">`;
}

export function background({ hue }: Product): string {
  return `background-image:linear-gradient(hsl(${hue} 30% 84%),hsl(${hue} 35% 60%))`;
}

/** Returns the product's badge, if it has one. */
export function badge(product: Product, css: string): string {
  return product.badge === undefined ? "" : `<span class="${css}" data-t-part="badge">${product.badge}</span>`;
}

export function icon(path: string): string {
  return `<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="${path}"/></svg>`;
}

export const ICONS = {
  cart: "M5 8h14l1 12H4zM9 8a3 3 0 0 1 6 0",
  search: "M10 4a6 6 0 1 0 0 12a6 6 0 0 0 0-12M15 15l5 5",
  person: "M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8M4 20c1-5 15-5 16 0",
  plus: "M12 5v14M5 12h14",
};
