import { beforeAll, describe, expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

/** The app's clock is stopped at noon, so that no test crosses midnight. */
const NOON = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);

let service: InProcessApp;
let call: Call;

test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
  service.holdClock(NOON);
});

interface Day {
  date: string;
  itemsAdded: number;
  itemsRemoved: number;
  uniqueShoppers: number;
  addToCartFromWishlist: number;
}

const REPORTS = ["overview", "top-products", "product/p1", "daily"];

/** A new shop and its operations. */
async function begin(timeZone = "UTC") {
  const shop = await makeShop(service, call, { timeZone });
  const { id, token } = shop;
  const wishlists = "/v1/wishlists";
  const report = <Data>(path: string): Promise<Data> =>
    call("GET", `/v1/analytics/${path}`, { token }).then((response) => response.data<Data>());
  return {
    shop,
    async add(customer: string, product: string, variant = "v") {
      const json = { product_id: product, variant_id: variant };
      (await call("POST", `${wishlists}/${customer}/items`, { token, json })).data();
    },
    async remove(customer: string, product: string) {
      (await call("DELETE", `${wishlists}/${customer}/items/${product}`, { token })).data();
    },
    async merge(customer: string, ...products: string[]) {
      const items = products.map((productId) => ({ productId, variantId: "v", addedAt: "2026-01-01T00:00:00.000Z" }));
      (await call("POST", `${wishlists}/${customer}/merge`, { token, json: { items } })).data();
    },
    async share(customer: string) {
      (await call("GET", `${wishlists}/${customer}/share`, { token })).data();
    },
    /** Adds items through the storefront, some days ago. */
    async elsewhere(
      change: "add" | "record_cart" | "remove",
      owner: string,
      product: string,
      source: string,
      daysAgo = 0,
    ) {
      const [kind, name] = owner.split(" ");
      const event = change === "record_cart" ? ["event"] : [];
      const at = new Date(NOON.getTime() - daysAgo * 86_400_000);
      const given = [id, kind, name, product, "v", ...event, source, at];
      await service.database.rows(`SELECT wishlist_${change}(${given.map((_, i) => `$${i + 1}`).join(", ")})`, given);
    },
    overview: (query = "") => report(`overview${query}`),
    daily: (query = "") => report<{ days: Day[] }>(`daily${query}`).then(({ days }) => days),
    top: (query = "") => report<{ products: unknown[] }>(`top-products${query}`).then(({ products }) => products),
    count: (product: string) =>
      report<{ wishlistCount: number }>(`product/${product}`).then(({ wishlistCount }) => wishlistCount),
  };
}

const NOTHING = { totalWishlistedItems: 0, activeShoppers: 0, wishlistToCartRate: 0 };
const QUIET = { itemsAdded: 0, itemsRemoved: 0, uniqueShoppers: 0, addToCartFromWishlist: 0 };

function totals(days: readonly Day[]): Omit<Day, "date"> {
  return days.reduce(
    (sum, day) => ({
      itemsAdded: sum.itemsAdded + day.itemsAdded,
      itemsRemoved: sum.itemsRemoved + day.itemsRemoved,
      uniqueShoppers: sum.uniqueShoppers + day.uniqueShoppers,
      addToCartFromWishlist: sum.addToCartFromWishlist + day.addToCartFromWishlist,
    }),
    QUIET,
  );
}

function dayIn(timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(NOON);
}

test("reports of a shop without activity contain zeros", async () => {
  const { overview, top, count, daily } = await begin();
  expect(await overview()).toEqual(NOTHING);
  expect(await top()).toEqual([]);
  expect(await count("p1")).toBe(0);
  expect(totals(await daily())).toEqual(QUIET);
});

