import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { headerMistakes, overlays } from "./header.ts";
import { dawn } from "./test-themes/dawn.ts";
import { rightToLeft } from "./test-themes/right-to-left.ts";
import { SHOWN } from "./products.ts";
import { FIRST_PAGES, OFTEN, OTHER_PAGES, type ThemePage, ThemeVisit, VARIANTS } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

function idOf(handle: string): string {
  return SHOWN.find((one) => one.handle === handle)?.id ?? "";
}

function testPage({ theme, width }: ThemePage): void {
  let visit: ThemeVisit;

  beforeAll(async () => {
    visit = await ThemeVisit.open(browser, theme, width, {
      // A card without a variant, and a card with one.
      saved: [`${idOf("oak-stool")}3`, `${idOf("linen-throw")}1`],
    });
  });
  afterAll(() => visit.leave());

  test("nothing outside of the header moves when the hearts and the header's link arrive", async () => {
    const { before, after, moved, shifted } = await visit.page.evaluate(() => ({
      before: window.probe.before.layout,
      after: window.probe.layout(),
      moved: window.probe.moved,
      shifted: window.probe.shifted,
    }));
    expect(after.filter((one) => !before.includes(one))).toEqual([]);
    expect(moved).toEqual([]);
    // The header's icons move for the link: 1% of the shift that counts as good.
    expect(shifted).toBeLessThan(0.005);
  });

  test("the theme's elements keep their attributes", async () => {
    const { before, after } = await visit.page.evaluate(() => ({
      before: window.probe.before.theme,
      after: window.probe.theme(),
    }));
    expect(after.filter((one) => !before.includes(one))).toEqual([]);
    expect(after.length).toBe(before.length);
  });

  test("each card has one heart", async () => {
    expect(await visit.ask("counted")).toEqual([]);
  });

  test("menus, texts, orders, cart lines and other places have no heart", async () => {
    expect(await visit.ask("strays")).toEqual([]);
  });

  test("hearts stand for the card's product and the variant that it names", async () => {
    expect(await visit.page.evaluate((given) => window.probe.wrong(given), VARIANTS)).toEqual([]);
  });

  test("hearts lie within their card's picture", async () => {
    expect(await visit.ask("misplaced")).toEqual([]);
  });

  test("hearts are 44 pixels wide and high", async () => {
    expect(await visit.page.evaluate(() => window.probe.small(60))).toEqual([]);
  });

  test("hearts cover no badge, button, price or title", async () => {
    expect(await visit.ask("covering")).toEqual([]);
  });

  test("hearts are inside no link or button", async () => {
    expect(await visit.ask("linked")).toEqual([]);
  });

  test("hearts are what a pointer hits and the focus reaches", async () => {
    expect(await visit.ask("unreachable")).toEqual([]);
  });

  test("a sticky header, an open menu and a modal lie over the hearts", async () => {
    expect(await overlays(visit)).toEqual([]);
  });

  test("one link to the wishlist is beside the cart link and covers nothing", async () => {
    expect(await headerMistakes(visit)).toEqual([]);
  });

  test("hearts show saved when any variant of the product is", async () => {
    expect((await visit.ask("saved")).sort()).toEqual(["linen-throw", "oak-stool"]);
  });

  test("a press saves the product that the card links to, and does not follow the link", async () => {
    await visit.press("harbour-lamp");
    expect(await visit.ask("saved")).toContain("harbour-lamp");
    const states = visit.page.locator('[data-wishlist-button][data-product-handle="harbour-lamp"]');
    // Copies of a slide are the same product.
    expect(new Set(await states.evaluateAll((all) => all.map((one) => one.ariaPressed)))).toEqual(new Set(["true"]));
    // The first variant is sold out.
    expect(visit.shopper.store.service.saved("customer 1")).toContain(`${idOf("harbour-lamp")}2`);
    expect(new URL(visit.page.url()).pathname).toBe("/collections/all");
  });

  test("Enter saves the variant that the card names, and Space removes it", async () => {
    const { service } = visit.shopper.store;
    await visit.page.evaluate((handle) => {
      const card = window.probe.hearts().find((one) => one.handle === handle);
      card?.hearts[0]?.focus();
    }, "plate-large");
    await visit.page.keyboard.press("Enter");
    await visit.waitUntilIdle();
    await expect.poll(() => service.saved("customer 1"), OFTEN).toContain(`${idOf("plate-large")}2`);
    expect(await visit.ask("saved")).toContain("plate-large");
    await visit.page.keyboard.press("Space");
    await visit.waitUntilIdle();
    await expect.poll(() => service.saved("customer 1"), OFTEN).not.toContain(`${idOf("plate-large")}2`);
    expect(await visit.ask("saved")).not.toContain("plate-large");
    expect(new URL(visit.page.url()).pathname).toBe("/collections/all");
  });
}

describe.each(FIRST_PAGES)("$name at $width px", testPage);
describe.each(OTHER_PAGES)("$name at $width px", MATRIX, testPage);

test("hearts of cards that slide in are what a pointer hits", async () => {
  const slide =
    ".cell { animation: slide 2s both } @keyframes slide { from { transform: translateY(33.3px) scale(.93) } }";
  const visit = await ThemeVisit.open(browser, { ...dawn, css: dawn.css + slide }, 1280);
  expect(await visit.ask("unreachable")).toEqual([]);
  await visit.leave();
});

test.each([
  [dawn, 1],
  [rightToLeft, -1],
])("hearts of $name lie where a line ends", async (theme, direction) => {
  const visit = await ThemeVisit.open(browser, theme, 1280);
  const sides = await visit.page.evaluate(() =>
    window.probe.hearts().flatMap(({ card, hearts }) =>
      hearts.map((heart) => {
        const box = card.getBoundingClientRect();
        const own = heart.getBoundingClientRect();
        return Math.sign(own.left + own.right - box.left - box.right);
      }),
    ),
  );
  expect([...new Set(sides)]).toEqual([direction]);
  await visit.leave();
});
