import { badge, picture, type TestTheme } from "../test-theme.ts";
import type { Product } from "../products.ts";

function card(product: Product, isClone: boolean): string {
  const { handle, title, href, price } = product;
  const clone = isClone ? ' slide--clone" aria-hidden="true' : "";
  const off = isClone ? ' tabindex="-1"' : "";
  return `<div class="slide${clone}" data-t-card="${handle}"><div class="slide-top"><a href="${href}"${off} data-t-part="picture">${picture(product, isClone ? "" : title)}</a>${badge(product, "slide-badge")}</div>
    <h4 class="slide-title"><a href="${href}"${off} data-t-part="title">${title}</a></h4><p data-t-part="price">${price}</p></div>`;
}

// A slider that goes round: copies of the last slides before the first one and of the first ones after the last, moved by a transform.
export const loopSlider: TestTheme = {
  name: "a looping slider",
  layer: 2,
  css: `
    .slider { overflow: hidden; } .track { display: flex; transform: translate3d(-310px, 0, 0); } .slide { position: relative; flex: none; width: 140px; margin-right: 15px; } @media (min-width: 700px) { .slide { width: 290px; } .track { transform: translate3d(-610px, 0, 0); } }
    .slide-top { position: relative; } .slide-top img { display: block; width: 100%; height: auto; } .slide-badge { position: absolute; top: 8px; right: 8px; padding: 2px 8px; background: #222; color: #fff; font-size: 12px; } .slide-title { margin: 8px 0; }`,
  cards: (products) =>
    [
      ...products.slice(-2).map((one) => card(one, true)),
      ...products.map((one) => card(one, false)),
      ...products.slice(0, 2).map((one) => card(one, true)),
    ].join(""),
  list: (cards) => `<div class="slider" data-t-clip><div class="track" data-t-list>${cards}</div></div>`,
};
