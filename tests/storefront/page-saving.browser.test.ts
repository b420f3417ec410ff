import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const test = testWith([product(0, "Beanie"), product(1, "Socks"), product(2, "Mug")]);

interface Pages {
  page: Page;
  url: string;
  as: (customer: string) => (method: "POST", path: string, options: { json: object }) => Promise<{ data: <T>() => T }>;
  customerWith: (...items: number[]) => Promise<string>;
}

/** Returns the path of a link to another customer's list of Mug, Socks and Beanie. */
async function sharedPath(pages: Pages): Promise<string> {
  const owner = await pages.customerWith(101, 102, 103);
  const { shareUrl } = (await pages.as(owner)("POST", "/api/shareList", { json: {} })).data<{ shareUrl: string }>();
  return new URL(shareUrl).pathname;
}

const save = (page: Page, title: string) => page.getByRole("button", { name: `Save ${title} to my wishlist` });
const saved = (page: Page, title: string) => page.getByRole("button", { name: `${title} is on my wishlist` });

describe("on a shared list", () => {
  test("a customer sees what is saved already, and saves one item", async ({ pages }) => {
    const { page } = pages;
    const path = await sharedPath(pages);
    const customer = await pages.customerWith(101);
    await page.goto(pages.url + path);
    await saved(page, "Beanie").waitFor();
    await save(page, "Mug").click();
    await page.getByText("Saved to your wishlist").waitFor();
    await saved(page, "Mug").waitFor();
    expect(await pages.savedVariants(customer)).toEqual(["1103", "1101"]);
    expect(await page.getByText("3 items").isVisible()).toBe(true);
    await saved(page, "Mug").click();
    await page.getByText("Already on your wishlist").waitFor();
    await page.getByRole("link", { name: "View my wishlist" }).click();
    await expect.poll(() => pages.names()).toEqual(["Mug", "Beanie"]);
  });

  test("a new guest saves all items, and finds them on the own list", async ({ pages }) => {
    const { page } = pages;
    const path = await sharedPath(pages);
    await pages.logIn(null);
    await page.goto(pages.url + path);
    await pages.quiet();
    expect(pages.requests()).not.toContain("POST /api/saved");
    await page.getByRole("button", { name: "Save all to my wishlist" }).click();
    await page.getByText("3 items saved to your wishlist").waitFor();
    await saved(page, "Socks").waitFor();
    await pages.quiet();
    expect(await pages.stored()).toMatchObject({ owner: "guest", count: 3, saved: { "101": { v: ["1101"] } } });
    await pages.open();
    await expect.poll(() => pages.names()).toEqual(["Mug", "Socks", "Beanie"]);
  });

  test("a failure is said, and the item can be saved again", async ({ pages }) => {
    const { page } = pages;
    const path = await sharedPath(pages);
    await pages.customerWith();
    await page.goto(pages.url + path);
    await page.route("**/api/add", (route) => route.abort());
    await save(page, "Mug").click();
    await page.getByText("Something went wrong").waitFor();
    await page.unroute("**/api/add");
    await save(page, "Mug").click();
    await saved(page, "Mug").waitFor();
    pages.forgiveRequests();
  });

  test("the hearts fit a phone and are accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    const path = await sharedPath(pages);
    await pages.customerWith(101);
    await page.goto(pages.url + path);
    await saved(page, "Beanie").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });
});
