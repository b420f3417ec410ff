import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { expectSaved, heartOf, type Shopper, withShopper } from "../support/browser/shopper.ts";
import { MATRIX } from "../support/matrix.ts";

let shopper: Shopper;
let store: Shopper["store"];
let page: Page;

withShopper(async (arrival) => {
  shopper = arrival;
  store = shopper.store;
  page = await shopper.open("/products/trail-shoe-1");
});

async function save(): Promise<void> {
  await heartOf(page, 1).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("wishlist"))).toContain("9001");
  await expect.poll(() => store.service.lists.size).toBe(1);
  await shopper.quiet(page);
}

describe("the product page's heart stands for the variant in the product form", () => {
  /** Selects a variant like a theme's script, which sets the field itself. */
  function setField(id: string): Promise<void> {
    return page.evaluate((variant) => {
      const field = document.querySelector<HTMLSelectElement>("#variant");
      if (field) field.value = variant;
    }, id);
  }

  function announce(name: string): Promise<void> {
    return page.evaluate((type) => void document.body.dispatchEvent(new CustomEvent(type, { bubbles: true })), name);
  }

  test.each<[string, (variant: string) => Promise<unknown>]>([
    ["its field changes", (variant) => page.selectOption("#variant", variant)],
    ["Shopify's event says so", (id) => setField(id).then(() => announce("shopify:product:select"))],
    ["a theme's event says so", (id) => setField(id).then(() => announce("variant:change"))],
    [
      "the theme renders the price again",
      (id) => setField(id).then(() => page.evaluate(() => document.querySelector("h1")?.append(" "))),
    ],
  ])("after %s", async (_, choose) => {
    await save();
    expect(store.requests[0]?.body).toMatchObject({ productId: "9001", variantId: "90011" });
    await choose("90012");
    await expectSaved(heartOf(page, 1), false);
    await choose("90011");
    await expectSaved(heartOf(page, 1));
  });

  // In themes with rules such as `:has()`, each measurement of a changed page restyles all of it.
  test("and measures nothing before the browser has laid out a change", async () => {
    await shopper.quiet(page);
    const measured = await page.evaluate(async () => {
      let count = 0;
      let isMeasured: () => void = () => undefined;
      const later = new Promise<void>((resolve) => (isMeasured = resolve));
      const measure = getComputedStyle;
      window.getComputedStyle = (...given) => {
        count++;
        isMeasured();
        return measure(...given);
      };
      document.querySelector("h1")?.append("!");
      // Observers are called before this goes on.
      await Promise.resolve();
      const atOnce = count;
      await later;
      return { atOnce, isLater: count > 0 };
    });
    expect(measured).toEqual({ atOnce: 0, isLater: true });
  });

  test("when it is pressed, though no event announced the choice", async () => {
    await setField("90012");
    await heartOf(page, 1).click();
    await expect.poll(() => store.requests.at(-1)?.body).toMatchObject({ productId: "9001", variantId: "90012" });
  });

  test("when it is pressed before the script for product pages has loaded", async () => {
    let load: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route("**/wishlist-product.js", async (route) => {
      await loading;
      await route.continue();
    });
    const requested = page.waitForRequest("**/wishlist-product.js");
    await page.reload();
    await requested;
    await page.waitForFunction(() => "list" in Object(window.wishlist));
    await setField("90012");
    await heartOf(page, 1).click();
    load();
    await expect.poll(() => store.requests.at(-1)?.body).toMatchObject({ productId: "9001", variantId: "90012" });
  });

  test("as the theme rendered it, where the script for product pages can't load", async () => {
    await page.route("**/wishlist-product.js", (route) => route.abort());
    await page.reload();
    await page.waitForFunction(() => "list" in Object(window.wishlist));
    await heartOf(page, 1).click();
    await expect.poll(() => store.requests.at(-1)?.body).toMatchObject({ productId: "9001", variantId: "90011" });
  });

  test("from the address where the page has no form, and never another product's", async () => {
    await page.evaluate(() => {
      document.querySelector("form")?.remove();
      history.replaceState(null, "", "?variant=90012");
    });
    await heartOf(page, 1).click();
    await expect.poll(() => store.requests.at(-1)?.body).toMatchObject({ variantId: "90012" });
    await page.evaluate(() => history.replaceState(null, "", "?variant=90021"));
    await heartOf(page, 1).click();
    await expect.poll(() => store.requests.at(-1)?.body).toMatchObject({ variantId: "90011" });
  });
});

