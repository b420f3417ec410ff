import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { violations } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { client } from "../support/client.ts";
import type { Service } from "../support/service.ts";
import { makeShop, type TestShop } from "../support/shop.ts";
import { addVariants, newGuest, startStorefront, visitor, type Ask } from "../support/storefront.ts";
import { startThemeStore, type ThemeStore } from "../support/theme-store.ts";
import type { ThemeProduct } from "../support/theme.ts";
import { until } from "../support/until.ts";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const NAMES = [
  "Larch Wool Beanie",
  "Ridge 28 Daypack",
  "Trail Socks",
  "Titanium Mug with a rather long name that needs two lines",
  "Down Jacket",
  "Headlamp",
];
const COLOURS = ["#7a8b99", "#b08968", "#606c38", "#9d8189", "#457b9d", "#6d597a"];

/** What the theme knows: the second has variants and a lower price, the third is sold out, the last is gone. */
const products: ThemeProduct[] = NAMES.slice(0, -1).map((title, place) => ({
  id: 101 + place,
  handle: `product-${101 + place}`,
  title,
  colour: COLOURS[place] ?? "#888",
  variants:
    place === 1
      ? [
          { id: 1102, title: "Moss", price: 8900, compare_at_price: 11900, available: true },
          { id: 2102, title: "Slate", price: 8900, available: true },
        ]
      : [{ id: 1101 + place, title: "Default Title", price: 2900 + place * 700, available: place !== 2 }],
}));

/** Variants of one product, one more than a page holds. */
const MANY = Array.from({ length: 21 }, (_, i) => String(5000 + i));

let service: Service;
let shop: TestShop;
let store: ThemeStore;
let browser: Browser;
let context: BrowserContext | undefined;
let page: Page;
let complaints: string[];
let customers = 8_000_000;

beforeAll(async () => {
  service = await startStorefront();
  const ids = NAMES.map((_, place) => [String(101 + place), String(1101 + place)]);
  shop = await makeShop(service, client(service.url), { products: Object.fromEntries(ids) as Record<string, string> });
  for (const [place, title] of NAMES.entries()) {
    await service.database.rows(
      "UPDATE product SET handle = 'product-' || product_id, title = $3 WHERE shop_id = $1 AND product_id = $2",
      [shop.id, String(101 + place), title],
    );
  }
  await addVariants(service, shop, { "105": MANY });
  store = await startThemeStore(service.url, shop.domain, products);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await store.close();
  await closeDatabase();
  await service.dispose();
});

beforeEach(async () => {
  Object.assign(store, { customer: undefined, locale: "en", passed: [], cart: [] });
  await open({});
});
afterEach(async () => {
  await context?.close();
  expect(complaints).toEqual([]);
});

async function open(options: Parameters<Browser["newContext"]>[0]): Promise<void> {
  await context?.close();
  context = await browser.newContext({ viewport: DESKTOP, ...options });
  page = await context.newPage();
  complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
}

/** Saves products as whoever `who` is, oldest first. */
async function save(ask: Ask, ids: readonly (string | number)[], guestId?: string): Promise<void> {
  for (const id of ids) {
    (
      await ask("POST", "/api/add", { json: { productId: String(id), ...(guestId === undefined ? {} : { guestId }) } })
    ).data();
  }
}

/** Logs a new customer in who has saved products. */
async function customerWith(...ids: number[]): Promise<string> {
  const customer = String(++customers);
  await save(visitor(service.url, { shop: shop.domain, customer }), ids);
  store.customer = customer;
  return customer;
}

/** A browser of a guest who has saved products. */
async function guestWith(...ids: number[]): Promise<string> {
  const guest = newGuest();
  await save(visitor(service.url, { shop: shop.domain }), ids, guest);
  const state = { v: 1, cid: null, owner: "guest", guest, count: ids.length, saved: {} };
  await page.goto(store.url);
  await page.evaluate((json) => localStorage.setItem("wishlist", json), JSON.stringify(state));
  return guest;
}

function names(): Promise<string[]> {
  return page.locator("[data-wishlist-item] .wl-name").allInnerTexts();
}

async function stored(): Promise<{ owner: string; guest: string | null; count: number }> {
  return page.evaluate(() => JSON.parse(localStorage.getItem("wishlist") ?? "null") as never);
}

