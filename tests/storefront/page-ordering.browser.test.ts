import type { Locator, Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { arrangement, choose, product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const TENT = product(4, "Tent", {
  variants: Array.from({ length: 22 }, (_, i) => ({ id: 5000 + i, title: `Size ${i}`, priceCents: 5700 })),
});
const test = testWith([product(0, "Beanie"), product(1, "Socks"), product(2, "Mug"), product(3, "Map"), TENT]);

/** Newest first: Map, Mug, Socks, Beanie. */
const ALL = [101, 102, 103, 104];
const handle = (page: Page, title: string) =>
  page.getByRole("button", { name: `Move ${title}: drag it or use the arrow keys` });
const card = (page: Page, title: string) => page.locator("[data-wishlist-item]").filter({ hasText: title });
const live = (page: Page) => page.locator("[data-wishlist-live]").innerText();

async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  if (!box) throw new Error("not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe("dragging a card by its handle", () => {
  test("saves the new order at once", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    expect(await page.locator("[data-wishlist-handle]").count()).toBe(0);
    await choose(page, "Custom order");
    await handle(page, "Map").waitFor();
    const [from, to] = [await middle(handle(page, "Map")), await middle(card(page, "Socks"))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    expect(await pages.names()).toEqual(["Mug", "Socks", "Map", "Beanie"]);
    expect(await live(page)).toBe("Position 3 of 4");
    await pages.quiet();
    await page.reload();
    expect(await pages.names()).toEqual(["Mug", "Socks", "Map", "Beanie"]);
  });

  test("works by touch without scrolling the page", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await pages.customerWith(...ALL);
    await pages.open("?sort=position");
    const [from, to] = [await middle(handle(page, "Map")), await middle(card(page, "Mug"))];
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", point?: { x: number; y: number }) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [point] : [] });
    await touch("touchStart", from);
    for (let step = 1; step <= 8; step++) {
      await touch("touchMove", { x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 });
    }
    await touch("touchEnd");
    await expect.poll(() => pages.names()).toEqual(["Mug", "Map", "Socks", "Beanie"]);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await pages.quiet();
    await page.reload();
    expect(await pages.names()).toEqual(["Mug", "Map", "Socks", "Beanie"]);
  });

  test("ends where it began with Escape", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open("?sort=position");
    const [from, to] = [await middle(handle(page, "Map")), await middle(card(page, "Beanie"))];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    expect(await pages.names()).toEqual(["Mug", "Socks", "Beanie", "Map"]);
    await page.keyboard.press("Escape");
    expect(await pages.names()).toEqual(["Map", "Mug", "Socks", "Beanie"]);
    await page.mouse.up();
    await pages.quiet();
    expect(pages.requests()).not.toContain("POST /api/changeListItems");
  });
});

describe("the custom order", () => {
  test("is changed by the arrow keys, which keep the focus and save the last place", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open("?sort=position");
    await handle(page, "Beanie").focus();
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
    expect(await pages.names()).toEqual(["Beanie", "Map", "Mug", "Socks"]);
    expect(await live(page)).toBe("Position 1 of 4");
    expect(await handle(page, "Beanie").evaluate((one) => one === document.activeElement)).toBe(true);
    await pages.quiet();
    await page.reload();
    expect(await pages.names()).toEqual(["Beanie", "Map", "Mug", "Socks"]);
  });

  test("is changed by the menu of an item, also to another page", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101, ...TENT.variants.map(({ id }) => `105/${id}`).slice(0, 20));
    await pages.open("?sort=position&page=2");
    expect(await pages.names()).toEqual(["Beanie"]);
    await page.locator("[data-wishlist-menu] summary").click();
    await page.getByRole("button", { name: "Move up – Beanie" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect((await pages.names()).at(-1)).toBe("Beanie");
    expect(await live(page)).toBe("Position 20 of 21");
    expect(await handle(page, "Beanie").evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test("is shown as it was when it can't be saved", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open("?sort=position");
    await page.route("**/api/changeListItems", (route) => route.abort());
    await handle(page, "Map").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByText("Something went wrong").waitFor();
    await pages.quiet();
    await expect.poll(() => pages.names()).toEqual(["Map", "Mug", "Socks", "Beanie"]);
    pages.forgiveRequests();
  });

  test("is kept by an item whose removal is undone", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(...ALL);
    await pages.open("?sort=position");
    await handle(page, "Map").focus();
    await page.keyboard.press("ArrowRight");
    await pages.quiet();
    await page.getByRole("button", { name: /^Remove Map/ }).click();
    await page.getByRole("button", { name: /Undo$/ }).click();
    await page.getByText("Back on your wishlist").waitFor();
    await page.reload();
    await expect.poll(() => pages.names()).toEqual(["Mug", "Map", "Socks", "Beanie"]);
  });

  test("is pointed to in other orders, fits a phone and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await pages.customerWith(...ALL);
    await pages.open();
    await arrangement(page).locator("summary").click();
    await page.getByText("To arrange items yourself, choose “Custom order”.").waitFor();
    await pages.open("?sort=position");
    await page.locator("[data-wishlist-menu] summary").first().click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });
});
