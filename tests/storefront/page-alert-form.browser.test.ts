import type { Locator, Page, Route } from "playwright";
import { describe, expect } from "vitest";
import { EMAIL_FORM } from "../support/app/emails.ts";
import { merchant } from "../support/app/merchant.ts";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { expect as expectPage } from "../support/browser/expect.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const SIZES = [
  { id: 5001, title: "Size 41", priceCents: 8900 },
  { id: 5002, title: "Size 42", priceCents: 8900, available: false },
];
const test = testWith(
  [
    product(0, "Larch Wool Beanie"),
    product(1, "Ridge 28 Daypack", {
      variants: [{ id: 1102, title: "Default Title", priceCents: 3600, available: false }],
    }),
    product(2, "Trail Shoe", { variants: SIZES }),
  ],
  [],
  { smtp: {} },
);

test.beforeAll(async ({ stage: { service, devstore } }) => {
  const kinds = ["price_dropped", "back_in_stock"];
  await service.database.rows("INSERT INTO alert_settings (shop_id, kinds) SELECT id, $1 FROM shop", [kinds]);
  const sessionToken = (): string => devstore.sessionToken(devstore.shop, { sub: "4711" });
  await merchant(service, { sessionToken }).send("/app/alerts/email", { ...EMAIL_FORM, kinds, intent: "save" });
});

const cardOf = (page: Page, title: string): Locator => page.locator("[data-wishlist-item]").filter({ hasText: title });
const opener = (card: Locator): Locator => card.locator(".wl-ask > summary");
const email = (card: Locator): Locator => card.getByLabel("Email", { exact: true });
const target = (card: Locator): Locator => card.getByLabel("Target price in EUR (optional)");
const send = (card: Locator): Locator => card.locator("[data-wishlist-form=ask] [type=submit]:not([name])");

/** Records the requests for alerts. @param refusals in place of the service's first responses. @returns their bodies */
async function record(page: Page, ...refusals: object[]): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await page.route("**/api/askForAlert", async (route: Route) => {
    bodies.push(route.request().postDataJSON());
    const json = refusals.shift();
    await (json ? route.fulfill({ json }) : route.continue());
  });
  return bodies;
}

const refusal = (code: string, path: string): object => ({
  ok: false,
  error: { code, message: code, requestId: "req_1", status: 400, details: [{ path, problem: "is wrong" }] },
});

describe("a guest", () => {
  test("asks for stock of a sold-out item with an address, and is sent to the inbox", async ({ pages }) => {
    const { page } = pages;
    const bodies = await record(page);
    await pages.guestWith(102);
    await pages.open();
    const card = cardOf(page, "Ridge 28 Daypack");
    await expectPage(opener(card)).toHaveText(/^Tell me when it is back/, { useInnerText: true });
    await opener(card).click();
    await expectPage(target(card)).toBeHidden();
    await email(card).fill("ana@example.com");
    await send(card).click();
    await expectPage(card.locator(".wl-sent")).toHaveText(/^Check your inbox/);
    await expectPage(card.locator(".wl-sent")).toBeFocused();
    expect(bodies).toEqual([
      { productId: "102", variantId: "1102", kind: "back_in_stock", email: "ana@example.com", locale: "en" },
    ]);
    await expectPage(email(card)).toBeHidden();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain("ana");
  });

  test("asks for a lower price of an available item, from a target price on", async ({ pages }) => {
    const { page } = pages;
    const bodies = await record(page);
    await pages.guestWith(101);
    await pages.open();
    const card = cardOf(page, "Larch Wool Beanie");
    await opener(card).click();
    await email(card).fill("ana@example.com");
    await target(card).fill("20.00");
    await send(card).click();
    await expectPage(card.locator(".wl-sent")).toBeVisible();
    expect(bodies).toMatchObject([{ kind: "price_dropped", targetPrice: "20.00" }]);
  });

  test("asks for what the chosen variant needs", async ({ pages }) => {
    const { page } = pages;
    const bodies = await record(page);
    await pages.guestWith("103/5001");
    await pages.open();
    const card = cardOf(page, "Trail Shoe");
    await expectPage(opener(card)).toHaveText(/^Tell me when the price drops/, { useInnerText: true });
    await card.getByRole("combobox").selectOption("5002");
    await expectPage(opener(card)).toHaveText(/^Tell me when it is back/, { useInnerText: true });
    await opener(card).click();
    await expectPage(target(card)).toBeHidden();
    await email(card).fill("ana@example.com");
    await send(card).click();
    await expectPage(card.locator(".wl-sent")).toBeVisible();
    expect(bodies).toEqual([
      { productId: "103", variantId: "5002", kind: "back_in_stock", email: "ana@example.com", locale: "en" },
    ]);
  });

  test("reads at the field what is wrong with it, and mends it", async ({ pages }) => {
    const { page } = pages;
    // The service finds the price too high.
    await record(page);
    await pages.guestWith(101);
    await pages.open();
    const card = cardOf(page, "Larch Wool Beanie");
    await opener(card).click();
    await email(card).fill("ana@example.com");
    await target(card).fill("900");
    await send(card).click();
    await expectPage(target(card)).toHaveAccessibleDescription(/^Enter a price above 0/);
    await expectPage(target(card)).toBeFocused();
    expect(await violations(card)).toEqual([]);
    await target(card).fill("20");
    await email(card).fill("ana@localhost");
    await send(card).click();
    await expectPage(email(card)).toHaveAccessibleDescription(/^Enter an email address/);
    await expectPage(email(card)).toBeFocused();
    await email(card).fill("ana@example.com");
    await send(card).click();
    await expectPage(card.locator(".wl-sent")).toBeVisible();
  });

  test("reads why the store sends no alerts", async ({ pages }) => {
    const { page } = pages;
    await record(page, refusal("alerts_unavailable", ""));
    await pages.guestWith(102);
    await pages.open();
    const card = cardOf(page, "Ridge 28 Daypack");
    await opener(card).click();
    await email(card).fill("ana@example.com");
    await send(card).click();
    await expectPage(page.locator("[data-wishlist-status]")).toHaveText("This store doesn’t offer this right now.");
    await expectPage(email(card)).toHaveValue("ana@example.com");
  });

  test("finds the form inside of a phone's window", async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await pages.guestWith(101, 102);
    await pages.open();
    for (const title of ["Larch Wool Beanie", "Ridge 28 Daypack"]) {
      const card = cardOf(page, title);
      await opener(card).click();
      const box = await card.locator(".wl-ask .wl-panel").boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= PHONE.width).toBe(true);
      await page.keyboard.press("Escape");
      await expectPage(opener(card)).toBeFocused();
    }
  });
});

