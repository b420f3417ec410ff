import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<li class="bidi"><div class="bidi-card" data-t-card="${handle}"><div class="bidi-shot"><a href="${href}" data-t-part="picture">${picture(product)}</a>${badge(product, "bidi-badge")}</div>
    <h3 class="bidi-title"><a href="${href}" data-t-part="title">${title}</a></h3><div data-t-part="price">${price}</div></div></li>`;
}

export const rightToLeft: TestTheme = {
  name: "right to left",
  layer: 2,
  direction: "rtl",
  css: `
    .bidis { display: grid; grid-template-columns: repeat(auto-fill, minmax(165px, 1fr)); gap: 20px 10px; margin: 0; padding: 0; list-style: none; } .bidi-card { position: relative; } .bidi-shot { position: relative; } .bidi-shot img { display: block; width: 100%; height: auto; }
    .bidi-badge { position: absolute; top: 8px; inset-inline-start: 8px; padding: 2px 8px; background: #fff; font-size: 12px; } .bidi-title { margin: 8px 0 4px; font-size: 16px; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<ul class="bidis" data-t-list>${cards}</ul>`,
};
