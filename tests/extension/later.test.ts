import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser } from "../support/browser/browser.ts";
import { expect as expectPage } from "../support/browser/expect.ts";
import { Shopper } from "../support/browser/shopper.ts";
import type { Settings } from "../support/browser/theme-blocks.ts";
import { CART_THEMES, cartRenderer, type CartTheme } from "./carts.ts";
import { MATRIX } from "../support/matrix.ts";

let browser: Browser;
let shopper: Shopper;
let store: Shopper["store"];
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(() => shopper.leave());

const ENGRAVED = { Engraving: "A. L.", _upload: "x/1.png" };
/** The newest line comes first. */
const LINES = [
  { id: 90021, quantity: 1 },
  { id: 90011, quantity: 2, properties: ENGRAVED },
];

const cartShape = z.object({
  items: z.array(
    z.object({
      key: z.string(),
      id: z.number(),
      quantity: z.number(),
      properties: z.record(z.string(), z.string()),
    }),
  ),
});

async function cart() {
  const response = await page.request.get(`${store.url}/cart.js`);
  return cartShape.parse(await response.json()).items;
}

async function contents(): Promise<unknown[]> {
  return (await cart()).map(({ key: _, ...line }) => line);
}

function theme(name = "Dawn"): CartTheme {
  const found = CART_THEMES.find((one) => one.name === name);
  if (!found) throw new Error(`There is no theme ${name}.`);
  return found;
}

interface Opened {
  of?: CartTheme;
  lines?: object[];
  settings?: Settings;
}

/** Opens a page with the cart, in which lines are already. */
async function open({ of = theme(), lines = LINES, settings = {} }: Opened = {}): Promise<void> {
  shopper = await Shopper.arrive(browser, { width: 1280, height: 900 }, { render: cartRenderer(of, settings) });
  ({ store } = shopper);
  page = await shopper.context.newPage();
  for (const line of lines) await page.request.post(`${store.url}/cart/add.js`, { data: line });
  await withSections();
  await page.goto(store.url + (of.place === "cart" ? "/cart" : "/collections/all"));
  await shopper.quiet(page);
  if (of.place === "modal") await page.click("#open-cart");
}

/** Adds the section that Dawn asks for to the responses of the cart. */
async function withSections(): Promise<void> {
  await page.route(/\/cart\/(?:change|add)\.js$/, async (route) => {
    const { sections } = z.object({ sections: z.array(z.string()).optional() }).parse(route.request().postDataJSON());
    const response = await route.fetch();
    const body = z.record(z.string(), z.unknown()).parse(await response.json());
    const html = response.ok() && sections ? await page.evaluate(sectionHtml) : "";
    await route.fulfill({
      response,
      json: { ...body, ...(html && { sections: { "template--1__cart-items": html } }) },
    });
  });
}

/** Runs in the page. */
async function sectionHtml(): Promise<string> {
  const { items } = (await (await fetch("/cart.js")).json()) as { items: unknown[] };
  const { cartHtml } = window as unknown as { cartHtml: (items: unknown[]) => string };
  return `<div class="shopify-section"><div class="js-contents cart-content">${cartHtml(items)}</div></div>`;
}

const buttons = () => page.locator(".whl-later");
const message = () => page.locator(".whl-message");
const buttonOf = (title: string) => page.getByRole("button", { name: `Save ${title} for later` });
const saves = () => store.requests.filter(({ path }) => path === "saveLine").map(({ body }) => body);
const SAVED = { productId: "9001", variantId: "90011", quantity: 2, properties: ENGRAVED };

for (const of of CART_THEMES) {
  describe(`in a cart like that of ${of.name}`, of.name === "Dawn" ? {} : MATRIX, () => {
    test("a line is saved with quantity and properties, leaves the cart, and comes back by Undo", async () => {
      await open({ of });
      await expectPage(buttons()).toHaveText(["Save for later", "Save for later"]);
      await page.evaluate("window.isSamePage = true");
      await buttonOf("Trail shoe 1").click();
      await expectPage(message()).toContainText("Saved for later.");
      expect(saves()).toEqual([expect.objectContaining(SAVED)]);
      await expectPage(buttons()).toHaveCount(1);
      expect(await contents()).toEqual([{ id: 90021, quantity: 1, properties: {} }]);
      const [owner = ""] = store.service.lists.keys();
      expect(store.service.saved(owner)).toEqual(["90011"]);

      await message().getByRole("button", { name: "Undo" }).click();
      await expectPage(buttons()).toHaveCount(2);
      await expect.poll(contents).toContainEqual({ id: 90011, quantity: 2, properties: ENGRAVED });
      await expect.poll(() => store.service.saved(owner)).toEqual([]);
      // A theme that shows the changed cart need not load the page anew.
      if (of.follows) expect(await page.evaluate("window.isSamePage")).toBe(true);
    });
  });
}

