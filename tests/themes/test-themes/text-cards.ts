import type { TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// No pictures at all.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="note" data-t-card="${handle}"><h3><a href="${href}" data-t-part="title">${title}</a></h3><p data-t-part="price">${price}</p><p>Made in small runs by hand.</p></div>`;
}

export const textCards: TestTheme = {
  name: "cards of text",
  layer: 2,
  css: `.notes { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 16px; } .note { padding: 20px 64px; border: 1px solid #ccc; } .note h3 { margin: 0 0 8px; font-weight: 400; } .note p { margin: 0; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<section class="notes" data-t-list>${cards}</section>`,
};
