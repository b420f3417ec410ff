import { blockRenderer } from "../support/browser/theme-blocks.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";
import { EXTENSION_ASSETS } from "../../packages/devstore/storefront/page.ts";
import { icon, ICONS, type TestTheme } from "./test-theme.ts";
import { article, breadcrumbs, cartLines, footer, menu, orders, searchResults, shares } from "./places.ts";
import { SHOWN, type Product } from "./products.ts";

// The frame of all test themes, which works at both widths and has no styles for cards.
const FRAME = `
  *, ::before, ::after { box-sizing: border-box; } body { margin: 0; font: 16px/1.4 Georgia, serif; color: #1c1b19; background: #fff; } a { color: inherit; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .plain-list { margin: 0; padding: 0; list-style: none; } .inline { display: flex; gap: 12px; }
  .frame-header { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; padding: 8px 16px; background: #fff; border-bottom: 1px solid #8884; position: sticky; top: 0; z-index: var(--layer); }
  .frame-controls, .frame-header > :last-child { justify-self: end; } .frame-controls { display: flex; } .control { display: grid; place-items: center; width: 44px; height: 44px; } .store-name { font-size: 20px; }
  .menu-button { min-height: 44px; border: 0; background: none; color: inherit; font: inherit; } .menu-panel { position: absolute; z-index: 1; top: 100%; left: 0; right: 0; height: 420px; padding: 16px; background: #fff; } .menu-panel[hidden] { display: none; } .menu-panel ul { display: flex; gap: 16px; margin: 0; padding: 0; list-style: none; } .promotion img { display: block; width: 160px; height: auto; }
  main, footer { max-width: 1200px; margin: auto; padding: 16px; } h1, h2 { font-weight: 400; } .crumbs { display: flex; gap: 8px; padding: 0; list-style: none; } .thumbnail { width: 50px; height: 50px; } article > img { width: 200px; height: auto; } .partner img { width: 160px; height: auto; } .cart-line { display: flex; gap: 12px; } .cart-shot img { width: 100px; height: auto; }`;

function controls(): string {
  return `<div class="frame-controls"><a class="control" href="/search" aria-label="Search">${icon(ICONS.search)}</a><a class="control" href="/account" aria-label="Account">${icon(ICONS.person)}</a><a class="control" href="/cart" aria-label="Cart" data-t-cart>${icon(ICONS.cart)}</a></div>`;
}

export function header(theme: TestTheme): string {
  return `<header class="frame-header" data-t-header>${menu()}<a href="/" class="store-name">Larkfell</a>${(theme.controls ?? controls)()}</header>`;
}

/**
 * Returns a collection page of the theme with the embed. Except for an article, the cards are the first product links of
 * its content.
 * @param above HTML above the list
 */
export function testThemePage(
  theme: TestTheme,
  customer: string,
  { script = "", embed = {}, locale = "en" }: PageOptions,
  products: readonly Product[] = SHOWN,
  above = "",
): string {
  return `<!doctype html><html lang="${locale}" dir="${theme.direction ?? "ltr"}"><head><meta charset="utf-8"><title>All</title><link rel="expect" href="#end" blocking="render"><meta name="viewport" content="width=device-width">
    <script>${script}</script><script>window.__st = ${JSON.stringify(customer === "" ? {} : { cid: Number(customer) })};</script>
    <style>:root { --layer: ${theme.layer}; } ${FRAME} ${theme.css}</style><link rel="stylesheet" href="${EXTENSION_ASSETS}wishlist.css"><link rel="icon" href="data:,"><script async src="${EXTENSION_ASSETS}wishlist.js"></script></head>
    <body>${header(theme)}<main>${breadcrumbs()}<h1>All products</h1>${article()}
    ${above}${theme.list(theme.cards(products))}
    ${shares()}<h2>Your orders</h2>${orders()}<h2>Your cart</h2>${cartLines()}<h2>Find</h2>${searchResults()}</main>${footer()}
    ${embed === null ? "" : blockRenderer(locale)("wishlist-embed", embed)}<div id="end"></div></body></html>`;
}
