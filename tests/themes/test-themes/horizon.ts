import { badge, icon, ICONS, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Custom elements; an empty link beneath the whole card; a slideshow of pictures in a link; quick add over the picture, bottom end.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<li class="spot"><x-card class="x-card" data-t-card="${handle}"><a href="${href}" class="x-under" aria-label="${title}"></a>
    <div class="x-content"><div class="x-gallery" data-t-part="picture"><a class="x-through" href="${href}" aria-label="${title}" tabindex="-1">
      <x-slides class="x-slides"><div class="x-slide">${picture(product)}</div><div class="x-slide" aria-hidden="true">${picture(product, "")}</div></x-slides></a>
      ${product.badge === undefined ? "" : `<div class="x-badges">${badge(product, "x-badge")}</div>`}
      <x-add class="x-add"><button type="button" class="x-plus" aria-label="Add ${title}" data-t-part="button">${icon(ICONS.plus)}</button></x-add></div>
      <div class="x-group"><a href="${href}" class="x-through"><p class="x-name" data-t-part="title">${title}</p></a><x-price data-t-part="price">${price}</x-price></div></div></x-card></li>`;
}

export const horizon: TestTheme = {
  name: "Horizon",
  layer: 4,
  css: `
    .spots { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; margin: 0; padding: 0; list-style: none; }
    @media (max-width: 749px) { .spots { grid-template-columns: 1fr 1fr; gap: 8px; } }
    .x-card { display: block; position: relative; } .x-under { position: absolute; inset: 0; } .x-through { display: contents; color: inherit; text-decoration: none; }
    .x-content { position: relative; display: flex; flex-direction: column; gap: 8px; pointer-events: none; } .x-content :is(a, button) { pointer-events: auto; }
    .x-gallery { position: relative; overflow: hidden; container-type: inline-size; } .x-slides { display: flex; overflow-x: auto; scrollbar-width: none; scroll-snap-type: x mandatory; pointer-events: auto; }
    .x-slide { flex: 0 0 100%; scroll-snap-align: start; } .x-slide img { display: block; width: 100%; height: auto; aspect-ratio: 4 / 5; object-fit: cover; }
    .x-badges { position: absolute; top: 8px; left: 8px; z-index: 1; } .x-badge { padding: 4px 10px; border-radius: 100px; background: #fff; font-size: 12px; }
    .x-add { position: absolute; z-index: 2; right: 8px; bottom: 8px; display: grid; } .x-plus { display: grid; place-items: center; width: 44px; height: 44px; border: 0; border-radius: 22px; background: #fff; }
    .x-name { margin: 0; } .x-actions { display: flex; } .x-actions button { width: 44px; height: 44px; border: 0; background: none; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<x-results><ul class="spots" data-t-list>${cards}</ul></x-results>`,
  controls: () => `<x-actions class="x-actions"><button type="button" aria-label="Search">${icon(ICONS.search)}</button>
    <a class="control" href="/account" aria-label="Account">${icon(ICONS.person)}</a><a class="control" href="/cart" aria-label="Cart" data-t-cart><x-bag>${icon(ICONS.cart)}</x-bag></a></x-actions>`,
};
