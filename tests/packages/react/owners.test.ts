import type { Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { startFaultyProxy } from "../../support/http/faulty-proxy.ts";
import {
  expectCounts,
  expectItems,
  expectSaved,
  heart,
  hold,
  holdResponses,
  isChange,
  press,
  test,
} from "./fixtures/shop-front.ts";
import { MATRIX } from "../../support/matrix.ts";

/** Returns what the page has shown since the owner changed. */
const history = (page: Page) => page.evaluate(() => window.front.history);

/** Collects what the browser reports as errors. */
function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  return problems;
}

/** Hides the page or shows it, as a change of the tab does, which a browser without windows can't. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

describe("after a change of owner", () => {
  test("no frame shows anything of the former customer, also when reads are late", MATRIX, async ({ visit }) => {
    const page = await visit.open("cards=3&list");
    await visit.login(page);
    await press(page, 1);
    await expectItems(page, ["1"]);
    await expectCounts(page, "1");
    const release = await holdResponses(page, /contains|items|lists/);
    const reading = page.waitForRequest("**/contains*");
    await page.evaluate(() => window.front.lists?.reload());
    await reading;
    await visit.login(page);
    await expectSaved(page, 1, false);
    release();
    await visit.quiet(page);
    await expectSaved(page, 1, false);
    await expectCounts(page, "0");
    const shown = await history(page);
    expect(shown.filter(({ saved, items, counts }) => saved.length > 0 || items.length > 0 || counts !== "0")).toEqual(
      [],
    );
  });

  test("a customer's change that waits is not sent as the next shopper's", async ({ visit }) => {
    const page = await visit.open("cards=3&list");
    await visit.login(page);
    await expectItems(page, []);
    const release = await hold(page, /items/, isChange);
    const sent = page.waitForRequest(isChange);
    await heart(page, 2).click();
    await sent;
    await heart(page, 2).click();
    await heart(page, 2).click();
    await page.evaluate(() => window.front.client.logout());
    visit.requests = [];
    release();
    await expectSaved(page, 2, false);
    await visit.quiet(page);
    expect(visit.requests.filter((request) => request.includes("items"))).toEqual([]);
    await expectItems(page, []);
  });

  test("a guest's change that waits at the login is made as the customer's, and all hearts stay shown", async ({
    visit,
  }) => {
    const page = await visit.open("cards=3&list");
    await press(page, 3);
    const release = await hold(page, /items/, isChange);
    const sent = page.waitForRequest(isChange);
    await heart(page, 2).click();
    await sent;
    await visit.login(page);
    await expectSaved(page, 2);
    release();
    await visit.quiet(page);
    await expectItems(page, ["2", "3"]);
    const { items } = await page.evaluate(() => window.front.client.wishlists.get());
    expect(items.map(({ productId }) => productId)).toEqual(["2", "3"]);
    expect((await history(page)).filter(({ saved }) => saved.length < 2)).toEqual([]);
  });

  test("a guest's press between the merge and the end of the login is made as the customer's", async ({
    front,
    visit,
  }) => {
    const page = await visit.open("cards=4&list");
    await press(page, 4);
    const isLogin = (body: string | null) => body?.includes("customer_access_token") ?? false;
    const release = await holdResponses(page, "**/storefront-token", (request) => isLogin(request.postData()));
    const login = visit.login(page);
    const merged = "SELECT 1 FROM activity WHERE source = 'guest_merge' AND product_id = '4'";
    await expect.poll(() => front.connected.service.database.rows(merged)).not.toEqual([]);
    const refused = page.waitForResponse((response) => isChange(response.request()));
    await heart(page, 2).click();
    await refused;
    release();
    await login;
    await visit.quiet(page);
    await expectItems(page, ["2", "4"]);
  });
});

