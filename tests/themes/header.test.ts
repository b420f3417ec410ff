import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { MANNERS } from "./manners/index.ts";
import { skeleton } from "./manners/skeleton.ts";
import { header } from "./page.ts";
import { ThemeVisit, WIDTHS } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** What is wrong with the link to the wishlist in the header. */
function problems(visit: ThemeVisit): Promise<string[]> {
  return visit.page.evaluate(() => {
    scrollTo(0, 0);
    const isShown = (one: Element): boolean =>
      one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0;
    const [link, ...more] = [...document.querySelectorAll<HTMLElement>(".whl-counter")].filter(isShown);
    const cart = document.querySelector("[data-t-cart]");
    if (!link || more.length > 0) return [`${link ? more.length + 1 : 0} links to the wishlist`];
    if (!cart) return ["no cart"];
    const found: string[] = [];
    const box = link.getBoundingClientRect();
    const beside = cart.getBoundingClientRect();
    const gap = Math.max(box.left - beside.right, beside.left - box.right);
    if (!link.closest("[data-t-header]")) found.push("is not in the header");
    if (gap > 24) found.push(`${Math.round(gap)} px from the cart`);
    if (Math.abs((box.top + box.bottom) / 2 - (beside.top + beside.bottom) / 2) > 8)
      found.push("on another line than the cart");
    if (box.width < 43.5 || box.height < 43.5 || box.width > 60) found.push(`${box.width} × ${box.height} px`);
    if (box.left < 0 || box.right > innerWidth) found.push("sticks out of the window");
    for (const one of document.querySelectorAll("[data-t-header] :is(a, button)")) {
      if (one === link || !isShown(one)) continue;
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const isOver =
        Math.min(right, box.right) - Math.max(left, box.left) > 1 &&
        Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1;
      if (isOver) found.push(`covers ${window.probe.name(one)}`);
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!hit || !(one.contains(hit) || hit.contains(one)))
        found.push(`${window.probe.name(hit)} is over ${window.probe.name(one)}`);
    }
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (!link.contains(hit)) found.push(`${window.probe.name(hit)} is over it`);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    return found;
  });
}

const pages = WIDTHS.flatMap((width) => MANNERS.map((manner) => ({ name: manner.name, width, manner })));

describe.each(pages)("$name at $width px", ({ manner, width }) => {
  let visit: ThemeVisit;

  beforeAll(async () => {
    visit = await ThemeVisit.open(browser, manner, width);
  });
  afterAll(() => visit.leave());

  test("one link to the wishlist is beside the cart link and covers nothing", async () => {
    expect(await problems(visit)).toEqual([]);
  });

  test("the link to the wishlist comes back when the header is replaced", async () => {
    await visit.page.evaluate((html) => {
      const old = document.querySelector("[data-t-header]");
      if (old) old.outerHTML = html;
    }, header(manner));
    await visit.settle();
    expect(await problems(visit)).toEqual([]);
    await visit.page.evaluate(() => {
      const old = document.querySelector("[data-t-header]");
      if (old) old.innerHTML = String(old.innerHTML);
    });
    await visit.settle();
    expect(await problems(visit)).toEqual([]);
  });

  test("a sticky header, an open menu and a modal lie over the hearts", async () => {
    const over = await visit.page.evaluate(() => {
      const found: string[] = [];
      const hearts = window.probe.hearts().flatMap((one) => one.hearts);
      const [heart] = hearts;
      const panel = document.querySelector<HTMLElement>("[data-t-menu]");
      const top = document.querySelector<HTMLElement>("[data-t-header]");
      if (!heart || !panel || !top) return ["no heart, menu or header"];
      const test = (cover: Element, y: number): void => {
        heart.scrollIntoView({ block: "start", inline: "nearest", behavior: "instant" });
        scrollBy({ top: heart.getBoundingClientRect().top + heart.clientHeight / 2 - y, behavior: "instant" });
        const { left, top: start, width, height } = heart.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, start + height / 2);
        if (!hit || !cover.contains(hit))
          found.push(`${window.probe.name(hit)} at ${Math.round(start)} px lies over ${window.probe.name(cover)}`);
      };
      test(top, top.getBoundingClientRect().height / 2);
      panel.hidden = false;
      test(panel, 250);
      panel.hidden = true;
      // As low as a theme's layer may be: one above its header's.
      document.body.insertAdjacentHTML(
        "beforeend",
        `<div id="modal" style="position:fixed;inset:0;z-index:calc(var(--layer) + 1);background:#0008"></div>`,
      );
      const modal = document.querySelector("#modal");
      if (modal) test(modal, 400);
      modal?.remove();
      scrollTo(0, 0);
      return found;
    });
    expect(over).toEqual([]);
  });
});

describe.each(WIDTHS)("a header without a cart link at %i px", (width) => {
  test("has a floating link to the wishlist in its place", async () => {
    const manner = {
      ...skeleton,
      controls: () => `<div class="frame-controls"><button type="button">Menu</button></div>`,
    };
    const visit = await ThemeVisit.open(browser, manner, width);
    await visit.page.evaluate(() => {
      for (const link of document.querySelectorAll('a[href="/cart"]')) link.remove();
    });
    await visit.settle();
    const links = visit.page.locator(".whl-counter");
    expect(await links.count()).toBe(1);
    expect(await links.evaluate((one) => getComputedStyle(one).position)).toBe("fixed");
    const box = await links.boundingBox();
    expect(box).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await visit.leave();
  });
});
