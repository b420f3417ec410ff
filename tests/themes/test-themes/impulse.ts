import { background, badge, icon, ICONS, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

// The whole card is one link, with a second picture under the pointer; the badge stands before the link. The header has its icons
// twice: for wide windows and for narrow ones.
function card(product: Product): string {
  const { handle, title, href, price } = product;
  return `<div class="col" data-aos="row-of-4"><div class="col-content" data-t-card="${handle}">${badge(product, "tag")}
    <a href="${href}" class="col-link"><div class="mask" data-t-part="picture"><div class="wrap">${picture(product)}</div><div class="second" style="${background(product)}"></div></div>
      <div class="meta"><div class="col-title" data-t-part="title">${title}</div><div class="col-price" data-t-part="price">${price}</div></div></a></div></div>`;
}

export const impulse: TestTheme = {
  name: "Impulse",
  layer: 6,
  css: `
    .cols { display: flex; flex-wrap: wrap; margin: 0 -11px; } .col { flex: 0 0 25%; padding: 0 11px 22px; text-align: center; } @media (max-width: 768px) { .col { flex-basis: 50%; } }
    .col-content { position: relative; } .col-link { display: block; text-decoration: none; } .mask { position: relative; overflow: hidden; } .wrap img { display: block; width: 100%; height: auto; }
    .second { position: absolute; inset: 0; z-index: 1; background-size: cover; opacity: 0; } .mask:hover .second { opacity: 1; }
    .narrow { display: none; } @media (max-width: 768px) { .wide { display: none; } .narrow { display: flex; } }
    .tag { position: absolute; z-index: 4; top: 0; right: 0; padding: 5px 7px; background: #111; color: #fff; font-size: 12px; } .meta { padding: 10px 0; }`,
  cards: (products) => products.map(card).join(""),
  list: (cards) => `<div class="cols" data-t-list>${cards}</div>`,
  controls: () => {
    const cart = `<a class="control" href="/cart" aria-label="Cart" data-t-cart>${icon(ICONS.cart)}</a>`;
    return `<div><div class="frame-controls wide"><a class="control" href="/account" aria-label="Account">${icon(ICONS.person)}</a>${cart}</div><div class="frame-controls narrow"><button type="button" class="control" aria-label="Search">${icon(ICONS.search)}</button>${cart}</div></div>`;
  },
};
