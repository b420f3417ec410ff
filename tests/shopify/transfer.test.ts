import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EXPORT_CONNECTIONS } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { addItem, beginImport, createExportToken, PART_BYTES } from "../../app/wishlists/index.server.ts";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { csvFile, SAVED_AT, importIdle, unwrap } from "../support/app/imports.ts";
import type { Service } from "../support/app/service.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let domain: string;
let shopId: number;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());
beforeEach(async () => {
  [domain, shopId] = await newShop();
});

async function newShop(): Promise<[domain: string, id: number]> {
  const name = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  await shopify.openApp({ app: service.url, shop: name });
  const shop = await findShop(name);
  if (!shop) throw new Error("the shop was not let in");
  return [name, shop.id];
}

function ask(path: string, init: RequestInit = {}, shop: string | undefined = domain): Promise<Response> {
  const headers = {
    "user-agent": MERCHANT_BROWSER,
    ...(shop === "" ? {} : { authorization: `Bearer ${shopify.sessionToken(shop)}` }),
  };
  return fetch(service.url + path, { redirect: "manual", ...init, headers });
}

function part(id: string, at: number | string, body: Uint8Array<ArrayBuffer>, shop?: string): Promise<Response> {
  return ask(`/app/settings/data/upload?import=${id}&at=${at}`, { method: "POST", body }, shop);
}

test("a file is accepted in parts, with the shop's session only", async () => {
  const file = Buffer.from(csvFile(`customer,c1,p1,v1,${SAVED_AT}`, "customer,c1,p1,v1,never"));
  const { id } = unwrap(
    await transaction(shopId, (tx) => beginImport(tx, shopId, { fileName: "a.csv", size: file.length })),
  );
  const [other] = await newShop();
  expect((await part(id, 0, file, other)).status).toBe(404);
  expect([302, 410, 401]).toContain((await part(id, 0, file, "")).status);
  const first = await part(id, 0, file.subarray(0, 30));
  expect([first.status, await first.json()]).toEqual([200, { received: 30 }]);
  expect((await part(id, "-1", file)).status).toBe(400);
  expect((await part(id, 30, Buffer.alloc(0))).status).toBe(400);
  expect((await part(id, 30, Buffer.alloc(PART_BYTES + 1))).status).toBe(413);
  expect((await ask("/app/settings/data/upload", { method: "PUT", body: "x" })).status).toBe(405);
  expect(await (await part(id, 30, file.subarray(30))).json()).toEqual({ received: file.length });
  expect(await importIdle(shopId)).toMatchObject({ status: "ready", itemsNew: 1, rowsInvalid: 1 });

  const report = await (await ask(`/app/settings/data/report?import=${id}`)).text();
  expect(report).toMatch(/^line,field,problem\r\n2,product_id,is not in your catalog\r\n3,added_at,/);
  expect(await (await ask(`/app/settings/data/report?import=${id}`, {}, other)).text()).toBe("line,field,problem\r\n");
});

test("an export link works once, within a minute, for its shop, and is never logged", async () => {
  const owner = { shopId, kind: "customer", id: "c1" } as const;
  unwrap(await addItem(owner, { productId: "p1", variantId: "=1+1" }, "api"));
  const token = unwrap(
    await transaction(shopId, (tx) => createExportToken(tx, shopId, { format: "csv", guests: false })),
  );
  const follow = (given: string, method = "GET") =>
    fetch(`${service.url}/app/settings/data/export?token=${given}`, { method });
  const [, otherId] = await newShop();
  expect((await follow(token, "HEAD")).status).toBe(405);
  expect((await follow(token.replace(/^\d+/, String(otherId)))).status).toBe(404);
  const response = await follow(token);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="wishlists-store-\w+-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(await response.text()).toMatch(
    /^owner,owner_id,product_id,variant_id,added_at,list_id,.*\r\ncustomer,c1,p1,'=1\+1,2/,
  );
  expect((await follow(token)).status).toBe(404);
  for (const nonsense of ["", "1", "1.x", `${shopId}.${"x".repeat(43)}`])
    expect((await follow(nonsense)).status).toBe(404);

  const late = unwrap(
    await transaction(shopId, (tx) => createExportToken(tx, shopId, { format: "csv", guests: false })),
  );
  await service.database.rows("UPDATE export_link SET expires_at = now() WHERE shop_id = $1", [shopId]);
  expect((await follow(late)).status).toBe(404);
  const left = unwrap(
    await transaction(shopId, (tx) => createExportToken(tx, shopId, { format: "csv", guests: false })),
  );
  await service.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [shopId]);
  expect((await follow(left)).status).toBe(404);
  const secrets = [token, late, left].map((one) => one.split(".")[1] ?? "");
  for (const secret of secrets) expect(JSON.stringify(service.log())).not.toContain(secret);
});

/** Gives a shop more data than the buffers of a connection hold. */
async function fill(id: number): Promise<void> {
  await service.database.rows(
    `WITH lists AS (
       INSERT INTO wishlist (shop_id, owner_kind, owner_id, item_count, created_at, updated_at)
       SELECT $1, 'customer', 'c' || n, 500, now(), now() FROM generate_series(1, 60) AS n RETURNING id
     )
     INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at)
     SELECT $1, id, lpad(n::text, 255, 'p'), repeat('v', 255), now() FROM lists, generate_series(1, 500) AS n`,
    [id],
  );
}

async function download(id: number, signal?: AbortSignal, token?: string): Promise<Response> {
  const given =
    token ?? unwrap(await transaction(id, (tx) => createExportToken(tx, id, { format: "csv", guests: false })));
  return fetch(`${service.url}/app/settings/data/export?token=${given}`, { signal: signal ?? null });
}

test("a second export of a shop gets 503 until the first ends", async () => {
  await fill(shopId);
  const first = new AbortController();
  expect((await download(shopId, first.signal)).status).toBe(200);
  const token = unwrap(
    await transaction(shopId, (tx) => createExportToken(tx, shopId, { format: "csv", guests: false })),
  );
  const refused = await download(shopId, undefined, token);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  first.abort();
  const response = await until("the end of the export that broke off", async () => {
    const tried = await download(shopId, undefined, token);
    if (tried.status === 200) return tried;
    expect(tried.status).toBe(503);
    return undefined;
  });
  expect((await response.text()).split("\r\n")).toHaveLength(1 + 60 * 500 + 1);
});

test("unread exports block neither another shop's export nor other requests", MATRIX, async () => {
  const unread = new AbortController();
  for (let n = 0; n < EXPORT_CONNECTIONS - 1; n++) {
    const [, id] = await newShop();
    await fill(id);
    expect((await download(id, unread.signal)).status).toBe(200);
    expect((await download(id, unread.signal)).status).toBe(503);
  }
  await fill(shopId);
  expect(await (await download(shopId)).text()).toMatch(/^owner,/);
  // One read per connection of the pool.
  const pages = await Promise.all(Array.from({ length: 10 }, () => ask("/app/settings/data.data")));
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
  unread.abort();
});
