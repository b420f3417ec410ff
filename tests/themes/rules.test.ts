import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser/browser.ts";
import { Shopper } from "../support/browser/shopper.ts";
import { blockRenderer } from "../support/browser/theme-blocks.ts";
import { EXTENSION_ASSETS } from "../../packages/devstore/storefront/page.ts";
import { background, picture } from "./test-theme.ts";
import { CATALOG, ELSEWHERE, SHOWN, type Product } from "./products.ts";

// Rules for cards, one trait at a time. Whole themes are in test-themes/.
let browser: Browser;
let shopper: Shopper;
let markup = "";

beforeAll(async () => {
  browser = await launchBrowser();
  shopper = await Shopper.arrive(browser, { width: 1280, height: 900 }, { render, catalog: CATALOG });
});
afterAll(async () => {
  await shopper.leave();
  await browser.close();
});

const { first, second, third } = ELSEWHERE;
const THREE = [first, second, third];
/** Cards on every page, whose hearts show that the extension has finished. */
const CONTROL = SHOWN.slice(0, 2);

function card(product: Product): string {
  return `<li><a href="${product.href}" data-pic>${picture(product)}</a><h3><a href="${product.href}">${product.title}</a></h3><p>${product.price}</p></li>`;
}

function grid(products: readonly Product[], draw: (product: Product) => string): string {
  return `<div class="grid">${products.map(draw).join("")}</div>`;
}

