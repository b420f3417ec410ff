import { badge, icon, ICONS, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Rounded cards that cut off what sticks out; badges at the top left AND quick add at the top right.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<n-card class="panel" data-t-card="${handle}"><div class="panel-badges">${badge({ badge: "Best seller", ...product }, "pill")}</div>
    <div class="panel-figure" data-t-part="picture"><a href="${href}" class="panel-media">${picture(product)}</a>
      <button type="button" class="panel-add" data-t-part="button"><span class="unseen">Quick add ${title}</span>${icon(ICONS.plus)}</button></div>
    <div class="panel-info"><a href="${href}" class="panel-title" data-t-part="title">${title}</a><span data-t-part="price">${price}</span></div></n-card>`;
}

export const impact: TestTheme = {
  name: "Impact",
  layer: 3,
  css: `
    .panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(165px, 1fr)); gap: 12px; }
    .panel { position: relative; z-index: 0; display: flex; flex-direction: column; overflow: hidden; border-radius: 24px; background: #f4efe9; }
    .panel-badges { position: absolute; z-index: 1; top: 12px; left: 12px; } .pill { padding: 3px 8px; border-radius: 20px; background: #1d3d2f; color: #fff; font-size: 11px; }
    .panel-figure { position: relative; } .panel-media { display: block; } .panel-media img { display: block; width: 100%; height: auto; aspect-ratio: 1; object-fit: cover; }
    .panel-add { position: absolute; z-index: 1; top: 8px; right: 8px; display: grid; place-items: center; width: 44px; height: 44px; padding: 0; border: 0; border-radius: 50%; background: #fff; }
    .panel-info { display: grid; gap: 4px; padding: 14px; } .panel-title { text-decoration: none; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="panels" data-t-list>${cards}</div>`,
};