describe("the button", () => {
  test("is as high as a finger needs, and works with the keyboard", async () => {
    await open();
    const box = await buttonOf("Trail shoe 1").boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await buttonOf("Trail shoe 1").press("Enter");
    await expectPage(buttons()).toHaveCount(1);
  });

  test("saves the line it is in, where another has the same variant", async () => {
    const other = { id: 90011, quantity: 1, properties: { Engraving: "B. C." } };
    await open({ lines: [LINES[1] ?? {}, other] });
    await page.locator(".cart-item", { hasText: "A. L." }).locator(".whl-later").click();
    await expectPage(buttons()).toHaveCount(1);
    expect(saves()).toEqual([expect.objectContaining(SAVED)]);
    expect(await contents()).toEqual([other]);
  });

  test("comes back when the theme shows the cart anew, once in each line", async () => {
    await open({ of: theme("Impulse") });
    await expectPage(buttons()).toHaveCount(2);
    await page.evaluate("drawCart()");
    await expectPage(buttons()).toHaveCount(2);
    await page.evaluate("document.body.append(document.createElement('p'))");
    await shopper.quiet(page);
    await expectPage(buttons()).toHaveCount(2);
  });

  test.each<[string, object]>([
    ["a bundle", { has_components: true }],
    ["a product with components", { item_components: [{ key: "1" }] }],
    ["a part of another line", { parent_relationship: { parent_key: "1:2" } }],
    ["a gift card", { gift_card: true }],
    ["a subscription", { selling_plan_allocation: { selling_plan: { id: 1 } } }],
    ["a line that the store keeps", { instructions: { can_remove: false, can_update_quantity: true } }],
  ])("is not offered for %s", async (_, more) => {
    shopper = await Shopper.arrive(browser, { width: 1280, height: 900 }, { render: cartRenderer(theme()) });
    ({ store } = shopper);
    page = await shopper.context.newPage();
    for (const line of LINES) await page.request.post(`${store.url}/cart/add.js`, { data: line });
    await page.route("**/cart.js", async (route) => {
      const response = await route.fetch();
      const { items, ...rest } = z
        .looseObject({ items: z.array(z.looseObject({ id: z.number() })) })
        .parse(await response.json());
      const marked = items.map((item) => (item.id === 90011 ? { ...item, ...more } : item));
      await route.fulfill({ response, json: { ...rest, items: marked } });
    });
    await page.goto(`${store.url}/cart`);
    await expectPage(buttons()).toHaveCount(1);
    await expectPage(buttonOf("Trail shoe 2")).toBeVisible();
  });

  test("is not offered where the merchant turned it off", async () => {
    await open({ settings: { later: false } });
    await expectPage(page.locator(".cart-item")).toHaveCount(2);
    expect(store.cartReads).toBe(1);
    await expectPage(buttons()).toHaveCount(0);
  });

  test("saves once for a double press", async () => {
    await open();
    const release = store.hold();
    await buttonOf("Trail shoe 1").dblclick();
    await expect.poll(() => saves().length).toBe(1);
    release();
    await expectPage(buttons()).toHaveCount(1);
    await shopper.quiet(page);
    expect(saves()).toHaveLength(1);
    await expectPage(message()).toContainText("Saved for later.");
  });
});

