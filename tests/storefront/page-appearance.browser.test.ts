// @module-tag matrix

import type { Locator, Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { choose, product, testWith } from "../support/browser/wishlist-pages.ts";

const LONG = "Titanium Mug with a rather long name and a Donaudampfschifffahrtsgesellschaftskapitänsmütze";
const PACK = product(1, "Daypack", {
  variants: [
    {
      id: 1102,
      title: "Moss and some more words for a long name",
      priceCents: 128900,
      compareAtPriceCents: 141900,
    },
    { id: 2102, title: "Slate", priceCents: 8900 },
  ],
});
const SOLD_OUT = product(2, "Socks", {
  variants: [{ id: 1103, title: "Default Title", priceCents: 100, available: false }],
});
const test = testWith([product(0, LONG), PACK, SOLD_OUT, product(3, "Lamp", { hasPicture: false })]);

const ALL = [104, 103, 102, 101];
const root = (page: Page) => page.locator("[data-wishlist-root]");
const removeButton = (page: Page) => page.getByRole("button", { name: /^Remove Daypack/ });

/** Theme rules for all elements of a kind, including id selectors. */
const HOSTILE = `<script>document.documentElement.id = "theme"</script><style>
  #theme button, #theme svg, #theme select, #theme label { position: absolute; float: left; width: 100%; margin: 9px }
  #theme li, #theme p, #theme h2 { float: left; margin: 3em } #theme img { width: 60px } #theme a { position: relative; margin: 5px }
  * { box-sizing: content-box } button { width: 100%; position: absolute; border: 0; background: none; padding: 30px }
  svg { width: 100%; height: auto; position: absolute } li { list-style: square inside; margin: 30px; float: left; width: 90px }
  li::before { content: "+" } a { display: block; padding: 20px; border-bottom: 3px solid red }
  input { width: 100%; height: 80px; appearance: none } select { width: 300%; appearance: none } p { margin: 3em; max-width: 60px }
  .page-width, .container, .wrapper { width: 1590px; max-width: none }
  form { display: flex; padding: 50px; border: 1px solid red } label { display: block; width: 100%; float: left }
  h1, h2 { margin: 4em; text-indent: 40px } img { width: 60px; position: absolute } ul { display: flex; columns: 3 }
  li div { padding: 10px } span { display: block }
</style>`;

async function box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await locator.boundingBox();
  if (!found) throw new Error("it is not shown");
  return { ...found, x: Math.round(found.x), y: Math.round(found.y), width: Math.round(found.width) };
}

function color(locator: Locator, property: string, pseudo?: string): Promise<string> {
  return locator.evaluate((one, [name, of]) => getComputedStyle(one, of).getPropertyValue(name), [
    property,
    pseudo,
  ] as const);
}

