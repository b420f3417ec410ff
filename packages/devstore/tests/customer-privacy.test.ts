// @module-tag matrix

import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { violations } from "../../../tests/support/browser/axe.ts";
import { launchBrowser, LIKE_A_PERSON, PHONE } from "../../../tests/support/browser/browser.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

let stage: Stage;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  stage = await startStage();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(async () => {
  await stage.control("reset");
  context = await browser.newContext(LIKE_A_PERSON);
  page = await context.newPage();
});
afterEach(async () => context.close());

const open = async (path = "/") => page.goto(stage.devstore.storefrontUrl + path);

/** Loads the Customer Privacy API, then evaluates an expression with it as `privacy`. */
async function withPrivacy(expression: string): Promise<unknown> {
  return page.evaluate(`new Promise((resolve, reject) => {
    Shopify.loadFeatures([{ name: "consent-tracking-api", version: "0.1" }], (error) => {
      if (error) return reject(error);
      const privacy = Shopify.customerPrivacy;
      resolve(${expression});
    });
  })`);
}

const banner = () => page.getByRole("region", { name: "Cookies and your privacy" });

test("the API is absent until loadFeatures has loaded it", async () => {
  await open();
  expect(await page.evaluate("Shopify.customerPrivacy === undefined")).toBe(true);
  expect(await withPrivacy("typeof privacy.setTrackingConsent")).toBe("function");
});

test("loadFeatures reports a feature that Shopify lacks", async () => {
  await open();
  const message = await page.evaluate(`new Promise((resolve) => {
    Shopify.loadFeatures([{ name: "no-such-api", version: "0.1" }], (error) => resolve(error.message));
  })`);
  expect(message).toContain("no-such-api");
});

test("processing is allowed without a decision where consent is not required", async () => {
  await open();
  expect(await withPrivacy("[privacy.preferencesProcessingAllowed(), privacy.shouldShowBanner()]")).toEqual([
    true,
    false,
  ]);
  expect(await banner().count()).toBe(0);
});

test("processing is denied until the visitor accepts where consent is required", async () => {
  await stage.control("consent-banner", { on: true });
  await open();
  const allowed = () => withPrivacy("privacy.preferencesProcessingAllowed()");
  expect(await allowed()).toBe(false);
  await banner().getByRole("button", { name: "Accept" }).click();
  expect(await allowed()).toBe(true);
  expect(await banner().isVisible()).toBe(false);
  await open("/collections/all");
  expect(await allowed()).toBe(true);
  expect(await banner().isVisible()).toBe(false);
});

test("declining in the banner denies all processing and dispatches visitorConsentCollected", async () => {
  await stage.control("consent-banner", { on: true });
  await open();
  const collected = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("visitorConsentCollected", (event) =>
          resolve(event instanceof CustomEvent ? event.detail : undefined),
        );
      }),
  );
  await banner().getByRole("button", { name: "Decline" }).click();
  expect(await collected).toEqual({
    analyticsAllowed: false,
    firstPartyMarketingAllowed: false,
    thirdPartyMarketingAllowed: false,
    marketingAllowed: false,
    preferencesAllowed: false,
    saleOfDataAllowed: false,
  });
  expect(await withPrivacy("privacy.currentVisitorConsent()")).toMatchObject({ preferences: "no" });
});

test("setTrackingConsent changes only what it names", async () => {
  await stage.control("consent-banner", { on: true });
  await open();
  await withPrivacy("new Promise((done) => privacy.setTrackingConsent({ preferences: true }, done))");
  expect(await withPrivacy("privacy.currentVisitorConsent()")).toEqual({
    analytics: "",
    marketing: "",
    preferences: "yes",
    sale_of_data: "",
  });
  expect(await withPrivacy("[privacy.preferencesProcessingAllowed(), privacy.marketingAllowed()]")).toEqual([
    true,
    false,
  ]);
});

test("the banner is accessible and translated, and fits a phone", async () => {
  await stage.control("consent-banner", { on: true });
  await page.setViewportSize(PHONE);
  for (const root of ["/de", "/fr", "/es", "/ja", "/"]) {
    await open(root);
    await page.locator("#consent-banner").waitFor();
    expect(await page.locator("#consent-banner").innerText()).not.toContain("Translation missing");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }
  expect(await violations(page.locator("html"))).toEqual([]);
});
