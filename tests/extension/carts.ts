import { EXTENSION_ASSETS } from "../../packages/devstore/storefront/page.ts";
import { blockRenderer, type Settings } from "../support/browser/theme-blocks.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";

/** A line of the Ajax cart, as far as themes show it. */
interface Line {
  key: string;
  url: string;
  product_title: string;
  variant_title: string;
  quantity: number;
  properties: Record<string, string>;
}

/** How a theme's cart is built, in the manner of one of the nine themes: what matters is where links, keys, pictures and controls are. */
export interface CartTheme {
  name: string;
  /** `cart` for the cart page, `drawer` for an element of every page, `modal` for a modal dialog */
  place: "cart" | "drawer" | "modal";
  /** the event after which the theme shows the cart anew; `sections` for Dawn's way; undefined for a theme that does not */
  follows?: "sections" | "shopify:cart:lines-update" | "cart:update" | "cart:refresh" | "cart:build";
  /** an empty drawer that each change of the cart fills, while the page stays as it is */
  fillsDrawer?: true;
  tag: "table" | "ul" | "div";
  /** Runs in the page. */
  line: (line: Line, number: number, picture: string, options: string) => string;
  css?: string;
}

const maestrooo: CartTheme["line"] = (line, number, picture, options) => `<div class="line-item">
  <a class="line-item__image-wrapper" href="${line.url}">${picture}</a>
  <div class="line-item__info"><div class="product-item-meta"><a class="product-item-meta__title" href="${line.url}">${line.product_title}</a><p class="meta">${options}</p></div>
    <div class="line-item__quantity"><a href="/cart/change?line=${number}&quantity=${line.quantity - 1}">−</a><input value="${line.quantity}" data-line="${number}" aria-label="Quantity"><a href="/cart/change?line=${number}&quantity=${line.quantity + 1}">+</a></div>
    <a class="line-item__remove" href="/cart/change?id=${encodeURIComponent(line.key)}&quantity=0">Remove</a></div></div>`;
const MAESTROOO = ".line-item { display: flex; gap: 16px; } .line-item__quantity { display: flex; gap: 8px; }";

