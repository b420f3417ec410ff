import type { Locator, Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { launchBrowser } from "../support/browser/browser.ts";
import { expect as expectPage } from "../support/browser/expect.ts";
import { type Shopper, withShopper } from "../support/browser/shopper.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const BACK = "Tell me when it is back";
const DROP = "Tell me when the price drops";
const SOLD_OUT: PageOptions = { alert: {}, stock: "sold out" };
const AVAILABLE: PageOptions = { alert: {} };

let shopper: Shopper;
let store: Shopper["store"];

withShopper((arrival) => {
  shopper = arrival;
  store = shopper.store;
});

const open = (options: PageOptions, path = "/products/trail-shoe-1"): Promise<Page> => shopper.open(path, options);
const opener = (page: Page): Locator => page.locator(".whl-alert-button");
const email = (page: Page): Locator => page.getByLabel("Email", { exact: true });
const target = (page: Page): Locator => page.getByLabel("Target price in EUR (optional)");
const submit = (page: Page): Locator => page.getByRole("button", { name: "Tell me", exact: true });
const status = (page: Page): Locator => page.locator(".whl-alert [role=status]");
const sent = (): unknown[] => store.requests.filter(({ path }) => path === "askForAlert").map(({ body }) => body);

async function ask(page: Page, address = "ana@example.com"): Promise<void> {
  await opener(page).click();
  await email(page).fill(address);
  await submit(page).click();
}

describe("the form of a shopper without an account", () => {
  test("asks for stock of a sold-out variant, and then says to check the inbox", async () => {
    const page = await open(SOLD_OUT);
    await expectPage(opener(page)).toHaveText(BACK);
    await ask(page);
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
    expect(sent()).toEqual([
      { productId: "9001", variantId: "90011", kind: "back_in_stock", email: "ana@example.com", locale: "en" },
    ]);
    await expectPage(email(page)).toHaveCount(0);
    await expectPage(opener(page)).toBeFocused();
  });

  test("asks for a lower price of an available variant, from a target price on", async () => {
    const page = await open(AVAILABLE);
    await expectPage(opener(page)).toHaveText(DROP);
    await opener(page).click();
    await email(page).fill("ana@example.com");
    await target(page).fill("80.00");
    await submit(page).click();
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
    expect(sent()).toMatchObject([{ kind: "price_dropped", targetPrice: "80.00", variantId: "90011" }]);
  });

  test("takes no target price in another currency than the shop's", async () => {
    const page = await open({ ...AVAILABLE, currency: "USD" });
    await ask(page);
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
    expect(sent()).toEqual([
      { productId: "9001", variantId: "90011", kind: "price_dropped", email: "ana@example.com", locale: "en" },
    ]);
  });

  test("stores nothing of the address in the browser", async () => {
    const page = await open(SOLD_OUT);
    await ask(page);
    await expectPage(status(page)).not.toBeEmpty();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(stored).not.toContain("ana");
  });

  test("names the shop and links to its privacy policy before it is sent", async () => {
    const page = await open(SOLD_OUT);
    await opener(page).click();
    await expectPage(page.locator(".whl-alert-hint")).toContainText("Larkfell emails you once");
    await expectPage(page.getByRole("link", { name: "Privacy policy" })).toHaveAttribute(
      "href",
      "/policies/privacy-policy",
    );
  });
});

describe("the form follows the product form", () => {
  test("when the shopper chooses a sold-out variant, also while it is open", async () => {
    const page = await open({ alert: {}, stock: "second sold out" });
    await opener(page).click();
    await email(page).fill("ana@example.com");
    await target(page).fill("80");
    await page.selectOption("#variant", "90012");
    await expectPage(opener(page)).toHaveText(BACK);
    await expectPage(target(page)).toBeHidden();
    await submit(page).click();
    await expectPage(status(page)).not.toBeEmpty();
    expect(sent()).toEqual([
      { productId: "9001", variantId: "90012", kind: "back_in_stock", email: "ana@example.com", locale: "en" },
    ]);
  });

  test("and takes the price below which a target price is from the chosen variant", async () => {
    const page = await open(AVAILABLE);
    await page.selectOption("#variant", "90012");
    await opener(page).click();
    await email(page).fill("ana@example.com");
    await target(page).fill("98.99");
    await submit(page).click();
    await expectPage(status(page)).not.toBeEmpty();
    expect(sent()).toMatchObject([{ variantId: "90012", targetPrice: "98.99" }]);
  });

  test("and is away for a variant of which the merchant offers nothing", async () => {
    const page = await open({ alert: { kinds: "back_in_stock" }, stock: "second sold out" });
    await expectPage(opener(page)).toBeHidden();
    await page.selectOption("#variant", "90012");
    await expectPage(opener(page)).toBeVisible();
  });

  test("and its own fields are no choice of a variant", async () => {
    const page = await open(AVAILABLE);
    const read: string[] = [];
    page.on("request", (request) => void (request.url().endsWith(".js") && read.push(request.url())));
    await opener(page).click();
    await email(page).fill("ana@example.com");
    await target(page).fill("80");
    await submit(page).click();
    await expectPage(status(page)).not.toBeEmpty();
    expect(read).toEqual([]);
  });
});

test.each<[string, PageOptions]>([
  ["a gift card", { alert: {}, stock: "gift card" }],
  ["a gift card with the embed's option", { embed: { alert_kinds: "both" }, stock: "gift card" }],
])("there is no form for %s", async (_, options) => {
  const page = await open(options);
  await expectPage(page.locator("[data-wishlist-ask]")).toHaveCount(0);
});

describe("wrong entries", () => {
  for (const address of ["ana", "", "ana@example.com, ben@example.com"]) {
    test(`an address such as “${address}” is not sent`, address === "ana" ? {} : MATRIX, async () => {
      const page = await open(SOLD_OUT);
      await ask(page, address);
      await expectPage(email(page)).toHaveAttribute("aria-invalid", "true");
      await expectPage(email(page)).toHaveAccessibleDescription(/^Enter an email address/);
      await expectPage(email(page)).toBeFocused();
      expect(sent()).toEqual([]);
    });
  }

  for (const price of ["0", "-1", "89", "1000"]) {
    test(`a target price of ${price} is not sent`, price === "89" ? {} : MATRIX, async () => {
      const page = await open(AVAILABLE);
      await opener(page).click();
      await email(page).fill("ana@example.com");
      await target(page).fill(price);
      await submit(page).click();
      await expectPage(target(page)).toHaveAccessibleDescription(/^Enter a price above 0/);
      await expectPage(target(page)).toBeFocused();
      expect(sent()).toEqual([]);
    });
  }

  test.each([
    ["body.email", "Email", /^Enter an email address/],
    ["body.targetPrice", "Target price in EUR (optional)", /^Enter a price above 0/],
  ])("what the service says of %s is shown at the field, and can be mended", async (path, label, description) => {
    const page = await open(AVAILABLE);
    store.refusals.set("askForAlert", {
      status: 422,
      code: "validation_failed",
      details: [{ path, problem: "is wrong" }],
    });
    await ask(page);
    await expectPage(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(description);
    await expectPage(page.getByLabel(label, { exact: true })).toBeFocused();
    await submit(page).click();
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
  });
});

describe("failures", () => {
  test.each([
    [{ status: 429, code: "rate_limited", retryAfter: 30 }, "Too many requests. Try again in 30 seconds."],
    [{ status: 409, code: "alerts_unavailable" }, "This store doesn't offer this right now."],
    [{ status: 500, code: "internal_error" }, "Something went wrong. Please try again."],
  ])("a response of %o is said, and the entries stay", async (refusal, message) => {
    const page = await open(SOLD_OUT);
    store.refusals.set("askForAlert", refusal);
    await ask(page);
    await expectPage(status(page)).toHaveText(message);
    await expectPage(email(page)).toHaveValue("ana@example.com");
  });

  test("a request without a response is said", async () => {
    const page = await open(SOLD_OUT);
    await page.route("**/api/askForAlert", (route) => route.abort());
    await ask(page);
    await expectPage(status(page)).toHaveText("Something went wrong. Please try again.");
  });

  test("a press while the request is under way sends no second one", async () => {
    const page = await open(SOLD_OUT);
    const release = store.hold();
    await ask(page);
    await expect.poll(sent).toHaveLength(1);
    await submit(page).click();
    await email(page).press("Enter");
    await opener(page).click();
    release();
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
    expect(sent()).toHaveLength(1);
  });
});

describe("a customer", () => {
  beforeEach(() => shopper.logIn("1"));

  test("needs one press for a sold-out variant, and finds it saved", async () => {
    const page = await open(SOLD_OUT);
    await opener(page).click();
    await expectPage(status(page)).toHaveText("Saved to your wishlist. We will let you know by email.");
    expect(sent()).toEqual([{ productId: "9001", variantId: "90011", kind: "back_in_stock", locale: "en" }]);
    await expectPage(email(page)).toHaveCount(0);
    await expect.poll(() => store.paths().at(-1)).toBe("saved");
  });

  test("can set a target price after the press that turned the alert on", async () => {
    const page = await open(AVAILABLE);
    await opener(page).click();
    await expectPage(target(page)).toBeFocused();
    await expectPage(email(page)).toBeHidden();
    await target(page).fill("80");
    await submit(page).click();
    await expectPage(target(page)).toHaveCount(0);
    expect(sent()).toMatchObject([{ kind: "price_dropped" }, { kind: "price_dropped", targetPrice: "80" }]);
  });

  test("who has logged out meanwhile is asked for an address", async () => {
    const page = await open(SOLD_OUT);
    store.refusals.set("askForAlert", {
      status: 422,
      code: "validation_failed",
      details: [{ path: "body.email", problem: "is required" }],
    });
    await opener(page).click();
    await expectPage(email(page)).toBeFocused();
  });

  test("reads why an alert could not be turned on", async () => {
    const page = await open(SOLD_OUT);
    store.refusals.set("askForAlert", { status: 409, code: "alerts_unavailable" });
    await opener(page).click();
    await expectPage(status(page)).toHaveText("This store doesn't offer this right now.");
  });
});

describe("by the keyboard", () => {
  test("the form opens, is left by Escape, and gives the focus back", async () => {
    const page = await open(AVAILABLE);
    await opener(page).focus();
    await expectPage(opener(page)).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Enter");
    await expectPage(opener(page)).toHaveAttribute("aria-expanded", "true");
    await expectPage(email(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expectPage(opener(page)).toBeFocused();
    await expectPage(opener(page)).toHaveAttribute("aria-expanded", "false");
    await expectPage(email(page)).toHaveCount(0);
  });

  test("the form is filled and sent in the order of its fields", async () => {
    const page = await open(AVAILABLE);
    await opener(page).focus();
    await page.keyboard.press("Space");
    await page.keyboard.type("ana@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type("80");
    await page.keyboard.press("Enter");
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
    expect(sent()).toMatchObject([{ email: "ana@example.com", targetPrice: "80" }]);
  });
});

for (const dark of [false, true]) {
  test(`the open form has no violations of axe with dark colours ${dark}`, dark ? MATRIX : {}, async () => {
    const page = await open({ alert: {}, dark });
    await ask(page, "ana");
    expect(await violations(page.locator(".whl-alert"))).toEqual([]);
  });
}

describe("the embed's form", () => {
  const embed = { alert_kinds: "both" };

  test("is below the product form, and outside of it", async () => {
    const page = await open({ embed });
    await expectPage(opener(page)).toBeVisible();
    const isBelow = await opener(page).evaluate((one) =>
      one.closest(".whl-alert")?.previousElementSibling?.matches("form"),
    );
    expect(isBelow).toBe(true);
    await ask(page);
    await expectPage(status(page)).toHaveText(/^Check your inbox/);
  });

  test("is left out where the page has the block", async () => {
    const page = await open({ embed, alert: {} });
    await expectPage(opener(page)).toHaveCount(1);
  });

  test("comes back after the theme has rendered the product anew", async () => {
    const page = await open({ embed });
    await page.evaluate(() => {
      const product = document.querySelector(".product");
      document.querySelector(".whl-alert")?.remove();
      product?.append(" ");
    });
    await expectPage(opener(page)).toBeVisible();
  });
});

test("a form in a theme's product form neither adds to the cart nor changes it", async () => {
  const page = await open(SOLD_OUT);
  await page.evaluate(() => {
    const form = document.querySelector('form[action="/cart/add"]');
    const own = document.querySelector(".whl-alert");
    if (own) form?.append(own);
    for (const name of ["submit", "change", "input", "click"])
      form?.addEventListener(name, () => (document.title = `the theme's ${name}`));
  });
  await ask(page);
  await expectPage(status(page)).toHaveText(/^Check your inbox/);
  expect(await page.title()).toBe("Shop");
});

test("a quick view with a heart has a form that works", async () => {
  const page = await shopper.open("/collections/all", SOLD_OUT);
  await page.evaluate(async () => {
    const html = await (await fetch("/products/trail-shoe-2")).text();
    const view = document.createElement("dialog");
    view.innerHTML = new DOMParser().parseFromString(html, "text/html").querySelector(".product")?.outerHTML ?? "";
    document.body.append(view);
    view.showModal();
  });
  // The form is shown before its script is loaded.
  await shopper.quiet(page);
  await ask(page);
  await expectPage(status(page)).toHaveText(/^Check your inbox/);
  expect(sent()).toMatchObject([{ productId: "9002", variantId: "90021" }]);
});

test("the theme editor shows the form of a product for which there is nothing to offer", async () => {
  const page = await open({
    alert: { kinds: "back_in_stock" },
    designMode: true,
    script: "window.Shopify = { designMode: true };",
  });
  await expectPage(opener(page)).toBeVisible();
});

test("texts and colours of the settings replace the app's", async () => {
  const page = await open({
    ...SOLD_OUT,
    alert: { back_label: "Ring me", consent: "We write once.", color: "rgb(0, 128, 0)" },
  });
  await expectPage(opener(page)).toHaveText("Ring me");
  await expectPage(opener(page)).toHaveCSS("color", "rgb(0, 128, 0)");
  await opener(page).click();
  await expectPage(page.locator(".whl-alert-hint")).toContainText("We write once.");
});

test("a page without the block or the option loads neither script nor style of it", async () => {
  const loaded: string[] = [];
  shopper.context.on("request", (request) => void loaded.push(request.url()));
  await open({});
  expect(loaded.filter((url) => url.includes("wishlist-alert"))).toEqual([]);
});

test("opening moves nothing above the form, and the button has its place before the script runs", async () => {
  const box = (page: Page): Promise<unknown> => opener(page).boundingBox();
  await shopper.context.route("**/assets/wishlist-alert.js", (route) => route.abort());
  const before = await box(await open(AVAILABLE));
  await shopper.context.unroute("**/assets/wishlist-alert.js");
  const page = await open(AVAILABLE);
  await expectPage(opener(page)).toBeVisible();
  expect(await box(page)).toEqual(before);
  await opener(page).click();
  await expectPage(email(page)).toBeFocused();
  expect(await box(page)).toEqual(before);
});

test("without JavaScript the form posts its fields to the store", async () => {
  store.page = { alert: {}, stock: "sold out" };
  const context = await (await launchBrowser()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${store.url}/products/trail-shoe-1?variant=90012`);
  await page.getByText(BACK, { exact: true }).and(page.locator("summary")).click();
  await email(page).fill("ana@example.com");
  await expectPage(page.getByRole("button", { name: "Cancel" })).toBeHidden();
  await submit(page).click();
  await expectPage(page.getByRole("heading")).toHaveText("Check your inbox");
  expect(store.requests).toEqual([
    {
      path: "alerts/ask",
      body: {
        product_id: "9001",
        variant_id: "90012",
        kind: "back_in_stock",
        locale: "en",
        email: "ana@example.com",
      },
    },
  ]);
  await context.close();
});
