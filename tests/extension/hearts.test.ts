import { describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { launchBrowser } from "../support/browser/browser.ts";
import { products } from "../support/browser/wishlist-service.ts";
import { layoutShifts } from "../support/browser/layout-shifts.ts";
import {
  expectCount,
  expectMessage,
  expectSaved,
  heartOf,
  savedOn,
  type Shopper,
  withShopper,
} from "../support/browser/shopper.ts";
import { card } from "../support/browser/theme-pages.ts";
import { MATRIX } from "../support/matrix.ts";

let shopper: Shopper;
let store: Shopper["store"];

withShopper((arrival) => {
  shopper = arrival;
  store = shopper.store;
});

/** Resolves once a request to the path has arrived `times` times. */
async function arrived(path: string, times = 1): Promise<void> {
  await expect.poll(() => store.paths().filter((one) => one === path).length).toBe(times);
}

describe("cards", () => {
  test("have one heart each, with the product's name; links in texts and menus have none", async () => {
    const page = await shopper.open();
    const names = await page
      .locator("[data-wishlist-button]")
      .evaluateAll((all) => all.map(({ ariaLabel, ariaPressed }) => `${ariaLabel ?? ""} ${ariaPressed ?? ""}`));
    expect(names).toEqual(products.slice(0, 12).map(({ title }) => `Save ${title} to wishlist false`));
  });

  test("of a new guest's page make no request and store nothing", async () => {
    const page = await shopper.open();
    expect(store.requests).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(await shopper.context.cookies()).toEqual([]);
  });

  test.each([
    ["collection", "/collections/all"],
    ["product page", "/products/trail-shoe-1"],
  ])("move nothing on a %s", async (_, path) => {
    for (const width of [390, 1280]) {
      const page = await shopper.context.newPage();
      await page.setViewportSize({ width, height: 900 });
      await shopper.visit(page, path);
      expect(await layoutShifts(page)).toEqual([]);
    }
  });

  test("that are added later get hearts with one request for all", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90411");
    const page = await shopper.open();
    expect(store.paths()).toEqual(["saved"]);
    const more = products.slice(39, 43).map(card).join("");
    await page.evaluate((html) => document.querySelector(".grid")?.insertAdjacentHTML("beforeend", html), more);
    await expectSaved(heartOf(page, 41));
    expect(store.requests.at(-1)).toEqual({
      path: "saved",
      body: { handles: ["trail-shoe-40", "trail-shoe-41", "trail-shoe-42", "trail-shoe-43"] },
    });
    expect(store.requests).toHaveLength(2);
  });

  test("whose links a theme adds one by one get hearts", async () => {
    const page = await shopper.open("/pages/wishlist");
    await page.evaluate((html) => {
      const list = document.createElement("ul");
      list.innerHTML = html;
      const links = [...list.querySelectorAll("a")].map((link) => ({ link, parent: link.parentElement }));
      for (const { link } of links) link.remove();
      document.querySelector("main")?.append(list);
      requestAnimationFrame(() => {
        for (const { link, parent } of links) parent?.append(link);
      });
    }, products.slice(39, 40).map(card).join(""));
    await expect.poll(() => heartOf(page, 40).count()).toBe(1);
  });

  test("in the cart have no hearts, which would cover prices", async () => {
    const page = await shopper.open("/cart");
    expect(await page.locator("main li").count()).toBe(1);
    expect(await page.locator(".whl-button").count()).toBe(0);
  });

  test("follow the merchant's selector, also when it is invalid", async () => {
    const page = await shopper.open("/collections/all", { embed: { card_selector: ".card-wrapper" } });
    expect(await page.locator(".card-wrapper > .whl-button").count()).toBe(12);
    // On a card that is a link the heart is beside it, because a link cannot contain a button.
    await shopper.visit(page, "/collections/all", { embed: { card_selector: "main h2 a" } });
    await expect.poll(() => page.locator(".card__heading > .whl-card").count()).toBe(12);
    expect(await page.locator("a .whl-card").count()).toBe(0);
    await shopper.visit(page, "/collections/all", { embed: { card_selector: "p[[" } });
    expect(await page.locator(".whl-button").count()).toBe(0);
  });
});