describe("a customer", () => {
  test("asks in the item's menu, and sees the target price on the card", async ({ pages }) => {
    const { page } = pages;
    const bodies = await record(page);
    await pages.customerWith(101);
    await pages.open();
    const card = cardOf(page, "Larch Wool Beanie");
    await card.locator("[data-wishlist-menu] summary").click();
    await expectPage(email(card)).toHaveCount(0);
    await target(card).fill("20.00");
    await send(card).click();
    await expectPage(card.locator("[data-wishlist-asked]")).toHaveText("Tell me at 20.00 EUR");
    await expectPage(page.locator("[data-wishlist-status]")).toHaveText(/^Saved to your wishlist/);
    await expectPage(card.locator("[data-wishlist-menu] summary")).toBeFocused();
    await page.reload();
    await expectPage(card.locator("[data-wishlist-asked]")).toHaveText("Tell me at 20.00 EUR");
    await card.locator("[data-wishlist-menu] summary").click();
    await card.getByRole("button", { name: "Stop telling me" }).click();
    await expectPage(card.locator("[data-wishlist-asked]")).toBeEmpty();
    await expectPage(page.locator("[data-wishlist-status]")).toHaveText("You will not hear about this any more");
    await page.reload();
    await expectPage(card.locator("[data-wishlist-asked]")).toBeEmpty();
    await card.locator("[data-wishlist-menu] summary").click();
    await expectPage(card.getByRole("button", { name: "Stop telling me" })).toBeHidden();
    expect(bodies).toEqual([
      { productId: "101", variantId: "1101", kind: "price_dropped", targetPrice: "20.00", locale: "en" },
    ]);
  });

  test("finds the target price again, and asks without JavaScript", async ({ pages }) => {
    const customer = await pages.customerWith(101, 102);
    const wanted = { productId: "101", variantId: "1101", kind: "price_dropped", targetPrice: "20" };
    (await pages.as(customer)("POST", "/api/askForAlert", { json: wanted })).data();
    const page = await pages.openWithoutScript();
    const card = cardOf(page, "Larch Wool Beanie");
    await expectPage(card.locator("[data-wishlist-asked]")).toHaveText("Tell me at 20.00 EUR");
    await expectPage(target(card)).toHaveValue("20.00");
    const soldOut = cardOf(page, "Ridge 28 Daypack");
    await soldOut.locator("[data-wishlist-menu] summary").click();
    await send(soldOut).click();
    await expectPage(page.getByText("We will email you")).toBeVisible();
    await page.goBack();
    await page.reload();
    await expectPage(soldOut.locator("[data-wishlist-asked]")).toHaveText("You will hear when it is back");
    await soldOut.locator("[data-wishlist-menu] summary").click();
    await soldOut.getByRole("button", { name: "Stop telling me" }).click();
    await expectPage(page.getByText("You will not hear about this any more")).toBeVisible();
  });
});

test("a store without alerts offers none on its cards", async ({ pages }) => {
  const { page } = pages;
  await pages.stage.service.database.rows("UPDATE alert_settings SET kinds = '{}'", []);
  await pages.guestWith(101);
  await pages.open();
  await page.getByText("1 item").waitFor();
  await expectPage(page.locator("[data-wishlist-ask]")).toHaveCount(0);
});
