import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "smol-toml";
import { bundleUiExtension, readUiExtensions } from "../../extensions/account-extension.ts";
import { addressOfList, listOfAddress } from "../../extensions/wishlist-account/src/list-address.ts";
import { cartPermalink, isBuyable } from "../../extensions/wishlist-account/src/cart.ts";
import type { Item, ItemProduct } from "@wishlist-headless/sdk";

const FOLDER = new URL("../../extensions/wishlist-account/", import.meta.url);

const product: ItemProduct = {
  title: "Lamp",
  handle: "lamp",
  imageUrl: null,
  url: "https://shop.example/products/lamp",
  variantTitle: null,
  price: "10.00",
  currency: "EUR",
  available: true,
  savedPrice: null,
  deleted: false,
};
const item: Item = { productId: "1", variantId: "10", addedAt: "2026-11-01T00:00:00.000Z", product };

/** Returns the texts of a tree by path, with the plural forms of one text together. */
function textsOf(tree: unknown, path = ""): [string, string][] {
  if (typeof tree === "string") return [[path.replace(/\.(?:one|other)$/, ""), tree]];
  if (typeof tree !== "object" || tree === null) throw new Error(`${path} is no text`);
  return Object.entries(tree).flatMap(([key, value]) => textsOf(value, path === "" ? key : `${path}.${key}`));
}

async function texts(file: string): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const json: unknown = JSON.parse(await readFile(new URL(`locales/${file}`, FOLDER), "utf8"));
  for (const [path, text] of textsOf(json)) {
    const names = found.get(path) ?? new Set();
    for (const [, name = ""] of text.matchAll(/\{\{(\w+)\}\}/g)) names.add(name);
    found.set(path, names);
  }
  return found;
}

describe("the texts of the customer account extension", async () => {
  const files = (await readdir(new URL("locales", FOLDER))).sort();

  test("exist in the languages of the theme extension", async () => {
    const theme = await readdir(new URL("../wishlist-theme/locales", FOLDER));
    expect(files).toEqual(theme.filter((file) => !file.endsWith(".schema.json")).sort());
  });

  test.each(files)("have the keys and placeholders of English in %s", async (file) => {
    expect(await texts(file)).toEqual(await texts("en.default.json"));
  });
});

describe("the configuration of the customer account extension", () => {
  test("has one target for each extension, and uses the API version of the app's webhooks", async () => {
    const read = async (path: string) => parse(await readFile(new URL(path, FOLDER), "utf8"));
    const { api_version } = await read("shopify.extension.toml");
    expect(await read("../../shopify.app.toml")).toMatchObject({ webhooks: { api_version } });
    expect((await readUiExtensions(FOLDER.pathname)).map(({ handle, target }) => [handle, target])).toEqual([
      ["wishlist-account", "customer-account.page.render"],
      ["wishlist-account-link", "customer-account.profile.block.render"],
    ]);
  });
});

describe("the build of the customer account extension", async () => {
  const extensions = await readUiExtensions(FOLDER.pathname);

  test.each(extensions)("puts the service's address into $handle", async (extension) => {
    const code = await bundleUiExtension(FOLDER.pathname, extension, "https://app.example.com");
    expect(code).toContain("https://app.example.com");
    expect(code).not.toContain("SHOPIFY_APP_URL");
  });

  test.each(extensions.flatMap((extension) => [undefined, ""].map((appUrl) => ({ ...extension, appUrl }))))(
    "of $handle fails when SHOPIFY_APP_URL is $appUrl",
    async ({ appUrl, ...extension }) => {
      await expect(bundleUiExtension(FOLDER.pathname, extension, appUrl)).rejects.toThrow("SHOPIFY_APP_URL is not set");
    },
  );
});

test.each(["default", "lst_7hQ2mX9cR4tV1bN8kZ3pWy"])("the address of the list %s names it", (listId) => {
  expect(listOfAddress(addressOfList(listId))).toBe(listId);
});

describe("the list that an address names", () => {
  test.each([
    ["https://store.example/account/pages/wishlist-account", "default"],
    [
      "https://store.example/account/pages/wishlist-account/lists/lst_7hQ2mX9cR4tV1bN8kZ3pWy",
      "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
    ],
    [
      "https://store.example/account/pages/wishlist-account/lists/lst_7hQ2mX9cR4tV1bN8kZ3pWy/?locale=de",
      "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
    ],
    ["extension:/lists/lst_1", "lst_1"],
    ["https://store.example/account/pages/wishlist-account/lists/", "default"],
    ["https://store.example/account/pages/wishlist-account/lists/lst_1/items", "default"],
    ["https://store.example/account/pages/wishlist-account?from=/lists/lst_1", "default"],
    [null, "default"],
  ])("of %s is %s", (url, listId) => {
    expect(listOfAddress(url)).toBe(listId);
  });
});

describe("a cart permalink", () => {
  test("names variants with their quantities and leads to the cart", () => {
    const items = [item, { ...item, variantId: "11", quantity: 3 }];
    expect(cartPermalink("a.myshopify.com", items)).toBe("https://a.myshopify.com/cart/10:1,11:3?storefront=true");
  });

  test.each<[string, Partial<Item>, boolean]>([
    ["an available variant", {}, true],
    ["a sold-out variant", { product: { ...product, available: false } }, false],
    ["a deleted product", { product: { ...product, deleted: true } }, false],
    ["a product that the catalog cache lacks", { product: null }, false],
    ["a variant without a Shopify id", { variantId: "v,1" }, false],
  ])("of %s", (_what, values, buyable) => {
    expect(isBuyable({ ...item, ...values })).toBe(buyable);
  });
});
