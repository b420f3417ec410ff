import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// A wrapper with an aspect ratio is the link; labels over it, swatches for the colours of the same product below it.
function card(product: Product): string {
  const { handle, title, href, price, variants } = product;
  const path = href.replace(/[?#].*/, "");
  const swatches = variants.map(
    ({ id, title: name }) =>
      `<a class="dot" href="${path}?variant=${id}"><span class="unseen">${title}, ${name}</span></a>`,
  );
  return `<v-item class="piece" data-t-card="${handle}"><div class="piece-top"><div class="labels">${badge(product, "label")}</div>
    <a href="${href}" class="piece-ratio" data-t-part="picture">${picture(product)}</a></div>
    <div class="piece-info"><a href="${href}" class="piece-title" data-t-part="title">${title}</a><div data-t-part="price">${price}</div><div class="dots">${swatches.join("")}</div></div></v-item>`;
}

export const focal: TestTheme = {
  name: "Focal",
  layer: 2,
  css: `
    .pieces { display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 24px 12px; } .piece { display: block; position: relative; text-align: center; }
    .piece-top { position: relative; } .piece-ratio { display: block; aspect-ratio: 1; overflow: hidden; border-radius: 10px; } .piece-ratio img { width: 100%; height: 100%; object-fit: cover; }
    .labels { position: absolute; z-index: 1; top: 10px; left: 10px; } .label { padding: 2px 8px; border-radius: 6px; background: #fff; color: #1a1a1a; font-size: 12px; }
    .piece-info { display: grid; gap: 4px; margin-top: 12px; } .piece-title { text-decoration: none; } .dots { display: flex; justify-content: center; gap: 6px; } .dot { width: 24px; height: 24px; border-radius: 50%; background: #b07d4f; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="pieces" data-t-list>${cards}</div>`,
};
