import type { Locator, Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const SIZES = [1104, 2104].map((id) => ({ id, title: `Size ${id}`, priceCents: 100 }));
const test = testWith(
  [product(0, "Beanie"), product(1, "Socks"), product(2, "Mug"), product(3, "Tent", { variants: SIZES })],
  [product(4, "Lamp", { hasPicture: false })],
);

const LANGUAGES = ["en", "de", "fr", "es", "ja"];
const bar = (page: Page) => page.locator(".wl-bar");
const alerts = (page: Page) => bar(page).locator("details:has([data-wishlist-form=alerts]) > summary");
const menu = (page: Page, title: string) => page.getByLabel(`More for ${title}`);

interface Pages {
  stage: { service: { database: { rows: (sql: string) => Promise<unknown> } } };
  as: (customer: string) => (method: string, path: string, body: object) => Promise<unknown>;
  customerWith: (...items: number[]) => Promise<string>;
}

/** Logs in a customer whose page has every control: two lists, and a store with all kinds of alerts. */
async function customerWithAll(pages: Pages): Promise<void> {
  await pages.stage.service.database.rows(
    `INSERT INTO alert_settings (shop_id, kinds) SELECT id, '{price_dropped,back_in_stock,low_stock,reminder_due}' FROM shop
     ON CONFLICT (shop_id) DO NOTHING`,
  );
  const customer = await pages.customerWith(105, 103, 102, 101, 104);
  await pages.as(customer)("POST", "/api/createList", { json: { name: "Camping in the mountains with the family" } });
}

async function box(one: Locator): Promise<{ top: number; bottom: number }> {
  const found = await one.boundingBox();
  if (!found) throw new Error("it is not shown");
  return { top: found.y, bottom: found.y + found.height };
}

/** Returns the tops of the controls that are shown. */
async function tops(page: Page): Promise<number[]> {
  const controls = await bar(page).locator(".wl-tool:visible, [data-wishlist-add-all]:visible").all();
  return Promise.all(controls.map(async (one) => Math.round((await box(one)).top)));
}

const isFocused = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement);

describe.each([true, false])("the controls, with JavaScript: %s,", MATRIX, (javaScript) => {
  test.override("javaScript", javaScript);

  test("are one row above the first product on a phone in each language", async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await customerWithAll(pages);
    for (const language of LANGUAGES) {
      await page.goto(`${pages.url}${language === "en" ? "" : `/${language}`}/apps/wishlist`);
      if (javaScript) await page.locator("[data-wishlist-add-all]").waitFor();
      const rows = await tops(page);
      expect(rows).toHaveLength(javaScript ? 6 : 3);
      expect(new Set(rows).size).toBe(1);
      const controls = await box(bar(page));
      const card = await box(page.locator(".wl-card").first());
      expect(controls.bottom - controls.top).toBeLessThanOrEqual(44);
      expect(card.top).toBeGreaterThanOrEqual(controls.bottom);
      expect(card.bottom).toBeLessThanOrEqual(PHONE.height);
    }
  });

  test("stay in one row while the alerts are open, and the first product stays visible", async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await customerWithAll(pages);
    for (const language of LANGUAGES) {
      await page.goto(`${pages.url}${language === "en" ? "" : `/${language}`}/apps/wishlist`);
      await alerts(page).click();
      expect(new Set(await tops(page)).size).toBe(1);
      const panel = await box(page.locator("[data-wishlist-form=alerts]"));
      const card = page.locator(".wl-card").first();
      expect((await box(card)).top).toBeGreaterThanOrEqual(panel.bottom);
      expect((await box(card.locator(".wl-name"))).bottom).toBeLessThanOrEqual(PHONE.height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      // Axe needs scripts.
      if (javaScript) expect(await violations(page.locator("[data-wishlist-root]"))).toEqual([]);
    }
  });

  test("each open a panel within the window, also with letters of twice the size", async ({ pages }) => {
    const { page } = pages;
    await customerWithAll(pages);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      for (const size of ["16px", "32px"]) {
        pages.head = `<style>html, body { font-size: ${size} !important }</style>`;
        await page.goto(`${pages.url}/apps/wishlist`);
        const summaries = [
          ...(await bar(page).locator("summary.wl-tool").all()),
          menu(page, "Tent"),
          menu(page, "Beanie"),
        ];
        for (const summary of summaries) {
          await summary.click();
          const panel = summary.locator("xpath=following-sibling::*").first();
          const { x, width } = (await panel.boundingBox()) ?? { x: -1, width: 0 };
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(viewport.width);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        }
      }
    }
  });
});

