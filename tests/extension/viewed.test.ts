import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { type Shopper, withShopper } from "../support/browser/shopper.ts";

// Shopify's Customer Privacy API with a decision that a test makes.
const privacy = (isAllowed: boolean) => ({
  script: `
    window.Shopify = {
      loadFeatures(_features, loaded) {
        window.Shopify.customerPrivacy = { preferencesProcessingAllowed: () => window.decided ?? ${isAllowed} };
        loaded();
      },
    };`,
});

let shopper: Shopper;

withShopper((arrival) => {
  shopper = arrival;
});

function kept(page: Page): Promise<{ beyond: unknown; visit: unknown }> {
  return page.evaluate(() => ({
    beyond: JSON.parse(localStorage.getItem("wishlist:viewed") ?? "null") as unknown,
    visit: JSON.parse(sessionStorage.getItem("wishlist:viewed") ?? "null") as unknown,
  }));
}

const shoe = (number: number): string => `trail-shoe-${number}`;

describe("a product page", () => {
  test("keeps the handles of the last 12 products, newest first and each once", async () => {
    const page = await shopper.open(`/products/${shoe(1)}`, {});
    for (const number of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2])
      await shopper.visit(page, `/products/${shoe(number)}`, {});
    await shopper.visit(page, `/products/${shoe(13)}`, {});
    expect(await kept(page)).toEqual({ beyond: [13, 2, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(shoe), visit: null });
  });

  test("keeps them for the visit alone without the visitor's consent, and moves them with it", async () => {
    const page = await shopper.open(`/products/${shoe(1)}`, privacy(false));
    expect(await kept(page)).toEqual({ beyond: null, visit: [shoe(1)] });
    await page.evaluate("window.decided = true; document.dispatchEvent(new CustomEvent('visitorConsentCollected'))");
    expect(await kept(page)).toEqual({ beyond: [shoe(1)], visit: null });
    await page.evaluate("window.decided = false; document.dispatchEvent(new CustomEvent('visitorConsentCollected'))");
    expect(await kept(page)).toEqual({ beyond: null, visit: [shoe(1)] });
  });

  test("is the only page that loads the script, and asks the service nothing", async () => {
    const loaded: string[] = [];
    shopper.context.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await shopper.open("/collections/all", {});
    expect(loaded.filter((path) => path.includes("wishlist-viewed"))).toEqual([]);
    await shopper.open(`/products/${shoe(1)}`, {});
    expect(loaded.filter((path) => path.includes("wishlist-viewed"))).toHaveLength(1);
    expect(loaded.filter((path) => path.includes("/api/"))).toEqual([]);
  });
});