export const CART_THEMES: readonly CartTheme[] = [
  {
    name: "Dawn",
    place: "cart",
    follows: "sections",
    tag: "table",
    line: (line, number, picture, options) => `<tr class="cart-item" id="CartItem-${number}">
      <td class="cart-item__media"><a href="${line.url}" class="cart-item__link" aria-hidden="true" tabindex="-1"></a>${picture}</td>
      <td class="cart-item__details"><a href="${line.url}" class="cart-item__name h4">${line.product_title}</a><div class="product-option">€ 89.00</div><dl>${options}</dl></td>
      <td class="cart-item__quantity"><quantity-input><input type="number" name="updates[]" value="${line.quantity}" data-index="${number}" aria-label="Quantity"></quantity-input>
        <cart-remove-button id="Remove-${number}"><a href="/cart/change?id=${encodeURIComponent(line.key)}&amp;quantity=0" aria-label="Remove">×</a></cart-remove-button></td></tr>`,
    css: "table { width: 100%; } td { vertical-align: top; } .cart-item { position: relative; } .cart-item__link { position: absolute; inset: 0 auto 0 0; width: 96px; } .cart-item__name { display: block; font-size: 17px; }",
  },
  {
    name: "Horizon",
    place: "modal",
    follows: "cart:update",
    tag: "table",
    line: (line, number, picture, options) => `<tr class="cart-items__table-row" data-key="${line.key}">
      <td class="cart-items__media"><a href="${line.url}">${picture}</a></td>
      <td class="cart-items__details"><a class="cart-items__title" href="${line.url}">${line.product_title}</a><div class="cart-items__variants">${options}</div></td>
      <td class="cart-items__quantity"><input type="number" name="updates[]" value="${line.quantity}" data-cart-line="${number}" aria-label="Quantity"><button type="button" aria-label="Remove">×</button></td></tr>`,
  },
  {
    name: "Horizon 4",
    place: "cart",
    follows: "shopify:cart:lines-update",
    tag: "table",
    line: (line, number, picture, options) => `<tr class="cart-items__table-row" data-key="${line.key}">
      <td class="cart-items__media"><a href="${line.url}">${picture}</a></td>
      <td class="cart-items__details"><a class="cart-items__title" href="${line.url}">${line.product_title}</a><div>${options}</div></td>
      <td class="cart-items__quantity"><input type="number" name="updates[]" value="${line.quantity}" data-cart-line="${number}" aria-label="Quantity"></td></tr>`,
  },
  {
    name: "Debut",
    place: "cart",
    tag: "table",
    line: (
      line,
      number,
      picture,
      options,
    ) => `<tr class="cart__row"><td class="cart__meta"><div class="cart__product-information">
      <div class="cart__image-wrapper"><a href="${line.url}">${picture}</a></div>
      <div><div class="list-view-item__title"><a href="${line.url}" class="cart__product-title">${line.product_title}</a></div><ul>${options}</ul>
        <p class="cart__remove"><a href="/cart/change?line=${number}&amp;quantity=0" class="text-link">Remove</a></p></div></div></td>
      <td><input type="number" name="updates[]" value="${line.quantity}" aria-label="Quantity"></td></tr>`,
    css: ".cart__product-information { display: flex; gap: 16px; }",
  },
  {
    name: "Be Yours",
    place: "cart",
    fillsDrawer: true,
    tag: "ul",
    line: (line, number, picture, options) => `<li class="cart-item" id="CartItem-${number}">
      <a href="${line.url}">${picture}</a><div class="cart-item__details"><a href="${line.url}">${line.product_title}</a><div>${options}</div></div>
      <input type="number" name="updates[]" value="${line.quantity}" aria-label="Quantity"><a href="/cart/change?line=${number}&amp;quantity=0" aria-label="Remove">×</a></li>`,
    css: ".cart-item { display: flex; gap: 16px; }",
  },
  {
    name: "Empire",
    place: "cart",
    tag: "ul",
    line: (
      line,
      number,
      picture,
      options,
    ) => `<li class="cart-item"><div class="cart-item--image"><a href="${line.url}">${picture}</a></div>
      <div class="cart-item--info"><h2 class="cart-item--title"><a href="${line.url}">${line.product_title}</a></h2><div class="options">${options}</div>
        <input name="updates[]" value="${line.quantity}" aria-label="Quantity"><a class="cart-item--remove" href="/cart/change?line=${number}&amp;quantity=0">Remove</a></div></li>`,
    css: ".cart-item { display: flex; gap: 16px; }",
  },
  { name: "Focal", place: "drawer", follows: "cart:refresh", tag: "div", line: maestrooo, css: MAESTROOO },
  { name: "Impact", place: "cart", follows: "cart:refresh", tag: "div", line: maestrooo, css: MAESTROOO },
  { name: "Prestige", place: "modal", follows: "cart:refresh", tag: "div", line: maestrooo, css: MAESTROOO },
  {
    name: "Impulse",
    place: "drawer",
    follows: "cart:build",
    tag: "div",
    line: (line, number, picture, options) => `<div class="cart__item" data-key="${line.key}">
      <div class="cart__image"><a href="${line.url}">${picture}</a></div>
      <div class="cart__item-details"><div class="cart__item-title"><a href="${line.url}" class="cart__item-name">${line.product_title}</a><div class="cart__item--variants">${options}</div></div>
        <div class="cart__item-sub"><input name="updates[]" data-id="${line.key}" value="${line.quantity}" aria-label="Quantity"><span>${number}.</span></div></div></div>`,
    css: ".cart__item { display: flex; gap: 16px; }",
  },
  {
    name: "Warehouse",
    place: "drawer",
    tag: "div",
    line: (
      line,
      number,
      picture,
      options,
    ) => `<div class="line-item"><div class="line-item__image-wrapper"><a href="${line.url}">${picture}</a></div>
      <div class="line-item__product-info"><div class="line-item__meta"><a class="line-item__title" href="${line.url}">${line.product_title}</a><span>${options}</span></div>
        <div class="quantity-selector" data-line-id="${line.key}"><button type="button">−</button><input value="${line.quantity}" aria-label="Quantity"><button type="button">+</button></div>
        <a href="/cart/change?line=${number}&amp;quantity=0" class="line-item__quantity-remove">Remove</a></div></div>`,
    css: MAESTROOO,
  },
];