describe("a press", () => {
  test("is shown before the service responds, and saves the product", async () => {
    const page = await shopper.open();
    const release = store.hold();
    await heartOf(page, 3).click();
    // No waiting, because the response is delayed.
    expect(await heartOf(page, 3).getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator("[data-wishlist-count]").textContent()).toBe("1");
    await arrived("add");
    release();
    const { guestId, ...rest } = store.requests[0]?.body ?? {};
    expect(rest).toEqual({ handle: "trail-shoe-3", variantId: "90031" });
    expect(guestId).toMatch(/^[\w-]{22,64}$/);
    await expect.poll(() => store.service.saved(`guest ${String(guestId)}`)).toEqual(["90031"]);
    // The page has the response before the shopper leaves it.
    await shopper.quiet(page);
    await shopper.visit(page, "/collections/all");
    expect(await savedOn(page)).toEqual(["trail-shoe-3"]);
    await expectCount(page, 1);
    expect(store.paths()).toEqual(["add"]);
  });

  test("that fails is undone, with a message on the screen and to screen readers", async () => {
    const page = await shopper.open();
    store.refusals.set("add", { status: 503, code: "service_unavailable" });
    await heartOf(page, 1).click();
    await expectMessage(page, "Something went wrong. Please try again.");
    await expectSaved(heartOf(page, 1), false);
    await expectCount(page, 0);
    expect(await page.locator(".whl-message:not(:empty)").getAttribute("role")).toBe("status");
  });

  const REFUSALS = [
    [429, "rate_limited", "Too many requests. Try again in 17 seconds."],
    [409, "wishlist_full", "Your wishlist is full. Remove something to make room."],
    [404, "product_not_found", "This product can no longer be saved."],
    [403, "guest_lists_off", "Log in to save products to your wishlist. Log in"],
    [422, "unheard_of", "Something went wrong. Please try again."],
  ] as const;
  for (const [status, code, text] of REFUSALS) {
    test(`that gets ${status} shows what to do`, status === 429 ? {} : MATRIX, async () => {
      const page = await shopper.open();
      store.refusals.set("add", { status, code, retryAfter: 17 });
      await heartOf(page, 1).click();
      await expectMessage(page, text);
      await expectSaved(heartOf(page, 1), false);
      await expectCount(page, 0);
    });
  }

  test("that fails is undone with a message although the script for failures can't load", async () => {
    const page = await shopper.open();
    await page.route("**/wishlist-refused.js", (route) => route.abort());
    store.refusals.set("add", { status: 429, code: "rate_limited" });
    await heartOf(page, 1).click();
    await expectMessage(page, "Something went wrong. Please try again.");
    await expectSaved(heartOf(page, 1), false);
  });

  test("that fails says that the device is offline, before and after the script for failures has loaded", async () => {
    const page = await shopper.open();
    const offline = "You are offline. Try again once you are connected.";
    await page.context().setOffline(true);
    await heartOf(page, 1).click();
    await expectMessage(page, offline);
    await page.context().setOffline(false);
    store.refusals.set("add", { status: 503, code: "service_unavailable" });
    await heartOf(page, 2).click();
    await expectMessage(page, "Something went wrong. Please try again.");
    await page.context().setOffline(true);
    await heartOf(page, 3).click();
    await expectMessage(page, offline);
  });

  test("shows a message whose link is as high as a finger needs", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    const link = page.locator(".whl-message a");
    await link.waitFor();
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test("that needs a login links to it, with the way back unless the login has one", async () => {
    const login = async (path: string): Promise<string | null> => {
      const page = await shopper.open();
      await page.route("**/collections/all", async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('data-login=""', `data-login="${path}"`);
        await route.fulfill({ response, body });
      });
      await page.reload();
      store.refusals.set("add", { status: 403, code: "guest_lists_off" });
      await heartOf(page, 1).click();
      return page.locator(".whl-message a", { hasText: "Log in" }).getAttribute("href");
    };
    expect(await login("/account/login")).toBe("/account/login?return_url=%2Fcollections%2Fall");
    expect(await login("/customer_authentication/login?return_to=%2F")).toBe(
      "/customer_authentication/login?return_to=%2F",
    );
  });

  test("that fails to remove a product leaves it saved", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await arrived("add");
    store.refusals.set("remove", { status: 429, code: "rate_limited", retryAfter: 3 });
    await heartOf(page, 1).click();
    await expectMessage(page, "Too many requests. Try again in 3 seconds.");
    await expectSaved(heartOf(page, 1));
    await expectCount(page, 1);
  });

  test("waits for the response to the one before, and the last press wins", async () => {
    const page = await shopper.open();
    const release = store.hold();
    await heartOf(page, 1).click();
    await arrived("add");
    for (let press = 0; press < 3; press++) await heartOf(page, 1).click();
    await heartOf(page, 2).click();
    await arrived("add", 2);
    expect(store.paths()).toEqual(["add", "add"]);
    release();
    await arrived("remove");
    await expectSaved(heartOf(page, 1), false);
    await expectSaved(heartOf(page, 2));
    await expectCount(page, 1);
    await expect.poll(() => [...store.service.lists.values()].map((list) => [...list])).toEqual([["90021"]]);
  });

  test("does not follow the card's link, and works with the keyboard alone", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await heartOf(page, 1).evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("solid");
    await page.keyboard.press("Space");
    await expectSaved(heartOf(page, 1));
    await page.keyboard.press("Enter");
    await expectSaved(heartOf(page, 1), false);
    expect(new URL(page.url()).pathname).toBe("/collections/all");
  });
});

