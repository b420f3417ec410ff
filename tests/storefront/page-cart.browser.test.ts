import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { until } from "../support/until.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const PLAIN = ["Beanie", "Socks", "Mug", "Jacket"].map((title, index) => product(index, title));
const SOLD_OUT = product(4, "Lamp", {
  variants: [{ id: 1105, title: "Default Title", priceCents: 100, available: false }],
});
/** More variants than one request to the cart, or one page of the list, holds. */
const TENT = product(5, "Tent", {
  variants: Array.from({ length: 60 }, (_, i) => ({ id: 5000 + i, title: `Size ${i}`, priceCents: 100 })),
});
const test = testWith([...PLAIN, SOLD_OUT, TENT]);

const addButton = (page: Page, title: string) => page.getByRole("button", { name: `Add to cart – ${title}` });
const moveButton = (page: Page, title: string) => page.getByRole("button", { name: `Move to cart – ${title}` });
const menuOf = (page: Page, title: string) => page.getByLabel(`More for ${title}`);
const addAllButton = (page: Page) => page.getByRole("button", { name: "Add all to cart" });
const status = (page: Page) => page.locator("[data-wishlist-status]");

/** Shopify's standard action, which records its calls in `window`. */
const ACTIONS = `<script>
  window.calls = [];
  window.Shopify = { actions: { async updateCart({ lines }) {
    window.calls.push(lines);
    await window.hold;
    if (window.refuse) return { cart: { id: "gid://shopify/Cart/c?key=1", totalQuantity: 0 }, userErrors: window.refuse(lines) };
    return { cart: { id: "gid://shopify/Cart/c?key=1", totalQuantity: lines.length }, userErrors: [], warnings: [] };
  } } };
</script>`;

/** The Ajax cart's reason to refuse a sold-out product. */
const REFUSAL = "The product 'Beanie' is already sold out.";

const gid = (id: number) => `gid://shopify/ProductVariant/${id}`;