function render(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All</title><meta name="viewport" content="width=device-width"><style>
    body { margin: 0; font: 16px/1.4 Georgia, serif; color: #1c1b19; } li { list-style: none; } img { display: block; width: 100%; height: auto; }
    .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 16px; } .line { display: flex; } .line img { width: 140px; }
    .shot { position: relative; } .corner { position: absolute; top: 8px; right: 8px; width: 40px; height: 40px; background: #fff; } .unseen { visibility: hidden; }
    .note { position: absolute; width: 200px; padding: 20px; } .box { display: block; position: relative; height: 180px; background: #eee; } .box b { position: absolute; top: 8px; left: 8px; right: 8px; }
    .stretched { position: relative; } .stretched .back { height: 200px; } .stretched h3 a::after { content: ""; position: absolute; inset: 0; z-index: 1; }
    .boxless { display: contents; } .level { position: relative; z-index: 5; } .cover { position: absolute; inset: 0; } .late { width: fit-content; } .late img:not([src]) { width: 0; height: 0; }</style>
    <link rel="stylesheet" href="${EXTENSION_ASSETS}wishlist.css"><link rel="icon" href="data:,"><script async src="${EXTENSION_ASSETS}wishlist.js"></script></head>
    <body><header><button type="button" aria-controls="drawer">Menu</button><a href="/cart">Cart</a></header>
    <main><section id="shopify-section-case">${markup}</section><section id="shopify-section-control">${grid(CONTROL, card)}</section></main>
    ${blockRenderer("en")("wishlist-embed", {})}</body></html>`;
}

/**
 * Opens a page with this content.
 * @returns the page and the handles that have hearts
 */
async function open(content: string): Promise<{ page: Page; handles: string[] }> {
  markup = content;
  const page = await shopper.open();
  await page.waitForSelector(`#shopify-section-control [data-wishlist-button][aria-pressed]`);
  await shopper.quiet(page);
  const handles = await page
    .locator("#shopify-section-case [data-wishlist-button]")
    .evaluateAll((all: HTMLElement[]) => all.map((one) => one.dataset["productHandle"] ?? "").sort());
  return { page, handles };
}

function line({ href, title, price }: Product): string {
  return `<div class="line"><a href="${href}?variant=1">${picture(first)}</a><div><a href="${href}?variant=1">${title}</a><p>${price}</p><input type="number" aria-label="Quantity" value="1"></div></div>`;
}

function story({ href, title }: Product, index: number, text: string): string {
  return `<div><a href="/blogs/news/story-${index}">${picture(first)}</a><h3><a href="/blogs/news/story-${index}">${title}</a></h3>${text}<a href="${href}">Buy it</a></div>`;
}

const NONE: [place: string, markup: string][] = [
  ["a drawer that the header opens", `<div id="drawer">${grid(THREE, card)}</div>`],
  ["a header without a header element", `<div id="shopify-section-header">${grid(THREE, card)}</div>`],
  ["a footer without a footer element", `<div id="shopify-section-footer">${grid(THREE, card)}</div>`],
  ["a search form", `<form action="/fr/search">${grid(THREE, card)}</form>`],
  ["a cart's form with a query", `<form action="/fr/cart?locale=fr">${grid(THREE, card)}</form>`],
  ["cart lines outside of a form", `<div>${THREE.map(line).join("")}</div>`],
  ["a single cart line", line(first)],
  [
    "pictures between paragraphs",
    `<div><p>We began here.</p><a href="${first.href}">${picture(first)}</a><p>Then this.</p><a href="${second.href}">${picture(second)}</a></div>`,
  ],
  [
    "figures between paragraphs",
    `<div><p>We began here.</p>${THREE.map((product) => `<figure><a href="${product.href}">${picture(product)}</a></figure><p>And on.</p>`).join("")}</div>`,
  ],
  ["stories with a link to a product", grid(THREE, (product) => story(product, 1, ""))],
  [
    "promotions that neither name the product nor a price",
    grid(
      THREE,
      (product) => `<div><a href="${product.href}">${picture(product, "")}<span>Up to 20% off</span></a></div>`,
    ),
  ],
  [
    "points on a picture",
    `<div class="shot">${picture(first)}${THREE.map(({ href, title, price }) => `<div class="note"><h3><a href="${href}">${title}</a></h3><p>${price}</p><p>In oak</p></div>`).join("")}</div>`,
  ],
  [
    "a product form with a quantity",
    `<div><a href="${first.href}">${picture(first)}</a><h2><a href="${first.href}">${first.title}</a></h2><form action="/cart/add"><input type="hidden" name="id" value="1"><input type="number" name="quantity" aria-label="Quantity"></form></div>`,
  ],
  [
    "a blog and an app proxy that are called products",
    `<div class="grid">${["/blogs/products", "/apps/products"].map((path) => `<div><a href="${path}/${first.handle}">${picture(first)}</a><h3><a href="${path}/${first.handle}">Read ${first.title}</a></h3></div>`).join("")}</div>`,
  ],
];

test.each(NONE)("cards.ts puts no heart on %s", async (_, content) => {
  const { page, handles } = await open(content);
  expect(handles).toEqual([]);
  await page.close();
});

const CARDS: [trait: string, draw: (product: Product) => string][] = [
  ["whose language has a long path", ({ href, ...rest }) => card({ ...rest, href: `/en-europe${href}` })],
  ["in a box without layout", (product) => `<div class="boxless">${card(product)}</div>`],
  [
    "whose text mentions another product",
    (product) =>
      card(product).replace("</p>", `</p><p>Goes with <a href="/products/other-${product.id}">another thing</a>.</p>`),
  ],
  [
    "with a badge that is a picture",
    (product) => `<div class="shot">${card(product)}${picture(product, "", 'class="corner" data-no')}</div>`,
  ],
  [
    "with a link for quick view that a pointer brings up",
    (product) =>
      `<div class="shot">${card(product)}<a href="#quick" class="corner unseen" data-no>Quick view</a></div>`,
  ],
  [
    "with an element that a pointer brings up as a button",
    (product) =>
      `<div class="shot">${card(product)}<div role="button" tabindex="0" class="corner unseen" data-no>+</div></div>`,
  ],
  [
    "whose picture is drawn by a style under a stretched link",
    (product) =>
      `<div class="stretched"><div class="back" style="${background(product)}"></div><h3><a href="${product.href}">${product.title}</a></h3></div>`,
  ],
  [
    "whose placeholder bears the title at its top",
    ({ href, title, price }) =>
      `<div><a class="box" href="${href}"><b data-no>${title} in a longer version of its name</b></a><p>${price}</p></div>`,
  ],
  [
    "whose parts lie on a level above their list",
    (product) => card(product).replace("<a href", '<a class="level" href'),
  ],
  [
    "with a quantity and a choice of variants",
    (product) =>
      card(product).replace(
        "</li>",
        `<form action="/cart/add"><select name="id" aria-label="Size"><option value="1">S</option></select><input type="number" name="quantity" aria-label="Quantity"></form></li>`,
      ),
  ],
];

test.each(CARDS)("cards.ts puts a heart on cards %s, over nothing", async (_, draw) => {
  const { page, handles } = await open(grid(THREE, draw));
  expect(handles).toEqual(THREE.map(({ handle }) => handle));
  const faults = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("#shopify-section-case [data-wishlist-button]")].flatMap((heart) => {
      heart.scrollIntoView({ block: "center", behavior: "instant" });
      const box = heart.getBoundingClientRect();
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const covered = [...document.querySelectorAll("[data-no]")].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
      });
      return [...(hit === heart ? [] : [`under ${hit?.outerHTML ?? ""}`]), ...covered.map((one) => one.outerHTML)];
    }),
  );
  expect(faults).toEqual([]);
  await page.close();
});

