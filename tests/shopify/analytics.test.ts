import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dashboard, recordPeriodStats } from "../../app/analytics/index.server.ts";
import { processOutbox } from "../../app/activity/index.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import type { Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: string;
let id: number;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());
beforeEach(async () => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  const store = shopify.store(shop);
  store.shop.timeZone = noonZone();
  store.catalog.put(
    {
      id: 11,
      handle: "lamp",
      title: '=HYPERLINK("x"), "Lamp"',
      variants: [
        { id: 110, title: "Brass" },
        { id: 111, title: "@Steel" },
      ],
    },
    { id: 12, handle: "vase", title: "Vase", variants: [{ id: 120, title: "Default Title" }] },
  );
  id = await installed(shop);
});

async function installed(domain: string): Promise<number> {
  expect((await shopify.openApp({ app: service.url, shop: domain })).status).toBe(200);
  return until("the catalogue", async () => {
    const [row] = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready' AND time_zone <> 'UTC'",
      [domain],
    );
    return row?.id ?? false;
  });
}

/** Saves items of a customer, some days ago. */
async function save(customer: string, product: string, variant: string, daysAgo = 0, of = id): Promise<void> {
  await service.database.rows(
    "SELECT wishlist_add($1, 'customer', $2, $3, $4, 'api', now() - make_interval(days => $5))",
    [of, customer, product, variant, daysAgo],
  );
}

function download(query: Record<string, string>, domain = shop): Promise<Response> {
  return fetch(`${service.url}/app/analytics/csv?${new URLSearchParams(query)}`, {
    headers: { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${shopify.sessionToken(domain)}` },
  });
}

async function linesOf(query: Record<string, string>): Promise<string[]> {
  const response = await download(query);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = Buffer.from(await response.arrayBuffer()).toString();
  expect(text.startsWith("\u{FEFF}")).toBe(true);
  return text.slice(1).trimEnd().split("\r\n");
}

test("exported product names cannot run as spreadsheet formulas", async () => {
  await save("a", "11", "111");
  await save("b", "11", "110");
  await service.database.rows("UPDATE variant SET available = false WHERE shop_id = $1 AND variant_id = '111'", [id]);
  const title = `"'=HYPERLINK(""x""), ""Lamp"""`;
  expect(await linesOf({ table: "top-products" })).toEqual([
    "Product id,Product,State,Saves",
    `11,${title},in the store,2`,
  ]);
  expect(await linesOf({ table: "out-of-stock" })).toEqual([
    "Product id,Product,Variant id,Variant,Price,Currency,Saves",
    `11,${title},111,'@Steel,10.00,EUR,1`,
  ]);
  expect(await linesOf({ table: "variants", product: "11" })).toEqual([
    "Variant id,Variant,Price,Currency,Stock,Saves",
    "111,'@Steel,10.00,EUR,out of stock,1",
    "110,Brass,10.00,EUR,in stock,1",
  ]);
});

test("unavailable variants come first, and uncached and deleted ones are marked", async () => {
  for (const customer of ["a", "b", "c"]) await save(customer, "11", "110");
  await save("a", "11", "111");
  for (const customer of ["a", "b"]) await save(customer, "11", "unheard-of");
  await save("a", "12", "120");
  await service.database.rows("UPDATE variant SET available = false WHERE shop_id = $1", [id]);
  await service.database.rows("UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND variant_id = '110'", [id]);
  const stock = async (product: string) =>
    (await linesOf({ table: "variants", product })).slice(1).map((line) => line.split(",").slice(-2).join(" "));
  expect(await stock("11")).toEqual(["out of stock 1", "deleted 3", "unknown 2"]);
  expect(await stock("12")).toEqual(["out of stock 1"]);
  expect((await linesOf({ table: "out-of-stock" })).slice(1).map((line) => line.split(",").at(-5))).toEqual([
    "111",
    "120",
  ]);

  // Archived products are left out.
  await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '12'", [id]);
  expect(await stock("12")).toEqual(["deleted 1"]);
  expect(await linesOf({ table: "out-of-stock" })).toHaveLength(2);
  expect((await linesOf({ table: "top-products" })).slice(1)).toContain("12,Vase,deleted,1");
});

test("products are sorted by saves, and products without saves are left out", async () => {
  for (const customer of ["a", "b"]) await save(customer, "unheard-of", "1");
  await save("a", "12", "120");
  await save("a", "11", "110");
  await service.database.rows("SELECT wishlist_remove($1, 'customer', 'a', '11', '110', 'api', now())", [id]);
  expect((await linesOf({ table: "top-products" })).slice(1)).toEqual([
    "unheard-of,,unknown,2",
    "12,Vase,in the store,1",
  ]);
});

test("a product's history has each day of the period, for products of the shop only", async () => {
  await save("a", "12", "120", 29);
  await save("b", "12", "120");
  await save("a", "odd/../%2F.data", "1");
  const history = await linesOf({ table: "product", product: "12", period: "30" });
  expect(history).toHaveLength(31);
  expect(history[1]).toMatch(/^\d{4}-\d\d-\d\d,1,0,0$/);
  expect(history[30]).toMatch(/^\d{4}-\d\d-\d\d,1,0,0$/);
  expect(await linesOf({ table: "product", product: "12", period: "7" })).toHaveLength(8);
  expect((await linesOf({ table: "product", product: "odd/../%2F.data" })).at(-1)).toMatch(/,1,0,0$/);
  expect((await download({ table: "product", product: "nobody's" })).status).toBe(404);

  const other = `other-${shop}`;
  await installed(other);
  for (const table of ["product", "variants"]) {
    expect((await download({ table, product: "12" }, other)).status).toBe(404);
  }
  const otherShop = await download({ table: "top-products" }, other);
  expect((await otherShop.text()).trimEnd().split("\r\n")).toHaveLength(1);
});

