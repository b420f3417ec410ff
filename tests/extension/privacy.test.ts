import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { expectCount, expectSaved, heartOf, type Shopper, withShopper } from "../support/browser/shopper.ts";

// Shopify's Customer Privacy API as a page sees it: absent until `loadFeatures` has loaded it. The visitor's decision is in a cookie.
const SHOPIFY = `
  const allowed = () => /preferences=yes/.test(document.cookie);
  window.Shopify = {
    loadFeatures([{ name, version }], loaded) {
      if (name !== "consent-tracking-api" || version !== "0.1") return loaded(new Error("unknown feature"));
      setTimeout(() => {
        window.Shopify.customerPrivacy = { preferencesProcessingAllowed: allowed };
        loaded();
        document.documentElement.dataset.privacy = "loaded";
      });
    },
  };
  window.decide = (decision) => {
    document.cookie = "preferences=" + decision + "; path=/";
    document.dispatchEvent(new CustomEvent("visitorConsentCollected"));
  };`;
const OPTIONS = { script: SHOPIFY };

let shopper: Shopper;

withShopper((arrival) => {
  shopper = arrival;
});

/** Waits until the script knows the visitor's decision. */
async function privacyKnown(page: Page): Promise<void> {
  await page.waitForSelector("html[data-privacy=loaded]");
}

async function decide(page: Page, decision: "yes" | "no"): Promise<void> {
  await page.evaluate(`decide("${decision}")`);
}

/** Returns what the browser keeps beyond the visit, and for the visit. */
function kept(page: Page): Promise<{ beyond: string | null; visit: string | null }> {
  return page.evaluate(() => ({
    beyond: localStorage.getItem("wishlist"),
    visit: sessionStorage.getItem("wishlist"),
  }));
}

describe("a visitor who has not allowed preferences", () => {
  test("keeps hearts from page to page, with nothing stored beyond the visit", async () => {
    const page = await shopper.open("/collections/all", OPTIONS);
    await heartOf(page, 1).click();
    await expectCount(page, 1);
    await privacyKnown(page);
    await shopper.quiet(page);
    expect(await kept(page)).toEqual({ beyond: null, visit: expect.stringContaining("90011") });
    expect(await page.evaluate(() => document.cookie)).not.toContain("wishlist");

    await shopper.visit(page, "/collections/all", OPTIONS);
    await expectSaved(heartOf(page, 1));
    await expectCount(page, 1);
    expect((await kept(page)).beyond).toBeNull();

    const later = await shopper.open("/collections/all", OPTIONS);
    await expectSaved(heartOf(later, 1), false);
  });

  test("has the same list stored from the moment of the consent", async () => {
    const page = await shopper.open("/collections/all", OPTIONS);
    await heartOf(page, 1).click();
    await expectCount(page, 1);
    await privacyKnown(page);
    await shopper.quiet(page);
    const { visit } = await kept(page);
    await decide(page, "yes");
    expect(await kept(page)).toEqual({ beyond: visit, visit: null });

    const other = await shopper.open("/collections/all", OPTIONS);
    await expectSaved(heartOf(other, 1));
  });
});

describe("a visitor who has allowed preferences", () => {
  test("keeps the first heart for later visits", async () => {
    const page = await shopper.open("/collections/all", OPTIONS);
    await decide(page, "yes");
    await heartOf(page, 1).click();
    await expectCount(page, 1);
    await privacyKnown(page);
    await expect.poll(() => kept(page)).toEqual({ beyond: expect.stringContaining("90011"), visit: null });
    const later = await shopper.open("/collections/all", OPTIONS);
    await expectSaved(heartOf(later, 1));
  });

  test("has the list taken out of the lasting storage on withdrawal", async () => {
    const page = await shopper.open("/collections/all", OPTIONS);
    await decide(page, "yes");
    await heartOf(page, 1).click();
    await expectCount(page, 1);
    await privacyKnown(page);
    await expect.poll(() => kept(page)).toEqual({ beyond: expect.stringContaining("90011"), visit: null });
    await decide(page, "no");
    expect(await kept(page)).toEqual({ beyond: null, visit: expect.stringContaining("90011") });
    await heartOf(page, 2).click();
    await expectCount(page, 2);
    expect((await kept(page)).beyond).toBeNull();
  });

  test("has the list of an earlier visit taken out when the consent was withdrawn elsewhere", async () => {
    const page = await shopper.open("/collections/all", OPTIONS);
    await decide(page, "yes");
    await heartOf(page, 1).click();
    await privacyKnown(page);
    await expect.poll(() => kept(page)).toEqual({ beyond: expect.stringContaining("90011"), visit: null });
    await shopper.context.clearCookies();
    const later = await shopper.open("/collections/all", OPTIONS);
    await privacyKnown(later);
    expect(await kept(later)).toEqual({ beyond: null, visit: expect.stringContaining("90011") });
  });
});

test("a part that cannot be loaded leaves the list in the visit's storage", async () => {
  await shopper.context.route("**/wishlist-privacy.js", (route) => route.abort());
  const page = await shopper.open("/collections/all", OPTIONS);
  await decide(page, "yes");
  await heartOf(page, 1).click();
  await expectCount(page, 1);
  await shopper.quiet(page);
  expect(await kept(page)).toEqual({ beyond: null, visit: expect.stringContaining("90011") });
});
