import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const NAMES = [
  "Larch Wool Beanie",
  "Ridge 28 Daypack",
  "Trail Socks",
  "Titanium Mug with a rather long name that needs two lines",
  "Down Jacket",
  "Headlamp",
] as const;
/** Variants of one product, one more than a page holds. */
const MANY = Array.from({ length: 21 }, (_, i) => 5000 + i);
/** The second is discounted, the third sold out, and the last deleted from the theme. */
const test = testWith(
  [
    product(0, NAMES[0]),
    product(1, NAMES[1], {
      variants: [
        { id: 1102, title: "Moss", priceCents: 8900, compareAtPriceCents: 11900 },
        { id: 2102, title: "Slate", priceCents: 8900 },
      ],
    }),
    product(2, NAMES[2], { variants: [{ id: 1103, title: "Default Title", priceCents: 4300, available: false }] }),
    product(3, NAMES[3]),
    product(4, NAMES[4], {
      variants: [1105, ...MANY].map((id) => ({ id, title: `Variant ${id}`, priceCents: 5700 })),
    }),
  ],
  [product(5, NAMES[5], { hasPicture: false })],
);
const ALL = [106, 105, 104, 103, 102, 101];

describe("a customer's page", () => {
  test("shows the theme's titles and prices, newest first, and deleted products from the cache", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    expect(await pages.names()).toEqual(NAMES);
    const cards = page.locator("[data-wishlist-item]");
    expect(await cards.nth(0).innerText()).toContain("€29,00");
    expect(await cards.nth(1).innerText()).toMatch(/Moss[^]*€119,00[^]*€89,00/);
    expect(await cards.nth(2).innerText()).toMatch(/Sold out[^]*View product/);
    expect(await cards.nth(5).innerText()).toMatch(/No longer available[^]*Headlamp/);
    expect(await cards.getByRole("button", { name: /Add to cart/ }).count()).toBe(4);
    expect(await cards.getByRole("button", { name: /^Remove .+ from the wishlist$/ }).count()).toBe(6);
  });

  test("removes and undoes with the keyboard alone, with the focus kept nearby", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await pages.open();
    await page.getByRole("button", { name: "Remove Ridge 28 Daypack from the wishlist" }).press("Enter");
    const undo = page.getByRole("button", { name: /Removed from your wishlist: Ridge 28 Daypack\. Undo/ });
    await undo.waitFor();
    expect(await undo.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator("[data-wishlist-total]").innerText()).toBe("1 item");
    expect(await pages.stored()).toMatchObject({ count: 1 });
    const list = pages.as(customer);
    expect((await list("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });

    await undo.press("Enter");
    const again = page.getByRole("button", { name: "Remove Ridge 28 Daypack from the wishlist" });
    await again.waitFor();
    expect(await again.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await list("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 2 });
  });

  test("adds an item to the cart, and reports it", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(102);
    await pages.open();
    const reported = page.waitForResponse(/\/api\/recordCart$/);
    await page.getByRole("button", { name: /Add to cart/ }).click();
    await page.getByRole("link", { name: "View cart" }).waitFor();
    expect(await (await reported).json()).toMatchObject({ data: { recorded: 1 } });
    expect(await pages.cart()).toEqual([1102]);
  });

  test("shares by a link that shows the list without its owner's buttons, and ends it", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101, 104);
    await pages.open();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Share link" });
    await expect.poll(() => field.inputValue()).toMatch(/\/apps\/wishlist\/shared\/\w+_\w{22}$/);
    const link = await field.inputValue();
    expect(link.startsWith(pages.url)).toBe(true);
    await page.reload();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    expect(await field.inputValue()).toBe(link);

    await pages.logIn(null);
    await page.goto(link);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("A shared wishlist");
    expect(await pages.names()).toHaveLength(2);
    expect(await page.locator("[data-wishlist-remove], [data-wishlist-share], [data-owner]").count()).toBe(0);
    expect(await page.content()).not.toContain(customer);

    await pages.logIn(customer);
    await pages.open();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Stop sharing" }).click();
    await page.getByText("The link no longer works").waitFor();
    pages.complaints = [];
    expect((await page.goto(link))?.status()).toBe(200);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("This wishlist is no longer shared");
    await page.goto(`${pages.url}/apps/wishlist/shared/unknown`);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("No wishlist found for this link");
  });

  test("has pages of 20 items, as many as the theme looks up", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...MANY.map((id) => `105/${id}`));
    await pages.open();
    expect(await pages.names()).toHaveLength(20);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    expect(await pages.names()).toHaveLength(1);
    expect(page.url()).toContain("?page=2");
    await page.reload();
    expect(await pages.names()).toHaveLength(1);
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect(await page.locator("[data-wishlist-title]").evaluate((one) => one === document.activeElement)).toBe(true);
    await page.goBack();
    await page.getByText("Page 2 of 2").waitFor();
    await pages.open("?page=999&utm_source=mail");
    expect(await page.getByText("Page 2 of 2").count()).toBe(1);
  });

  test("beyond the last page shows the last page, also when it is shared", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(104, 101);
    const ask = pages.as(customer);
    const { shareUrl } = (await ask("POST", "/api/shareList", { json: {} })).data<{ shareUrl: string }>();
    for (const path of ["/apps/wishlist", new URL(shareUrl).pathname]) {
      await page.goto(`${pages.url}${path}?page=3`);
      expect(await pages.names()).toHaveLength(2);
    }
  });

  test("from the back/forward cache shows nothing of a customer who has logged out", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    expect(await pages.names()).toHaveLength(1);
    await pages.logIn(null);
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await page.getByText("Nothing saved yet").waitFor();
    expect(await pages.names()).toEqual([]);
  });

  test("reloads for the next shopper after an action or a change in another tab", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101, 104);
    await pages.open();
    const second = await page.context().newPage();
    await pages.customerWith(105, 102);
    // The same number of items with another owner.
    await pages.open("", second);
    await expect.poll(() => pages.names()).toEqual(["Ridge 28 Daypack", "Down Jacket"]);
    await pages.logIn(null);
    await page.getByRole("button", { name: /^Remove Down Jacket/ }).click();
    await page.getByText("Nothing saved yet").waitFor();
    pages.complaints = pages.complaints.filter((one) => !one.includes("status of 401"));
  });

  test("merges the guest's list that the browser knows", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(103);
    await pages.customerWith(101);
    await pages.open();
    await page.locator("[data-wishlist-item]").nth(1).waitFor();
    expect(await pages.names()).toEqual(["Larch Wool Beanie", "Trail Socks"]);
    expect(await pages.stored()).toMatchObject({ guest: null, count: 2 });
    await page.getByText("What you saved before you logged in is in your wishlist now.").waitFor();
  });

  test("without items explains the hearts", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith();
    await pages.open();
    expect(await page.getByText("Nothing saved yet").isVisible()).toBe(true);
    expect(await page.getByRole("link", { name: "Browse products" }).getAttribute("href")).toBe("/collections/all");
  });

  for (const locale of ["en", "de", "fr", "es", "ja", "pt-BR"]) {
    test(`has no violations that axe finds, in ${locale}`, MATRIX, async ({ pages }) => {
      const { page } = pages;
      await pages.customerWith(...ALL);
      const root = locale === "en" ? "" : `/${locale.toLowerCase()}`;
      for (const viewport of [DESKTOP, PHONE]) {
        await page.setViewportSize(viewport);
        await page.goto(`${pages.url}${root}/apps/wishlist`);
        const title = await page.getByRole("heading", { level: 1 }).innerText();
        expect(title === "My wishlist").toBe(locale === "en" || locale === "pt-BR");
        expect(await violations(page.locator("[data-wishlist-root]"))).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(wide).toBe(false);
      }
    });
  }
});