test.each([
  {},
  { table: "" },
  { table: "shop" },
  { table: "__proto__" },
  { table: "product", product: "x".repeat(256) },
])("an export with an unknown table gets an error message: %j", async (query) => {
  const response = await download(query);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/^`(?:table|product)` is /);
});

test("the demand at lower prices is a file on a plan with alerts, and its download is recorded", async () => {
  await save("a", "12", "120");
  await processOutbox(id);
  const demand = (product: string, domain = shop): Promise<Response> =>
    fetch(`${service.url}/app/analytics/demand?${new URLSearchParams({ product })}`, {
      headers: { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${shopify.sessionToken(domain)}` },
    });
  expect((await demand("12")).status).toBe(404);
  await service.database.rows("UPDATE shop SET plan = 'growth' WHERE id = $1", [id]);
  const file = await demand("12");
  expect(file.headers.get("content-disposition")).toContain("wishlist-demand-12-");
  const [head, ...lines] = (await file.text()).trim().split("\r\n");
  expect(head).toContain(
    "Variant id,Variant,Price,Lower price,Currency,Price drop in percent,Customers,Asked for alerts",
  );
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    8,
    "120,Default Title,10.00,9.50,EUR,5,1,0",
    "120,Default Title,10.00,5.00,EUR,50,1,0",
  ]);
  expect((await demand("unknown")).status).toBe(404);
  const other = `other-${shop}`;
  const otherId = await installed(other);
  await service.database.rows("UPDATE shop SET plan = 'growth' WHERE id = $1", [otherId]);
  expect((await demand("12", other)).status).toBe(404);
  expect(
    await service.database.rows(
      "SELECT shop_id, subject, details FROM audit WHERE action = 'data.demand_exported'",
      [],
    ),
  ).toEqual([{ shop_id: id, subject: "12", details: { name: "Vase", count: 8 } }]);
});

test("a download of the alert log is recorded, also for the staff member who made it", async () => {
  const response = await fetch(`${service.url}/app/alerts/log/csv?q=vase`, {
    headers: { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${shopify.sessionToken(shop)}` },
  });
  expect(response.status).toBe(200);
  expect((await response.text()).split("\r\n")[0]).toContain("Customer");
  expect(
    await service.database.rows(
      "SELECT shop_id, details, staff_id IS NOT NULL AS staff FROM audit WHERE action = 'data.alerts_exported'",
      [],
    ),
  ).toEqual([{ shop_id: id, details: {}, staff: true }]);
});

test("an exported file is named after table, store and period", async () => {
  await save("a", "12", "120");
  const name = async (query: Record<string, string>) =>
    /filename="([^"]+)"/.exec((await download(query)).headers.get("content-disposition") ?? "")?.[1];
  const store = shop.replace(".myshopify.com", "");
  const day = String.raw`\d{4}-\d\d-\d\d`;
  expect(await name({ table: "daily", period: "7" })).toMatch(
    new RegExp(`^wishlist-daily-${store}-${day}-to-${day}\\.csv$`),
  );
  expect(await name({ table: "top-products" })).toMatch(new RegExp(`^wishlist-top-products-${store}-${day}\\.csv$`));
  expect(await name({ table: "variants", product: "12" })).toMatch(
    new RegExp(`^wishlist-variants-12-${store}-${day}\\.csv$`),
  );
});

test("a period before shoppers were counted by two days has its stored active shoppers, or none", async () => {
  // Three shoppers in the previous period, one of them active again since.
  for (const customer of ["a", "b", "c"]) await save(customer, "11", "110", 8);
  await save("a", "11", "111", 1);
  await service.database.rows("UPDATE shop SET installed_at = now() - interval '1 year' WHERE id = $1", [id]);
  const look = () => dashboard({ id, domain: shop }, { period: 7, compare: true }, 10);

  expect((await look()).activity?.before?.overview).toMatchObject({ activeShoppers: 3 });
  await service.database.rows("DELETE FROM shopper_count WHERE shop_id = $1 AND day < current_date - 3", [id]);

  const unknown = await look();
  expect(unknown.activity?.overview).toMatchObject({ totalWishlistedItems: 1, activeShoppers: 1 });
  expect(unknown.activity?.before?.overview).toMatchObject({ totalWishlistedItems: 3, activeShoppers: null });
  const dates = [...(unknown.activity?.before?.days ?? []), ...(unknown.activity?.days ?? [])].map(({ date }) => date);
  expect(dates).toHaveLength(14);
  expect([...new Set(dates)].sort()).toEqual(dates);

  // The nightly job after the previous period.
  holdClock(new Date(Date.now() - 6 * 86_400_000));
  await recordPeriodStats(id);
  holdClock(undefined);
  expect((await look()).activity?.before?.overview).toMatchObject({ activeShoppers: 3 });
  expect((await dashboard({ id, domain: shop }, { period: 7, compare: false }, 10)).activity?.before).toBeUndefined();
});

/**
 * A time zone in which it is noon now. Tests do not cross midnight there, and it has no daylight saving time, so that n
 * times 24 hours ago is n days ago.
 */
function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