describe("under a theme's rules for all elements of a kind", () => {
  test("the page's elements keep their size and place", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    for (const viewport of [PHONE, { width: 1280, height: 900 }]) {
      await page.setViewportSize(viewport);
      const places = async (): Promise<unknown> => {
        await pages.open();
        const list = [
          ...[removeButton(page), page.locator(".wl-card").nth(1), page.locator(".wl-media").nth(1)],
          ...[page.getByRole("button", { name: "Add to cart – Daypack" }), page.getByRole("combobox").first()],
          ...[
            page.getByRole("button", { name: "Share" }),
            page.locator(".wl-bar > details").nth(1),
            page.locator(".wl-menu > summary").nth(1),
            page.locator(".wl-remove svg").first(),
          ],
        ];
        return Promise.all(list.map(box));
      };
      pages.head = "";
      const before = await places();
      pages.head = HOSTILE;
      expect(await places()).toEqual(before);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    }
  });

  test("the page is as wide in a flexible box, and adds no margin to the theme's own", async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize({ width: 1280, height: 900 });
    await pages.customerWith(101);
    const edges = async (head: string): Promise<number[]> => {
      pages.head = head;
      await pages.open();
      const { x, width } = await box(root(page).locator(".wl-bar"));
      return [x, x + width];
    };
    const plain = await edges("");
    expect(
      await edges("<style>main { display: flex; flex-direction: column; align-items: flex-start }</style>"),
    ).toEqual(plain);
    expect(await edges("<style>main { padding: 0 60px }</style>")).toEqual([60, 1220]);
  });

  test("buttons have a style where the theme has none", async ({ pages }) => {
    const { page } = pages;
    pages.head = "<style>.button, .button--secondary { all: unset } button, a { border: 0; background: none }</style>";
    await pages.customerWith(101);
    await pages.open();
    const add = page.getByRole("button", { name: /^Add to cart/ });
    expect(await color(add, "border-top-width")).toBe("1px");
  });

  test("a secondary button has a frame where the theme draws it in ::after", async ({ pages }) => {
    const { page } = pages;
    pages.head = `<style>body { background: #fff } .button { border: 0; background: #123; color: #fff; border-radius: 9px }
      .button--secondary { background: #fff; color: #123 } .button--secondary::after { content: ""; box-shadow: 0 0 0 1px }</style>`;
    await pages.customerWith(101, 102);
    await pages.open();
    const add = page.getByRole("button", { name: "Add to cart – Daypack" });
    expect(await color(add, "border-top-width")).toBe("1px");
    expect(await color(add, "border-top-left-radius")).toBe("9px");
    const all = page.getByRole("button", { name: "Add all to cart" });
    expect(await color(all, "border-top-width")).toBe("0px");
  });
});

describe("the colours", () => {
  const themes = {
    "hexadecimal variables":
      ":root { --color-foreground: #121212; --color-background: #ffffff } body { color: #121212; background: #ffffff }",
    "no variables, and a dark page":
      ":root { --color-foreground: initial; --color-background: initial } body { color: #eee; background: #101418 }",
    "a light text on a picture":
      ":root { --color-foreground: initial; --color-background: initial } body { color: #fff; background: none }",
  };

  test.for(Object.entries(themes))(
    "of badges, buttons and messages are legible with %s",
    async ([, css], { pages }) => {
      const { page } = pages;
      pages.head = `<style>${css} .button { background: none; color: inherit; border-color: currentColor }</style>`;
      await pages.customerWith(...ALL);
      await pages.open();
      await page.getByRole("button", { name: "Add to cart – Lamp" }).click();
      await page.getByRole("link", { name: "View cart" }).waitFor();
      const ink = await color(page.locator("body"), "color");
      for (const one of [page.locator("[data-wishlist-status]"), page.locator(".wl-badge").first()]) {
        expect(await color(one, "background-color")).toBe(ink);
        expect(await color(one, "color")).not.toBe(ink);
      }
      expect(await color(removeButton(page), "color")).toBe(ink);
      expect(await color(removeButton(page), "background-color", "::before")).not.toBe(ink);
      expect(await color(removeButton(page), "background-color", "::before")).not.toBe("rgba(0, 0, 0, 0)");
    },
  );

  test("are the system's until the script has read the theme's colours", async ({ pages }) => {
    await pages.customerWith(...ALL);
    const page = await pages.openWithoutScript();
    const badge = page.locator(".wl-card").filter({ hasText: "Socks" }).locator(".wl-badge");
    expect(await color(badge, "background-color")).toBe("rgb(0, 0, 0)");
    expect(await color(badge, "color")).toBe("rgb(255, 255, 255)");
    await page.context().close();
  });
});

test("long titles, missing pictures and prices with four digits fit into their cards", async ({ pages }) => {
  const { page } = pages;
  await page.setViewportSize(PHONE);
  for (const dir of ["ltr", "rtl"]) {
    pages.head = `<script>document.documentElement.dir = "${dir}"</script>`;
    await pages.customerWith(...ALL);
    await pages.open();
    const wide = await page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>(".wl-card, .wl-card *:not(.wl-hidden, option)")].filter(
          (one) =>
            one.tagName !== "SELECT" &&
            one.scrollWidth > one.clientWidth + 1 &&
            getComputedStyle(one).display !== "inline",
        ).length,
    );
    expect(wide).toBe(0);
    const media = page.locator(".wl-card").filter({ hasText: "Lamp" }).locator(".wl-media");
    expect(await media.locator("svg").isVisible()).toBe(true);
    const [frame, cross] = [await box(page.locator(".wl-media").nth(1)), await box(removeButton(page))];
    const isAtStart = cross.x - frame.x < frame.width / 2;
    expect(isAtStart).toBe(dir === "rtl");
    expect(await violations(root(page))).toEqual([]);
  }
});

