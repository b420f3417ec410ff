import type { FrameLocator, Page } from "playwright";
import { expect as expectValue } from "vitest";
import type { Visitor } from "../e2e/fixtures/visitor.ts";
import { violations } from "../support/axe.ts";

const ADMIN = "https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist";

/** The app as a merchant has it before them: Shopify's admin, and the app in its frame. */
export interface Admin {
  page: Page;
  app: FrameLocator;
  /** Opens a page of the app by its address, as from a bookmark. */
  open: (path: string) => Promise<void>;
}

export async function enter(merchant: Visitor, path: string): Promise<Admin> {
  const page = await merchant.context.newPage();
  const admin: Admin = {
    page,
    app: page.frameLocator("#app-frame"),
    async open(wanted) {
      await page.goto(ADMIN + wanted);
      await awake(admin);
    },
  };
  await admin.open(path);
  return admin;
}

/** Waits until the app's own script has taken the page over. */
async function awake({ page, app }: Admin): Promise<void> {
  await app.locator("main").first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** The path of the app that the admin's own address names. */
export function pathOf({ page }: Admin): string {
  return page.url().slice(ADMIN.length);
}

/** The app's own page, open modals included, is sound to those who can't see it, and nothing sticks out. */
export async function expectSound({ app }: Admin): Promise<void> {
  const body = app.locator("body");
  expectValue(await violations(body)).toEqual([]);
  const over = await body.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expectValue(over).toBeLessThanOrEqual(0);
}