test.each(["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])(
  "the daily breakdown has each day once, oldest first, up to the shop's today (%s)",
  async (timeZone) => {
    const { daily } = await begin(timeZone);
    for (const [query, days] of [
      ["", 30],
      ["?days=1", 1],
      ["?days=365", 365],
    ] as const) {
      const dates = (await daily(query)).map(({ date }) => date);
      const last = dates.at(-1) ?? "";
      expect(last).toBe(dayIn(timeZone));
      const expected = Array.from({ length: days }, (_, i) =>
        new Date(Date.parse(last) - (days - 1 - i) * 86_400_000).toISOString().slice(0, 10),
      );
      expect(dates).toEqual(expected);
    }
  },
);

test("reports count added and removed items, shoppers and cart events", async () => {
  const { add, remove, merge, share, elsewhere, overview, daily, top } = await begin();
  await add("ann", "p1", "red");
  await add("ann", "p1", "blue");
  await add("ann", "p1", "blue"); // saved already
  await add("ann", "p2");
  await remove("ann", "p1"); // both variants
  await remove("ann", "p1"); // nothing remains
  await merge("ben", "p2", "p3");
  await share("cleo");
  await elsewhere("add", "guest dan", "p2", "storefront");
  await elsewhere("record_cart", "guest dan", "p2", "storefront");
  await elsewhere("record_cart", "guest dan", "p2", "storefront"); // a repeated event
  await elsewhere("remove", "customer ben", "p3", "staff");

  // Saves: three by ann, two by ben, one by dan, who added it to the cart.
  expect(await overview()).toEqual({ totalWishlistedItems: 4, activeShoppers: 4, wishlistToCartRate: 16.67 });
  expect(await daily("?days=1")).toMatchObject([
    { itemsAdded: 6, itemsRemoved: 2, uniqueShoppers: 4, addToCartFromWishlist: 1 },
  ]);
  // Removals by staff are not shoppers' activity, but the item is no longer saved.
  expect(await top()).toEqual([{ productId: "p2", wishlistCount: 3 }]);
});

test("overview and daily breakdown leave out activity before the period", async () => {
  const { elsewhere, overview, daily } = await begin();
  await elsewhere("add", "customer old", "p1", "api", 40);
  await elsewhere("add", "customer new", "p1", "api", 5);
  await elsewhere("record_cart", "customer old", "p1", "api", 5);
  const one = { itemsAdded: 1, itemsRemoved: 0, uniqueShoppers: 2, addToCartFromWishlist: 1 };
  // The cart event counts on the day of the save.
  const month = { totalWishlistedItems: 1, activeShoppers: 2, wishlistToCartRate: 0 };
  expect([await overview(), totals(await daily())]).toEqual([month, one]);
  expect([await overview("?days=7"), totals(await daily("?days=7"))]).toEqual([month, one]);
  expect([await overview("?days=2"), totals(await daily("?days=2"))]).toEqual([NOTHING, QUIET]);
  const all = { totalWishlistedItems: 2, activeShoppers: 2, wishlistToCartRate: 50 };
  expect([await overview("?days=60"), totals(await daily("?days=60"))]).toEqual([
    all,
    { ...one, itemsAdded: 2, uniqueShoppers: 3 },
  ]);
});

test("the net change is negative when more items are removed than added", async () => {
  const { elsewhere, remove, overview } = await begin();
  await elsewhere("add", "customer ann", "p1", "api", 10);
  await remove("ann", "p1");
  expect(await overview("?days=5")).toEqual({ ...NOTHING, totalWishlistedItems: -1, activeShoppers: 1 });
});

test("top products are sorted by count, then id, with 10 by default", async () => {
  const { merge, remove, top } = await begin();
  const products = Array.from({ length: 12 }, (_, i) => `p${String(i + 10)}`);
  await merge("ann", ...[...products].reverse(), "gone");
  await merge("ben", "p21", "p15");
  await remove("ann", "gone");
  const expected = [
    { productId: "p15", wishlistCount: 2 },
    { productId: "p21", wishlistCount: 2 },
    ...products.filter((id) => id !== "p15" && id !== "p21").map((productId) => ({ productId, wishlistCount: 1 })),
  ];
  expect(await top()).toEqual(expected.slice(0, 10));
  expect(await top("?limit=1")).toEqual(expected.slice(0, 1));
  expect(await top("?limit=100")).toEqual(expected);
});

test("a product report accepts id and GID and counts each variant", async () => {
  const { add, count } = await begin();
  await add("ann", "11", "red");
  await add("ann", "11", "blue");
  expect(await count("11")).toBe(2);
  expect(await count("gid:%2F%2Fshopify%2FProduct%2F11")).toBe(2);
  expect(await count("12")).toBe(0);
});

test("each report shows a change immediately after its response", async () => {
  const { add, remove, overview, daily, top, count } = await begin();
  for (let n = 1; n <= 10; n++) {
    await add("ann", `a${n}`);
    expect(await count(`a${n}`)).toBe(1);
    await add("ann", `b${n}`);
    expect(await overview()).toMatchObject({ totalWishlistedItems: 2 * n });
    await add("ann", `c${n}`);
    expect(totals(await daily())).toMatchObject({ itemsAdded: 3 * n, itemsRemoved: n - 1 });
    await remove("ann", `c${n}`);
    expect(await top("?limit=100")).toHaveLength(2 * n);
  }
});

test("a shop's reports leave out another shop with the same customer and product ids", async () => {
  const [mine, theirs] = [await begin(), await begin()];
  await theirs.add("ann", "p1");
  await theirs.merge("ben", "p1", "p2");
  await theirs.elsewhere("record_cart", "customer ann", "p1", "api");
  expect(await mine.overview()).toEqual(NOTHING);
  expect(await mine.top()).toEqual([]);
  expect(await mine.count("p1")).toBe(0);
  expect(totals(await mine.daily())).toEqual(QUIET);

  await mine.add("ann", "p1");
  expect(await mine.overview()).toEqual({ totalWishlistedItems: 1, activeShoppers: 1, wishlistToCartRate: 0 });
  expect(await mine.count("p1")).toBe(1);
  expect(await theirs.count("p1")).toBe(2);
});

describe("the report", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await makeShop(service, call);
  });

  function ask(report: string, token?: string): Promise<ApiResponse> {
    return call("GET", `/v1/analytics/${report}`, { token });
  }

  test.each(REPORTS)("%s accepts a token with read_analytics alone", async (report) => {
    expect((await ask(report, await exchange(call, shop, { scope: "read_analytics" }))).status).toBe(200);
  });

  test.each(REPORTS)("%s refuses a request without a token", async (report) => {
    expectFailure(await ask(report), 401, "missing_token");
  });

  test.each(REPORTS)("%s refuses a token with all scopes but read_analytics", async (report) => {
    const scope = "read_wishlists write_wishlists read_webhooks write_webhooks";
    const response = await ask(report, await exchange(call, shop, { scope }));
    expectFailure(response, 403, "insufficient_scope", { requiredScope: "read_analytics" });
  });

  test.each(REPORTS)("%s refuses a token whose key lacks read_analytics", async (report) => {
    const limited = await makeShop(service, call, { scopes: ["read_wishlists", "write_webhooks"] });
    expectFailure(await ask(report, limited.token), 403, "insufficient_scope", { requiredScope: "read_analytics" });
  });

  test.each(REPORTS)("%s refuses a customer-bound token", async (report) => {
    const response = await ask(report, await exchange(call, shop, { customer_id: "ann" }));
    expectFailure(response, 403, "insufficient_scope", { requiredScope: "read_analytics" });
  });
});

