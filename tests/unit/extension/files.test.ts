import { readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { LANGUAGES } from "../../../app/storefront/pages/texts.ts";
import { blockRenderer, EXTENSION, readBlock } from "../../support/browser/theme-blocks.ts";

interface Tree {
  [key: string]: string | Tree;
}
const treeShape: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), z.union([z.string(), treeShape])));

/** Returns the texts of a locale by their full key. */
function textsOf(file: string): Map<string, string> {
  const flat = (tree: Tree, prefix: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
    );
  return new Map(flat(treeShape.parse(JSON.parse(readFileSync(`${EXTENSION}locales/${file}`, "utf8"))), ""));
}

const variables = (text: string): string[] => (text.match(/\{\{ \w+ \}\}/gu) ?? []).sort();

test.each([".json", ".schema.json"])("all languages have the same keys and placeholders in *%s", (ending) => {
  const english = textsOf(`en.default${ending}`);
  for (const language of ["de", "fr", "es", "ja"]) {
    const texts = textsOf(`${language}${ending}`);
    expect([...texts.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of texts) expect([key, variables(text)]).toEqual([key, variables(english.get(key) ?? "")]);
  }
});

test.each(Object.entries(LANGUAGES))(
  "hearts and pages use the same wording for the same messages in %s",
  (language, page) => {
    const { failed, full, not_loaded, again, slow_down } = page;
    const texts = textsOf(language === "en" ? "en.default.json" : `${language}.json`);
    expect(["failed", "full", "not_loaded", "again"].map((key) => texts.get(`wishlist.${key}`))).toEqual([
      failed,
      full,
      not_loaded,
      again,
    ]);
    expect(texts.get("wishlist.limited")?.replace("{{ seconds }}", "[n]")).toBe(slow_down);
  },
);

test.each(Object.entries(LANGUAGES))(
  "the forms for alerts on product pages and on the wishlist page have the same texts in %s",
  (language, page) => {
    const texts = textsOf(language === "en" ? "en.default.json" : `${language}.json`);
    const { ask_back, ask_drop, ask_email, ask_target, ask_consent, privacy_policy, ask_confirm } = page;
    expect(
      ["back_in_stock", "price_dropped", "email", "target_price", "consent", "privacy_policy", "confirm"].map((key) =>
        texts.get(`alert.${key}`)?.replaceAll(/\{\{ (\w+) \}\}/g, "[$1]"),
      ),
    ).toEqual([ask_back, ask_drop, ask_email, ask_target, ask_consent, privacy_policy, ask_confirm]);
  },
);

test("extension files stay within Shopify's limits", () => {
  for (const file of readdirSync(`${EXTENSION}locales`)) {
    expect(statSync(`${EXTENSION}locales/${file}`).size).toBeLessThan(15_000);
    for (const [key, text] of textsOf(file)) if (/^\w+\.name$/u.test(key)) expect(text.length).toBeLessThan(25);
  }
  const liquid = ["blocks", "snippets"].flatMap((folder) =>
    readdirSync(EXTENSION + folder).map((file) => statSync(`${EXTENSION}${folder}/${file}`).size),
  );
  expect(liquid.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
});

test("every block loads the same script and stylesheet", () => {
  const blocks = ["wishlist-button", "wishlist-embed", "wishlist-page", "wishlist-alert"].map(
    (name) => readBlock(name).schema,
  );
  expect(blocks.map(({ target }) => target)).toEqual(["section", "body", "section", "section"]);
  expect(new Set(blocks.map(({ javascript, stylesheet }) => `${javascript} ${stylesheet}`))).toEqual(
    new Set(["wishlist.js wishlist.css"]),
  );
});

test.each([
  ["/", "/apps/wishlist/alerts/ask"],
  ["/de-at", "/de-at/apps/wishlist/alerts/ask"],
])("the form for alerts keeps the page's language and market below %s", (root, path) => {
  const variant = { id: 11, available: false, price: 8900 };
  const product = { id: 1, variants: [variant], variants_count: 1, selected_or_first_available_variant: variant };
  const html = blockRenderer("de")("wishlist-alert", {}, { routes: { root_url: root }, product });
  // For the script, and without one.
  expect([...html.matchAll(/action="([^"]*)"/g)].map(([, address]) => address)).toEqual([path, path]);
});

test("the app's URLs keep the page's language and market", () => {
  for (const [block, addresses] of [
    ["wishlist-embed", 3],
    ["wishlist-page", 3],
    ["wishlist-button", 2],
  ] as const) {
    for (const [root, path] of [
      ["/", "/apps/wishlist"],
      ["/de-at", "/de-at/apps/wishlist"],
    ]) {
      const html = blockRenderer("de")(block, {}, { routes: { root_url: root }, product: { variants: [] } });
      const found = [...html.matchAll(/"([^"]*\/apps\/wishlist)"/g)].map(([, address]) => address);
      expect(found).toEqual(Array.from({ length: addresses }, () => path));
    }
  }
});

test("account pages get no hearts", () => {
  const partOf = (page_type: string): boolean =>
    blockRenderer("en")("wishlist-embed", {}, { request: { page_type } }).includes("wishlist-cards.js");
  expect(["page", "customers/order", "customers/account"].map(partOf)).toEqual([true, false, false]);
});
