import fc from "fast-check";
import { Liquid } from "liquidjs";
import { describe, expect, test } from "vitest";
import { card } from "../../app/storefront/pages/card.ts";
import { themedPage } from "../../app/storefront/pages/frame.ts";
import { liquidNumber, liquidString, text } from "../../app/storefront/pages/liquid.ts";
import { FIRST_PAGE } from "../../app/storefront/pages/view.ts";
import { chosenWords, LANGUAGES, word } from "../../app/storefront/pages/words.ts";
import { renderLiquid, type ThemeProduct } from "../support/theme.ts";

const removal = { action: "/apps/wishlist/items/remove", token: "t", view: FIRST_PAGE };

/** What somebody writes who would like it to be run. */
const TRICKS = [
  "{{ shop.secret }}",
  "{% raw %}",
  "{% endraw %}{{ shop.secret }}",
  "{%- comment -%}",
  "{{ '}}' }}{{ shop.secret }}",
  "' | append: shop.secret }}",
  "'] %}{{ shop.secret }}",
  '"><script>alert(1)</script>',
  "</script><script>alert(1)</script>",
  "{% layout none %}",
  "&#123;&#123; shop.secret }}",
];

/** Text as a browser shows it. */
function decode(html: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return html.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ""] ?? whole) : String.fromCharCode(Number(code)),
  );
}

describe.each(TRICKS)("%s", (trick) => {
  function product(known: boolean): ThemeProduct[] {
    const variants = [
      { id: 2, title: trick, price: 100, available: true },
      { id: 3, title: "x", price: 1, available: true },
    ];
    return known ? [{ id: 1, handle: "one", title: trick, colour: "#000", variants }] : [];
  }

  const mirrored = {
    productId: "1",
    handle: "one",
    title: trick,
    imageUrl: `https://cdn.example.com/${trick}`,
    defaultVariantId: "2",
    deleted: false,
    variants: [
      { variantId: "2", title: trick, price: "1.00", available: true },
      { variantId: "3", title: "x", price: "1.00", available: true },
    ],
  };

  async function render(liquid: string, known = false): Promise<string> {
    return renderLiquid(liquid, { products: product(known) });
  }

  test("as a title or a variant's title is text, whether the theme knows the product or the mirror alone does", async () => {
    for (const known of [true, false]) {
      const html = await render(chosenWords + card({ productId: "1", variantId: "2" }, mirrored, removal), known);
      expect(html).not.toContain("<script");
      // The tricks that have no entity of their own.
      if (!trick.includes("&#")) expect(decode(html).split(trick).length - 1).toBeGreaterThanOrEqual(2);
    }
  });

  test("as a handle, an id or a variant's id never gets where Liquid is read", async () => {
    const item = { productId: trick, variantId: trick };
    const odd = card(
      item,
      { ...mirrored, productId: trick, handle: trick },
      { ...removal, token: trick, action: trick },
    );
    const html = await render(chosenWords + odd);
    expect(html).not.toContain("<script");
    expect(liquidString(trick)).toBeUndefined();
    expect(liquidNumber(trick)).toBeUndefined();
    // No tag or output of the template holds any of it.
    for (const [tag] of odd.matchAll(/\{[{%][^]*?[%}]\}/g)) expect(tag).not.toContain("secret");
  });

  test("in what tells the script of the page is an attribute's text", async () => {
    const html = await render(themedPage("", { proxy: trick, owner: trick }).document);
    expect(html).toContain(`data-proxy="${text(trick)}"`);
  });
});

test("whatever text it is, Liquid gives it back as it was, and HTML has no markup in it", async () => {
  const engine = new Liquid();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(..."{}%<>&\"'a -|#".split(""))), async (characters) => {
      const escaped = text(characters.join(""));
      expect(escaped).not.toMatch(/[{}<>"']/);
      expect(await engine.parseAndRender(escaped)).toBe(escaped);
    }),
  );
});

test.each(["shirt", "größe-1", "日本語", "a_b", "1"])("the handle %s is one that Liquid can look up", (handle) => {
  expect(liquidString(handle)).toBe(`'${handle}'`);
});

test.each(["a b", "a'b", "", "a/b", "a.b", "a\\", "x".repeat(256)])("'%s' is no handle", (handle) => {
  expect(liquidString(handle)).toBeUndefined();
});

test.each(["0", "01", "1e3", "99999999999999999", "-1", "1.5", ""])("'%s' is no id of Shopify's", (id) => {
  expect(liquidNumber(id)).toBeUndefined();
});

describe("a product that the theme does not know", () => {
  const product = {
    ...{ productId: "1", handle: "one", title: "One", defaultVariantId: "2", deleted: true },
    variants: [{ variantId: "2", title: "x", price: "1.00", available: true }],
  };
  const show = (imageUrl: string | null) =>
    renderLiquid(chosenWords + card({ productId: "1", variantId: "2" }, { ...product, imageUrl }, removal), {
      products: [],
    });

  test("is shown with the picture that the mirror remembers", async () => {
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
    null,
  ])("has no picture at %j: those come from https alone", async (imageUrl) => {
    expect(await show(imageUrl)).not.toContain("<img");
  });
});

describe("the texts", () => {
  test("are there in every language, and hold nothing that ends a Liquid string or is HTML", () => {
    expect(Object.keys(LANGUAGES)).toEqual(["en", "de", "fr", "es", "ja"]);
    for (const [language, words] of Object.entries(LANGUAGES)) {
      expect(Object.keys(words)).toEqual(Object.keys(LANGUAGES["en"] ?? {}));
      for (const [name, one] of Object.entries(words)) {
        expect([language, name, one]).toEqual([language, name, expect.stringMatching(/^[^"'<>{}&]+$/)]);
        const placeholders = (of: string | undefined): string[] => (of?.match(/\[\w+\]/g) ?? []).sort();
        expect(placeholders(one)).toEqual(
          placeholders(Object.entries(LANGUAGES["en"] ?? {}).find(([n]) => n === name)?.[1]),
        );
      }
    }
  });

  test.each([
    ["de", "Meine Wunschliste"],
    ["de-CH", "Meine Wunschliste"],
    ["fr", "Ma liste de souhaits"],
    ["ja", "ほしい物リスト"],
    ["en", "My wishlist"],
    ["sv", "My wishlist"],
  ])("of the locale %s begin with %s", async (locale, title) => {
    expect(await renderLiquid(chosenWords + word("title"), { products: [], locale })).toBe(title);
  });
});

test("the script is in the page as it is, and does not end before its end", async () => {
  const { document } = themedPage("", { proxy: "/apps/wishlist" });
  const [, inRaw = ""] = /<script>\{% raw %\}([^]*)\{% endraw %\}<\/script>$/.exec(document) ?? [];
  expect(inRaw).not.toContain("{%");
  expect(inRaw).not.toContain("</script");
  expect(await renderLiquid(document, { products: [] })).toContain(inRaw);
});

test("a page leaves the doctype and the document's own elements to the theme", () => {
  const { document } = themedPage("<p>Saved</p>", { proxy: "/apps/wishlist" });
  expect(document).not.toMatch(/<!doctype|<(?:html|head|body)\b/i);
});
