// @module-tag matrix

import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser/browser.ts";
import { icon, ICONS, type TestTheme } from "./test-theme.ts";
import { skeleton } from "./test-themes/skeleton.ts";
import { header } from "./page.ts";
import { OFTEN, ThemeVisit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const CART = `<a class="control" href="/cart" data-t-cart aria-label="Cart">${icon(ICONS.cart)}</a>`;
const NO_CART = `<div class="frame-controls"><button type="button">Menu</button></div>`;

function withControls(controls: string, css = "", more: Partial<TestTheme> = {}): TestTheme {
  return { ...skeleton, ...more, css: skeleton.css + css, controls: () => controls };
}

/** Returns the positions of the link and its neighbours. */
function place({ page }: ThemeVisit): Promise<{ isFloating: boolean; gap: number; header: number }> {
  return page.evaluate(() => {
    const link = document.querySelector(".whl-counter");
    const box = link?.getBoundingClientRect() ?? new DOMRect();
    const gaps = [...document.querySelectorAll("[data-t-header] :is(a, button)")]
      .filter((one) => one !== link && one.getBoundingClientRect().width > 0)
      .map((one) => one.getBoundingClientRect())
      .map(({ left, right }) => Math.max(box.left - right, left - box.right));
    return {
      isFloating: link?.matches(".whl-counter--floating") ?? true,
      gap: Math.round(Math.min(...gaps)),
      header: document.querySelector("[data-t-header]")?.getBoundingClientRect().height ?? 0,
    };
  });
}

/** Returns the distance of the link's lower edge from the window's. */
function bottom({ page }: ThemeVisit): Promise<number> {
  return page.evaluate(
    () => innerHeight - (document.querySelector(".whl-counter")?.getBoundingClientRect().bottom ?? 0),
  );
}

/** Returns the height of the header without the link. */
async function bareHeader(visit: ThemeVisit): Promise<number> {
  return visit.page.evaluate(() => {
    const copy = document.querySelector("[data-t-header]")?.cloneNode(true);
    if (!(copy instanceof Element)) return 0;
    copy.querySelector(".whl-counter")?.remove();
    document.querySelector("[data-t-header]")?.after(copy);
    const { height } = copy.getBoundingClientRect();
    copy.remove();
    return height;
  });
}

describe("the link in the header", () => {
  test("takes its room from a search field, which keeps enough", async () => {
    const search = `<div class="frame-controls searching"><form action="/search"><input name="q" type="search" aria-label="Search"></form>${CART}</div>`;
    const css =
      ".searching { gap: 12px; width: 420px; } .searching form { flex: 1; } .searching input { width: 100%; height: 44px; }";
    const visit = await ThemeVisit.open(browser, withControls(search, css), 1280);
    await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
    const field = await visit.page.locator("[data-t-header] input").boundingBox();
    expect(field?.width).toBeGreaterThan(200);
    await visit.leave();
  });

  test("leaves a search field that would become too small, and floats", async () => {
    const search = `<div class="frame-controls searching"><form action="/search"><input name="q" type="search" aria-label="Search"></form>${CART}</div>`;
    const css =
      ".frame-header { grid-template-columns: auto auto 270px !important; } .searching { width: 270px; overflow: hidden; } .searching form { flex: 1; } .searching input { width: 100%; height: 44px; }";
    const visit = await ThemeVisit.open(browser, withControls(search, css), 1280);
    await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: true });
    await visit.leave();
  });

  test("has the cart link's colour, also when scrolling changes it", async () => {
    const css =
      ".control { color: rgb(200, 30, 30); } .is-scrolled .control { color: rgb(30, 30, 200); } body { min-height: 3000px; }";
    const visit = await ThemeVisit.open(browser, withControls(`<div class="frame-controls">${CART}</div>`, css), 1280);
    const colour = (): Promise<string> =>
      visit.page.locator(".whl-counter").evaluate((link) => getComputedStyle(link).color);
    await expect.poll(colour, OFTEN).toBe("rgb(200, 30, 30)");
    await visit.page.evaluate(() => {
      addEventListener("scroll", () => document.documentElement.classList.add("is-scrolled"));
      scrollTo(0, 400);
    });
    await expect.poll(colour, OFTEN).toBe("rgb(30, 30, 200)");
    await visit.leave();
  });

  test("does not make a line of text higher", async () => {
    // The font decides whether the link fits beside the cart or before the whole line.
    const line = `<p class="text-line"><a href="/account/login">Log in</a> or <a href="/account">create an account</a> <a href="/cart" data-t-cart>Cart: 3</a></p>`;
    const visit = await ThemeVisit.open(
      browser,
      withControls(line, ".text-line { margin: 0; font-size: 13px; line-height: 20px; }"),
      1280,
    );
    await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
    const { header: height, gap } = await place(visit);
    expect(height).toBe(await bareHeader(visit));
    expect(gap).toBeLessThan(12);
    await visit.leave();
  });

  test("does not lie on a cart link that a negative margin draws beneath it", async () => {
    const controls = `<div class="frame-controls drawn"><a class="control" href="/search" aria-label="Search">${icon(ICONS.search)}</a>${CART}</div>`;
    const css = ".drawn .control:last-of-type { margin-left: -12px; }";
    const visit = await ThemeVisit.open(browser, withControls(controls, css), 1280);
    await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
    expect((await place(visit)).gap).toBeGreaterThanOrEqual(0);
    await visit.leave();
  });
});

