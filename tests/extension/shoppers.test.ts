import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectCount, expectSaved, heartOf, launchBrowser, savedOn, Shopper } from "../support/shopper.ts";

let browser: Browser;
let shopper: Shopper;
let store: Shopper["store"];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  shopper = await Shopper.arrive(browser);
  store = shopper.store;
});
afterEach(() => shopper.leave());

function guestOf(): string {
  return String(store.asked.find(({ body }) => "guestId" in body)?.body["guestId"]);
}

describe("a logged-in shopper", () => {
  test("costs one request a page, whatever the number of cards", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90031", "90602");
    const page = await shopper.open("/collections/all", { cards: 60 });
    await expectSaved(heartOf(page, 60));
    expect((await savedOn(page)).sort()).toEqual(["trail-shoe-3", "trail-shoe-60"]);
    await expectCount(page, 2);
    expect(store.paths()).toEqual(["saved"]);
    expect(store.asked[0]?.body["handles"]).toHaveLength(60);
  });

  test("sees the guest's list come along at login, with one request", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    await shopper.logIn("1");
    store.service.save("customer 1", "90021");
    store.asked = [];
    await shopper.visit(page, "/collections/all");
    await expectSaved(heartOf(page, 1));
    await expectSaved(heartOf(page, 2));
    await expectCount(page, 2);
    expect(store.paths()).toEqual(["merge"]);
    await shopper.visit(page, "/collections/all");
    expect(store.paths()).toEqual(["merge", "saved"]);
    expect(store.service.saved("customer 1").sort()).toEqual(["90011", "90021"]);
  });

  test.each([
    ["another account", "2", 1],
    ["nobody", null, 0],
  ])("leaves nothing to be seen by %s in the same browser", async (_, next, requests) => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90011", "90021");
    const page = await shopper.open();
    await expectSaved(heartOf(page, 1));
    await shopper.logIn(next);
    store.asked = [];
    // Not even before the service has answered.
    const release = store.hold();
    await page.goto(`${store.url}/collections/all`);
    await page.waitForSelector(".whl-counter");
    expect(await savedOn(page)).toEqual([]);
    expect(await page.locator(".whl-bubble").textContent()).toBe("0");
    release();
    await page.waitForLoadState("networkidle");
    expect(await savedOn(page)).toEqual([]);
    expect(store.asked).toHaveLength(requests);
    expect(await page.evaluate(() => localStorage.getItem("wishlist"))).not.toContain("90011");
  });

  test("an answer for the one before is nobody's", async () => {
    await shopper.logIn("1");
    const old = await shopper.open();
    const release = store.hold();
    await heartOf(old, 1).click();
    await expect.poll(() => store.paths()).toContain("add");
    await shopper.logIn(null);
    const page = await shopper.context.newPage();
    await page.goto(`${store.url}/collections/all`);
    await page.waitForSelector(".whl-counter");
    release();
    await old.waitForLoadState("networkidle");
    await expectSaved(heartOf(old, 1), false);
    expect(await savedOn(page)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem("wishlist"))).not.toContain("90011");
  });
});

describe("tabs", () => {
  test("agree at once, and share one guest", async () => {
    const first = await shopper.open();
    const second = await shopper.open();
    await heartOf(first, 1).click();
    await expectSaved(heartOf(second, 1));
    await heartOf(second, 2).click();
    await expectSaved(heartOf(first, 2));
    await expectCount(first, 2);
    await expectCount(second, 2);
    expect(new Set(store.asked.map(({ body }) => body["guestId"])).size).toBe(1);
  });

  test("a tab from before the login makes a new guest when its own was folded, and saves once", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    const folded = guestOf();
    store.service.folded.add(folded);
    store.asked = [];
    await heartOf(page, 2).click();
    await expect.poll(() => store.paths()).toEqual(["add", "add"]);
    await expectSaved(heartOf(page, 2));
    await expectSaved(heartOf(page, 1), false);
    await expectCount(page, 1);
    const [first, second] = store.asked.map(({ body }) => body["guestId"]);
    expect(first).toBe(folded);
    expect(second).not.toBe(folded);
    expect(store.service.saved(`guest ${String(second)}`)).toEqual(["90021"]);
  });
});

describe("a browser without storage", () => {
  const script = `Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked"); } });
    Object.defineProperty(window, "sessionStorage", { get() { throw new Error("blocked"); } });`;

  test("keeps the guest for the visit in a session cookie, and asks once a page", async () => {
    const page = await shopper.open("/collections/all", { script });
    expect(store.asked).toEqual([]);
    await heartOf(page, 1).click();
    await expectSaved(heartOf(page, 1));
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    const [cookie] = await shopper.context.cookies();
    expect(cookie).toMatchObject({ name: "wishlist_guest", value: guestOf(), path: "/", sameSite: "Lax", expires: -1 });
    await shopper.visit(page, "/collections/all");
    await expectSaved(heartOf(page, 1));
    await expectCount(page, 1);
    expect(store.paths()).toEqual(["add", "saved"]);
  });
});

test("storage that makes no sense counts as nothing", async () => {
  for (const raw of ["{", "[]", '{"v":2}', '{"v":1,"saved":null}']) {
    const page = await shopper.open("/collections/all", {
      script: `localStorage.setItem("wishlist", ${JSON.stringify(raw)});`,
    });
    expect(await savedOn(page)).toEqual([]);
    await page.close();
  }
});
