import { describe, expect, test } from "vitest";
import { expectCount, expectSaved, heartOf, savedOn, type Shopper, withShopper } from "../support/browser/shopper.ts";

let shopper: Shopper;
let store: Shopper["store"];

withShopper((arrival) => {
  shopper = arrival;
  store = shopper.store;
});

function guestOf(): string {
  return String(store.requests.find(({ body }) => "guestId" in body)?.body["guestId"]);
}

describe("a logged-in shopper", () => {
  test("keeps a heart pressed when the response to an earlier look-up arrives late", async () => {
    await shopper.logIn("1");
    const page = await shopper.context.newPage();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    // It stays for the second look-up: a route that ends with its first request loses sight of the requests that start meanwhile.
    await page.route("**/api/saved", async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      const response = await route.fetch();
      await held;
      return route.fulfill({ response });
    });
    await page.goto(`${store.url}/collections/all`);
    await expect.poll(() => store.paths()).toEqual(["saved"]);
    await heartOf(page, 1).click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("wishlist"))).toContain("90011");
    await page.evaluate(() => {
      const heart = document.querySelector('[data-product-handle="trail-shoe-1"]');
      const note = (): void => void (document.body.dataset["turned"] = "over");
      if (heart) new MutationObserver(note).observe(heart, { attributes: true, attributeFilter: ["aria-pressed"] });
    });
    release();
    await expect.poll(() => store.paths().filter((path) => path === "saved").length).toBe(2);
    await shopper.quiet(page);
    await expectSaved(heartOf(page, 1));
    expect(await page.evaluate(() => document.body.dataset["turned"])).toBeUndefined();
  });

  test("causes one request a page for any number of cards", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90031", "90602");
    const page = await shopper.open("/collections/all", { cards: 60 });
    await expectSaved(heartOf(page, 60));
    expect((await savedOn(page)).sort()).toEqual(["trail-shoe-3", "trail-shoe-60"]);
    await expectCount(page, 2);
    expect(store.paths()).toEqual(["saved"]);
    expect(store.requests[0]?.body["handles"]).toHaveLength(60);
  });

  test("has the guest's list merged at login, with one request", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    await shopper.logIn("1");
    store.service.save("customer 1", "90021");
    store.requests = [];
    await shopper.visit(page, "/collections/all");
    await expectSaved(heartOf(page, 1));
    await expectSaved(heartOf(page, 2));
    await expectCount(page, 2);
    expect(store.paths()).toEqual(["merge"]);
    const message = (): Promise<string | null> => page.locator(".whl-message").textContent();
    await expect.poll(message).toBe("What you saved before you logged in is in your wishlist now.");
    await shopper.visit(page, "/collections/all");
    expect(store.paths()).toEqual(["merge", "saved"]);
    expect(await message()).toBe("");
    expect(store.service.saved("customer 1").sort()).toEqual(["90011", "90021"]);
  });

  test.each([
    ["another account", "2", 1],
    ["nobody", null, 0],
  ])("leaves nothing visible to %s in the same browser", async (_, next, requests) => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90011", "90021");
    const page = await shopper.open();
    await expectSaved(heartOf(page, 1));
    await shopper.logIn(next);
    store.requests = [];
    // Not even before the service has responded.
    const release = store.hold();
    await page.goto(`${store.url}/collections/all`);
    await page.waitForSelector(".whl-counter");
    expect(await savedOn(page)).toEqual([]);
    expect(await page.locator(".whl-count").textContent()).toBe("0");
    release();
    await shopper.quiet(page);
    expect(await savedOn(page)).toEqual([]);
    expect(store.requests).toHaveLength(requests);
    expect(await page.evaluate(() => localStorage.getItem("wishlist"))).not.toContain("90011");
  });

  test("ignores a response for the customer before", async () => {
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
    await shopper.quiet(old);
    await expectSaved(heartOf(old, 1), false);
    expect(await savedOn(page)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem("wishlist"))).not.toContain("90011");
  });
});

describe("a page that does not know who is logged in", () => {
  test("shows the customer's list from the first press on, and on every page after it", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90031", "90602");
    const page = await shopper.open("/collections/all", { hint: "" });
    expect(store.requests).toEqual([]);
    await heartOf(page, 1).click();
    await expectSaved(heartOf(page, 1));
    await expectSaved(heartOf(page, 3));
    await expectCount(page, 3);
    await shopper.quiet(page);
    expect(store.service.saved("customer 1")).toEqual(["90031", "90602", "90011"]);
    // The guest id was merged into the account without items.
    expect([...store.service.lists.keys()]).toEqual(["customer 1"]);
    store.requests = [];
    await shopper.visit(page, "/collections/all", { hint: "" });
    expect(await savedOn(page)).toEqual(["trail-shoe-1", "trail-shoe-3"]);
    await expectCount(page, 3);
    expect(store.paths()).toEqual(["saved"]);
  });

  test("clears the customer's list with the first response for another shopper", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90031");
    const options = { hint: "1" };
    const page = await shopper.open("/collections/all", options);
    await expectSaved(heartOf(page, 3));
    await shopper.logIn("2");
    store.service.save("customer 2", "90021", "90041");
    await heartOf(page, 1).click();
    await expectSaved(heartOf(page, 2));
    await expectSaved(heartOf(page, 3), false);
    await expectCount(page, 3);
    expect(store.service.saved("customer 1")).toEqual(["90031"]);
    expect(store.service.saved("customer 2")).toEqual(["90021", "90041", "90011"]);
  });

  test("saves for a guest when it names a customer whose session has ended", async () => {
    const options = { hint: "1" };
    const page = await shopper.open("/collections/all", options);
    await heartOf(page, 1).click();
    await expectSaved(heartOf(page, 1));
    await expectCount(page, 1);
    await shopper.quiet(page);
    expect([...store.service.lists.entries()]).toEqual([[`guest ${guestOf()}`, new Set(["90011"])]]);
    await shopper.visit(page, "/collections/all", options);
    expect(await savedOn(page)).toEqual(["trail-shoe-1"]);
    await expectCount(page, 1);
  });
});

