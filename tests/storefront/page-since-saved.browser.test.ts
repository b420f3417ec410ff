import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { until } from "../support/until.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const NAMES = ["Larch Wool Beanie", "Ridge 28 Daypack", "Trail Socks", "Titanium Mug"];
const test = testWith(NAMES.map((name, index) => product(index, name)));

describe("the shopper's own list", () => {
  test("tells by how much a price fell, what is back in stock and of what few are left", async ({ pages, stage }) => {
    const { page } = pages;
    const { database } = stage.service;
    const change = async (action: string, body: object): Promise<void> => {
      const response = await fetch(`${pages.url}/devstore/api/${action}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
    };
    const cached = (productId: string, condition: string): Promise<unknown> =>
      until(`the catalog cache to have ${condition}`, async () => {
        const rows = await database.rows(`SELECT 1 FROM variant WHERE product_id = $1 AND ${condition}`, [productId]);
        return rows.length > 0;
      });
    await pages.customerWith(104, 103, 102, 101);
    await pages.open();
    expect(await page.locator("[data-wishlist-since]").count()).toBe(0);

    await change("lower-price", { productId: "101", percent: 10 });
    await change("sell-out", { productId: "102" });
    await change("edit-variant", { variantId: "1103", tracked: true, quantity: 2 });
    await cached("102", "NOT available");
    await change("restock", { productId: "102", quantity: 50 });
    await cached("101", "price < 29");
    await cached("102", "available");
    await cached("103", "inventory = 2");
    await pages.open();
    const changes = async (): Promise<Record<string, string[]>> =>
      Object.fromEntries(
        await Promise.all(
          NAMES.map(async (name) => {
            const card = page.locator("[data-wishlist-item]", { hasText: name });
            return [name, await card.locator("[data-wishlist-since] li").allInnerTexts()] as const;
          }),
        ),
      );
    expect(await changes()).toEqual({
      "Larch Wool Beanie": ["Price down by €2,90"],
      "Ridge 28 Daypack": ["Back in stock"],
      "Trail Socks": ["Only 2 left"],
      "Titanium Mug": [],
    });

    await page.setViewportSize(PHONE);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl-grid"))).toEqual([]);
  });
});
