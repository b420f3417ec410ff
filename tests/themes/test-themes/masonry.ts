import { picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Columns of cards with pictures of any height, and the text over the picture's lower end.
function card(product: Product): string {
  const { handle, title, href, price, hue } = product;
  return `<div class="brick" data-t-card="${handle}"><a href="${href}" class="brick-link"><picture data-t-part="picture">${picture(product, "", `style="aspect-ratio:1/${1 + (hue % 3) / 4}"`)}</picture>
    <div class="brick-text"><div data-t-part="title">${title}</div><div data-t-part="price">${price}</div></div></a></div>`;
}

export const masonry: TestTheme = {
  name: "masonry",
  layer: 1,
  css: `
    .wall { columns: 4; column-gap: 12px; } @media (max-width: 749px) { .wall { columns: 2; } } .brick { position: relative; break-inside: avoid; margin-bottom: 12px; } .brick-link { display: block; color: #fff; text-decoration: none; } .brick picture, .brick img { display: block; width: 100%; } .brick img { height: auto; object-fit: cover; }
    .brick-text { position: absolute; right: 0; bottom: 0; left: 0; padding: 10px; background: #0009; font-size: 14px; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="wall" data-t-list>${cards}</div>`,
};
