import { background, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// li > a > div with a background picture: no img, no class that means anything.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<li class="flex-col" data-t-card="${handle}"><a href="${href}" class="block no-underline"><div class="w-full aspect-square rounded-lg bg-cover" style="${background(product)}" data-t-part="picture"></div>
    <div class="mt-3 flex justify-between"><span class="text-sm" data-t-part="title">${title}</span><span class="text-sm" data-t-part="price">${price}</span></div></a></li>`;
}

export const tailwind: TestTheme = {
  name: "a merchant's Tailwind theme",
  layer: 10,
  css: `
    .grid-4 { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; } @media (min-width: 768px) { .grid-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
    .block { display: block; } .no-underline { text-decoration: none; } .w-full { width: 100%; } .aspect-square { aspect-ratio: 1; } .rounded-lg { border-radius: .5rem; } .bg-cover { background-size: cover; }
    .mt-3 { margin-top: .75rem; } .flex { display: flex; } .justify-between { justify-content: space-between; gap: .5rem; } .text-sm { font-size: .875rem; }
    .grid-4 > :not([hidden]) ~ :not([hidden]) { border-top: 0 solid; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<ul class="grid-4" data-t-list>${cards}</ul>`,
};
