import { icon, ICONS, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Nothing is positioned, and no class says what is a card.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="entry" data-t-card="${handle}"><a href="${href}">${picture(product, title, 'data-t-part="picture"')}</a>
    <div><p><a href="${href}" data-t-part="title">${title}</a></p><p data-t-part="price">${price}</p></div></div>`;
}

export const skeleton: TestTheme = {
  name: "skeleton theme",
  layer: 1,
  css: `.entries { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); } .entry img { max-width: 100%; height: auto; }
    .frame-controls a { position: relative; } .entry p { margin: 8px 0; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="entries" data-t-list>${cards}</div>`,
  controls: () =>
    `<div class="frame-controls"><a class="control" href="/cart" data-t-cart aria-label="Cart">${icon(ICONS.cart)}</a></div>`,
};
