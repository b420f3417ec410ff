import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { type Shopper, withShopper } from "../support/browser/shopper.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";

const EDITOR = "window.Shopify = { designMode: true };";
/** Blocks the script's access to the cards. */
const FOUND_NOTHING = { exclude_selector: ".grid" };
/** Removes the cart link before the script looks for it. */
const NO_CART = `addEventListener("DOMContentLoaded", () => document.querySelector(".header__icons").remove(), true);`;

/** The check runs immediately and reports its result. */
const JUDGE = `const real = setTimeout;
  window.setTimeout = (act, ms, ...given) => real(() => { act(...given); if (ms === 3000) window.judged = true; }, ms === 3000 ? 500 : ms);`;

let shopper: Shopper;

withShopper((arrival) => {
  shopper = arrival;
});

function openEditor(options: PageOptions = {}): Promise<Page> {
  return shopper.open("/collections/all", { script: EDITOR, designMode: true, ...options });
}

describe("the theme editor", () => {
  test("shows both notices side by side, dismissible and accessible, on a phone and a desktop", async () => {
    const page = await openEditor({ embed: FOUND_NOTHING, script: EDITOR + NO_CART });
    const notices = page.locator(".whl-notices p");
    await notices.nth(1).waitFor();
    expect(await notices.allInnerTexts()).toEqual([
      expect.stringContaining("no product cards were found"),
      expect.stringContaining("there is no room beside the cart link"),
    ]);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      const [first, second] = await notices.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ x, right, y, bottom }) => ({ x, right, y, bottom })),
      );
      if (!first || !second) throw new Error("a notice is missing");
      expect(first.bottom).toBeLessThanOrEqual(second.y);
      expect(first.x).toBeGreaterThanOrEqual(16);
      expect(first.right).toBeLessThanOrEqual(viewport.width - 16);
      const floating = await page.locator(".whl-counter--floating").boundingBox();
      expect(second.bottom).toBeLessThanOrEqual(floating?.y ?? 0);
    }
    expect(await violations(page.locator(".whl-notices"))).toEqual([]);
    await notices.first().getByRole("button", { name: "Dismiss" }).click();
    expect(await notices.count()).toBe(1);
    await page.reload();
    await notices.first().waitFor();
    expect(await notices.allInnerTexts()).toEqual([expect.stringContaining("beside the cart link")]);
  });

  test("shows no notice where hearts and link are in place", async () => {
    const page = await openEditor({ script: EDITOR + JUDGE });
    await page.waitForFunction(() => Reflect.get(window, "judged") === true);
    expect(await page.locator(".whl-notices").count()).toBe(0);
  });

  test("is the only place that loads the notices", async () => {
    const page = await shopper.open("/collections/all", { embed: FOUND_NOTHING, script: NO_CART });
    await shopper.quiet(page);
    expect(await page.locator('script[src*="wishlist-editor"], [data-editor-part]').count()).toBe(0);
  });
});
