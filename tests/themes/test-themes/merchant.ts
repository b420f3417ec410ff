import { picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// The cards themselves are links, and children of the row: nothing but the row is outside of them.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<a class="col-6" href="${href}" data-t-card="${handle}"><div data-t-part="picture">${picture(product)}</div><strong data-t-part="title">${title}</strong> <span data-t-part="price">${price}</span></a>`;
}

export const merchant: TestTheme = {
  name: "a merchant's theme of links in a row",
  layer: 1,
  css: `
    .row { display: flex; flex-wrap: wrap; gap: 2%; } .col-6 { flex: 0 0 23.5%; margin-bottom: 24px; color: inherit; text-decoration: none; } @media (max-width: 600px) { .col-6 { flex-basis: 49%; } }
    .row > :last-child { margin-bottom: 48px; } .col-6 img { display: block; width: 100%; height: auto; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="row" data-t-list>${cards}</div>`,
};
