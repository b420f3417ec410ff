import { EXTENSION_ASSETS } from "../../../packages/devstore/storefront/page.ts";
import { products } from "./wishlist-service.ts";
import { blockRenderer, type Settings } from "./theme-blocks.ts";

export interface PageOptions {
  /** product cards on a collection page */
  cards?: number;
  locale?: string;
  dark?: boolean;
  /** settings of the embed; null disables it */
  embed?: Settings | null;
  /** settings of the button block; null leaves it out */
  button?: Settings | null;
  /** settings of the block for alerts; left out by default */
  alert?: Settings;
  /** a product without a stock of its second variant, or of any; a gift card */
  stock?: "second sold out" | "sold out" | "gift card";
  /** the currency that the visitor sees, when it is not the shop's */
  currency?: string;
  /** the customer in the page's markup, when it differs from the logged-in one; "" for none */
  hint?: string;
  /** renders the theme editor's preview */
  designMode?: boolean;
  /** script at the start of the head */
  script?: string;
}

type Product = (typeof products)[number];

const STYLE = `
  body { margin: 0; font: 16px/1.5 Georgia, serif; color: rgb(18, 18, 18); background: #fff; }
  body.dark { color: #f3f1ea; background: #17191c; }
  header { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; padding: 12px 24px; border-bottom: 1px solid #8884; }
  .header__icons { display: flex; justify-content: flex-end; } .header__icons a { display: grid; place-items: center; width: 44px; height: 44px; color: inherit; }
  main { max-width: 1100px; margin: auto; padding: 24px; }
  h1 { font-weight: 400; } a { color: inherit; } main img { width: 100%; height: auto; display: block; }
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 20px; padding: 0; list-style: none; }
  .card__heading { margin: 10px 0 0; font-size: 15px; font-weight: 400; } .card__heading a { text-decoration: none; }
  .price { margin: 0; opacity: .75; font-size: 14px; }
  .product { display: grid; gap: 32px; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); }
  .product select, .product .add { width: 100%; margin: 0 0 12px; padding: 12px; font: inherit; } .add { background: #121212; border: 0; border-radius: 4px; }
  .add span { color: #fff; } .dark .add { background: #fff; } .dark .add span { color: #17191c; }`;