describe("adding to the cart", () => {
  test("calls the standard action alone where the page has it", async ({ pages }) => {
    const { page } = pages;
    pages.head = ACTIONS;
    await pages.customerWith(101);
    await pages.open();
    const reported = page.waitForRequest(/\/api\/recordCart$/);
    await addButton(page, "Beanie").click();
    await page.getByRole("link", { name: "View cart" }).waitFor();
    expect(await page.evaluate("calls")).toEqual([[{ merchandiseId: gid(1101), quantity: 1 }]]);
    expect(await pages.cart()).toEqual([]);
    expect((await reported).postDataJSON()).toEqual({
      event_id: "c",
      items: [{ product_id: "101", variant_id: "1101" }],
    });
  });

  test("shows the reason when the standard action refuses", async ({ pages }) => {
    const { page } = pages;
    pages.head = `${ACTIONS}<script>refuse = () => [{ message: "Only 2 are left" }]</script>`;
    await pages.customerWith(101);
    await pages.open();
    await addButton(page, "Beanie").click();
    await status(page).filter({ hasText: "Only 2 are left" }).waitFor();
  });

  test("sends Shopify's standard event where the page has no action", async ({ pages }) => {
    const { page } = pages;
    pages.head = `<script>addEventListener("shopify:cart:lines-update", ({ action, context, lines, promise, target }) => {
      window.told = { action, context, lines, from: target.tagName, count: "pending" };
      promise.then(({ cart, userErrors }) => Object.assign(window.told, { id: cart.id, count: cart.totalQuantity, userErrors }));
    })</script>`;
    await pages.customerWith(101);
    await pages.open();
    await addButton(page, "Beanie").click();
    await expect.poll(() => page.evaluate("window.told?.count")).toBe(1);
    expect(await page.evaluate("told")).toEqual({
      ...{ action: "add", context: "product", from: "BUTTON", userErrors: [] },
      lines: [{ merchandiseId: gid(1101), quantity: 1 }],
      id: `gid://shopify/Cart/${await pages.cartToken()}`,
      count: 1,
    });
    expect(await pages.cart()).toEqual([1101]);
  });

  test("passes the Ajax cart's reason to listeners of the event", async ({ pages }) => {
    const { page, store } = pages;
    pages.head = `<script>addEventListener("shopify:cart:lines-update", ({ promise }) => { promise.then((result) => { window.told = result; }); })</script>`;
    await pages.customerWith(101);
    await pages.open();
    store.catalog.edit("101", { available: false });
    await addButton(page, "Beanie").click();
    await status(page).filter({ hasText: REFUSAL }).waitFor();
    await expect.poll(() => page.evaluate("window.told?.userErrors")).toEqual([{ message: REFUSAL }]);
    pages.forgiveRequests();
  });

  test("passes the requested sections to the cart of a Dawn theme", async ({ pages }) => {
    const { page } = pages;
    pages.head = `<script>customElements.define("cart-drawer", class extends HTMLElement {
      getSectionsToRender() { return [{ id: "cart-icon-bubble" }]; }
      setActiveElement(element) { window.active = element.textContent; }
      renderContents({ key, sections }) { window.shown = { key, sections }; }
    }); addEventListener("DOMContentLoaded", () => document.body.append(document.createElement("cart-drawer")));</script>`;
    await pages.customerWith(101);
    await pages.open();
    await addButton(page, "Beanie").click();
    await expect
      .poll(() => page.evaluate("window.shown"))
      .toMatchObject({
        key: expect.stringMatching(/^1101:/) as string,
        sections: {
          "cart-icon-bubble": expect.stringMatching(/class="shopify-section">.*data-cart-count\s*>1</s) as string,
        },
      });
  });

  test("updates Dawn's cart count where the theme has no drawer", async ({ pages }) => {
    const { page } = pages;
    pages.head = `<script>addEventListener("DOMContentLoaded", () => { document.querySelector("header").innerHTML += '<a id="cart-icon-bubble">0</a>'; });</script>`;
    await pages.customerWith(101);
    await pages.open();
    await addButton(page, "Beanie").click();
    await expect.poll(() => page.locator("#cart-icon-bubble [data-cart-count]").innerText()).toBe("1");
  });

  test("adds once for a double click, and for Enter followed by a click", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(102, 101);
    await pages.open();
    await addButton(page, "Beanie").dblclick();
    const added = page.getByRole("button", { name: "Added to cart" });
    await added.click({ force: true });
    await pages.quiet();
    expect(await pages.cart()).toEqual([1101]);
    const socks = addButton(page, "Socks");
    await socks.focus();
    await page.keyboard.press("Enter");
    await page.locator("[data-wishlist-item]").nth(1).locator("button[type=submit]").first().click({ force: true });
    await expect.poll(() => pages.cart()).toEqual([1101, 1102]);
    await pages.quiet();
    expect(await pages.cart()).toEqual([1101, 1102]);
  });

  test("shows its progress on the button, and can be repeated later", async ({ pages }) => {
    const { page } = pages;
    await page.clock.install();
    await pages.customerWith(101);
    await pages.open();
    let go: (() => void) | undefined;
    await page.route("**/cart/add.js", async (route) => {
      await new Promise<void>((resolve) => (go = resolve));
      await route.continue();
    });
    await addButton(page, "Beanie").click();
    await page.getByRole("button", { name: "Adding …" }).waitFor();
    await page.getByRole("button", { name: "Adding …" }).click({ force: true });
    await until("the request", () => go !== undefined);
    go?.();
    await page.getByRole("button", { name: "Added to cart" }).waitFor();
    await page.unroute("**/cart/add.js");
    await page.clock.fastForward(5000);
    await addButton(page, "Beanie").click();
    await expect.poll(() => pages.cart()).toEqual([1101, 1101]);
  });
});