test.each<[path: string, ...at: string[]]>([
  ["overview?days=0", "query.days"],
  ["overview?days=366", "query.days"],
  ["overview?days=abc", "query.days"],
  ["overview?days=", "query.days"],
  ["overview?days=7.5", "query.days"],
  ["overview?days=07", "query.days"],
  ["overview?days=7&days=7", "query.days"],
  ["overview?day=7", "query.day"],
  ["daily?days=0", "query.days"],
  ["daily?days=-1", "query.days"],
  ["daily?days=366", "query.days"],
  ["daily?days=99999999999999999999", "query.days"],
  ["daily?days=abc", "query.days"],
  ["daily?limit=1", "query.limit"],
  ["top-products?limit=0", "query.limit"],
  ["top-products?limit=101", "query.limit"],
  ["top-products?limit=ten", "query.limit"],
  ["product/p1?days=7", "query.days"],
  ["product/with%20space", "path.productId"],
  ["product/gid:%2F%2Fshopify%2FProductVariant%2F11", "path.productId"],
  ["product/%FF", "path.productId"],
])("%s is refused with the place of the mistake", async (path, ...at) => {
  const { shop } = await begin();
  const response = await call("GET", `/v1/analytics/${path}`, { token: shop.token });
  expectFailure(response, 400, "invalid_request", problemsAt(...at));
});

test.each(REPORTS)("%s is not cached, supports HEAD and refuses writes", async (report) => {
  const { token } = (await begin()).shop;
  expect((await call("GET", `/v1/analytics/${report}`, { token })).headers.get("cache-control")).toBe("no-store");
  const head = await call("HEAD", `/v1/analytics/${report}`, { token });
  expect([head.status, head.text]).toEqual([200, ""]);
  const posted = await call("POST", `/v1/analytics/${report}`, { token, json: {} });
  expectFailure(posted, 405, "method_not_allowed");
  expect(posted.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});