function picture({ title }: Product, index: number): string {
  const hue = (index * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><rect width="300" height="300" fill="hsl(${hue} 30% 85%)"/><path d="M50 190h200v20H50zM60 185c0-50 40-20 60-70l20-15c20 50 60 40 100 70v15z" fill="hsl(${hue} 35% 45%)"/></svg>`;
  return `<img width="300" height="300" alt="${title}" src="data:image/svg+xml,${encodeURIComponent(svg)}">`;
}

/** A card like those of Dawn and related themes. */
export function card(product: Product, index: number): string {
  return `<li class="grid__item"><div class="card-wrapper"><a href="/products/${product.handle}" tabindex="-1" aria-hidden="true">${picture(product, index)}</a>
    <h2 class="card__heading"><a href="/products/${product.handle}?variant=${product.variants[0]?.id ?? ""}">${product.title}</a></h2><p class="price">€ 89.00</p></div></li>`;
}

function collection({ cards = 12 }: PageOptions): string {
  return `<h1>Shoes</h1><p>Our <a href="/products/${products[0]?.handle ?? ""}">first shoe</a> is the best.</p><ul class="grid">${products.slice(0, cards).map(card).join("")}</ul>`;
}

/** The product as blocks of its page see it. */
function productScope({ pathname, searchParams }: URL, { stock }: PageOptions) {
  const [, kind, handle = ""] = pathname.split("/");
  if (kind !== "products") return {};
  const product = products.find((one) => one.handle === handle) ?? { id: "", handle, title: handle, variants: [] };
  const variants = product.variants.map((variant, index) => ({
    ...variant,
    price: 8900 + index * 1000,
    available: stock !== "sold out" && !(stock === "second sold out" && index === 1),
  }));
  const chosen = variants.find(({ id }) => id === searchParams.get("variant"));
  return {
    product: {
      ...product,
      variants,
      variants_count: variants.length,
      selected_or_first_available_variant: chosen ?? variants.find(({ available }) => available) ?? variants[0],
      "gift_card?": stock === "gift card",
    },
  };
}

/** What Liquid has on every page. */
function globals(customer: string, { locale = "en", currency = "EUR", designMode = false }: PageOptions) {
  return {
    request: { design_mode: designMode, locale: { iso_code: locale } },
    shop: { name: "Larkfell", currency: "EUR", privacy_policy: { url: "/policies/privacy-policy" } },
    cart: { currency: { iso_code: currency } },
    routes: { root_url: "/" },
    customer: customer === "" ? null : { id: customer },
  };
}

function productPage(url: URL, customer: string, options: PageOptions): string {
  const { button = {}, alert, locale = "en" } = options;
  const scope = { ...productScope(url, options), ...globals(customer, options) };
  const { product } = scope;
  if (!product) return "";
  const index = products.findIndex(({ handle }) => handle === product.handle);
  const chosen = product.selected_or_first_available_variant;
  const block = button === null ? "" : blockRenderer(locale)("wishlist-button", button, scope);
  const alertBlock = alert ? blockRenderer(locale)("wishlist-alert", alert, scope) : "";
  const sizes = product.variants.map(
    ({ id, title }) => `<option value="${id}"${id === chosen?.id ? " selected" : ""}>${title}</option>`,
  );
  return `<div class="product"><div>${picture(product, index)}</div><div><h1>${product.title}</h1><p>€ 89.00</p>
    <form action="/cart/add" method="post"><label for="variant">Size</label><select id="variant" name="id">${sizes.join("")}</select>
    <button class="add"><span>Add to cart</span></button></form>${block}${alertBlock}</div></div>`;
}

/** A cart line with picture and link, like a card. */
function cartPage(): string {
  return `<h1>Cart</h1><form action="/cart" method="post"><ul>${products.slice(0, 1).map(card).join("")}</ul></form>`;
}

function content(url: URL, customer: string, options: PageOptions): string {
  const [, kind] = url.pathname.split("/");
  if (kind === "products") return productPage(url, customer, options);
  if (kind === "pages") {
    const block = blockRenderer(options.locale ?? "en")("wishlist-page");
    return `<h1>Wishlist</h1><div class="shopify-block shopify-app-block">${block}</div>`;
  }
  return kind === "cart" ? cartPage() : collection(options);
}

/** A theme's page with the embed. It is the same for all shoppers except for the customer id of Shopify's analytics. */
export function themePage(url: URL, customer: string, options: PageOptions): string {
  const { locale = "en", dark = false, embed = {}, hint = customer, script = "" } = options;
  const scope = { ...productScope(url, options), ...globals(customer, options) };
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>Shop</title><meta name="viewport" content="width=device-width">
    <script>${script}</script><script>window.__st = ${JSON.stringify(hint === "" ? {} : { cid: Number(hint) })};</script>
    <style>${STYLE}</style><link rel="stylesheet" href="${EXTENSION_ASSETS}wishlist.css"><link rel="icon" href="data:,"><script async src="${EXTENSION_ASSETS}wishlist.js"></script></head>
    <body class="${dark ? "dark" : ""}"><header><nav aria-label="Main"><a href="/collections/all">Shoes</a></nav><strong>Larkfell</strong>
    <div class="header__icons"><a href="/cart" aria-label="Cart"><svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5"><path d="M5 8h14l1 12H4zM9 8a3 3 0 0 1 6 0"/></svg></a></div></header>
    <main>${content(url, customer, options)}</main>${embed === null ? "" : blockRenderer(locale)("wishlist-embed", embed, scope)}</body></html>`;
}