test("the link in the header does not push a customer's account onto the shop's name", async () => {
  const controls = `<div class="frame-controls account"><shopify-account><div class="control"></div></shopify-account>${CART}</div>`;
  const css =
    ".frame-header { grid-template-columns: 1fr 170px 1fr; } .store-name { letter-spacing: 11px; white-space: nowrap; } .account { justify-content: flex-end; width: 94px; }";
  const visit = await ThemeVisit.open(browser, withControls(controls, css), 390);
  await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: true });
  await visit.page.evaluate(() => document.querySelector(".store-name")?.remove());
  await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
  await visit.leave();
});

test("the link is in the header whether the shop's name is a heading or not", async () => {
  const css =
    ".frame-header { grid-template-columns: 44px 1fr auto; } .store-name { display: block; text-align: left; } .wide { margin: 0; margin-inline-end: -44px; }";
  const visit = await ThemeVisit.open(browser, withControls(`<div class="frame-controls">${CART}</div>`, css), 390);
  await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
  await visit.page.evaluate(() => {
    const name = document.querySelector(".store-name");
    const heading = document.createElement("h1");
    heading.className = "wide";
    name?.before(heading);
    if (name) heading.append(name);
    document.querySelector(".whl-counter")?.remove();
  });
  await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: false });
  await visit.leave();
});

describe("the floating link", () => {
  const floating = withControls(NO_CART);

  async function open(): Promise<ThemeVisit> {
    const visit = await ThemeVisit.open(browser, floating, 390);
    await expect.poll(() => bottom(visit), OFTEN).toBe(16);
    return visit;
  }

  test("stays above bars and chats that come later, and comes down after them", async () => {
    const visit = await open();
    await visit.page.evaluate(() => {
      const bar =
        '<div class="bar" style="position:fixed;z-index:9;inset:auto 0 0;height:60px;background:#eee">Cookies</div>';
      const chat =
        '<div class="bar" style="position:fixed;z-index:9;right:10px;bottom:70px;width:60px;height:60px">Chat</div>';
      document.body.insertAdjacentHTML("beforeend", bar + chat);
    });
    await expect.poll(() => bottom(visit), OFTEN).toBe(146);
    await visit.page.evaluate(() => {
      for (const one of document.querySelectorAll(".bar")) one.remove();
    });
    await expect.poll(() => bottom(visit), OFTEN).toBe(16);
    await visit.leave();
  });

  test("stays above a bar that scrolling shows", async () => {
    const visit = await open();
    await visit.page.evaluate(() => {
      document.body.insertAdjacentHTML(
        "beforeend",
        '<div id="bar" hidden style="position:fixed;inset:auto 0 0;height:60px;background:#eee">Add to cart</div>',
      );
      document.addEventListener("scroll", () => document.querySelector("#bar")?.removeAttribute("hidden"));
    });
    await visit.waitUntilIdle();
    expect(await bottom(visit)).toBe(16);
    await visit.page.evaluate(() => scrollBy(0, 400));
    await expect.poll(() => bottom(visit), OFTEN).toBe(76);
    await visit.leave();
  });

  test("does not look for a place in the header at changes elsewhere", async () => {
    const script = `window.looks = 0; const { getClientRects } = Range.prototype; Range.prototype.getClientRects = function () { window.looks++; return getClientRects.call(this); };`;
    const narrow = withControls(
      `<div class="frame-controls">${CART}</div>`,
      ".frame-header { grid-template-columns: auto 1fr 44px !important; } .frame-controls { width: 44px; overflow: hidden; }",
    );
    const visit = await ThemeVisit.open(browser, narrow, 390, { script });
    await expect.poll(() => place(visit), OFTEN).toMatchObject({ isFloating: true });
    expect(await bottom(visit)).toBe(16);
    const before = await visit.page.evaluate("window.looks");
    expect(before).toBeGreaterThan(0);
    // The second change is noticed after the first one.
    for (const text of ["first", "second"]) {
      await visit.page.evaluate(
        (one) => document.querySelector("footer")?.append(one, document.createElement("p")),
        text,
      );
      await visit.waitUntilIdle();
    }
    expect(await visit.page.evaluate("window.looks")).toBe(before);
    await visit.page.evaluate((html) => {
      const old = document.querySelector("[data-t-header]");
      if (old) old.outerHTML = html;
    }, header(narrow));
    await expect.poll(() => visit.page.evaluate("window.looks"), OFTEN).toBeGreaterThan(Number(before));
    await visit.leave();
  });

  test("lies over a card's button, but not over a drawer", async () => {
    const visit = await open();
    const add = (css: string): Promise<void> =>
      visit.page.evaluate((style) => {
        const html = `<div class="over" style="position:absolute;inset:0;height:3000px;${style}"></div>`;
        document.querySelector("footer")?.insertAdjacentHTML("beforeend", html);
      }, css);
    const isOnTop = (): Promise<boolean> =>
      visit.page.locator(".whl-counter").evaluate((link) => {
        const { left, top, width, height } = link.getBoundingClientRect();
        return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await add("z-index:7");
    await expect.poll(isOnTop, OFTEN).toBe(true);
    await add("position:fixed;z-index:20");
    await visit.waitUntilIdle();
    expect(await isOnTop()).toBe(false);
    await visit.leave();
  });

  test("has an edge in forced colours, and the empty message has none", async () => {
    const visit = await open();
    await visit.page.emulateMedia({ forcedColors: "active" });
    const edge = (selector: string): Promise<string> =>
      visit.page.locator(selector).evaluate((one) => getComputedStyle(one).borderTopWidth);
    expect(await edge(".whl-counter")).toBe("1px");
    expect(await edge(".whl-message")).toBe("0px");
    await visit.leave();
  });

  test("does not lie over the list that it leads to", async () => {
    const visit = await ThemeVisit.open(browser, withControls(`${NO_CART}<div data-wishlist-root></div>`), 390);
    expect(await visit.page.locator(".whl-counter").count()).toBe(0);
    await visit.leave();
  });
});
