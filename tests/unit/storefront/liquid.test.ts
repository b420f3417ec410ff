import fc from "fast-check";
import { Liquid } from "liquidjs";
import { describe, expect, test } from "vitest";
import { escapeText } from "../../../app/storefront/pages/escape.ts";
import { columns, pagination } from "../../../app/storefront/pages/list-page.server.ts";
import { FIRST_PAGE } from "../../../app/storefront/pages/list-view.ts";
import { renderPage } from "../../../app/storefront/pages/template.ts";
import { LANGUAGES } from "../../../app/storefront/pages/texts.ts";
import { renderLiquid } from "../../support/shopify/render-liquid.ts";

/** Texts of an attacker that would run as Liquid or HTML. */
const ATTACKS = [
  "{{ shop.secret }}",
  "{% raw %}",
  "{% endraw %}{{ shop.secret }}",
  "{%- comment -%}",
  "{{ '}}' }}{{ shop.secret }}",
  "' | append: shop.secret }}",
  "'] %}{{ shop.secret }}",
  '" -%}{{ shop.secret }}',
  '\\" -%}{{ shop.secret }}',
  '"><script>alert(1)</script>',
  "</script><script>alert(1)</script>",
  "{% layout none %}",
  "&#123;&#123; shop.secret }}",
];

/** Returns the text that a browser shows. */
function decode(html: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return html.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ""] ?? whole) : String.fromCharCode(Number(code)),
  );
}

const red = { variantId: "2", title: "Red", price: "1.00", available: true };
const blue = { variantId: "3", title: "Blue", price: "1.00", available: true };
const product = {
  productId: "1",
  handle: "one",
  title: "One",
  imageUrl: "",
  defaultVariantId: red.variantId,
  deleted: false,
  variants: [red, blue],
};

/** Returns a list of one item, whose product is in the catalog cache. */
function listPage(cached: typeof product, more: Parameters<typeof renderPage>[1] = {}): string {
  const { productId, variants } = cached;
  const items = [{ productId, variantId: variants[0]?.variantId ?? "" }];
  return renderPage("wishlist", {
    ...{ proxy: "/apps/wishlist", level: 1, owner: "guest", customer: true, sharing: true, linked: true },
    ...{ count: 1, matchCount: 1, sort: "newest", available: false, ...pagination(FIRST_PAGE, 1) },
    ...{ showAll: "?", sharePath: "", sharedBy: "", removeAction: "/apps/wishlist/items/remove", token: "t" },
    ...columns(items, new Map([[productId, cached]])),
    ...more,
  });
}

/** Removes style and script from a page, because they contain tags. */
function markupOf(page: string): string {
  return page.replaceAll(/<(style|script)>\{% raw %\}[^]*?<\/\1>/g, "");
}

describe.each(ATTACKS)("%s", (attack) => {
  const attacked = { ...product, title: attack, imageUrl: `https://cdn.example.com/${attack}` };

  test.each([
    ["the theme", true],
    ["the catalog cache alone", false],
  ])("is shown as text when it is the title of a product and a variant that %s knows", async (_, isKnown) => {
    const variants = [
      { id: 2, title: attack },
      { id: 3, title: "x" },
    ];
    const products = [{ id: 1, handle: "one", title: attack, variants }];
    const cached = { ...attacked, variants: [{ ...red, title: attack }, blue] };
    const html = await renderLiquid(markupOf(listPage(cached)), { products: isKnown ? products : [] });
    expect(html).not.toContain("<script");
    // An attack with encoded entities is decoded once more.
    if (!attack.includes("&#")) expect(decode(html).split(attack).length - 1).toBeGreaterThanOrEqual(2);
  });

  test("never becomes Liquid when it is a handle, an id, a token, an owner or a path", async () => {
    const cached = {
      ...attacked,
      ...{ productId: attack, handle: attack },
      variants: [{ ...red, variantId: attack }, blue],
    };
    const data = { proxy: attack, owner: attack, token: attack, removeAction: attack, sharePath: attack, next: attack };
    const page = markupOf(listPage(cached, data));
    for (const [tag] of page.matchAll(/\{[{%][^]*?[%}]\}/g)) expect(tag).not.toMatch(/\{\{.*secret|secret.*\}\}/);
    const html = await renderLiquid(page, { products: [] });
    expect(html).not.toContain("<script");
    expect(html).toContain(`data-proxy="${escapeText(attack)}"`);
  });
});

