import type { FrameLocator, Locator, Page } from "playwright";
import { expect as expectValue } from "vitest";
import { expect, type Visitor } from "../e2e/fixtures/visitor.ts";
import { violations } from "../support/axe.ts";

const ADMIN = "https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist";

/** The app as a merchant has it before them: Shopify's admin, and the app in its frame. */
export interface Admin {
  page: Page;
  app: FrameLocator;
  /** Opens a page of the app by its address, as from a bookmark. */
  open: (path: string) => Promise<void>;
  reload: () => Promise<void>;
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
    async reload() {
      await page.reload();
      await awake(admin);
    },
  };
  await admin.open(path);
  return admin;
}

/** Waits until the app's own script has taken the page over: what is pressed before may be lost. */
async function awake({ page, app }: Admin): Promise<void> {
  const main = app.locator("main").first();
  await main.waitFor();
  await page.waitForLoadState("networkidle");
  const taken = () => main.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactFiber")));
  await expect.poll(taken).toBe(true);
  await main.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
}

/** Goes to a page of the app as its menu does, and waits until the admin's address says so. */
export async function goTo(admin: Admin, path: string): Promise<void> {
  await admin.app.locator("body").evaluate((body, href) => {
    const link = document.createElement("a");
    link.href = href;
    body.append(link);
    link.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true }));
    link.remove();
  }, path);
  await expect.poll(() => pathOf(admin)).toBe(path);
}

/** Reloads the app's frame, by itself or by something on the page, and waits for the new document. */
export async function reloadFrame(admin: Admin, reload?: () => Promise<void>): Promise<void> {
  const body = admin.app.locator("body");
  await body.evaluate((node) => node.setAttribute("data-old", ""));
  await (reload ?? (() => body.evaluate(() => location.reload())))();
  await expect(admin.app.locator("body[data-old]")).toHaveCount(0);
  await awake(admin);
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

const TOKENS = /\/bridge\/idToken/;

/** Ends the merchant's session: Shopify's admin gives the app tokens that are no good. */
export async function endSession({ page }: Admin): Promise<void> {
  await page.route(TOKENS, (route) => route.fulfill({ json: "no.token.atall" }));
}

/** As if they had logged in again in another tab. */
export async function renewSession({ page }: Admin): Promise<void> {
  await page.unroute(TOKENS);
}

/** A button of the modal that is open, or about to be: the page behind it may have one of the same name. */
export function inModal({ app }: Pick<Admin, "app">, name: string): Locator {
  return app.getByRole("dialog").getByRole("button", { name, exact: true });
}

/** Closes the modal that is open, or about to be, and waits until it is gone. */
export async function cancel(admin: Pick<Admin, "app">): Promise<void> {
  await inModal(admin, "Cancel").click();
  await expect(admin.app.getByRole("dialog")).toHaveCount(0);
}

/** Presses a button twice, faster than the page can show that it was pressed. */
export async function pressTwice(button: Locator): Promise<void> {
  await button.evaluate((one: HTMLElement) => {
    one.click();
    one.click();
  });
}
