import { badge, icon, ICONS, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Floats, one link around everything, a percentage as height of the picture's box.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="grid-cell" data-t-card="${handle}"><a class="whole" href="${href}"><span class="box" data-t-part="picture">${picture(product)}</span>
    ${badge(product, "ribbon")}<span class="whole-title" data-t-part="title">${title}</span><span class="whole-price" data-t-part="price">${price}</span></a></div>`;
}

export const debut: TestTheme = {
  name: "Debut and Minimal",
  layer: 1,
  css: `
    .float-grid { margin-left: -30px; } .float-grid::after { content: ""; display: table; clear: both; } .grid-cell { float: left; width: 25%; padding: 0 0 40px 30px; } @media (max-width: 749px) { .grid-cell { width: 50%; } .grid-cell:nth-child(2n + 1) { clear: left; } }
    @media (min-width: 750px) { .grid-cell:nth-child(4n + 1) { clear: left; } }
    .whole { display: block; text-decoration: none; } .box { display: block; position: relative; height: 0; padding-top: 100%; } .box img { position: absolute; top: 0; left: 0; width: 100%; height: 100%; }
    .ribbon { display: inline-block; margin-top: 6px; border: 1px solid; padding: 0 6px; font-size: 12px; } .whole-title, .whole-price { display: block; margin-top: 6px; }
    .old-icons { float: right; } .old-icons a { display: inline-block; padding: 11px; vertical-align: middle; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="float-grid" data-t-list>${cards}</div>`,
  controls: () =>
    `<div class="old-icons"><a href="/account/login" aria-label="Log in">${icon(ICONS.person)}</a><a href="/cart" data-t-cart aria-label="Cart">${icon(ICONS.cart)}</a></div>`,
};