describe("in a page of the theme", () => {
  /** A self-loading block like that of the extension. */
  const block = (heading: number): string => `<script>addEventListener("DOMContentLoaded", async () => {
    document.querySelector("main").innerHTML = '<h1>My wishlist</h1><div data-wishlist-page></div>';
    const guestId = JSON.parse(localStorage.getItem("wishlist") ?? "{}").guest ?? undefined;
    const response = await fetch("/apps/wishlist/api/page", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ heading: ${heading}, guestId }) });
    document.querySelector("[data-wishlist-page]").replaceChildren(document.createRange().createContextualFragment(await response.text()));
  })</script>`;

  test("the list has a label instead of a heading where the page has the same title", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(103, 102, 101);
    pages.head = block(0);
    await page.goto(`${pages.url}/pages/wishlist`);
    const region = page.getByRole("region", { name: "My wishlist" });
    await region.waitFor();
    expect(await page.getByRole("heading", { name: "My wishlist" }).count()).toBe(1);
    expect(await page.getByRole("heading", { level: 2, name: "Daypack" }).count()).toBe(1);
    expect(await violations(region)).toEqual([]);
    // This holds after a reload of the list.
    await choose(page, "Title");
    await page.waitForURL(/sort=title/);
    await region.waitFor();
    expect(await page.getByRole("heading", { name: "My wishlist" }).count()).toBe(1);
  });

  test("the list keeps a margin where the section around it leaves none", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(103, 102, 101);
    pages.head = `<style>body, main { width: 100% !important; max-width: none !important; margin: 0 !important; padding: 0 !important }</style>${block(2)}`;
    for (const viewport of [PHONE, { width: 1280, height: 900 }]) {
      await page.setViewportSize(viewport);
      await page.goto(`${pages.url}/pages/wishlist`);
      const list = page.getByRole("list").filter({ has: page.locator(".wl-card") });
      await list.waitFor();
      const { x, width } = await box(list);
      expect(x).toBeGreaterThanOrEqual(16);
      expect(viewport.width - x - width).toBeGreaterThanOrEqual(16);
    }
  });

  test("the list has the order and filter of the page's address", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(103, 102, 101);
    pages.head = block(2);
    await page.goto(`${pages.url}/pages/wishlist?sort=price_asc&available=1`);
    await expect.poll(() => pages.names()).toEqual([LONG, "Daypack"]);
  });

  test("a list that another tab changed can be loaded again after a failure", async ({ pages }) => {
    const { page } = pages;
    const guest = await pages.guestWith(101);
    pages.head = block(2);
    await page.goto(`${pages.url}/pages/wishlist`);
    await expect.poll(() => pages.names()).toEqual([LONG]);
    await pages.as()("POST", "/api/add", { json: { productId: "102", guestId: guest } });
    await page.route("**/api/page", (route) => route.abort());
    await page.evaluate(() => {
      const state = JSON.parse(localStorage.getItem("wishlist") ?? "{}") as object;
      localStorage.setItem("wishlist", JSON.stringify({ ...state, count: 2 }));
      dispatchEvent(new StorageEvent("storage", { key: "wishlist" }));
    });
    const again = page.getByRole("status").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/api/page");
    await again.click();
    await expect.poll(() => pages.names()).toEqual(["Daypack", LONG]);
    pages.forgiveRequests();
  });
});

test("a guest's list can be merged again after a failure", async ({ pages }) => {
  const { page } = pages;
  await pages.guestWith(101);
  await pages.customerWith(102);
  await page.route("**/api/merge", (route) => route.abort());
  await pages.open();
  const again = page.getByRole("status").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute("**/api/merge");
  await again.click();
  await expect.poll(() => pages.names()).toHaveLength(2);
  pages.forgiveRequests();
});
