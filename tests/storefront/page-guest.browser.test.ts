import type { Request } from "playwright";
import { describe, expect } from "vitest";
import { newGuest } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const NAMES = ["Larch Wool Beanie", "Ridge 28 Daypack", "Trail Socks", "Titanium Mug"];
const test = testWith(NAMES.map((name, index) => product(index, name)));

describe("a guest's page", () => {
  test("is filled by its script, with the guest id in request bodies only", async ({ pages }) => {
    const { page } = pages;
    const guest = await pages.guestWith(101, 102);
    const sent: Request[] = [];
    page.on("request", (request) => sent.push(request));
    await pages.open();
    await page.getByText("2 items").waitFor();
    expect(await pages.names()).toEqual(["Ridge 28 Daypack", "Larch Wool Beanie"]);
    expect(pages.requests()).toEqual(["GET ", "POST /api/page"]);
    expect(sent.filter((request) => request.postData()?.includes(guest))).toHaveLength(1);
    expect(sent.filter((request) => request.url().includes(guest))).toEqual([]);
    expect(await page.getByRole("link", { name: "Log in", exact: true }).getAttribute("href")).toBe(
      `${pages.url}/account/login?return_url=%2Fapps%2Fwishlist`,
    );
    expect(await page.getByRole("button", { name: "Share" }).count()).toBe(0);

    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).waitFor();
    expect(await pages.stored()).toMatchObject({ guest, count: 2, owner: "guest" });
  });

  test("loads its style and script once", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101);
    const fragment = page.waitForResponse("**/api/page");
    await pages.open();
    const html = await (await fragment).text();
    await page.getByText("1 item").waitFor();
    expect(html).toContain("data-wishlist-root");
    expect(html).not.toMatch(/<(?:style|script)/);
    const { position } = await page
      .locator(".wl-card")
      .first()
      .evaluate((card) => getComputedStyle(card));
    expect(position).toBe("relative");
  });

  test("without saved items sends no request", async ({ pages }) => {
    const { page } = pages;
    await pages.open();
    await page.getByText("Nothing saved yet").waitFor();
    expect(pages.requests()).toEqual(["GET "]);
  });

  test("is found by the session cookie where there is no storage", async ({ pages }) => {
    const { page } = pages;
    const guest = newGuest();
    await pages.save(pages.as(), [104], guest);
    await page.context().addInitScript(() => {
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("no storage", "SecurityError");
        },
      });
    });
    await page.context().addCookies([{ name: "wishlist_guest", value: guest, url: pages.url }]);
    await pages.open();
    await page.getByText("1 item").waitFor();
    expect(await pages.names()).toEqual([NAMES[3]]);
  });

  test("follows the list when another tab changes it", async ({ pages }) => {
    const { page } = pages;
    const guest = await pages.guestWith(101);
    await pages.open();
    await page.getByText("1 item").waitFor();
    await pages.save(pages.as(), [102], guest);
    const other = await page.context().newPage();
    await other.goto(pages.url);
    const state = { v: 1, cid: null, owner: "guest", guest, count: 2, saved: {} };
    await other.evaluate((json) => localStorage.setItem("wishlist", json), JSON.stringify(state));
    await page.getByText("2 items").waitFor();
  });
});

test("two tabs that merge a guest's list at once both show all items", async ({ pages }) => {
  const { page } = pages;
  await pages.guestWith(103, 102);
  const customer = await pages.customerWith(101);
  const other = await page.context().newPage();
  const held: (() => void)[] = [];
  await page.context().route("**/api/merge", async (route) => {
    await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  await Promise.all([pages.open(), pages.open("", other)]);
  await until("both requests", () => held.length === 2);
  for (const go of held) go();
  for (const tab of [page, other]) {
    await tab.getByText("3 items").waitFor();
    await expect.poll(() => tab.locator("[data-wishlist-item] .wl-name").allInnerTexts()).toHaveLength(3);
  }
  expect(await pages.stored()).toMatchObject({ guest: null, count: 3 });
  const merges = await pages.stage.service.database.rows(
    "SELECT 1 FROM activity WHERE kind = 'merged' AND owner_id = $1",
    [customer],
  );
  expect(merges).toHaveLength(1);
});