function requests(): string[] {
  return store.passed.map(({ request }) => request);
}

const ALL = [106, 105, 104, 103, 102, 101];

describe("a customer's page", () => {
  test("shows the theme's own titles, prices and availability, newest first, and what is gone by what is remembered", async () => {
    await customerWith(...ALL);
    await page.goto(`${store.url}/apps/wishlist`);
    expect(await names()).toEqual(NAMES);
    const cards = page.locator("[data-wishlist-item]");
    expect(await cards.nth(0).innerText()).toContain("€29.00");
    expect(await cards.nth(1).innerText()).toMatch(/Moss[^]*€119\.00[^]*€89\.00/);
    expect(await cards.nth(2).innerText()).toMatch(/Sold out[^]*View product/);
    expect(await cards.nth(5).innerText()).toMatch(/No longer available[^]*Headlamp/);
    expect(await cards.getByRole("button", { name: /Add to cart/ }).count()).toBe(4);
    expect(await cards.getByRole("button", { name: /^Remove .+ from the wishlist$/ }).count()).toBe(6);
  });

  test("removes, keeps the focus at hand and undoes, with the keyboard alone", async () => {
    const customer = await customerWith(102, 101);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByRole("button", { name: "Remove Ridge 28 Daypack from the wishlist" }).press("Enter");
    const undo = page.getByRole("button", { name: /Removed from your wishlist: Ridge 28 Daypack\. Undo/ });
    await undo.waitFor();
    expect(await undo.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator("[data-wishlist-total]").innerText()).toBe("1 item");
    expect(await stored()).toMatchObject({ count: 1 });
    const list = visitor(service.url, { shop: shop.domain, customer });
    expect((await list("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });

    await undo.press("Enter");
    const again = page.getByRole("button", { name: "Remove Ridge 28 Daypack from the wishlist" });
    await again.waitFor();
    expect(await again.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await list("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 2 });
  });

  test("puts into the cart what was saved, and reports it", async () => {
    await customerWith(102);
    await page.goto(`${store.url}/apps/wishlist`);
    const reported = page.waitForResponse(/\/api\/cart$/);
    await page.getByRole("button", { name: /Add to cart/ }).click();
    await page.getByRole("link", { name: "View cart" }).waitFor();
    expect(await (await reported).json()).toMatchObject({ data: { recorded: 1 } });
    expect(store.cart).toEqual([1102]);
  });

  test("shares by a link that anybody can open, without the owner's means, and ends it", async () => {
    await customerWith(101, 104);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Share link" });
    await expect.poll(() => field.inputValue()).toMatch(/\/apps\/wishlist\/shared\/\w{22}$/);
    const link = await field.inputValue();
    expect(link.startsWith(store.url)).toBe(true);
    await page.reload();
    expect(await field.inputValue()).toBe(link);

    const customer = store.customer;
    store.customer = undefined;
    await page.goto(link);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("A shared wishlist");
    expect(await names()).toHaveLength(2);
    expect(await page.locator("[data-wishlist-remove], [data-wishlist-share], [data-owner]").count()).toBe(0);
    expect(await page.content()).not.toContain(customer);

    store.customer = customer;
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByRole("button", { name: "Stop sharing" }).click();
    await page.getByText("The link no longer works").waitFor();
    complaints = [];
    expect((await page.goto(link))?.status()).toBe(410);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This list is no longer shared");
    expect((await page.goto(`${store.url}/apps/wishlist/shared/unknown`))?.status()).toBe(404);
    // The browser itself says so of both.
    complaints = complaints.filter((one) => !one.startsWith("Failed to load resource"));
  });

  test("turns pages of 20, as many as the theme looks up", async () => {
    const customer = await customerWith();
    for (const variantId of MANY) {
      const json = { productId: "105", variantId };
      (await visitor(service.url, { shop: shop.domain, customer })("POST", "/api/add", { json })).data();
    }
    await page.goto(`${store.url}/apps/wishlist`);
    expect(await names()).toHaveLength(20);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    expect(await names()).toHaveLength(1);
    expect(page.url()).toContain("?page=2");
    await page.reload();
    expect(await names()).toHaveLength(1);
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect(await page.locator("[data-wishlist-title]").evaluate((one) => one === document.activeElement)).toBe(true);
    await page.goBack();
    await page.getByText("Page 2 of 2").waitFor();
    await page.goto(`${store.url}/apps/wishlist?page=999&utm_source=mail`);
    expect(await page.getByText("Page 2 of 2").count()).toBe(1);
  });

  test("whose last page is gone leads to the last that there is, also when it is shared", async () => {
    const customer = await customerWith(104, 101);
    const ask = visitor(service.url, { shop: shop.domain, customer });
    const { shareUrl } = (await ask("POST", "/api/share", { json: {} })).data<{ shareUrl: string }>();
    for (const path of ["/apps/wishlist", new URL(shareUrl).pathname]) {
      await page.goto(`${store.url}${path}?page=3`);
      expect(await names()).toHaveLength(2);
    }
  });

  test("shows nothing of a customer who has logged out since, when the browser brings the page back", async () => {
    await customerWith(101);
    await page.goto(`${store.url}/apps/wishlist`);
    expect(await names()).toHaveLength(1);
    store.customer = undefined;
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await page.getByText("Nothing saved yet").waitFor();
    expect(await names()).toEqual([]);
  });

  test("becomes the page of whoever is logged in now, once somebody acts or another tab says so", async () => {
    await customerWith(101, 104);
    await page.goto(`${store.url}/apps/wishlist`);
    const second = await page.context().newPage();
    await customerWith(105, 102);
    // As many items as before, but another owner.
    await second.goto(`${store.url}/apps/wishlist`);
    await expect.poll(names).toEqual(["Ridge 28 Daypack", "Down Jacket"]);
    store.customer = undefined;
    await page.getByRole("button", { name: /^Remove Down Jacket/ }).click();
    await page.getByText("Nothing saved yet").waitFor();
    complaints = complaints.filter((one) => !one.includes("status of 401"));
  });

  test("takes over what the browser kept as a guest", async () => {
    await guestWith(103);
    await customerWith(101);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.locator("[data-wishlist-item]").nth(1).waitFor();
    expect(await names()).toEqual(["Larch Wool Beanie", "Trail Socks"]);
    expect(await stored()).toMatchObject({ guest: null, count: 2 });
  });

  test("that nobody uses says what a heart is for", async () => {
    await customerWith();
    await page.goto(`${store.url}/apps/wishlist`);
    expect(await page.getByText("Nothing saved yet").isVisible()).toBe(true);
    expect(await page.getByRole("link", { name: "Browse products" }).getAttribute("href")).toBe("/collections/all");
  });
});

describe("a guest's page", () => {
  test("is filled by its script, with the id in a body alone", async () => {
    const guest = await guestWith(101, 102);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByText("2 items").waitFor();
    expect(await names()).toEqual(["Ridge 28 Daypack", "Larch Wool Beanie"]);
    expect(requests()).toEqual(["GET ", "POST /api/page"]);
    expect(store.passed.filter(({ body }) => body.includes(guest))).toHaveLength(1);
    expect(await page.getByRole("link", { name: "Log in", exact: true }).getAttribute("href")).toBe(
      `${store.url}/account/login?return_url=%2Fapps%2Fwishlist`,
    );
    expect(await page.getByRole("button", { name: "Share" }).count()).toBe(0);

    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).waitFor();
    expect(await stored()).toMatchObject({ guest, count: 2, owner: "guest" });
  });

  test("who has saved nothing asks for nothing", async () => {
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByText("Nothing saved yet").waitFor();
    expect(requests()).toEqual(["GET "]);
  });

  test("is found by the visit's cookie where there is no storage", async () => {
    const guest = newGuest();
    await save(visitor(service.url, { shop: shop.domain }), [104], guest);
    await page.context().addInitScript(() => {
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("no storage", "SecurityError");
        },
      });
    });
    await page.context().addCookies([{ name: "wishlist_guest", value: guest, url: store.url }]);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByText("1 item").waitFor();
    expect(await names()).toEqual([NAMES[3]]);
  });

  test("follows the list when another tab changes it", async () => {
    const guest = await guestWith(101);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByText("1 item").waitFor();
    await save(visitor(service.url, { shop: shop.domain }), [102], guest);
    const other = await page.context().newPage();
    await other.goto(store.url);
    const state = { v: 1, cid: null, owner: "guest", guest, count: 2, saved: {} };
    await other.evaluate((json) => localStorage.setItem("wishlist", json), JSON.stringify(state));
    await page.getByText("2 items").waitFor();
  });

  test("without JavaScript says how to see the list", async () => {
    await open({ javaScriptEnabled: false });
    await page.goto(`${store.url}/apps/wishlist`);
    // The browser is told not to run scripts; that it has none, its parser doesn't know.
    expect(await page.locator("noscript").innerHTML()).toContain("Without JavaScript, log in to see your wishlist.");
    expect(await page.getByText("Loading your wishlist").isVisible()).toBe(false);
  });
});

describe("what the service refuses", () => {
  /** Answers the next request to a path of the app's in its stead. */
  async function refuse(
    path: string,
    status: number,
    code?: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    await page.route(`**/api/${path}`, (route) => {
      const json = code === undefined ? undefined : { ok: false, error: { code, message: "", requestId: "r" } };
      return status === 0
        ? route.abort()
        : route.fulfill({ status, headers, ...(json ? { json } : { body: "<h1>Bad gateway</h1>" }) });
    });
  }

  const FAILURES = [
    ["a network that is gone", 0, undefined, "That did not work. Try again in a moment."],
    ["429 with its wait", 429, "rate_limited", "That was a lot at once. Try again in 34 seconds."],
    ["503", 503, "service_unavailable", "That did not work. Try again in a moment."],
    ["403", 403, "forbidden_origin", "That did not work. Try again in a moment."],
    ["an answer of somebody else", 502, undefined, "That did not work. Try again in a moment."],
  ] as const;

  afterEach(() => {
    complaints = complaints.filter((one) => !one.startsWith("Failed to load resource"));
  });

  test.each(FAILURES)(
    "by %s is told and announced, and leaves list and buttons as they were",
    async (_, status, code, said) => {
      await customerWith(101);
      await page.goto(`${store.url}/apps/wishlist`);
      await refuse("remove", status, code, { "retry-after": "34" });
      const button = page.getByRole("button", { name: /^Remove .+ from the wishlist$/ });
      await button.click();
      await page.getByRole("status").filter({ hasText: said }).waitFor();
      expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await names()).toEqual(["Larch Wool Beanie"]);
      expect(await stored()).toMatchObject({ count: 1 });
      await page.unroute("**/api/remove");
      await button.click();
      await page.getByRole("button", { name: /Undo/ }).waitFor();

      await refuse("add", 409, "wishlist_full");
      await page.getByRole("button", { name: /Undo/ }).click();
      await page.getByRole("status").filter({ hasText: "Your wishlist is full. Remove something first." }).waitFor();
      expect(await stored()).toMatchObject({ count: 0 });
      await page.unroute("**/api/add");
      await page.getByRole("button", { name: /Undo/ }).click();
      await button.waitFor();
      expect(await stored()).toMatchObject({ count: 1 });
    },
  );

  test("of sharing is told, and sharing can be tried again", async () => {
    await customerWith(101);
    await page.goto(`${store.url}/apps/wishlist`);
    await refuse("share", 403, "plan_required");
    const button = page.getByRole("button", { name: "Share", exact: true });
    await button.click();
    await page.getByRole("status").filter({ hasText: "This store offers no shared wishlists" }).waitFor();
    await page.unroute("**/api/share");
    await button.click();
    await page.getByRole("textbox", { name: "Share link" }).waitFor();
    expect(
      await page.getByRole("button", { name: "Copy link" }).evaluate((one) => one === document.activeElement),
    ).toBe(true);
  });

  test("of a guest's whole list can be tried again, with the focus at hand", async () => {
    await guestWith(101);
    await refuse("page", 503, "service_unavailable");
    await page.goto(`${store.url}/apps/wishlist`);
    const again = page.getByRole("status").getByRole("button", { name: "Try again" });
    await again.press("Enter");
    await again.waitFor();
    await page.unroute("**/api/page");
    await again.press("Enter");
    await page.getByText("1 item").waitFor();
    expect(await page.locator("[data-wishlist-title]").evaluate((one) => one === document.activeElement)).toBe(true);
  });
});

