import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Light text on black, cards in a section with a separate layer, and a button for each product in a corner of its picture.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="night" data-t-card="${handle}"><div class="night-shot" data-t-part="picture"><a href="${href}" aria-label="${title}">${picture(product, "")}</a>${badge(product, "night-badge")}<button type="button" class="night-button" data-t-part="button">Add</button></div>
    <a href="${href}" class="night-title" data-t-part="title">${title}</a><div data-t-part="price">${price}</div></div>`;
}

export const dark: TestTheme = {
  name: "dark",
  layer: 2,
  css: `
    :root { color-scheme: dark; } body { background: #101214; color: #f3f1ea; } header[data-t-header], [data-t-menu] { background: #101214; }
    .nights { position: relative; z-index: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 20px 12px; } .night-shot { position: relative; } .night-shot a { display: block; } .night-shot img { display: block; width: 100%; height: auto; filter: brightness(.6); }
    .night-badge { position: absolute; top: 8px; left: 8px; padding: 2px 8px; background: #ffd84d; color: #111; font-size: 12px; } .night-button { position: absolute; right: 8px; bottom: 8px; min-width: 52px; min-height: 44px; border: 1px solid; background: #101214; color: inherit; } .night-title { text-decoration: none; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="nights" data-t-list>${cards}</div>`,
};
