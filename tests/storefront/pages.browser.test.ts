import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { client } from "../support/client.ts";
import type { Service } from "../support/service.ts";
import { makeShop, type TestShop } from "../support/shop.ts";
import { newGuest, startStorefront, visitor, type Ask } from "../support/storefront.ts";
import { startThemeStore, type ThemeStore } from "../support/theme-store.ts";
import type { ThemeProduct } from "../support/theme.ts";

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

let service: Service;
let shop: TestShop;
let store: ThemeStore;
let browser: Browser;
let context: BrowserContext;
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
  store = await startThemeStore(service.url, shop.domain, products);
  browser = await chromium.launch({
    executablePath: process.env["WISHLIST_TEST_CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
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
  await context.close();
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
    (await ask("POST", "/api/add", { json: { productId: String(id), ...(guestId === undefined ? {} : { guestId }) } })).data();
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

test.each([
  ["desktop", DESKTOP],
  ["phone", PHONE],
])("shots %s", async (name, viewport) => {
  await open({ viewport });
  const shot = async (what: string): Promise<void> => {
    await page.screenshot({ path: `/tmp/storefront/shots/${what}-${name}.png`, fullPage: true });
  };
  const customer = await customerWith(...ALL);
  await page.goto(`${store.url}/apps/wishlist`);
  await shot("mine");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await page.locator("[data-wishlist-remove] button").nth(1).click();
  await page.getByRole("button", { name: /Undo/ }).waitFor();
  await page.getByRole("button", { name: /Add to cart/ }).first().click();
  await page.getByText("View cart").waitFor();
  await shot("shared-removed");
  const link = (await visitor(service.url, { shop: shop.domain, customer })("POST", "/api/share", { json: {} })).data<{
    shareUrl: string;
  }>().shareUrl;
  store.customer = undefined;
  await page.goto(store.url + new URL(link).pathname);
  await shot("shared");
  await page.goto(`${store.url}/apps/wishlist/shared/nothing`);
  await shot("unknown");
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${store.url}/apps/wishlist`);
  await page.getByText("Nothing saved yet").waitFor();
  await shot("empty");
  await guestWith(101, 102);
  store.locale = "de-AT";
  await page.goto(`${store.url}/apps/wishlist`);
  await page.getByText("2 Artikel").waitFor();
  await shot("guest-de");
  complaints = [];
});