describe("the cart stays as it is", MATRIX, () => {
  test.each<[string, { status: number; code: string }, string]>([
    ["the service fails", { status: 500, code: "internal_error" }, "Something went wrong. Please try again."],
    ["the list is full", { status: 409, code: "wishlist_full" }, "Your wishlist is full."],
    ["the variant is deleted", { status: 404, code: "product_not_found" }, "This product can no longer be saved."],
    ["its properties are too many", { status: 400, code: "invalid_request" }, "can't be saved. It stays in your cart."],
  ])("where %s", async (_, refusal, text) => {
    await open();
    store.refusals.set("saveLine", refusal);
    await buttonOf("Trail shoe 1").click();
    await expectPage(message()).toContainText(text);
    expect(await contents()).toHaveLength(2);
    await expectPage(buttons()).toHaveCount(2);
  });

  test("where the list has the variant with other properties", async () => {
    await open();
    store.service.savedLine = { outcome: "differs", before: { quantity: 1, properties: { Engraving: "B. C." } } };
    await buttonOf("Trail shoe 1").click();
    await expectPage(message()).toContainText("with other details already");
    expect(await contents()).toHaveLength(2);
  });

  test.each<[string, { outcome: string; before: object } | undefined, object]>([
    ["and the item is removed again", undefined, { path: "remove", variant: "90011" }],
    [
      "and the item is what it was before",
      { outcome: "updated", before: { quantity: 3, properties: null } },
      { path: "updateListItem", variant: "90011", quantity: 3, properties: null },
    ],
  ])("where the store refuses to remove the line, %s", async (_, savedLine, expected) => {
    await open();
    store.service.savedLine = savedLine;
    await page.route("**/cart/change.js", (route) =>
      route.fulfill({ status: 422, json: { status: 422, description: "This line can't be removed." } }),
    );
    await buttonOf("Trail shoe 1").click();
    await expectPage(message()).toHaveText("This line can't be removed.");
    const { path, body } = store.requests.at(-1) ?? { path: "", body: {} };
    expect({ path, variant: body["variantId"] ?? body["variant_id"], ...body }).toMatchObject(expected);
    expect(await contents()).toHaveLength(2);
  });

  test("where the line has gone in another tab", async () => {
    await open();
    await expectPage(buttons()).toHaveCount(2);
    const gone = (await cart()).find(({ id }) => id === 90011);
    await page.request.post(`${store.url}/cart/change.js`, { data: { id: gone?.key, quantity: 0 } });
    await buttonOf("Trail shoe 1").click();
    await expectPage(message()).toContainText("Your cart has changed.");
    expect(saves()).toEqual([]);
  });
});

test("nothing is lost where the response of the removal is", async () => {
  await open();
  await page.route("**/cart/change.js", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await buttonOf("Trail shoe 1").click();
  await expectPage(message()).toContainText("Something went wrong");
  const [owner = ""] = store.service.lists.keys();
  expect(store.service.saved(owner)).toEqual(["90011"]);
});

test("a quantity that changed in another tab is the one that is saved", async () => {
  await open();
  await expectPage(buttons()).toHaveCount(2);
  const line = (await cart()).find(({ id }) => id === 90011);
  await page.request.post(`${store.url}/cart/change.js`, { data: { id: line?.key, quantity: 7 } });
  await buttonOf("Trail shoe 1").click();
  await expectPage(buttons()).toHaveCount(1);
  expect(saves()).toEqual([expect.objectContaining({ ...SAVED, quantity: 7 })]);
});

describe("the script", () => {
  const loads = (): string[] => {
    const found: string[] = [];
    shopper.context.on("request", (request) => found.push(new URL(request.url()).pathname.replace(/.*\//, "")));
    return found;
  };

  test("is loaded with the first product in the cart, and what a press needs with the press", async () => {
    await open({ of: theme("Impulse"), lines: [] });
    const requested = loads();
    await page.goto(`${store.url}/collections/all?empty`);
    await shopper.quiet(page);
    expect(requested.filter((name) => /later|save-line/.test(name))).toEqual([]);
    await page.evaluate(async () => {
      const added = await fetch("/cart/add.js", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ items: [{ id: 90011 }] }),
      });
      // As themes do: the browser counts a resource once its response is read.
      await added.json();
      await (window as unknown as { drawCart: () => Promise<void> }).drawCart();
    });
    await expectPage(buttons()).toHaveCount(1);
    expect(requested.filter((name) => /later|save-line/.test(name))).toEqual(["wishlist-later.js"]);
    await buttons().click();
    await expectPage(message()).toContainText("Saved for later.");
    expect(requested.filter((name) => /later|save-line/.test(name))).toEqual([
      "wishlist-later.js",
      "wishlist-save-line.js",
    ]);
  });
});

test("the message is above a modal drawer, and stays after the drawer is closed", async () => {
  await open({ of: theme("Horizon") });
  await buttonOf("Trail shoe 1").click();
  await message().getByRole("button", { name: "Undo" }).click({ trial: true });
  await page.evaluate("document.querySelector('dialog').close()");
  await message().getByRole("button", { name: "Undo" }).click({ trial: true });
});