test("cards.ts puts a heart on a card that stands alone with a price and a title without a link", async () => {
  const { href, title, handle, price } = first;
  const { handles, page } = await open(
    `<h2>You may also like</h2><div class="grid"><div><a href="${href}">${picture(first, "")}</a><h3>${title}</h3><p>${price}</p></div></div>`,
  );
  expect(handles).toEqual([handle]);
  await page.close();
});

test("cards.ts puts a heart on a card whose picture comes late and is beside the card's link", async () => {
  const { page } = await open(
    grid(
      THREE,
      (product) =>
        `<div class="stretched"><a class="cover" href="${product.href}" aria-label="${product.title}"></a><div class="late">${picture(product).replace("src=", "data-src=")}</div><h3>${product.title}</h3></div>`,
    ),
  );
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLImageElement>(".late img")) one.src = one.dataset["src"] ?? "";
  });
  await expect.poll(() => page.locator("#shopify-section-case [data-wishlist-button]").count()).toBe(3);
  await page.close();
});

test("cards.ts puts a heart on a card that comes before its siblings, once they come", async () => {
  const draw = (product: Product): string =>
    `<div class="stretched"><div class="back" style="${background(product)}"></div><h3><a href="${product.href}">${product.title}</a></h3></div>`;
  const { page, handles } = await open(grid([first], draw));
  expect(handles).toEqual([]);
  await page.evaluate(
    (html) => document.querySelector("#shopify-section-case .grid")?.insertAdjacentHTML("beforeend", html),
    draw(second),
  );
  await expect.poll(() => page.locator("#shopify-section-case [data-wishlist-button]").count()).toBe(2);
  await page.close();
});

/** Returns how far each heart is from its picture's right and upper edge, in pixels. */
function gapsOf(page: Page): Promise<number[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("#shopify-section-case [data-wishlist-button]")].map((heart) => {
      const [own, shot] = [heart, heart.closest(".grid > div")?.querySelector("img")].map((one) =>
        one?.getBoundingClientRect(),
      );
      return [(shot?.right ?? 0) - (own?.right ?? 0), (own?.top ?? 0) - (shot?.top ?? 0)].map(Math.round);
    }),
  );
}

test("cards.ts puts a heart into its picture's corner on cards that are inline and positioned", async () => {
  const { page, handles } = await open(
    grid(
      THREE,
      ({ href, title, price, ...rest }) =>
        `<div><span style="position:relative"><a href="${href}">${picture({ href, title, price, ...rest })}</a><a href="${href}">${title}</a><p>${price}</p></span></div>`,
    ),
  );
  expect(handles).toEqual(THREE.map(({ handle }) => handle));
  const gaps = await gapsOf(page);
  expect(gaps).toEqual(THREE.map(() => gaps[0]));
  expect(Math.min(...gaps.flat())).toBeGreaterThanOrEqual(0);
  expect(Math.max(...gaps.flat())).toBeLessThanOrEqual(16);
  await page.close();
});

test("cards.ts puts a heart into the corner of a picture that appears by zooming, where it will be", async () => {
  const { page } = await open(
    grid(
      THREE,
      (product) =>
        `<div style="position:relative;overflow:hidden"><a href="${product.href}">${picture(product).replace("<img", '<img style="transform:scale(1.2)"')}</a><h3>${product.title}</h3></div>`,
    ),
  );
  await page.addStyleTag({ content: "#shopify-section-case img { transform: none !important }" });
  expect(await gapsOf(page)).toEqual(THREE.map(() => [4, 4]));
  await page.close();
});
