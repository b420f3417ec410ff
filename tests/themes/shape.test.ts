// @module-tag matrix

import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { launchBrowser } from "../support/browser/browser.ts";
import { dark } from "./test-themes/dark.ts";
import { dawn } from "./test-themes/dawn.ts";
import { colours, contrasts } from "./pixels.ts";
import { SHOWN } from "./products.ts";
import { FIRST_PAGES, OTHER_PAGES, type ThemePage, ThemeVisit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Observed rules of themes and apps that override an app's elements. */
const HOSTILE = {
  "wide buttons": "button, a { width: 100% !important; min-width: 200px !important; height: 20px !important; }",
  "wide icons": "svg, button svg, a svg { width: 100%; height: auto; max-width: none !important; }",
  "everything positioned": "*, *::before, *::after { position: relative; }",
  "everything positioned, with force": "main * { position: relative !important; }",
  "contents after buttons":
    'button::after, a::after { content: "x" !important; display: block !important; width: 80px; }',
  "buttons by class, hidden":
    '[class*="button"], [class*="btn"], [class*="card"] > button, [class*="-counter"] { display: none !important; }',
  "all: revert": "a, button { all: revert; }",
  "all: revert, with force": "a, button, body button[type] { all: revert !important; }",
  "margins between neighbours":
    "main * + button, main * > button { margin: 30px 0 0 30px !important; transform: scale(.5) !important; }",
  "faint and without a pointer":
    "main button, main div > button:last-child { opacity: .2 !important; pointer-events: none !important; filter: blur(4px) !important; }",
  "square corners": "* { border-radius: 0 !important; box-shadow: none !important; }",
  "colours that are no triplets":
    ":root, body { --color-foreground: #123456; --color-background: rebeccapurple; --color-button: var(--nothing); }",
  "masks and backgrounds":
    "button, button::before { background: none !important; mask: none !important; color: transparent !important; }",
};

/** Returns the look of each heart and the header link, which no theme may change. */
function looks(visit: ThemeVisit): Promise<string[]> {
  return visit.page.evaluate(() => {
    const seen = window.probe.hearts().flatMap(({ handle, hearts }) =>
      hearts.map((heart) => {
        const style = getComputedStyle(heart);
        const after = getComputedStyle(heart, "::after");
        const mask = getComputedStyle(heart, "::before").maskImage;
        const { width, height } = heart.getBoundingClientRect();
        const content =
          ["none", "normal", '""'].includes(after.content) || after.display === "none" ? "" : after.content;
        const size = `${Math.round(width)} × ${Math.round(height)}`;
        return [
          handle,
          size,
          style.borderRadius,
          style.opacity,
          style.filter,
          style.position,
          style.pointerEvents,
          mask === "none" ? "no icon" : "icon",
          content,
        ].join(", ");
      }),
    );
    const links = [...document.querySelectorAll(".whl-counter")].map((link) => {
      const { width, height } = link.getBoundingClientRect();
      const style = getComputedStyle(link);
      return `header link, ${Math.round(width)} × ${Math.round(height)}, ${style.opacity}, ${style.filter}, ${style.pointerEvents}`;
    });
    return [...seen, ...links];
  });
}

function testPage({ theme, width }: ThemePage): void {
  let visit: ThemeVisit;

  beforeAll(async () => {
    // The last test removes the extension's elements permanently.
    const script = "MutationObserver.prototype.observe = () => undefined;";
    visit = await ThemeVisit.open(browser, theme, width, { script });
  });
  afterAll(() => visit.leave());

  test("hearts are discs, and each shows its icon", async () => {
    const round = await visit.page.evaluate(() =>
      window.probe
        .hearts()
        .flatMap(({ handle, hearts }) =>
          hearts.flatMap((heart) =>
            /^(50%|\d{2,}(\.\d+)?px)$/.test(getComputedStyle(heart).borderRadius)
              ? []
              : `${handle}: ${getComputedStyle(heart).borderRadius}`,
          ),
        ),
    );
    expect(round).toEqual([]);
    expect(await contrasts(visit)).toBeGreaterThanOrEqual(3);
  });

  test("hearts show in forced colours", async () => {
    await visit.page.emulateMedia({ forcedColors: "active" });
    const found = await colours(visit);
    await visit.page.emulateMedia({ forcedColors: null });
    expect(found).toBeGreaterThan(1);
  });

  test("hearts and the header's link look the same under hostile CSS", async () => {
    const expected = await looks(visit);
    const changed: Record<string, string[]> = {};
    for (const [name, content] of Object.entries(HOSTILE)) {
      const style = await visit.page.addStyleTag({ content });
      const now = await looks(visit);
      const different = now.filter((look) => !expected.includes(look));
      if (different.length > 0) changed[name] = different.slice(0, 2);
      await style.evaluate((one) => {
        if (one instanceof Element) one.remove();
      });
    }
    expect(changed).toEqual({});
    expect(expected.length).toBeGreaterThan(2);
  });

  test("the extension adds no accessibility violation to the theme's own", async () => {
    const parts = visit.page.locator("[data-t-header], [data-t-list]");
    const found = await violations(parts);
    await visit.page.evaluate(() => {
      for (const one of document.querySelectorAll('[class*="whl-"]')) one.remove();
    });
    const own = await violations(parts);
    expect(found.filter((one) => !own.includes(one))).toEqual([]);
  });
}

describe.each([...FIRST_PAGES, ...OTHER_PAGES])("$name at $width px", testPage);

test.each(["light", "dark"] as const)("a saved heart shows in %s forced colours", async (colorScheme) => {
  const variants = SHOWN.flatMap((product) => product.variants.map(({ id }) => id));
  const visit = await ThemeVisit.open(browser, dawn, 1280, { saved: variants });
  await visit.page.emulateMedia({ forcedColors: "active", colorScheme });
  expect(await contrasts(visit)).toBeGreaterThanOrEqual(3);
  await visit.leave();
});

test.each([dawn, dark])("a message keeps its background under the hostile CSS of $name", async (theme) => {
  const visit = await ThemeVisit.open(browser, theme, 390);
  visit.shopper.store.refusals.set("add", { status: 500, code: "internal_error" });
  await visit.press("harbour-lamp");
  const message = visit.page.locator(".whl-message");
  expect(await message.textContent()).not.toBe("");
  const backgrounds = new Set<string>();
  for (const content of ["main {}", "div { background: none !important; }", ...Object.values(HOSTILE)]) {
    await visit.page.addStyleTag({ content });
    backgrounds.add(await message.evaluate((one) => getComputedStyle(one).backgroundColor));
  }
  expect([...backgrounds]).toEqual([expect.stringMatching(/^(?!transparent|.*(, |\/ )0\)$)/)]);
  await visit.leave();
});