/** Draws the cart as a theme's script does. It runs in the page. */
function drawCart(theme: Pick<CartTheme, "place" | "follows" | "fillsDrawer" | "tag" | "line">): void {
  const picture =
    "<img width=\"80\" height=\"80\" alt=\"\" src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='80' height='80' fill='%23cdd'/%3E%3C/svg%3E\">";
  const html = (items: Line[]): string => {
    const lines = items.map((item, index) => {
      const options = Object.entries({ Size: item.variant_title, ...item.properties })
        .filter(([name]) => !name.startsWith("_"))
        .map(([name, value]) => `<span>${name}: ${value} </span>`);
      return theme.line(item, index + 1, picture, options.join(""));
    });
    return items.length > 0
      ? `<form action="/cart" method="post"><${theme.tag} class="lines">${lines.join("")}</${theme.tag}><button name="checkout">Check out</button></form>`
      : "<p>Your cart is empty</p>";
  };
  const read = async (): Promise<Line[]> => ((await (await fetch("/cart.js")).json()) as { items: Line[] }).items;
  const fill = async (): Promise<void> => {
    const drawer = document.querySelector(".late-drawer");
    if (drawer) drawer.innerHTML = html(await read());
  };
  const draw = async (): Promise<void> => {
    const items = await read();
    const content = document.querySelector(".cart-content");
    if (content) content.innerHTML = html(items);
    document.documentElement.dataset["cart"] = String(items.length);
  };
  if (theme.follows === "sections") {
    customElements.define(
      "cart-items",
      class extends HTMLElement {
        getSectionsToRender() {
          return [{ id: "main-cart-items", section: "template--1__cart-items", selector: ".js-contents" }];
        }
      },
    );
  } else if (theme.follows) {
    document.addEventListener(theme.follows, () => void draw());
  }
  if (theme.fillsDrawer) document.addEventListener("cart:refresh", () => void fill());
  Object.assign(window, { drawCart: draw, cartHtml: html });
  addEventListener("DOMContentLoaded", () => {
    void draw();
    const dialog = document.querySelector<HTMLDialogElement>("dialog");
    document.querySelector("#open-cart")?.addEventListener("click", () => dialog?.showModal());
  });
}

const STYLE = `body { margin: 0; font: 16px/1.5 Georgia, serif; } main, .drawer { max-width: 760px; margin: auto; padding: 16px; }
  table, ul { padding: 0; list-style: none; } input { width: 3em; } h2 { margin: 0; font-size: 18px; } .lines img { display: block; }
  dialog { max-width: 420px; }`;

/** Renders any page of a theme with this cart. */
export function cartRenderer(theme: CartTheme, settings: Settings = {}) {
  return ({ pathname, searchParams }: URL, customer: string, { locale = "en", script = "" }: PageOptions): string => {
    const isCart = pathname === "/cart";
    const cart = theme.place !== "cart" || isCart;
    const scope = {
      request: { page_type: isCart ? "cart" : "collection" },
      cart: { item_count: searchParams.has("empty") ? 0 : 1 },
    };
    const wrapped =
      theme.follows === "sections"
        ? '<cart-items><div id="main-cart-items"><div class="js-contents cart-content"></div></div></cart-items>'
        : '<div class="cart-content"></div>';
    const shown = {
      cart: `<main><h1>Cart</h1>${wrapped}</main>`,
      drawer: `<main><h1>Shoes</h1></main><aside class="drawer">${wrapped}</aside>`,
      modal: `<main><h1>Shoes</h1><button id="open-cart">Open cart</button></main><dialog>${wrapped}</dialog>`,
    };
    const { place, follows, fillsDrawer, tag } = theme;
    const given = `{ ...${JSON.stringify({ place, follows, fillsDrawer, tag })}, line: ${theme.line.toString()} }`;
    return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>Cart</title><meta name="viewport" content="width=device-width">
      <script>${script}</script><script>window.__st = ${JSON.stringify(customer === "" ? {} : { cid: Number(customer) })}; (${drawCart.toString()})(${given});</script>
      <style>${STYLE}${theme.css ?? ""}</style><link rel="stylesheet" href="${EXTENSION_ASSETS}wishlist.css"><link rel="icon" href="data:,"><script async src="${EXTENSION_ASSETS}wishlist.js"></script></head>
      <body><header><a href="/cart" aria-label="Cart">Cart</a></header>${cart ? shown[place] : "<main><h1>Shoes</h1></main>"}${theme.fillsDrawer ? '<aside class="late-drawer" hidden></aside>' : ""}${blockRenderer(locale)("wishlist-embed", { counter: true, ...settings }, scope)}</body></html>`;
  };
}
