import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Custom elements in a carousel that the browser scrolls; badges at the top left, a quick-buy button that shows under the pointer.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<m-product class="item" data-t-card="${handle}"><div class="figure"><a href="${href}" class="shot" data-t-part="picture">${picture(product, title, 'class="one"')}${picture(product, "", 'class="two" loading="lazy"')}</a>
    ${product.badge === undefined ? "" : `<m-badges class="badges">${badge(product, "mark")}</m-badges>`}
    <m-buy class="buy"><button type="button" class="buy-button" data-t-part="button">+ Quick buy</button></m-buy></div>
    <div class="info"><span class="title"><a href="${href}" data-t-part="title">${title}</a></span><m-price data-t-part="price">${price}</m-price></div></m-product>`;
}

export const prestige: TestTheme = {
  name: "Prestige",
  layer: 4,
  css: `
    .carousel { display: grid; grid: auto / auto-flow 260px; gap: 24px; overflow-x: auto; scroll-snap-type: x mandatory; scrollbar-width: none; }
    @media (max-width: 699px) { .carousel { grid: auto / auto-flow 74vw; gap: 12px; } }
    .item { display: grid; align-content: start; gap: 20px; scroll-snap-align: start; } .figure { position: relative; display: block; } .shot { position: relative; display: block; }
    .shot img { display: block; width: 100%; height: auto; aspect-ratio: 3 / 4; object-fit: cover; } .shot .two { position: absolute; inset: 0; height: 100%; opacity: 0; transition: opacity .2s; }
    .badges { position: absolute; top: 10px; left: 10px; display: grid; gap: 4px; } .mark { padding: 2px 8px; background: #a4341b; color: #fff; font-size: 11px; letter-spacing: .1em; }
    .buy { position: absolute; right: 10px; bottom: 10px; left: 10px; opacity: 0; } .figure:hover .buy { opacity: 1; } .buy-button { width: 100%; min-height: 40px; border: 0; background: #fff; }
    .info { display: grid; justify-items: center; gap: 4px; text-align: center; } .title a { text-decoration: none; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) =>
    `<m-scroller class="carousel" data-t-list data-t-scrolls tabindex="0" role="region" aria-label="Products">${cards}</m-scroller>`,
};
