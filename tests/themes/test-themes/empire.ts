import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// Articles whose picture, title and actions are apart; an overlay link and a "quick shop" button lie over the picture.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<article class="tile" data-t-card="${handle}"><div class="tile-inner"><div class="tile-shot" data-t-part="picture"><a href="${href}" class="tile-link"><figure>${picture(product)}</figure></a>
      <div class="overlay"><a class="overlay-link" href="${href}" tabindex="-1" aria-hidden="true"></a><button type="button" class="shop" data-t-part="button">Quick shop</button></div>${badge(product, "sticker")}</div>
    <div class="tile-info"><div class="tile-price" data-t-part="price">${price}</div><h2 class="tile-title"><a href="${href}" data-t-part="title">${title}</a></h2><span class="vendor">Larkfell</span></div></div></article>`;
}

export const empire: TestTheme = {
  name: "Empire and Turbo",
  layer: 5,
  css: `
    .tiles { display: flex; flex-wrap: wrap; gap: 1px; background: #ddd; border: 1px solid #ddd; } .tile { flex: 1 0 24%; max-width: 25%; background: #fff; } @media (max-width: 720px) { .tile { flex-basis: 49%; max-width: 50%; } }
    .tile-inner { padding: 15px; } .tile-shot { position: relative; } .tile-shot figure { margin: 0; } .tile-shot img { display: block; width: 100%; height: auto; }
    .overlay { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center; background: #0001; } .overlay-link { position: absolute; inset: 0; }
    .shop { position: relative; min-height: 30px; padding: 0 4px; font-size: 12px; border: 1px solid #111; background: #fff; opacity: 0; } .overlay:hover .shop { opacity: 1; } .sticker { position: absolute; top: 0; right: 0; padding: 6px 10px; background: #8a1c2b; color: #fff; font-size: 12px; }
    .tile-title { margin: 4px 0; font-size: 15px; } .tile-title a { text-decoration: none; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="tiles" data-t-list>${cards}</div>`,
};