describe("moving to the cart", () => {
  test("adds to the cart and removes from the list, and its undo saves the item again", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await pages.open();
    await menuOf(page, "Beanie").click();
    await moveButton(page, "Beanie").click();
    const undo = page.getByRole("button", { name: "Moved to cart: Beanie. Undo" });
    await undo.waitFor();
    expect(await pages.cart()).toEqual([1101]);
    expect(await pages.savedVariants(customer)).toEqual(["1102"]);
    expect(await page.getByRole("link", { name: "View cart" }).isVisible()).toBe(true);
    expect(await undo.evaluate((one) => one === document.activeElement)).toBe(true);
    await undo.click();
    await addButton(page, "Beanie").waitFor();
    expect(await pages.savedVariants(customer)).toEqual(["1101", "1102"]);
  });

  test("keeps the item on the list when the cart refuses it", async ({ pages }) => {
    const { page, store } = pages;
    const customer = await pages.customerWith(101);
    await pages.open();
    store.catalog.edit("101", { available: false });
    await menuOf(page, "Beanie").click();
    await moveButton(page, "Beanie").click();
    await status(page).filter({ hasText: REFUSAL }).waitFor();
    expect(await pages.names()).toEqual(["Beanie"]);
    expect(await pages.savedVariants(customer)).toEqual(["1101"]);
    pages.forgiveRequests();
  });
});

describe("adding all", () => {
  test("adds the available items of all pages, 50 in a request", async ({ pages }) => {
    const { page } = pages;
    const variants = TENT.variants.map(({ id }) => id);
    await pages.customerWith(105, ...variants.map((id) => `106/${id}`));
    await pages.open();
    const sizes: number[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/cart/add.js"))
        sizes.push((request.postDataJSON() as { items: unknown[] }).items.length);
    });
    await addAllButton(page).click();
    await status(page).filter({ hasText: "60 items added to cart" }).waitFor();
    expect(sizes).toEqual([50, 10]);
    expect((await pages.cart()).toSorted((a, b) => a - b)).toEqual(variants);
  });

  test("adds the other items and names those that the Ajax cart refuses", async ({ pages }) => {
    const { page, store } = pages;
    await pages.customerWith(104, 103, 102, 101);
    await pages.open();
    for (const id of ["102", "104"]) store.catalog.edit(id, { available: false });
    await addAllButton(page).dblclick();
    await status(page).filter({ hasText: "2 items added to cart. Couldn’t be added: Socks, Jacket" }).waitFor();
    expect((await pages.cart()).toSorted((a, b) => a - b)).toEqual([1101, 1103]);
    pages.forgiveRequests();
  });

  test("adds the other items when the standard action refuses some", async ({ pages }) => {
    const { page } = pages;
    pages.head = `${ACTIONS}<script>refuse = (lines) => lines.length === 3 ? [{ field: ["lines", "1", "merchandiseId"], message: "Gone" }] : []</script>`;
    await pages.customerWith(103, 102, 101);
    await pages.open();
    await addAllButton(page).click();
    await status(page).filter({ hasText: "2 items added to cart. Couldn’t be added: Socks" }).waitFor();
    const calls = await page.evaluate<{ merchandiseId: string }[][]>("calls");
    expect(calls.map((lines) => lines.map(({ merchandiseId }) => merchandiseId))).toEqual([
      [gid(1101), gid(1102), gid(1103)],
      [gid(1101), gid(1103)],
    ]);
  });

  test("shows a message when no item is available", async ({ pages }) => {
    const { page, stage } = pages;
    const customer = await pages.customerWith(105);
    await pages.as(customer)("POST", "/api/add", { json: { productId: "104" } });
    await pages.open();
    await stage.service.database.rows("UPDATE variant SET available = false WHERE product_id = '104'");
    await addAllButton(page).click();
    await status(page).filter({ hasText: "None of your saved items is available" }).waitFor();
    expect(await pages.cart()).toEqual([]);
  });
});
