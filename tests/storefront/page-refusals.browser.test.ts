// @module-tag matrix

import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { startStorefront, visitor } from "../support/app/storefront.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const test = testWith([product(0, "Larch Wool Beanie")]);

describe("a refused request", () => {
  /** Replaces the response to the next request to a path of the app. */
  async function refuse(page: Page, path: string, status: number, code?: string, retryAfter?: number): Promise<void> {
    await page.route(`**/api/${path}`, (route) => {
      const json =
        code === undefined
          ? undefined
          : { ok: false, error: { code, message: "", requestId: "r", status, retryAfter } };
      return status === 0 ? route.abort() : route.fulfill(json ? { json } : { status, body: "<h1>Bad gateway</h1>" });
    });
  }

  const FAILURES = [
    ["a network that is gone", 0, undefined, "Something went wrong. Please try again."],
    ["429 with its wait", 429, "rate_limited", "Too many requests. Try again in 34 seconds."],
    ["503", 503, "service_unavailable", "Something went wrong. Please try again."],
    ["403", 403, "forbidden_origin", "Something went wrong. Please try again."],
    ["a response that is not the app's", 502, undefined, "Something went wrong. Please try again."],
  ] as const;

  for (const [cause, status, code, said] of FAILURES) {
    const title = `by ${cause} is told and announced, and leaves list and buttons as they were`;
    test(title, async ({ pages }) => {
      const { page } = pages;
      await pages.customerWith(101);
      await pages.open();
      await refuse(page, "remove", status, code, 34);
      const button = page.getByRole("button", { name: /^Remove .+ from the wishlist$/ });
      await button.click();
      await page.getByRole("status").filter({ hasText: said }).waitFor();
      expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await pages.names()).toEqual(["Larch Wool Beanie"]);
      expect(await pages.stored()).toMatchObject({ count: 1 });
      await page.unroute("**/api/remove");
      await button.click();
      await page.getByRole("button", { name: /Undo/ }).waitFor();

      await refuse(page, "add", 409, "wishlist_full");
      await page.getByRole("button", { name: /Undo/ }).click();
      await page
        .getByRole("status")
        .filter({ hasText: "Your wishlist is full. Remove something to make room." })
        .waitFor();
      expect(await pages.stored()).toMatchObject({ count: 0 });
      await page.unroute("**/api/add");
      await page.getByRole("button", { name: /Undo/ }).click();
      await button.waitFor();
      expect(await pages.stored()).toMatchObject({ count: 1 });
      pages.forgiveRequests();
    });
  }

  test("says that the device is offline, and its message's button is as high as a finger needs", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    const button = page.getByRole("button", { name: /^Remove .+ from the wishlist$/ });
    await page.context().setOffline(true);
    await button.click();
    await page.getByText("You are offline. Try again once you are connected.").waitFor();
    await page.context().setOffline(false);
    await button.click();
    const undo = page.getByRole("button", { name: /Undo/ });
    await undo.waitFor();
    expect((await undo.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    pages.forgiveRequests();
  });

  test("to share shows a message, and sharing can be tried again", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    await refuse(page, "shareList", 403, "plan_required");
    const button = page.getByRole("button", { name: "Share", exact: true });
    await button.click();
    await page.getByRole("status").filter({ hasText: "This store doesn’t offer shared wishlists" }).waitFor();
    await page.unroute("**/api/shareList");
    await button.click();
    await page.getByRole("textbox", { name: "Share link" }).waitFor();
    expect(
      await page.getByRole("button", { name: "Copy link" }).evaluate((one) => one === document.activeElement),
    ).toBe(true);
    pages.forgiveRequests();
  });

  test("for a guest's list can be tried again, with the focus kept nearby", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101);
    await refuse(page, "page", 503, "service_unavailable");
    await pages.open();
    const again = page.getByRole("status").getByRole("button", { name: "Try again" });
    await again.press("Enter");
    await again.waitFor();
    await page.unroute("**/api/page");
    await again.press("Enter");
    await page.getByText("1 item").waitFor();
    expect(await page.locator("[data-wishlist-title]").evaluate((one) => one === document.activeElement)).toBe(true);
    pages.forgiveRequests();
  });
});

test("a rate limited page shows when to try again", async ({ pages }) => {
  const limited = await startStorefront({
    database: pages.stage.service.database,
    env: { RATE_LIMIT_STOREFRONT_PER_MINUTE: "1" },
  });
  const ask = visitor(limited.url, { shop: pages.stage.devstore.shop, customer: "1", address: "198.51.100.20" });
  await ask("GET", "");
  const response = await ask("GET", "");
  expect(response.status).toBe(200);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(response.headers.get("content-type")).toBe("application/liquid; charset=utf-8");
  await limited.dispose();
});
