// @module-tag matrix

import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser/browser.ts";
import { icon, ICONS } from "./test-theme.ts";
import { dawn } from "./test-themes/dawn.ts";
import { merchant } from "./test-themes/merchant.ts";
import { skeleton } from "./test-themes/skeleton.ts";
import { MANY, MORE } from "./products.ts";
import { ThemeVisit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/**
 * Counts the scripts' accesses to the document: each call, and each element of a static list, as live lists are lazy.
 * Counts forced layouts separately: measurements of a card between the insertion of a heart and the next frame.
 */
const COUNTING = `
  window.work = 0;
  window.layouts = 0;
  let isChanged = false;
  // The first observer is the first to be called, once the browser has laid out by itself.
  const frame = new ResizeObserver(() => (isChanged = false));
  const count = (owner, name, size) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const key = descriptor.value ? "value" : "get";
    const original = descriptor[key];
    descriptor[key] = function (...given) {
      const answer = original.apply(this, given);
      window.work += size(answer);
      if (isChanged && reading.includes(name) && [this, ...given].some((one) => one instanceof Element && closest.call(one, "[data-t-list]"))) {
        window.layouts++;
        isChanged = false;
      }
      return answer;
    };
    Object.defineProperty(owner, name, descriptor);
  };
  const closest = Element.prototype.closest;
  const reading = ["getBoundingClientRect", "getClientRects", "getComputedStyle", "checkVisibility", "clientWidth", "offsetWidth"];
  const { append } = Element.prototype;
  Element.prototype.append = function (...nodes) {
    append.apply(this, nodes);
    if (!this.isConnected || !nodes.some((node) => node instanceof Element && node.className.includes("whl-card"))) return;
    isChanged = true;
    frame.unobserve(document.documentElement);
    frame.observe(document.documentElement);
  };
  const one = () => 1;
  const each = (answer) => 1 + answer.length;
  for (const owner of [Document.prototype, Element.prototype, DocumentFragment.prototype]) {
    count(owner, "querySelectorAll", each);
    count(owner, "querySelector", one);
    if (owner !== DocumentFragment.prototype) for (const name of ["getElementsByTagName", "getElementsByClassName"]) count(owner, name, one);
  }
  count(Document.prototype, "links", one);
  count(Document.prototype, "elementFromPoint", one);
  count(Document.prototype, "elementsFromPoint", each);
  for (const name of ["closest", "matches", "getBoundingClientRect", "getClientRects", "getAttribute", "checkVisibility"]) count(Element.prototype, name, one);
  count(Node.prototype, "contains", one);
  count(Node.prototype, "compareDocumentPosition", one);
  for (const name of ["clientWidth", "children"]) count(Element.prototype, name, one);
  count(HTMLElement.prototype, "offsetWidth", one);
  count(HTMLCollection.prototype, "item", one);
  count(window, "getComputedStyle", one);
  count(HTMLAnchorElement.prototype, "pathname", one);
  count(HTMLAnchorElement.prototype, "href", one);`;

/** The embed stores nothing before the first press. */
const KNOWN_SHOPPER = `;sessionStorage.setItem("wishlist", '{"v":1,"owner":"guest","guest":"g","count":0,"saved":{}}');`;

/**
 * Counts the layouts that the search for a place in the header forces: measurements after the link was put somewhere, removed or given a
 * margin. `longest` is the most of them in one task.
 */
const COUNTING_HEADER = `
  window.layouts = 0;
  window.longest = 0;
  let isChanged = false;
  let task = 0;
  const wrap = (owner, name, act) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const key = descriptor.value ? "value" : "get";
    const original = descriptor[key];
    descriptor[key] = function (...given) {
      act(this, given);
      return original.apply(this, given);
    };
    Object.defineProperty(owner, name, descriptor);
  };
  const isLink = (one) => one instanceof Element && one.classList.contains("whl-counter");
  for (const name of ["before", "after", "prepend", "append", "remove"])
    wrap(Element.prototype, name, (own, nodes) => (isChanged ||= isLink(own) || nodes.some(isLink)));
  for (const name of ["setProperty", "removeProperty"])
    wrap(CSSStyleDeclaration.prototype, name, (_, [property]) => (isChanged ||= property.startsWith("margin")));
  const read = () => {
    if (!isChanged) return;
    isChanged = false;
    window.layouts++;
    if (!task++) queueMicrotask(() => {
      window.longest = Math.max(window.longest, task);
      task = 0;
    });
  };
  for (const [owner, ...names] of [
    [Element.prototype, "getBoundingClientRect", "getClientRects", "checkVisibility", "clientWidth", "scrollWidth"],
    [Range.prototype, "getBoundingClientRect", "getClientRects"],
    [HTMLElement.prototype, "offsetWidth", "offsetHeight"],
    [window, "getComputedStyle"],
  ]) for (const name of names) wrap(owner, name, read);`;

/** Counts how often the header link is put into the page and removed. */
const COUNTING_LINKS = `
  window.links = { added: 0, removed: 0 };
  const count = (nodes) => [...nodes].filter((node) => node instanceof Element && node.matches(".whl-counter")).length;
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      window.links.added += count(addedNodes);
      window.links.removed += count(removedNodes);
    }
  }).observe(document, { childList: true, subtree: true });`;

declare global {
  interface Window {
    links: { added: number; removed: number };
    work: number;
    layouts: number;
    longest: number;
  }
}

/** Opens a page with `cards` cards, each with its heart. */
async function open(theme: typeof dawn, cards: number): Promise<ThemeVisit> {
  const visit = await ThemeVisit.open(browser, theme, 1280, { products: MANY.slice(0, cards), script: COUNTING });
  const hearts = (): Promise<number> => visit.page.locator(".whl-card").count();
  await expect.poll(hearts, { timeout: 60_000 }).toBe(cards);
  await visit.waitUntilIdle();
  return visit;
}

/** Returns the work of the extension at a change of a page with `cards` cards. */
async function work(
  theme: typeof dawn,
  cards: number,
  change: (visit: ThemeVisit) => Promise<unknown>,
): Promise<number> {
  const visit = await open(theme, cards);
  await visit.page.evaluate(() => (window.work = 0));
  await change(visit);
  await visit.waitUntilIdle();
  const done = await visit.page.evaluate(() => window.work);
  await visit.leave();
  return done;
}

/** Returns the work of the extension until each of `cards` cards has its heart. */
async function firstPass(theme: typeof dawn, cards: number): Promise<{ work: number; layouts: number }> {
  const visit = await open(theme, cards);
  const done = await visit.page.evaluate(() => ({ work: window.work, layouts: window.layouts }));
  await visit.leave();
  return done;
}

describe("the search for the link's place in the header", () => {
  /** A header whose cart link is as deep as the search goes, with room for the link or without. */
  function nested(css: string): typeof dawn {
    const cart = `<a class="control" href="/cart" data-t-cart aria-label="Cart">${icon(ICONS.cart)}</a>`;
    const controls = [1, 2, 3, 4].reduce((inner) => `<div class="nest">${inner}</div>`, cart);
    return { ...skeleton, css: skeleton.css + css, controls: () => `<div class="frame-controls">${controls}</div>` };
  }
  const NO_ROOM = ".frame-header { grid-template-columns: auto 1fr 44px !important; } .nest { width: 44px; }";

  async function costs(theme: typeof dawn): Promise<{ layouts: number; longest: number; isFloating: boolean }[]> {
    const visit = await ThemeVisit.open(browser, theme, 390, { script: COUNTING_HEADER + KNOWN_SHOPPER });
    const measure = async (): Promise<{ layouts: number; longest: number; isFloating: boolean }> => {
      await visit.page.locator(".whl-counter").waitFor();
      return visit.page.evaluate(() => ({
        layouts: window.layouts,
        longest: window.longest,
        isFloating: document.querySelector(".whl-counter--floating") !== null,
      }));
    };
    const first = await measure();
    await visit.page.reload();
    const second = await measure();
    await visit.leave();
    return [first, second];
  }

  test("forces few layouts in a task, and hardly any on the next page", async () => {
    const [first, second] = await costs(nested(NO_ROOM));
    expect(first).toMatchObject({ isFloating: true });
    expect(first?.layouts).toBeLessThanOrEqual(24);
    expect(first?.longest).toBeLessThanOrEqual(3);
    expect(second).toMatchObject({ isFloating: true });
    expect(second?.layouts).toBeLessThanOrEqual(1);
  });

  test.each([
    ["at rest", ""],
    ["above a bar", '<div style="position:fixed;inset:auto 0 0;height:60px;background:#eee">Cookies</div>'],
  ])("leads to no layout by a link that floats %s while the page scrolls", async (_, bar) => {
    const visit = await ThemeVisit.open(browser, nested(NO_ROOM), 390, { products: MANY.slice(0, 40) });
    const { page } = visit;
    await page.locator(".whl-counter--floating").waitFor();
    await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), bar);
    await visit.waitUntilIdle();
    // Each update looks at what lies at the link's place.
    await page.evaluate(() => {
      window.work = 0;
      const { elementsFromPoint } = document;
      document.elementsFromPoint = (...at) => {
        window.work++;
        return elementsFromPoint.apply(document, at);
      };
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const layouts = async (): Promise<number | undefined> => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "LayoutCount")?.value;
    };
    const before = await layouts();
    for (let turn = 1; turn <= 5; turn++) {
      const done = await page.evaluate((top) => {
        scrollTo(0, top);
        return window.work;
      }, 100 * turn);
      await page.waitForFunction((last) => window.work > last, done, { polling: 20 });
    }
    expect(await layouts()).toBe(before);
    await visit.leave();
  });

  test("inserts the link once for a guest without a stored place", async () => {
    // As in Horizon: each inserted element restyles the whole page.
    const css = `${dawn.css} :root:has(:not(.absent)) * { outline-color: red; }`;
    const visit = await ThemeVisit.open(browser, { ...dawn, css }, 1280, { script: COUNTING_LINKS });
    await visit.page.locator("[data-t-header] .whl-counter").waitFor({ state: "attached" });
    await visit.waitUntilIdle();
    expect(await visit.page.evaluate(() => window.links)).toEqual({ added: 1, removed: 0 });
    expect(await visit.page.evaluate(() => sessionStorage.getItem("wishlist:header"))).toBeNull();
    await visit.leave();
  });

  test("forces few layouts where there is room", async () => {
    const [first, second] = await costs(nested(".nest { display: flex; }"));
    for (const page of [first, second]) {
      expect(page).toMatchObject({ isFloating: false });
      expect(page?.layouts).toBeLessThanOrEqual(4);
    }
  });
});

function describeCosts(theme: typeof dawn): void {
  test.each<[string, (visit: ThemeVisit) => Promise<unknown>]>([
    [
      "an element that is no card",
      ({ page }) => page.evaluate(() => document.querySelector("footer")?.append(document.createElement("p"))),
    ],
    [
      "a card at the list's end",
      ({ page }) =>
        page.evaluate(
          (html) => document.querySelector("[data-t-list]")?.insertAdjacentHTML("beforeend", html),
          theme.cards(MORE.slice(0, 1)),
        ),
    ],
  ])("%s costs no more among 400 cards than among 40", async (_, change) => {
    const few = await work(theme, 40, change);
    const many = await work(theme, 400, change);
    // One more query per product would be ten times the work.
    expect(many).toBeLessThanOrEqual(3 * few + 100);
  });

  test("a first pass on 400 cards costs four times that on 100, and waits for no layout", async () => {
    const few = await firstPass(theme, 100);
    const many = await firstPass(theme, 400);
    expect(many.work).toBeLessThanOrEqual(4.4 * few.work);
    expect([few.layouts, many.layouts]).toEqual([0, 0]);
  });
}

describe(dawn.name, () => {
  describeCosts(dawn);
});
describe.each([skeleton, merchant])("$name", describeCosts);
