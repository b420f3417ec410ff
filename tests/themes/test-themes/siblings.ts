import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Every colour is a separate product: the card links to the others, some with a small picture.
function card(product: Product): string {
  const { handle, title, href, price, hue } = product;
  const siblings = [1, 2].map((number) => {
    const other = { ...product, hue: hue + number * 90 };
    return `<a class="tint" href="/products/elsewhere-${number}" aria-label="Colour ${number} of ${title}">${number === 1 ? picture(other, "") : ""}</a>`;
  });
  return `<li class="unit"><div class="unit-card" data-t-card="${handle}"><div class="unit-shot"><a href="${href}" data-t-part="picture">${picture(product)}</a>${badge(product, "unit-badge")}</div>
    <a class="unit-title" href="${href}" data-t-part="title">${title}</a><span data-t-part="price">${price}</span><div class="tints" data-t-part="button">${siblings.join("")}</div></div></li>`;
}

export const siblings: TestTheme = {
  name: "sibling products as swatches",
  layer: 2,
  css: `
    .units { display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 20px 10px; margin: 0; padding: 0; list-style: none; } .unit-card { display: grid; gap: 6px; } .unit-shot { position: relative; } .unit-shot > a { display: block; } .unit-shot img { display: block; width: 100%; height: auto; }
    .unit-badge { position: absolute; bottom: 8px; left: 8px; padding: 2px 8px; background: #fff; font-size: 12px; } .unit-title { text-decoration: none; } .tints { display: flex; gap: 6px; } .tint { width: 28px; height: 28px; border: 1px solid #999; border-radius: 50%; overflow: hidden; background: #9db4c0; } .tint img { display: block; width: 100%; height: 100%; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<ul class="units" data-t-list>${cards}</ul>`,
};