test("two tabs that take a guest's list over at the same moment both show all of it, and it is folded once", async () => {
  await guestWith(103, 102);
  const customer = await customerWith(101);
  const other = await page.context().newPage();
  const held: (() => void)[] = [];
  await page.context().route("**/api/merge", async (route) => {
    await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await Promise.all([page.goto(`${store.url}/apps/wishlist`), other.goto(`${store.url}/apps/wishlist`)]);
  await until("both requests", () => held.length === 2);
  for (const go of held) go();
  for (const tab of [page, other]) {
    await tab.getByText("3 items").waitFor();
    await expect.poll(() => tab.locator("[data-wishlist-item] .wl-name").allInnerTexts()).toHaveLength(3);
  }
  expect(await stored()).toMatchObject({ guest: null, count: 3 });
  const folds = await service.database.rows("SELECT 1 FROM activity WHERE kind = 'folded' AND owner_id = $1", [
    customer,
  ]);
  expect(folds).toHaveLength(1);
});

describe("without JavaScript", () => {
  beforeEach(() => open({ javaScriptEnabled: false }));

  test("an item is removed, and one is put into the cart, by forms", async () => {
    await customerWith(102, 101);
    await page.goto(`${store.url}/apps/wishlist`);
    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
    await page.waitForURL(/items\/remove$/);
    expect(await names()).toEqual(["Ridge 28 Daypack"]);
    expect(await page.getByText("1 item").isVisible()).toBe(true);
    await page.getByRole("button", { name: /Add to cart/ }).click();
    await page.getByRole("heading", { name: "Your cart" }).waitFor();
    expect(store.cart).toEqual([1102]);
  });

  test("the pages of the list are reached from the answer of a form, too", async () => {
    const customer = await customerWith(101);
    for (const variantId of MANY) {
      const json = { productId: "105", variantId };
      (await visitor(service.url, { shop: shop.domain, customer })("POST", "/api/add", { json })).data();
    }
    await page.goto(`${store.url}/apps/wishlist`);
    await page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click();
    await page.waitForURL(/items\/remove$/);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
  });

  test("a form that is sent after the session's end says so as a page", async () => {
    await customerWith(101);
    await page.goto(`${store.url}/apps/wishlist`);
    store.customer = undefined;
    await page.getByRole("button", { name: /^Remove/ }).click();
    await page.getByRole("heading", { name: "You are logged out" }).waitFor();
    expect(await page.getByRole("link", { name: "Log in" }).getAttribute("href")).toContain("/account/login");
    complaints = complaints.filter((one) => !one.includes("status of 401"));
  });

  test("a form that was made for somebody else removes nothing", async () => {
    const victim = await customerWith(101);
    const token = async (): Promise<string> => {
      await page.goto(`${store.url}/apps/wishlist`);
      return (await page.locator("input[name=token]").first().getAttribute("value")) ?? "";
    };
    await customerWith(101);
    const others = await token();
    const ask = visitor(service.url, { shop: shop.domain, customer: victim });
    for (const given of [others, `x${others}`, ""]) {
      const body = new URLSearchParams({ token: given, product: "101", variant: "1101", page: "1" }).toString();
      const answer = await ask("POST", "/items/remove", {
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.get("content-type")).toContain("application/liquid");
    }
    expect((await ask("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });
  });
});

describe("every page", () => {
  test.each(["en", "de", "fr", "es", "ja", "pt-BR"])("has no violations that axe finds, in %s", async (locale) => {
    store.locale = locale;
    await customerWith(...ALL);
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      await page.goto(`${store.url}/apps/wishlist`);
      const title = await page.getByRole("heading", { level: 1 }).innerText();
      expect(title === "My wishlist").toBe(locale === "en" || locale === "pt-BR");
      expect(await violations(page.locator("[data-wishlist-root]"))).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(wide).toBe(false);
    }
  });

  test("says that too much was asked for, and when to come back, as a page", async () => {
    const limited = await startStorefront({
      database: service.database,
      env: { RATE_LIMIT_STOREFRONT_PER_MINUTE: "1" },
    });
    const ask = visitor(limited.url, { shop: shop.domain, customer: "1", address: "198.51.100.20" });
    await ask("GET", "");
    const answer = await ask("GET", "");
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.headers.get("content-type")).toBe("application/liquid; charset=utf-8");
    await limited.dispose();
  });
});
