import { describe, expect } from "vitest";
import type { Store } from "../../packages/devstore/store/store.ts";
import type { ProxyCall } from "../support/app/storefront.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const VARIANTS = [1102, 1192].map((id) => ({ id, title: `Variant ${id}`, priceCents: 4500 }));
const test = testWith([product(0, "Beanie"), product(1, "Jacket", { variants: VARIANTS })]);

const ENGRAVED = { Engraving: `<b>"A & L"</b> {{ 1 }} 'ü'\n2`, "Size [EU]": "42", _upload: "x/1.png", Empty: " " };
const LINE = { productId: "101", variantId: "1101", quantity: 2, properties: ENGRAVED };

/** The store with its shoppers, as far as these tests need it outside of a test. */
interface Pages {
  store: Pick<Store, "carts">;
  as: (customer: string) => ProxyCall;
  customerWith: () => Promise<string>;
  cartToken: () => Promise<string>;
}

/** Logs in a customer who has saved lines of the cart. */
async function customerWithLines(pages: Pages, ...lines: object[]): Promise<string> {
  const customer = await pages.customerWith();
  for (const json of lines) (await pages.as(customer)("POST", "/api/saveLine", { json })).data();
  return customer;
}

async function linesOf(pages: Pages): Promise<unknown[]> {
  const { lines } = pages.store.carts.open(await pages.cartToken());
  return lines.map(({ variantId, quantity, properties }) => ({ variantId, quantity, properties }));
}

const IN_CART = { variantId: "1101", quantity: 2, properties: ENGRAVED };

describe("an item with the properties of a line", () => {
  test("shows those that a theme shows, as text", async ({ pages }) => {
    await customerWithLines(pages, LINE);
    await pages.open();
    const shown = await pages.page.locator(".wl-property").allTextContents();
    expect(shown).toEqual([`Engraving: ${ENGRAVED.Engraving}`, "Size [EU]: 42"]);
  });

  test("goes into the cart with all of them, by the Ajax cart", async ({ pages }) => {
    await customerWithLines(pages, LINE, { ...LINE, productId: "102", variantId: "1102", properties: {}, quantity: 1 });
    await pages.open();
    await pages.page.getByRole("button", { name: "Add to cart – Beanie" }).click();
    await pages.page.getByRole("link", { name: "View cart" }).waitFor();
    expect(await linesOf(pages)).toEqual([IN_CART]);
    await pages.page.getByRole("button", { name: "Add all to cart" }).click();
    await expect
      .poll(() => linesOf(pages))
      .toEqual([
        { variantId: "1102", quantity: 1, properties: {} },
        { ...IN_CART, quantity: 4 },
      ]);
  });

  test("goes into the cart with all of them, by the standard action", async ({ pages }) => {
    pages.head = `<script>window.Shopify = { actions: { async updateCart({ lines }) {
      window.lines = lines;
      return { cart: { id: "gid://shopify/Cart/c" }, userErrors: [] };
    } } };</script>`;
    await customerWithLines(pages, LINE);
    await pages.open();
    await pages.page.getByRole("button", { name: "Add to cart – Beanie" }).click();
    await pages.page.getByRole("link", { name: "View cart" }).waitFor();
    const attributes = Object.entries(ENGRAVED).map(([key, value]) => ({ key, value }));
    expect(await pages.page.evaluate("lines")).toEqual([
      {
        merchandiseId: "gid://shopify/ProductVariant/1101",
        quantity: 2,
        attributes: expect.arrayContaining(attributes) as unknown,
      },
    ]);
  });

  test("keeps them when its variant changes", async ({ pages }) => {
    const properties = { Engraving: "A. L." };
    const customer = await customerWithLines(pages, { ...LINE, productId: "102", variantId: "1102", properties });
    await pages.open();
    await pages.page.getByLabel("Variant of Jacket").or(pages.page.locator("select").first()).selectOption("1192");
    await expect.poll(() => pages.savedVariants(customer)).toEqual(["1192"]);
    await pages.quiet();
    const { items } = (await pages.as(customer)("POST", "/api/list", { json: {} })).data<{ items: object[] }>();
    expect(items).toEqual([expect.objectContaining({ variantId: "1192", quantity: 2, properties })]);
  });
});

describe("without JavaScript", () => {
  test.override("javaScript", false);
  test("an item goes into the cart with quantity and properties", async ({ pages }) => {
    const properties = { Engraving: `"A & L" <i>`, _upload: "x/1.png" };
    await customerWithLines(pages, { ...LINE, properties });
    await pages.open();
    await pages.page.getByRole("button", { name: /Add to cart/ }).click();
    await pages.page.getByRole("heading", { name: "Your cart" }).waitFor();
    expect(await linesOf(pages)).toEqual([{ ...IN_CART, properties }]);
  });
});