describe("a merge that is rejected because the guest was merged already", () => {
  test.each([
    ["with hearts", "/collections/all", "saved"],
    ["with the counter alone", "/cart", "list"],
  ])("shows the customer's list on a page %s, and the next guest has a new id", async (_, path, next) => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    const guest = guestOf();
    await shopper.logIn("1");
    // For example in another window of the shopper.
    store.service.response("merge", { guestId: guest }, "1");
    store.refusals.set("merge", { status: 410, code: "guest_merged" });
    store.requests = [];
    await shopper.visit(page, path);
    await expectCount(page, 1);
    expect(store.paths()).toEqual(["merge", next]);
    await shopper.visit(page, "/collections/all");
    expect(await savedOn(page)).toEqual(["trail-shoe-1"]);
    await shopper.logIn(null);
    await shopper.visit(page, "/collections/all");
    store.requests = [];
    await heartOf(page, 2).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90021"]);
    expect(guestOf()).not.toBe(guest);
  });
});

describe("tabs", () => {
  test("show the same list at once, and share one guest", async () => {
    const first = await shopper.open();
    const second = await shopper.open();
    await heartOf(first, 1).click();
    await expectSaved(heartOf(second, 1));
    await heartOf(second, 2).click();
    await expectSaved(heartOf(first, 2));
    await expectCount(first, 2);
    await expectCount(second, 2);
    expect(new Set(store.requests.map(({ body }) => body["guestId"])).size).toBe(1);
  });

  test("from before the login create a new guest when theirs was merged, and save once", async () => {
    const page = await shopper.open();
    await heartOf(page, 1).click();
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    const merged = guestOf();
    store.service.mergedGuests.add(merged);
    store.requests = [];
    await heartOf(page, 2).click();
    await expect.poll(() => store.paths()).toEqual(["add", "add"]);
    await expectSaved(heartOf(page, 2));
    await expectSaved(heartOf(page, 1), false);
    await expectCount(page, 1);
    const [first, second] = store.requests.map(({ body }) => body["guestId"]);
    expect(first).toBe(merged);
    expect(second).not.toBe(merged);
    expect(store.service.saved(`guest ${String(second)}`)).toEqual(["90021"]);
  });
});

describe("a browser without storage", () => {
  const script = `Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked"); } });
    Object.defineProperty(window, "sessionStorage", { get() { throw new Error("blocked"); } });`;

  test("keeps the guest in a session cookie, and makes one request a page", async () => {
    const page = await shopper.open("/collections/all", { script });
    expect(store.requests).toEqual([]);
    await heartOf(page, 1).click();
    await expectSaved(heartOf(page, 1));
    await expect.poll(() => store.service.saved(`guest ${guestOf()}`)).toEqual(["90011"]);
    const [cookie] = await shopper.context.cookies();
    const expected = {
      name: "wishlist_guest",
      value: guestOf(),
      path: "/",
      sameSite: "Lax",
      secure: true,
      expires: -1,
    };
    expect(cookie).toMatchObject(expected);
    await shopper.visit(page, "/collections/all");
    await expectSaved(heartOf(page, 1));
    await expectCount(page, 1);
    expect(store.paths()).toEqual(["add", "saved"]);
  });
});

test("hearts and counter work in a tab with full storage", async () => {
  const script = `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };`;
  const page = await shopper.open("/collections/all", { script });
  await heartOf(page, 1).click();
  await heartOf(page, 2).click();
  await expectCount(page, 2);
  await shopper.quiet(page);
  await heartOf(page, 1).click();
  await expectCount(page, 1);
  await shopper.quiet(page);
  await shopper.visit(page, "/collections/all");
  expect(await savedOn(page)).toEqual(["trail-shoe-2"]);
  await expectCount(page, 1);
});

test("unreadable storage counts as an empty list", async () => {
  for (const raw of ["{", "[]", '{"v":2}', '{"v":1,"saved":null}']) {
    const page = await shopper.open("/collections/all", {
      script: `localStorage.setItem("wishlist", ${JSON.stringify(raw)});`,
    });
    expect(await savedOn(page)).toEqual([]);
    await page.close();
  }
});