describe("pages", () => {
  test.each(["/collections/all", "/products/trail-shoe-1"])("%s has no accessibility violations", async (path) => {
    const page = await shopper.open(path);
    await page.locator("[data-wishlist-button]").first().click();
    for (const dark of [false, true]) {
      await page.evaluate((isDark) => document.body.classList.toggle("dark", isDark), dark);
      expect(await violations(page.locator(".header__icons, main"))).toEqual([]);
    }
  });

  test("link to the wishlist in the header, without a bubble while it is empty", async () => {
    const page = await shopper.open("/collections/all", { embed: { proxy_path: "/apps/wishlist/" } });
    expect(await page.locator(".whl-count").isVisible()).toBe(false);
    await heartOf(page, 1).click();
    expect(await page.locator(".whl-count").isVisible()).toBe(true);
    expect(await page.locator(".whl-counter").getAttribute("href")).toBe("/apps/wishlist/");
    await arrived("add");
  });

  test("without scripts show nothing of the wishlist that needs them", async () => {
    const context = await (await launchBrowser()).newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${store.url}/products/trail-shoe-1`);
    expect(await page.locator(".whl-button").isVisible()).toBe(false);
    await page.goto(`${store.url}/pages/wishlist`);
    expect(await page.locator("[data-wishlist-page] a").getAttribute("href")).toBe("/apps/wishlist");
    await context.close();
  });

  test("fill the wishlist block from the app proxy, and run its script", async () => {
    const page = await shopper.open("/pages/wishlist?page=2");
    await expect.poll(() => page.locator("[data-wishlist-page] h2").innerText()).toBe("My list");
    await expect.poll(() => page.evaluate(() => document.body.dataset["fragmentRan"])).toBe("yes");
    expect(store.requests).toEqual([{ path: "page", body: { page: 2, heading: 0 } }]);
  });

  test("give the wishlist block the width of a flexible section", async () => {
    const page = await shopper.open("/pages/wishlist");
    await expect.poll(() => page.locator("[data-wishlist-page] h2").innerText()).toBe("My list");
    const [width, wanted] = await page.locator(".shopify-app-block").evaluate((block) => {
      const section = block.parentElement;
      section?.setAttribute("style", "display: flex; flex-direction: column; align-items: flex-start; padding: 0");
      return [block.clientWidth, section?.clientWidth];
    });
    expect(width).toBe(wanted);
  });

  test("keep the content below the wishlist block in place when the list arrives", async () => {
    const footer = '<footer style="height: 200px">Imprint</footer>';
    const script = `addEventListener("DOMContentLoaded", () => document.body.insertAdjacentHTML("beforeend", '${footer}'));`;
    store.page = { script };
    for (const width of [390, 1280]) {
      const page = await shopper.context.newPage();
      await page.setViewportSize({ width, height: 900 });
      await page.route("**/api/page", async (route) => {
        await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
        await route.continue();
      });
      await shopper.visit(page, "/pages/wishlist");
      await expect.poll(() => page.locator("[data-wishlist-page] h2").innerText()).toBe("My list");
      expect(await layoutShifts(page)).toEqual([]);
    }
  });
});