describe("while the theme loads the chosen variant, a press saves that variant", MATRIX, () => {
  const saved = (): unknown => store.requests.find(({ path }) => path === "add")?.body;
  const size42 = { productId: "9001", variantId: "90012" };

  /** Adds fields for the option, with which the theme does nothing yet. */
  function addOption(): Promise<void> {
    return page.evaluate(() => {
      const fields = ["Size 41", "Size 42"].map(
        (value) => `<label><input type="radio" name="size" value="${value}">${value}</label>`,
      );
      document.querySelector("form")?.insertAdjacentHTML("beforebegin", `<fieldset>${fields.join("")}</fieldset>`);
    });
  }

  /** Returns the theme's response: puts the variant into the form. */
  function respond(): Promise<void> {
    return page.evaluate(() => {
      const field = document.querySelector<HTMLSelectElement>("#variant");
      if (field) field.value = "90012";
      document.querySelector("h1")?.append(" ");
    });
  }

  test("by the option's field and the store's list of variants", async () => {
    await addOption();
    await page.getByLabel("Size 42").check();
    await heartOf(page, 1).click();
    await expect.poll(saved).toMatchObject(size42);
    await expectSaved(heartOf(page, 1));
    await respond();
    await shopper.quiet(page);
    await expectSaved(heartOf(page, 1));
  });

  test("by the last choice of several", async () => {
    await addOption();
    for (const size of ["Size 42", "Size 41", "Size 42"]) await page.getByLabel(size).check();
    await heartOf(page, 1).click();
    await expect.poll(saved).toMatchObject(size42);
  });

  test("by the theme's response, where the store doesn't list the variants", async () => {
    await page.route("**/products/*.js", (route) => route.abort());
    await addOption();
    await page.getByLabel("Size 42").check();
    await heartOf(page, 1).click();
    const busy = (): Promise<string | null> => heartOf(page, 1).getAttribute("aria-busy");
    await expect.poll(busy).toBe("true");
    await shopper.quiet(page);
    expect(saved()).toBeUndefined();
    await respond();
    await expect.poll(saved).toMatchObject(size42);
    await expect.poll(busy).toBeNull();
  });

  test("by the promise of Shopify's event, and not by that of an outdated one", async () => {
    await page.evaluate(() => {
      const dispatch = (): PromiseWithResolvers<unknown> => {
        const pending = Promise.withResolvers<unknown>();
        const event = Object.assign(new Event("shopify:product:select", { bubbles: true }), pending);
        document.querySelector("form")?.dispatchEvent(event);
        return pending;
      };
      const outdated = dispatch();
      const { resolve } = dispatch();
      outdated.reject(new DOMException("", "AbortError"));
      Object.assign(window, { resolve });
    });
    await heartOf(page, 1).click();
    await shopper.quiet(page);
    expect(saved()).toBeUndefined();
    await page.evaluate("resolve({ variant: { id: 'gid://shopify/ProductVariant/90012' } })");
    await expect.poll(saved).toMatchObject(size42);
    await respond();
    await expectSaved(heartOf(page, 1));
  });

  test("which the form names, where the options are no fields and another field was changed", async () => {
    await page.evaluate(() => {
      document
        .querySelector("form")
        ?.insertAdjacentHTML("beforebegin", `<label>Gift wrap <input type="checkbox"></label>`);
    });
    await respond();
    await page.getByLabel("Gift wrap").check();
    await heartOf(page, 1).click();
    await expect.poll(saved).toMatchObject(size42);
  });

  test("once the form is no longer marked as loading", async () => {
    await page.evaluate(() => document.querySelector("form")?.setAttribute("aria-busy", "true"));
    await heartOf(page, 1).click();
    await shopper.quiet(page);
    expect(saved()).toBeUndefined();
    await respond();
    await page.evaluate(() => document.querySelector("form")?.removeAttribute("aria-busy"));
    await expect.poll(saved).toMatchObject(size42);
  });
});

test("a theme that marks something as loading for good delays one press only", async () => {
  await page.clock.install();
  await page.evaluate(() => document.querySelector("form")?.classList.add("loading"));
  await heartOf(page, 1).click();
  await shopper.quiet(page);
  expect(store.paths()).toEqual([]);
  await page.clock.runFor(5_000);
  await expectSaved(heartOf(page, 1));
  // No time passes for the second press.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await heartOf(page, 1).click();
  await expectSaved(heartOf(page, 1), false);
});