describe("the form that asks for an alert about an item", () => {
  const cached = new Map([[product.productId, product]]);
  const items = [{ productId: "1", variantId: "2" }];
  const render = (alert: Parameters<typeof columns>[3], available: boolean): Promise<string> =>
    renderLiquid(markupOf(listPage(product, columns(items, cached, [], alert))), {
      products: [{ id: 1, handle: "one", title: "One", variants: [{ id: 2, priceCents: 8900, available }] }],
    });

  test("is on no card without alerts", async () => {
    expect(await render([undefined], true)).not.toContain("alerts/ask");
  });

  test.each([
    [true, "price_dropped"],
    [false, "back_in_stock"],
  ])("is about what the variant needs (available: %s)", async (available, kind) => {
    const html = await render([{ kinds: ["back_in_stock", "price_dropped"], on: [], targetPrice: null }], available);
    expect(html).toContain(`name="kind" value="${kind}"`);
    expect(html).not.toContain('name="email"');
  });

  test("is hidden where the shop offers only the other kind", async () => {
    const html = await render([{ kinds: ["back_in_stock"], on: [], targetPrice: null }], true);
    expect(html).toMatch(/data-wishlist-ask="back_in_stock"\s+hidden/);
  });

  test("has the target price, which the card shows", async () => {
    const html = await render([{ kinds: ["price_dropped"], on: [], targetPrice: "80.00" }], true);
    expect(html).toContain('value="80.00"');
    expect(html).toContain("Tell me at 80.00 EUR");
  });
});

test("escaped text survives Liquid unchanged, in HTML and in a string, and holds no markup", async () => {
  const engine = new Liquid();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(..."{}%<>&\"'a -|#\\\n".split(""))), async (characters) => {
      const escaped = escapeText(characters.join(""));
      expect(escaped).not.toMatch(/[{}<>"'\\]/);
      expect(await engine.parseAndRender(escaped)).toBe(escaped);
      expect(await engine.parseAndRender(`{%- assign x = "${escaped}" -%}{{ x }}`)).toBe(escaped);
    }),
  );
});

test.each(["shirt", "größe-1", "日本語", "a_b", "1"])(
  "a page finds the theme's product with the handle %s",
  async (handle) => {
    const variants = [{ id: 2, title: "Default Title" }];
    const products = [{ id: 1, handle, title: "From the theme", variants }];
    expect(await renderLiquid(listPage({ ...product, handle }), { products })).toContain("From the theme");
  },
);

test.each(["0", "01x", "1e3", "-1", "1.5", "x"])("a page shows no product of the theme for the id %s", async (id) => {
  const variants = [{ id: 2, title: "Default Title" }];
  const products = [{ id: 1, handle: "one", title: "From the theme", variants }];
  expect(await renderLiquid(listPage({ ...product, productId: id }), { products })).not.toContain("From the theme");
});

describe("a product that the theme does not have", () => {
  const show = (imageUrl: string) => renderLiquid(listPage({ ...product, imageUrl }), { products: [] });

  test("is shown with the picture of the catalog cache", async () => {
    expect(await show("https://cdn.example.com/one.jpg?v=1&w=2")).toContain(
      '<img src="https://cdn.example.com/one.jpg?v=1&amp;w=2"',
    );
  });

  test.each([
    "http://cdn.example.com/one.jpg",
    "//cdn.example.com/one.jpg",
    "one.jpg",
    "javascript:alert(1)",
    "data:image/gif;base64,R0lGODlh",
    "",
  ])("has no picture when its address is %j, which is not HTTPS", async (imageUrl) => {
    expect(await show(imageUrl)).not.toContain("<img");
  });
});

describe("the texts", () => {
  const english = LANGUAGES.en;
  const placeholders = (text: string): string[] => (text.match(/\[\w+\]/g) ?? []).sort();

  test.each(Object.entries(LANGUAGES))("in %s have the keys and placeholders of English", (_, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    const found = Object.entries(texts).map(([key, text]) => [key, placeholders(text)]);
    expect(found).toEqual(Object.entries(english).map(([key, text]) => [key, placeholders(text)]));
  });

  test.each(Object.entries(LANGUAGES))("in %s hold no character that ends a Liquid string or is HTML", (_, texts) => {
    for (const text of Object.values(texts)) expect(text).toMatch(/^[^"'<>{}&\\]+$/);
  });

  test.each([
    ["de", "Meine Wunschliste"],
    ["de-CH", "Meine Wunschliste"],
    ["fr", "Ma liste de souhaits"],
    ["ja", "ほしい物リスト"],
    ["en", "My wishlist"],
    ["sv", "My wishlist"],
  ])("of a page in the locale %s begin with %s", async (locale, title) => {
    const html = await renderLiquid(renderPage("log-in", { proxy: "", level: 1 }), { products: [], locale });
    expect(html).toContain(`data-wishlist-title>${title}</h1>`);
  });
});

test("a page holds the script unchanged, and the script holds nothing that ends it or is Liquid", async () => {
  const page = renderPage("guest", { proxy: "/apps/wishlist", level: 1 });
  const [, script = ""] = /<script>\{% raw %\}([^]*)\{% endraw %\}<\/script>$/.exec(page) ?? [];
  expect(script).toContain("addEventListener");
  expect(script).not.toContain("{%");
  expect(script).not.toContain("</script");
  expect(await renderLiquid(page, { products: [] })).toContain(script);
});

test("a page leaves the doctype and the document's own elements to the theme", () => {
  expect(renderPage("log-in", { proxy: "", level: 1 })).not.toMatch(/<!doctype|<(?:html|head|body)\b/i);
});