describe("a live page", () => {
  test("shows a customer's changes on another device", async ({ front, visit }) => {
    const page = await visit.open("cards=3&live&list");
    const streaming = page.waitForResponse((response) => response.url().includes("/changes/stream"));
    const customer = await visit.login(page);
    await streaming;
    const device = await front.browser.newContext();
    const other = await device.newPage();
    await other.goto(front.address("cards=3"));
    await visit.login(other, customer);
    await heart(other, 2).click();
    await expectSaved(page, 2);
    await expectItems(page, ["2"]);
    await expectCounts(page, "1");
    await heart(other, 2).click();
    await expectItems(page, []);
    await expectCounts(page, "0");
    await device.close();
  });

  test("reads everything again and goes on when its position has expired", MATRIX, async ({ front, visit }) => {
    const proxy = await startFaultyProxy(front.connected.service.url);
    onTestFinished(() => proxy.close());
    const page = await visit.context.newPage();
    await page.goto(front.address("cards=3&live&list", { api: proxy.url }));
    const streaming = page.waitForResponse((response) => response.url().includes("/changes/stream"));
    const customer = await visit.login(page);
    await streaming;
    const device = await front.browser.newContext();
    onTestFinished(() => device.close());
    const other = await device.newPage();
    await other.goto(front.address("cards=3"));
    await visit.login(other, customer);
    await press(other, 1);
    await expectSaved(page, 1);
    const reconnect = await hold(page, /changes\/stream/);
    const connecting = page.waitForRequest(/changes\/stream/);
    proxy.cut();
    await connecting;
    const { database } = front.connected.service;
    const numbers = "SELECT last_number FROM shop_change WHERE shop_id = $1";
    const before = await database.rows(numbers, [front.shop.id]);
    await press(other, 2);
    await expect.poll(() => database.rows(numbers, [front.shop.id])).not.toEqual(before);
    await database.rows("UPDATE shop_change SET purged_to = last_number WHERE shop_id = $1", [front.shop.id]);
    const expired = page.waitForResponse((response) => response.status() === 410);
    reconnect();
    await expired;
    await expectSaved(page, 2);
    await expectItems(page, ["2", "1"]);
    await expectCounts(page, "2");
    await press(other, 2);
    await expectSaved(page, 2, false);
    expect(await page.evaluate(() => window.front.errors)).toEqual([]);
  });

  test("reads once and opens one stream in StrictMode", async ({ visit }) => {
    const page = await visit.open("cards=3&live&list&later");
    await visit.login(page);
    visit.requests = [];
    const ended: string[] = [];
    page.on("requestfailed", (request) => ended.push(request.url()));
    const streaming = page.waitForResponse((response) => response.url().includes("/changes/stream"));
    await page.evaluate(() => window.front.mount());
    await streaming;
    await expect
      .poll(() => page.evaluate(() => [window.front.lists?.status, window.front.pages["default"]?.status]))
      .toEqual(["ready", "ready"]);
    await expect.poll(() => visit.reads()).toContain("GET contains");
    const reads = visit.reads().filter((read) => !read.endsWith("stream"));
    expect(reads.toSorted()).toEqual(["GET contains", "GET lists", "GET lists/default/items"]);
    expect(visit.reads().length - reads.length - ended.length).toBe(1);
  });

  test("reads what changed while it was hidden when it is visible again", async ({ front, visit }) => {
    const page = await visit.open("cards=3&live&list");
    const streaming = page.waitForResponse((response) => response.url().includes("/changes/stream"));
    const customer = await visit.login(page);
    await streaming;
    const ended = page.waitForEvent("requestfailed", (request) => request.url().includes("/changes/stream"));
    await setHidden(page, true);
    await ended;
    const device = await front.browser.newContext();
    onTestFinished(() => device.close());
    const other = await device.newPage();
    await other.goto(front.address("cards=3"));
    await visit.login(other, customer);
    visit.requests = [];
    await press(other, 2);
    await visit.quiet(page);
    expect(visit.requests).toEqual([]);
    await expectSaved(page, 2, false);
    await setHidden(page, false);
    await expectSaved(page, 2);
    await expectItems(page, ["2"]);
    await press(other, 2);
    await expectSaved(page, 2, false);
  });
});

test("a page that is opened in the background reads nothing before it is visible", async ({ visit }) => {
  await visit.saveAsGuest();
  const page = await visit.open("cards=3&later");
  await setHidden(page, true);
  await page.evaluate(() => window.front.mount());
  await visit.quiet(page);
  expect(visit.requests).toEqual([]);
  await setHidden(page, false);
  await expectSaved(page, 1);
});

test("components that go in the middle of a request leave no error, and the change is made", async ({ visit }) => {
  await visit.saveAsGuest();
  const page = await visit.open("cards=3&list");
  const problems = problemsOf(page);
  await expectItems(page, ["1"]);
  const release = await hold(page, /contains|items|lists/);
  const reading = page.waitForRequest("**/lists");
  await page.evaluate(() => window.front.lists?.reload());
  await reading;
  const changing = page.waitForRequest(isChange);
  await heart(page, 2).click();
  await changing;
  await page.evaluate(() => window.front.unmount());
  release();
  await visit.quiet(page);
  await page.evaluate(() => window.front.mount());
  await expectSaved(page, 2);
  await expectItems(page, ["2", "1"]);
  expect(problems).toEqual([]);
  expect(await page.evaluate(() => window.front.errors)).toEqual([]);
});

test("components that come back show what another tab changed meanwhile", async ({ visit }) => {
  await visit.saveAsGuest();
  const page = await visit.open("cards=3");
  await expectSaved(page, 1);
  await page.evaluate(() => window.front.unmount());
  const other = await visit.open("cards=3");
  await press(other, 2);
  await page.evaluate(() => window.front.mount());
  await expectSaved(page, 2);
});

test.for([18, 19])(
  "React %i hydrates a server's HTML without a mismatch, although the client knows more",
  async (version, { visit }) => {
    await visit.saveAsGuest();
    const page = await visit.open(`react=${version}&cards=3&list&hydrate&later`);
    const problems = problemsOf(page);
    await page.evaluate(() => window.front.mount());
    await expectSaved(page, 1);
    await expectItems(page, ["1"]);
    await page.evaluate(() => window.front.unmount());
    await page.evaluate(() => window.front.mount());
    await expectSaved(page, 1);
    await expectItems(page, ["1"]);
    expect(problems).toEqual([]);
  },
);