describe("the embed's button beside the add-to-cart button", () => {
  async function place(css: string): Promise<{ gaps: number[]; isFull: boolean }> {
    const form = `.product form { text-align: center; } .product .add { margin: 0; ${css} }`;
    store.page = {
      button: null,
      embed: { product_place: "after" },
      script: `addEventListener("DOMContentLoaded", () => { document.head.insertAdjacentHTML("beforeend", "<style>${form}</style>"); document.querySelector(".add").insertAdjacentHTML("afterend", '<button class="add buy" type="button">Buy it now</button>'); });`,
    };
    await shopper.context.route("**/assets/wishlist.js", async (route) => {
      await route.request().frame().locator(".buy").waitFor();
      await route.continue();
    });
    page = await shopper.open("/products/trail-shoe-1");
    const button = page.locator(".whl-product");
    await button.waitFor();
    return button.evaluate((one) => {
      const [own, add, buy] = [one, ...document.querySelectorAll(".add")].map((each) => each.getBoundingClientRect());
      if (!own || !add || !buy) throw new Error("A button is missing.");
      const isFull = Math.round(own.width) === one.parentElement?.clientWidth;
      return { gaps: [own.top - add.bottom, buy.top - own.bottom].map(Math.round), isFull };
    });
  }

  test("has room above and below where the theme leaves none", async () => {
    const { gaps, isFull } = await place("display: block; width: 100%;");
    expect(gaps).toEqual([8, 8]);
    expect(isFull).toBe(true);
  });

  test("is no wider than its text beside a narrow button", async () => {
    const { isFull } = await place("width: auto;");
    expect(isFull).toBe(false);
  });
});

test("a quick view's button looks like the add-to-cart button there", async () => {
  page = await shopper.open("/collections/all");
  await page.addStyleTag({ content: ".add { border: 0; border-radius: 11px; text-transform: uppercase; }" });
  await page.evaluate(async () => {
    const html = await (await fetch("/products/trail-shoe-1")).text();
    const product = new DOMParser().parseFromString(html, "text/html").querySelector(".product");
    const view = document.createElement("dialog");
    if (product) view.append(product);
    document.body.append(view);
    view.showModal();
  });
  const button = page.locator("dialog .whl-product");
  const look = (): Promise<string[]> =>
    button.evaluate((one) => {
      const { borderTopLeftRadius, textTransform } = getComputedStyle(one);
      return [borderTopLeftRadius, textTransform];
    });
  await expect.poll(look).toEqual(["11px", "uppercase"]);
  await page.locator("dialog #variant").selectOption("90012");
  await button.click();
  await expectSaved(button);
  await shopper.quiet(page);
  expect(store.requests.at(-1)?.body).toMatchObject({ productId: "9001", variantId: "90012" });
});

describe("the cart", () => {
  const reports = (): unknown[] =>
    store.requests.filter(({ path }) => path === "recordCart").map(({ body }) => body["items"]);
  const shoe = [{ product_id: "9001", variant_id: "90011" }];

  async function cartToken(): Promise<string> {
    const cart: unknown = await (await page.request.get(`${store.url}/cart.js`)).json();
    return z.object({ token: z.string() }).parse(cart).token;
  }

  async function announce(userErrors: unknown[] = []): Promise<void> {
    await page.evaluate((errors) => {
      const promise = Promise.resolve({ cart: { id: "gid://shopify/Cart/cart-1?key=secret" }, userErrors: errors });
      const lines = [{ merchandiseId: "gid://shopify/ProductVariant/90011", quantity: 1 }];
      document.body.dispatchEvent(
        Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), { action: "add", lines, promise }),
      );
    }, userErrors);
    await shopper.quiet(page);
  }

  test("reports a saved variant once by Shopify's event, without reading the cart", async () => {
    await save();
    await announce([{ message: "sold out" }]);
    expect(reports()).toEqual([]);
    await announce();
    await announce();
    await expect.poll(reports).toEqual([shoe]);
    expect(store.requests.at(-1)?.body["event_id"]).toBe("cart-1");
    expect(store.cartReads).toBe(0);
  });

  test("reports after a form on the page that it leads to", async () => {
    await save();
    await page.click(".add");
    await page.waitForURL("**/cart");
    await expect.poll(reports).toEqual([shoe]);
    const eventId = store.requests.at(-1)?.body["event_id"];
    await shopper.visit(page, "/collections/all");
    expect([reports().length, store.cartReads]).toEqual([1, 1]);
    expect(await cartToken()).toMatch(new RegExp(`^${String(eventId)}\\?key=`));
  });

  test("reports after a form that the theme sends, but not refused variants", async () => {
    await save();
    await page.evaluate(() => {
      document.querySelector("form")?.addEventListener("submit", (event) => {
        event.preventDefault();
        const body = new URLSearchParams({ id: "90011" });
        void fetch("/cart/add.js", { method: "POST", body }).then((response) => response.text());
      });
    });
    store.isSoldOut = true;
    await page.click(".add");
    await expect.poll(() => store.cartReads).toBe(1);
    await shopper.quiet(page);
    expect(reports()).toEqual([]);
    store.isSoldOut = false;
    await page.click(".add");
    await expect.poll(reports).toEqual([shoe]);
  });

  test("makes no request without a saved variant", async () => {
    await page.click(".add");
    await page.waitForURL("**/cart");
    await shopper.quiet(page);
    expect([store.requests, store.cartReads]).toEqual([[], 0]);
  });
});
