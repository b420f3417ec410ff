import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// The picture lies beside the link, not in it: the heading's link is stretched over the card. The badge is at the bottom left.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<li class="cell"><div class="frame" data-t-card="${handle}"><div class="body">
    <div class="upper"><div class="media" data-t-part="picture">${picture(product, "", 'loading="lazy"')}</div>
      <div class="text text--inner"><h3 class="name name--inner"><a href="${href}" class="plain">${title}</a></h3><div class="corner">${badge(product, "flag")}</div></div></div>
    <div class="text"><h3 class="name"><a href="${href}" class="plain stretched" data-t-part="title">${title}</a></h3>
      <div class="cost" data-t-part="price">${price}</div>
      <div class="quick"><button type="button" class="outlined" data-t-part="button">Choose options</button></div></div>
  </div></div></li>`;
}

export const dawn: TestTheme = {
  name: "Dawn",
  layer: 3,
  css: `
    .cells { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; margin: 0; padding: 0; list-style: none; }
    @media (max-width: 749px) { .cells { grid-template-columns: 1fr 1fr; } }
    .frame { position: relative; height: 100%; } .body { display: flex; flex-direction: column; height: 100%; }
    .upper { position: relative; width: 100%; display: flex; transform: perspective(0); } .upper::before { content: ""; padding-bottom: 100%; }
    .media { position: absolute; inset: 0; z-index: 0; overflow: hidden; } .media img { width: 100%; height: 100%; object-fit: cover; }
    .text--inner { position: relative; display: grid; grid-template-rows: 1fr auto; width: 100%; } .name--inner { visibility: hidden; }
    .corner { align-self: end; padding: 10px; } .flag { padding: 4px 12px; border-radius: 40px; background: #334fb4; color: #fff; font-size: 12px; }
    .name { margin: 12px 0 4px; font-size: 14px; font-weight: 400; } .plain { text-decoration: none; } .stretched::after { content: ""; position: absolute; inset: 0; z-index: 1; }
    .quick { position: relative; z-index: 1; margin: 8px 0; } .outlined { width: 100%; min-height: 44px; border: 1px solid; background: none; font: inherit; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<ul class="cells" data-t-list>${cards}</ul>`,
};