describe("a card's menu", () => {
  test("opens and closes by keyboard, and gives the focus back", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await pages.open();
    await menu(page, "Beanie").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await isFocused(page.getByRole("button", { name: "Move to cart – Beanie" }))).toBe(true);
    await page.keyboard.press("Tab");
    expect(await isFocused(page.getByLabel("Quantity").first())).toBe(true);
    await page.keyboard.press("Escape");
    expect(await isFocused(menu(page, "Beanie"))).toBe(true);
    expect(await page.getByLabel("Quantity").first().isVisible()).toBe(false);
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Moved to cart: Beanie. Undo" }).press("Enter");
    await page.getByText("Back on your wishlist").waitFor();
    expect(await pages.cart()).toEqual([1101]);
    expect(await pages.savedVariants(customer)).toEqual(["1101", "1102"]);
    expect(await page.locator("[data-wishlist-menu][open]").count()).toBe(0);
  });

  test("closes when the shopper opens another one, or presses elsewhere", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(102, 101);
    await pages.open();
    await menu(page, "Beanie").click();
    await menu(page, "Socks").click();
    expect(await page.getByLabel("Quantity").first().isVisible()).toBe(false);
    expect(await page.getByLabel("Quantity").last().isVisible()).toBe(true);
    await page.getByRole("heading", { level: 1 }).click();
    expect(await page.locator("[data-wishlist-menu][open]").count()).toBe(0);
  });

  test("offers to move an item to the cart only while it can be bought", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(105, 101);
    await pages.open();
    await menu(page, "Lamp").click();
    expect(await page.getByRole("button", { name: "Move to cart – Lamp" }).count()).toBe(0);
    expect(await page.getByLabel("Note").last().isVisible()).toBe(true);
    await menu(page, "Beanie").click();
    expect(await page.getByRole("button", { name: "Move to cart – Beanie" }).isVisible()).toBe(true);
    expect(await violations(page.locator("[data-wishlist-root]"))).toEqual([]);
  });

  test("changes an item's note without JavaScript", async ({ pages }) => {
    await pages.customerWith(101);
    const page = await pages.openWithoutScript();
    await menu(page, "Beanie").click();
    expect(await page.locator("[data-wishlist-move]").isVisible()).toBe(false);
    await page.getByLabel("Note").fill("For Anna");
    await page.getByRole("button", { name: "Save – Beanie" }).click();
    expect(await page.locator(".wl-note").innerText()).toBe("For Anna");
    await page.context().close();
  });
});

test("the link of a shared list is shown on demand, and Escape closes it", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(102, 101);
  await pages.as(customer)("POST", "/api/shareList", { json: {} });
  await pages.open();
  const share = page.getByRole("button", { name: "Share", exact: true });
  const link = page.getByRole("textbox", { name: "Share link" });
  await share.waitFor();
  expect(await link.count()).toBe(0);
  await share.click();
  expect(await link.inputValue()).toContain("/apps/wishlist/shared/");
  expect(await share.getAttribute("aria-expanded")).toBe("true");
  await link.focus();
  await page.keyboard.press("Escape");
  expect(await link.count()).toBe(0);
  expect(await isFocused(share)).toBe(true);
});
