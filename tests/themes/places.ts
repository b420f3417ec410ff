import { picture } from "./test-theme.ts";
import { ELSEWHERE, type Product } from "./products.ts";

/** Places of a page that link to products but are not cards, and must have no heart. */

const { first, second, third, fourth } = ELSEWHERE;

function thumbnail(product: Product): string {
  return picture(product, "", 'class="thumbnail"');
}

function text({ href, title }: Product): string {
  return `<a href="${href}">${title}</a>`;
}

/** The menu's panel with pictures of products, closed as `hidden` is. */
export function menu(): string {
  const promotion = (product: Product): string =>
    `<li><a href="${product.href}" class="promotion">${picture(product)}<span>${product.title}</span></a></li>`;
  return `<nav aria-label="Main" data-t-place="menu"><button type="button" aria-expanded="false" class="menu-button">Shop</button>
    <div data-t-menu class="menu-panel" hidden><ul>${[first, second].map(promotion).join("")}<li>${text(third)}</li></ul></div></nav>`;
}

export function breadcrumbs(): string {
  return `<nav aria-label="Breadcrumbs" data-t-place="breadcrumbs"><ol class="crumbs"><li><a href="/">Home</a></li><li>${text(first)}</li><li aria-current="page">All</li></ol></nav>`;
}

/** The malformed URL is like those of text editors. */
export function article(): string {
  return `<article data-t-place="article"><h2>How we choose clay</h2>${picture(first, "A kiln")}
    <p>We began with ${text(first)}, went on to <a href="/products/%E0%A4%A">one that is gone</a>, and like ${text(first)} best.</p></article>`;
}

export function shares(): string {
  const address = `https://larkfell.example/products/${first.handle}`;
  const share = (name: string, href: string): string =>
    `<li><a href="${href}" aria-label="Share on ${name}">${thumbnail(first)}</a></li>`;
  return `<ul class="inline" data-t-place="share links">${share("Facebook", `https://www.facebook.example/sharer.php?u=${address}`)}${share("Pinterest", `https://pinterest.example/pin/create/?url=${address}`)}
    <li><a href="mailto:?body=${address}">Email</a></li></ul>
    <div data-t-place="links to another store" class="inline">${[first, second].map((product) => `<div class="partner"><a href="https://partner.example/products/${product.handle}">${picture(product)}</a><h3><a href="https://partner.example/products/${product.handle}">${product.title} from a partner</a></h3></div>`).join("")}</div>`;
}

export function orders(): string {
  const row = (product: Product): string =>
    `<tr><td><a href="${product.href}">${thumbnail(product)}</a></td><td>${text(product)}</td><td>1</td><td>${product.price}</td></tr>`;
  return `<table data-t-place="orders table"><caption>Order 1001</caption><thead><tr><th scope="col">Picture</th><th scope="col">Product</th><th scope="col">Quantity</th><th scope="col">Price</th></tr></thead><tbody>${[first, second].map(row).join("")}</tbody></table>`;
}

export function cartLines(): string {
  const line = (product: Product, index: number): string =>
    `<li class="cart-line"><a href="${product.href}" class="cart-shot">${picture(product)}</a><div>${text(product)}<input type="number" name="updates[]" value="1" aria-label="Quantity of ${product.title}"><a href="/cart/change?line=${index + 1}&amp;quantity=0">Remove</a></div></li>`;
  return `<form action="/cart" method="post" data-t-place="cart lines"><ul class="plain-list">${[first, second].map(line).join("")}</ul><a href="/cart">View cart</a></form>`;
}

export function searchResults(): string {
  const result = ({ id, href, title, ...rest }: Product): string =>
    `<li role="option" aria-selected="false" id="result-${id}"><a href="${href}?_pos=1&amp;_psq=va" tabindex="-1" class="result">${thumbnail({ id, href, title, ...rest })}<span>${title}</span></a></li>`;
  return `<form action="/search" role="search" data-t-place="predictive search"><label>Search <input type="search" name="q" role="combobox" aria-expanded="true" aria-controls="results" autocomplete="off"></label>
    <ul id="results" role="listbox" aria-label="Products" class="plain-list">${[second, third].map(result).join("")}</ul></form>`;
}

export function footer(): string {
  return `<footer data-t-place="footer"><h2>Favourites</h2><ul>${[first, second, third].map((product) => `<li>${text(product)}</li>`).join("")}</ul>
    <div class="inline">${[third, fourth].map((product) => `<div><a href="${product.href}">${thumbnail(product)}</a> ${text(product)}</div>`).join("")}</div></footer>`;
}
