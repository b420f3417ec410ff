import type { FrameLocator, Locator, Page } from "playwright";
import { expect as expectValue } from "vitest";
import { expect, type Visitor } from "../e2e/fixtures/visitor.ts";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";

const ADMIN = "https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist";

/** The app as a merchant uses it: Shopify's admin with the app in an iframe. */
export interface Admin {
  page: Page;
  app: FrameLocator;
  /** Opens a page of the app by its URL, as from a bookmark. */
  open: (path: string) => Promise<void>;
  /** Opens another page from the open one, which takes a third of the time. */
  go: (path: string) => Promise<void>;
  reload: () => Promise<void>;
  /** Resolves when the app has no pending requests. */
  quiet: () => Promise<void>;
}

export async function enter(merchant: Visitor, path: string): Promise<Admin> {
  const page = await merchant.context.newPage();
  const app = page.frameLocator("#app-frame");
  const admin: Admin = {
    page,
    app,
    quiet: () => merchant.quiet(app.locator("body")),
    async go(wanted) {
      await goTo(admin, wanted);
      await admin.quiet();
    },
    async open(wanted) {
      await page.goto(ADMIN + wanted);
      await waitForHydration(admin);
    },
    async reload() {
      await page.reload();
      await waitForHydration(admin);
    },
  };
  await admin.open(path);
  return admin;
}

/** Waits for hydration: clicks before it may be lost. */
async function waitForHydration({ app, quiet }: Admin): Promise<void> {
  const main = app.locator("main").first();
  await main.waitFor();
  const isHydrated = () => main.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactFiber")));
  await expect.poll(isHydrated, { intervals: [20] }).toBe(true);
  await quiet();
}

/** Navigates like the app's menu, and waits until the admin's URL shows the page. */
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

/** Reloads the app's iframe and waits for the new document. @param reload triggers the reload */
export async function reloadFrame(admin: Admin, reload?: () => Promise<void>): Promise<void> {
  const body = admin.app.locator("body");
  await body.evaluate((node) => node.setAttribute("data-old", ""));
  await (reload ?? (() => body.evaluate(() => location.reload())))();
  await expect(admin.app.locator("body[data-old]")).toHaveCount(0);
  await waitForHydration(admin);
}

/** Returns the app's path in the admin's URL. */
export function pathOf({ page }: Admin): string {
  return page.url().slice(ADMIN.length);
}

/** Expects that axe finds no violations in the page and its open modals, and that nothing overflows the viewport. */
export async function expectAccessible({ app }: Admin): Promise<void> {
  const body = app.locator("body");
  const overflow = () => body.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow, { intervals: [20] }).toBeLessThanOrEqual(0);
  expectValue(await violations(body)).toEqual([]);
}

/** Expects the same on a phone, and then on a desktop. */
export async function expectAccessibleOnAllSizes(admin: Admin): Promise<void> {
  for (const size of [PHONE, DESKTOP]) {
    await admin.page.setViewportSize(size);
    // The page renders again when it notices its new width.
    await admin.app
      .locator("body")
      .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expectAccessible(admin);
  }
}

const TOKENS = /\/bridge\/idToken/;

/** Ends the merchant's session: Shopify's admin returns invalid session tokens. */
export async function endSession({ page }: Admin): Promise<void> {
  await page.route(TOKENS, (route) => route.fulfill({ json: "no.token.atall" }));
}

/** Restores the session, as after a login in another tab. */
export async function renewSession({ page }: Admin): Promise<void> {
  await page.unroute(TOKENS);
}

/** Clicks Save in the save bar, which the admin shows while the page's form has unsaved changes. */
export async function save(page: Page): Promise<void> {
  await page.locator("#save-bar").getByRole("button", { name: "Save" }).click();
}

/** Returns a button of the open modal. The page behind it may have a button with the same name. */
export function inModal({ app }: Pick<Admin, "app">, name: string): Locator {
  return app.getByRole("dialog").getByRole("button", { name, exact: true });
}

/** Closes the open modal with Cancel. */
export async function cancelModal(admin: Pick<Admin, "app">): Promise<void> {
  await inModal(admin, "Cancel").click();
  await expect(admin.app.getByRole("dialog")).toHaveCount(0);
}

/** Clicks a button twice, before the page can disable it. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}
