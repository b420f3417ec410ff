import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const test = testWith([product(0, "Beanie"), product(1, "Socks")]);

const shareButton = (page: Page) => page.getByRole("button", { name: "Share", exact: true });
const field = (page: Page) => page.getByRole("textbox", { name: "Share link" });

describe("sharing through the system", () => {
  /** A system share sheet that the shopper uses or closes. */
  const sheet = (outcome: string) =>
    `<script>navigator.share = async (data) => { (window.shared ??= []).push(data); ${outcome} }</script>`;

  test("opens the system's sheet with the link, at the first press and later", async ({ pages }) => {
    const { page } = pages;
    pages.head = sheet("");
    await pages.customerWith(101);
    await pages.open();
    await shareButton(page).click();
    const send = page.getByRole("button", { name: "Send link" });
    await send.click();
    const link = await field(page).inputValue();
    const data = { title: "A shared wishlist", url: link };
    await expect.poll(() => page.evaluate("shared")).toEqual([data, data]);
  });

  test("shows no error and copies nothing when the shopper closes the sheet", async ({ pages }) => {
    const { page } = pages;
    pages.head = `${sheet('throw new DOMException("closed", "AbortError")')}<script>
      window.copied = [];
      navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
      document.execCommand = (name) => { window.copied.push(name); return true; };
    </script>`;
    await pages.customerWith(101);
    await pages.open();
    const status = page.locator("[data-wishlist-status]");
    await shareButton(page).click();
    await expect.poll(() => status.innerText()).toBe("The link is ready");
    await page.getByRole("button", { name: "Send link" }).click();
    await expect.poll(() => page.evaluate("shared.length")).toBe(2);
    expect(await status.innerText()).toBe("The link is ready");
    expect(await field(page).inputValue()).toMatch(/shared/);
    expect(await page.getByRole("button", { name: "Copy link" }).isVisible()).toBe(true);
    expect(await page.evaluate("copied")).toEqual([]);
  });

  test("offers no other way to send the link", async ({ pages }) => {
    const { page } = pages;
    pages.head = sheet("");
    await pages.customerWith(101);
    await pages.open();
    await shareButton(page).click();
    await page.getByRole("button", { name: "Send link" }).waitFor();
    expect(await page.getByRole("link", { name: "WhatsApp" }).isVisible()).toBe(false);
  });
});

describe("where the browser has no sheet, the panel", () => {
  test("offers to copy the link, an e-mail and WhatsApp with the list's name", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    const json = { listId: "default", name: 'Ana & Ben’s "list"' };
    (await pages.as(customer)("POST", "/api/updateList", { json })).data();
    await pages.open();
    await shareButton(page).click();
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    expect(await page.getByRole("button", { name: "Send link" }).isVisible()).toBe(false);
    const [name, link] = [encodeURIComponent(json.name), encodeURIComponent(await field(page).inputValue())];
    const href = (label: string) => page.getByRole("link", { name: label }).getAttribute("href");
    expect(await href("E-mail")).toBe(`mailto:?subject=${name}&body=${link}`);
    expect(await href("WhatsApp")).toBe(`https://wa.me/?text=${name}%20${link}`);
  });

  test("names the sharer on the shared page, in its title and in messages, until the name is removed", async ({
    pages,
  }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    await shareButton(page).click();
    const name = page.getByRole("textbox", { name: "Your name" });
    const status = page.locator("[data-wishlist-status]");
    const href = (label: string) => page.getByRole("link", { name: label }).getAttribute("href");
    await name.fill(' Ana & "Ben" <b> ');
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => status.innerText()).toBe("Changes saved");
    expect(await href("E-mail")).toContain(`subject=${encodeURIComponent('Wishlist of Ana & "Ben" <b>')}&`);
    const link = await field(page).inputValue();
    const shared = await page.context().newPage();
    await shared.goto(link);
    expect(await shared.getByRole("heading", { level: 1 }).innerText()).toBe('Wishlist of Ana & "Ben" <b>');
    // The next visit has the name, and so has the next link.
    await pages.open();
    await shareButton(page).click();
    expect(await name.inputValue()).toBe('Ana & "Ben" <b>');
    await page.getByRole("button", { name: "Stop sharing" }).click();
    // Until then, a press does nothing.
    await expect.poll(() => field(page).count()).toBe(0);
    await shareButton(page).click();
    await expect.poll(() => field(page).inputValue()).not.toBe(link);
    expect(await name.inputValue()).toBe('Ana & "Ben" <b>');
    await name.fill("");
    await name.press("Enter");
    await expect.poll(() => href("WhatsApp")).toContain("A%20shared%20wishlist");
    await shared.goto(await field(page).inputValue());
    expect(await shared.getByRole("heading", { level: 1 }).innerText()).toBe("A shared wishlist");
  });

  test("explains which names it does not take", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    await shareButton(page).click();
    await page.getByRole("textbox", { name: "Your name" }).fill("Ana\u202e");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const status = page.locator("[data-wishlist-status]");
    await expect.poll(() => status.innerText()).toBe("Enter a name of one line with at most 60 characters.");
    pages.complaints = [];
  });

  test("fits a phone and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await pages.customerWith(101);
    await pages.open();
    await shareButton(page).click();
    await page.getByRole("link", { name: "WhatsApp" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });
});

describe("a guest", () => {
  test("who logs in to share comes back to the list with its link", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101);
    await pages.open("?sort=title");
    const link = page.getByRole("link", { name: "Log in to share" });
    expect(await link.getAttribute("href")).toBe(
      `${pages.url}/account/login?return_url=${encodeURIComponent("/apps/wishlist?sort=title")}`,
    );
    await link.click();
    await page.waitForURL(/account\/login/);
    await pages.customerWith(102);
    await pages.open();
    await expect.poll(() => field(page).inputValue()).toMatch(/\/apps\/wishlist\/shared\/\w+_\w{22}$/);
    await expect.poll(() => pages.names()).toHaveLength(2);
    // Only once: the next visit does not share again.
    await page.getByRole("button", { name: "Stop sharing" }).click();
    await shareButton(page).waitFor();
    await page.reload();
    await shareButton(page).waitFor();
    await pages.quiet();
    expect(await shareButton(page).isVisible()).toBe(true);
  });

  test("who logs in without pressing share shares nothing", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101);
    await pages.open();
    await page.getByRole("link", { name: "Log in", exact: true }).click();
    await page.waitForURL(/account\/login/);
    await pages.customerWith();
    await pages.open();
    await shareButton(page).waitFor();
    await pages.quiet();
    expect(pages.requests()).not.toContain("POST /api/shareList");
  });

  test("returns to the page by Shopify's own login address", async ({ pages }) => {
    const { page, store } = pages;
    store.storefrontLogin = true;
    await pages.guestWith(101);
    await pages.open();
    const href = await page.getByRole("link", { name: "Log in to share" }).getAttribute("href");
    expect(href).toBe(`${pages.url}/customer_authentication/login?return_to=%2Fapps%2Fwishlist&locale=en`);
  });
});
