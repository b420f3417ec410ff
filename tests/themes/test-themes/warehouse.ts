import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Rows with a border: a small picture, the text, the price and a form in one line.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="line" data-t-card="${handle}"><a href="${href}" class="line-shot" data-t-part="picture"><span class="ratio">${picture(product)}</span></a>
    <div class="line-info">${badge(product, "line-badge")}<a href="${href}" class="line-title" data-t-part="title">${title}</a><span data-t-part="price">${price}</span>
      <form action="/cart/add" method="post"><input type="hidden" name="id" value="${product.variants[0]?.id ?? ""}"><button type="submit" class="line-add" data-t-part="button">Add to cart</button></form></div></div>`;
}

export const warehouse: TestTheme = {
  name: "Warehouse",
  layer: 2,
  css: `
    .lines { border: 1px solid #e1e3e4; border-radius: 3px; background: #fff; } .line { position: relative; display: flex; gap: 20px; padding: 20px; } .line + .line { border-top: 1px solid #e1e3e4; }
    .line-shot { flex: none; width: 120px; } .ratio { position: relative; display: block; padding-bottom: 100%; overflow: hidden; } .ratio img { position: absolute; width: 100%; height: 100%; object-fit: contain; }
    .line-info { display: flex; flex: 1; flex-direction: column; align-items: flex-start; gap: 6px; } .line-title { font-weight: 600; text-decoration: none; } .line-badge { padding: 0 10px; border-radius: 2px; background: #ee0000; color: #fff; font-size: 12px; }
    .line-add { min-height: 44px; padding: 0 20px; border: 0; border-radius: 3px; background: #00badb; font: inherit; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="lines" data-t-list>${cards}</div>`,
};
