// @module-tag matrix

import type { Browser } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser/browser.ts";
import { headerMistakes } from "./header.ts";
import { skeleton } from "./test-themes/skeleton.ts";
import { header } from "./page.ts";
import { MORE, SHOWN } from "./products.ts";
import { FIRST_PAGES, OFTEN, OTHER_PAGES, type ThemePage, ThemeVisit, WIDTHS } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

function testPage({ theme, width }: ThemePage): void {
  let visit: ThemeVisit;
  const cards = theme.cards(SHOWN);

  /** Replaces the list's HTML like a theme after a filter. */
  async function replaceCards(html: string): Promise<void> {
    await visit.page.evaluate((given) => {
      const list = document.querySelector("[data-t-list]");
      if (list) list.innerHTML = given;
    }, html);
    await visit.waitUntilIdle();
  }

  beforeAll(async () => {
    visit = await ThemeVisit.open(browser, theme, width);
  });
  afterAll(() => visit.leave());
  beforeEach(() => replaceCards(cards));

  // Which hearts there are does not depend on the width, only where they are.
  if (width === WIDTHS[0]) {
    test("the cards of a filtered list have one heart each", async () => {
      await replaceCards(theme.cards([...MORE, ...SHOWN].slice(2, 7)));
      expect(await visit.mistakes()).toEqual([]);
    });

    test("cards that a script has copied along with their hearts have one heart each", async () => {
      await replaceCards(await visit.page.evaluate(() => document.querySelector("[data-t-list]")?.innerHTML ?? ""));
      expect(await visit.mistakes()).toEqual([]);
      const handle = await visit.page.evaluate(() => window.probe.hearts()[0]?.handle ?? "");
      await visit.press(handle);
      expect(await visit.ask("saved")).toEqual([handle]);
      await visit.press(handle);
    });

    test("a card that is removed takes its heart along", async () => {
      await visit.page.evaluate(() => document.querySelector("[data-t-list]")?.firstElementChild?.remove());
      await visit.waitUntilIdle();
      expect(await visit.mistakes()).toEqual([]);
    });

    test("a card that comes to show another product gets that product's heart", async () => {
      const [shown, next] = [SHOWN[4], MORE[0]];
      if (!shown || !next) throw new Error("There are no such products.");
      await visit.page.evaluate(
        ([from, to, path]) => {
          for (const card of document.querySelectorAll<HTMLElement>(`[data-t-card="${from ?? ""}"]`)) {
            card.dataset["tCard"] = to;
            const links = [card, ...card.querySelectorAll("*")].filter((one) => one instanceof HTMLAnchorElement);
            for (const link of links) if (!link.pathname.includes("/elsewhere-")) link.href = path ?? "";
          }
        },
        [shown.handle, next.handle, next.href],
      );
      await visit.waitUntilIdle();
      expect(await visit.mistakes()).toEqual([]);
    });

    test("a quick view with a product form leaves one heart for each card", async () => {
      await visit.page.evaluate(
        ([picture, href]) => {
          document.body.insertAdjacentHTML(
            "beforeend",
            `<div id="quick-view" role="dialog" aria-modal="true" aria-label="Quick view" style="position:fixed;inset:0;z-index:99;overflow:auto;background:#fff;padding:40px">
              <img alt="Elsewhere" width="300" height="300" src="${picture ?? ""}"><h2>Elsewhere 1</h2><form action="/cart/add" method="post"><select name="id" aria-label="Size"><option value="70521">Small</option><option value="70522">Large</option></select><button>Add to cart</button></form>
              <a href="${href ?? ""}">View details</a></div>`,
          );
        },
        ["data:image/gif;base64,R0lGODlhAQABAAAAACw=", "/products/elsewhere-1"],
      );
      await visit.waitUntilIdle();
      const covered = await visit.page.evaluate(() => {
        const view = document.querySelector("#quick-view");
        return window.probe.hearts().flatMap(({ handle, hearts }) =>
          hearts.flatMap((heart) => {
            const { left, top, width, height } = heart.getBoundingClientRect();
            const hit = document.elementFromPoint(left + width / 2, top + height / 2);
            // A message is allowed: it shows the result of a press.
            const isOver = hit?.closest("[data-t-card], .whl-card") && !view?.contains(hit);
            return isOver ? `${handle}: lies over the quick view` : [];
          }),
        );
      });
      await visit.page.evaluate(() => document.querySelector("#quick-view")?.remove());
      await visit.waitUntilIdle();
      expect([...covered, ...(await visit.mistakes())]).toEqual([]);
    });
  }

  test("cards in another order keep their hearts", async () => {
    await visit.page.evaluate(() => {
      const list = document.querySelector("[data-t-list]");
      if (list) list.append(...[...list.children].reverse());
    });
    await visit.waitUntilIdle();
    expect([...(await visit.mistakes()), ...(await visit.ask("misplaced"))]).toEqual([]);
  });

  test("cards that are added at the list's end get hearts", async () => {
    await visit.page.evaluate(
      (html) => document.querySelector("[data-t-list]")?.insertAdjacentHTML("beforeend", html),
      theme.cards(MORE),
    );
    await visit.waitUntilIdle();
    expect([...(await visit.mistakes()), ...(await visit.ask("misplaced"))]).toEqual([]);
  });

  test("a heart that the theme removes comes back to its place", async () => {
    await visit.page.evaluate(() => window.probe.hearts()[0]?.hearts[0]?.remove());
    await visit.waitUntilIdle();
    expect([...(await visit.mistakes()), ...(await visit.ask("misplaced"))]).toEqual([]);
  });

  test("cards in a tab that is opened later have hearts in place", async () => {
    await visit.page.evaluate(() => document.querySelector("[data-t-list]")?.setAttribute("hidden", ""));
    await visit.page.addStyleTag({ content: "[hidden] { display: none !important; }" });
    await replaceCards(cards);
    await visit.page.evaluate(() => document.querySelector("[data-t-list]")?.removeAttribute("hidden"));
    await visit.waitUntilIdle();
    expect([...(await visit.mistakes()), ...(await visit.ask("misplaced"))]).toEqual([]);
  });

  test("the link to the wishlist comes back when the header is replaced", async () => {
    await visit.page.evaluate((html) => {
      const old = document.querySelector("[data-t-header]");
      if (old) old.outerHTML = html;
    }, header(theme));
    const mistakes = (): Promise<string[]> => headerMistakes(visit);
    await expect.poll(mistakes, OFTEN).toEqual([]);
    await visit.page.evaluate(() => {
      const old = document.querySelector("[data-t-header]");
      const html = old?.innerHTML ?? "";
      if (old) old.innerHTML = html;
    });
    await expect.poll(mistakes, OFTEN).toEqual([]);
  });

  test("hearts stay with their cards when a window is resized and a carousel scrolled", async () => {
    const { height } = visit.page.viewportSize() ?? { height: 900 };
    await visit.page.setViewportSize({ width: width - 30, height });
    await visit.page.evaluate(() => {
      const carousel = document.querySelector("[data-t-scrolls]");
      carousel?.scrollBy({ left: 300, behavior: "instant" });
    });
    await visit.waitUntilIdle();
    const problems = [...(await visit.ask("misplaced")), ...(await visit.ask("covering"))];
    await visit.page.setViewportSize({ width, height });
    expect(problems).toEqual([]);
  });
}

describe.each([...FIRST_PAGES, ...OTHER_PAGES])("$name at $width px", testPage);

test("a header without a cart link has a floating link to the wishlist in its place", async () => {
  const controls = (): string => `<div class="frame-controls"><button type="button">Menu</button></div>`;
  const visit = await ThemeVisit.open(browser, { ...skeleton, controls }, 390);
  await visit.page.evaluate(() => {
    for (const link of document.querySelectorAll('a[href="/cart"]')) link.remove();
  });
  const links = (): Promise<unknown[]> =>
    visit.page.locator(".whl-counter").evaluateAll((all) =>
      all.map((one) => {
        const { width, height, right, bottom } = one.getBoundingClientRect();
        const isInWindow = right <= innerWidth && bottom <= innerHeight;
        return { position: getComputedStyle(one).position, isInWindow, isLarge: Math.min(width, height) >= 44 };
      }),
    );
  await expect.poll(links, OFTEN).toEqual([{ position: "fixed", isInWindow: true, isLarge: true }]);
  await visit.leave();
});
