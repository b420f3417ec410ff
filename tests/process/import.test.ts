import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { processOutbox } from "../../app/activity/index.server.ts";
import { startTasks } from "../../app/platform/jobs/task-runner.server.ts";
import { stopAll } from "../../app/platform/process/lifecycle.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { eraseCustomer, eraseShop } from "../../app/privacy/index.server.ts";
import {
  addItem,
  beginImport,
  cancelImport,
  changeItem,
  createList,
  deleteList,
  guestOwner,
  importTask,
  mergeGuest,
  readLists,
  recentImports,
  removeItem,
  startImport,
  takePart,
  runImportMaintenance,
  undoImport,
} from "../../app/wishlists/index.server.ts";
import { readFile } from "../../app/wishlists/transfer/read-file.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import {
  check,
  csvFile,
  customersFile,
  importFile,
  ndjsonFile,
  SAVED_AT,
  importIdle,
  latestImport,
  unwrap,
  upload,
} from "../support/app/imports.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { until } from "../support/until.ts";
import { subscribe } from "../support/webhooks/webhooks.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { MATRIX } from "../support/matrix.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

let database: TestDatabase;
let service: Service;
let call: Call;
let shop: TestShop;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ database, env: LOOPBACK });
  call = client(service.url);
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "5" });
  // Tasks run in this process, so that they start immediately.
  startTasks([importTask]);
});
afterAll(async () => {
  await stopAll();
  await closeDatabase();
  await service.dispose();
  await database.drop();
});
beforeEach(async () => {
  shop = await makeShop(service, call);
});

function add(owner: string, product: string, variant = "v"): Promise<unknown> {
  return addItem({ shopId: shop.id, kind: "customer", id: owner }, { productId: product, variantId: variant }, "api");
}

describe("items of an import that the catalog lacks", () => {
  const file = csvFile(
    `customer,c1,known,kv,${SAVED_AT}`,
    `customer,c1,unknown,kv,${SAVED_AT}`,
    `customer,c1,known,other,${SAVED_AT}`,
  );

  beforeEach(async () => {
    shop = await makeShop(service, call, { products: { known: "kv" } });
  });

  test("are reported with their lines before the import starts", async () => {
    const found = await check(shop.id, file);
    expect(found).toMatchObject({ status: "ready", rowsInvalid: 0, itemsNew: 3, itemsUnknown: 2 });
    expect(found.problems).toEqual(["3 product_id: is not in your catalog", "4 variant_id: is not in your catalog"]);
  });

  test("are imported when the merchant includes them", async () => {
    const { id } = await check(shop.id, file);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, id, "import"));
    expect(await importIdle(shop.id)).toMatchObject({ status: "done", itemsAdded: 3 });
  });

  test("are skipped when the merchant excludes them", async () => {
    const { id } = await check(shop.id, file);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, id, "leave_out"));
    expect(await importIdle(shop.id)).toMatchObject({ status: "done", itemsAdded: 1 });
    expect((await storedWishlist(database, shop.id, "c1"))?.items).toMatchObject([{ product_id: "known" }]);
  });

  test("are not counted while the catalog is incomplete", async () => {
    await database.rows("UPDATE shop SET catalog = 'syncing' WHERE id = $1", [shop.id]);
    expect(await check(shop.id, file)).toMatchObject({ itemsUnknown: 0, problems: [] });
  });
});

describe("undoing an import", () => {
  const undone = async (id: string) => {
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeDefined();
    return importIdle(shop.id);
  };
  const products = async (owner: string) =>
    (await storedWishlist(database, shop.id, owner))?.items.map(({ product_id }) => product_id).sort();

  test("removes only the items that the import added", async () => {
    await add("c1", "p1");
    const { id } = await importFile(
      shop.id,
      csvFile(`customer,c1,p1,v,${SAVED_AT}`, `customer,c1,p2,v,${SAVED_AT}`, `customer,c2,p2,v,${SAVED_AT}`),
    );
    await add("c2", "p3");
    expect(await undone(id)).toMatchObject({ status: "undone", itemsAdded: 2, itemsUndone: 2, undoUntil: null });
    expect([await products("c1"), await products("c2")]).toEqual([["p1"], ["p3"]]);
    expect(await disagreements(database)).toEqual([]);
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeUndefined();
  });

  test("keeps items that were put in a cart or saved again", async () => {
    const lines = ["carted", "again", "left"].map((product) => `customer,c1,${product},v,${SAVED_AT}`);
    const { id } = await importFile(shop.id, csvFile(...lines));
    await database.rows("UPDATE wishlist_item SET carted_at = now() WHERE shop_id = $1 AND product_id = 'carted'", [
      shop.id,
    ]);
    await removeItem(
      { shopId: shop.id, kind: "customer", id: "c1" },
      { productId: "again", variantId: undefined },
      "api",
    );
    await add("c1", "again");
    expect(await undone(id)).toMatchObject({ itemsUndone: 1 });
    expect(await products("c1")).toEqual(["again", "carted"]);
    expect(await disagreements(database)).toEqual([]);
  });

  test("keeps an item that was removed and imported again by a later file", async () => {
    const file = csvFile(`customer,c1,p1,v,${SAVED_AT}`);
    const { id } = await importFile(shop.id, file);
    const owner = { shopId: shop.id, kind: "customer", id: "c1" } as const;
    await removeItem(owner, { productId: "p1", variantId: undefined }, "api");
    await importFile(shop.id, file);
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeDefined();
    await until("the undo to finish", async () => {
      const [row] = await database.rows<{ status: string }>(
        "SELECT status FROM wishlist_import WHERE shop_id = $1 AND id = $2",
        [shop.id, id],
      );
      return row?.status === "undone";
    });
    expect(await products("c1")).toEqual(["p1"]);
  });

  test("sends no webhook and counts as no shopper's activity", async () => {
    const receiver = await startReceiver();
    await subscribe(call, shop, receiver.url);
    const { id } = await importFile(shop.id, csvFile(`customer,c1,p1,v1,${SAVED_AT}`));
    await undone(id);
    await processOutbox(shop.id);
    const report = async (path: string) => (await call("GET", `/v1/analytics/${path}`, { token: shop.token })).data();
    expect(await report("overview")).toEqual({ totalWishlistedItems: 0, activeShoppers: 0, wishlistToCartRate: 0 });
    expect(await report("product/p1")).toMatchObject({ wishlistCount: 0 });
    await add("c1", "p2");
    const [first] = await receiver.until(1);
    expect(first?.body.data).toMatchObject({ productId: "p2" });
    await receiver.close();
  });

  test("waits for a locked list and processes the others first", MATRIX, async () => {
    const { id } = await importFile(shop.id, customersFile(3));
    const held = await database.pool.connect();
    await held.query("BEGIN");
    await held.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = 'c000001' FOR UPDATE", [shop.id]);
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeDefined();
    await lockWaiters(database, 1, "%import_undo%");
    expect(await latestImport(shop.id)).toMatchObject({ status: "undoing", itemsUndone: 2 });
    await held.query("COMMIT");
    held.release();
    expect(await importIdle(shop.id)).toMatchObject({ status: "undone", itemsUndone: 3 });
  });

  test("of an import before the last one leaves the later one as it is", async () => {
    const first = await importFile(shop.id, csvFile(`customer,c1,p1,v,${SAVED_AT}`));
    const second = await importFile(shop.id, csvFile(`customer,c2,p2,v,${SAVED_AT}`));
    const found = await recentImports(shop.id, 10);
    expect(found.map(({ id, itemsAdded }) => [id, itemsAdded])).toEqual([
      [second.id, 1],
      [first.id, 1],
    ]);
    expect(await recentImports(shop.id, 1)).toEqual(found.slice(0, 1));
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, first.id))).toBeDefined();
    await until("the undo", async () => (await recentImports(shop.id, 10))[1]?.status === "undone");
    expect((await storedWishlist(database, shop.id, "c1"))?.item_count ?? 0).toBe(0);
    expect((await storedWishlist(database, shop.id, "c2"))?.item_count).toBe(1);
    expect((await recentImports(shop.id, 10)).map(({ undoUntil }) => undoUntil !== null)).toEqual([true, false]);
  });

  test("fails while another import is open, and after a week", async () => {
    const { id } = await importFile(shop.id, csvFile(`customer,c1,p1,v,${SAVED_AT}`));
    const next = await check(shop.id, csvFile(`customer,c1,p2,v,${SAVED_AT}`));
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeUndefined();
    await transaction(shop.id, (tx) => cancelImport(tx, shop.id, next.id));
    await database.rows("UPDATE wishlist_import SET finished_at = now() - interval '8 days' WHERE shop_id = $1", [
      shop.id,
    ]);
    expect(await transaction(shop.id, (tx) => undoImport(tx, shop.id, id))).toBeUndefined();
    await runImportMaintenance(shop.id);
    expect(await database.rows("SELECT 1 FROM import_added WHERE shop_id = $1", [shop.id])).toEqual([]);
  });
});

describe("an import", () => {
  test("adds new items with their earliest time and leaves saved items unchanged", async () => {
    await add("c1", "p1");
    const before = await storedWishlist(database, shop.id, "c1");
    const file = csvFile(
      `customer,c1,p1,v,2020-01-01T00:00:00Z`,
      `customer,c1,p2,v,2026-03-01T00:00:00Z`,
      `customer,c1,p2,v,2026-02-01T00:00:00+02:00`,
      `customer,c2,gid://shopify/Product/9,gid://shopify/ProductVariant/8,9999-12-31T23:59:59-05:00`,
    );
    const done = await importFile(shop.id, file);
    expect(done).toMatchObject({
      status: "done",
      rowsRead: 4,
      rowsInvalid: 0,
      items: 3,
      lists: 2,
      itemsNew: 2,
      itemsAdded: 2,
    });
    const after = await storedWishlist(database, shop.id, "c1");
    expect(after?.items).toEqual([
      ...(before?.items ?? []),
      { product_id: "p2", variant_id: "v", added_at: "2026-01-31T22:00:00.000Z" },
    ]);
    const other = await storedWishlist(database, shop.id, "c2");
    expect(other?.items).toMatchObject([{ product_id: "9", variant_id: "8" }]);
    expect(new Date(other?.items[0]?.added_at ?? 0).getTime()).toBeLessThanOrEqual(Date.now());
    const days = await database.rows<{ saved: boolean }>(
      "SELECT saved_on IS NOT NULL AS saved FROM wishlist_item WHERE shop_id = $1 AND product_id <> 'p1'",
      [shop.id],
    );
    expect(days).toEqual([{ saved: false }, { saved: false }]);
    expect(await disagreements(database)).toEqual([]);
  });

  test("counts as saved items but not as activity, and sends no webhook", async () => {
    const receiver = await startReceiver();
    await subscribe(call, shop, receiver.url);
    await importFile(shop.id, csvFile(`customer,c1,p1,v1,${SAVED_AT}`, `customer,c2,p1,v2,${SAVED_AT}`));
    await processOutbox(shop.id);
    const report = async (path: string) => (await call("GET", `/v1/analytics/${path}`, { token: shop.token })).data();
    expect(await report("overview")).toEqual({ totalWishlistedItems: 0, activeShoppers: 0, wishlistToCartRate: 0 });
    expect(await report("product/p1")).toMatchObject({ wishlistCount: 2 });
    // Deliveries arrive in order, so nothing was sent before.
    await add("c1", "p2");
    const [first] = await receiver.until(1);
    expect(first?.body.data).toMatchObject({ productId: "p2" });
    await receiver.close();
  });

  test("changes nothing when the same file is imported again", async () => {
    const file = csvFile(`customer,c1,p1,v,${SAVED_AT}`, `customer,c1,p2,v,${SAVED_AT}`);
    await importFile(shop.id, file);
    const before = await everythingStored(database, shop.id);
    expect(await check(shop.id, file)).toMatchObject({ itemsNew: 0, items: 2 });
    const { id } = (await latestImport(shop.id)) ?? { id: "" };
    await transaction(shop.id, (tx) => startImport(tx, shop.id, id));
    expect(await importIdle(shop.id)).toMatchObject({ status: "done", itemsAdded: 0, listsRefused: 0 });
    expect(await everythingStored(database, shop.id)).toEqual(before);
  });

  test("skips a list that would exceed the cap, as the dry run reports", async () => {
    await database.rows("UPDATE shop SET item_cap = 2 WHERE id = $1", [shop.id]);
    await add("held", "p1");
    const file = csvFile(
      `customer,fits,p1,v,${SAVED_AT}`,
      `customer,held,p2,v,${SAVED_AT}`,
      `customer,held,p3,v,${SAVED_AT}`,
      ...["p1", "p2", "p3"].map((product) => `customer,large,${product},v,${SAVED_AT}`),
    );
    const found = await check(shop.id, file);
    expect(found).toMatchObject({ itemsNew: 1, itemsRefused: 5 });
    expect(found.problems).toEqual([
      expect.stringMatching(/^3 : begins a list that would have 3 items/),
      expect.stringMatching(/^5 : begins a list that would have 3 items/),
    ]);
    expect(found.problems.join()).not.toMatch(/held|large/);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, found.id));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 1, listsRefused: 2 });
    expect((await storedWishlist(database, shop.id, "held"))?.item_count).toBe(1);
    expect(await storedWishlist(database, shop.id, "large")).toBeUndefined();
    expect(await disagreements(database)).toEqual([]);
  });

  test("restores guests' lists by hash, except those of guests who have logged in", async () => {
    const guest = guestOwner(shop.id, "g".repeat(30));
    const merged = guestOwner(shop.id, "h".repeat(30));
    await mergeGuest(merged, { shopId: shop.id, kind: "customer", id: "c1" });
    const found = await check(
      shop.id,
      csvFile(`guest,${guest.id},p1,v,${SAVED_AT}`, `guest,${merged.id},p1,v,${SAVED_AT}`),
    );
    expect(found.problems).toEqual([expect.stringContaining("3 : begins a list whose guest has logged in since")]);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, found.id));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 1, listsRefused: 1 });
    expect(
      await database.rows("SELECT owner_id FROM wishlist WHERE shop_id = $1 AND item_count > 0", [shop.id]),
    ).toEqual([{ owner_id: guest.id }]);
  });

  test("that is only checked changes nothing", async () => {
    await add("c1", "p1");
    const before = await everythingStored(database, shop.id);
    await check(shop.id, customersFile(300));
    expect(await everythingStored(database, shop.id)).toEqual(before);
  });

  test("is limited to one per shop, and its file is deleted after use", async () => {
    const other = await makeShop(service, call);
    const id = await upload(shop.id, csvFile(`customer,c1,p1,v,${SAVED_AT}`));
    await importIdle(shop.id);
    const refused = await transaction(shop.id, (tx) => beginImport(tx, shop.id, { fileName: "b.csv", size: 5 }));
    expect(refused instanceof Failure && refused.code).toBe("request_in_progress");
    expect(await transaction(other.id, (tx) => startImport(tx, other.id, id))).toBeUndefined();
    expect(await transaction(other.id, (tx) => cancelImport(tx, other.id, id))).toBe(false);
    expect(await takePart(other.id, { id, at: 0, bytes: Buffer.from("x") })).toBeInstanceOf(Failure);
    const left = async (table: string) =>
      (await database.rows(`SELECT 1 FROM ${table} WHERE shop_id = $1`, [shop.id])).length;
    await until("the file to go", async () => (await left("import_part")) === 0);
    expect(await left("import_entry")).toBe(1);
    expect(await transaction(shop.id, (tx) => cancelImport(tx, shop.id, id))).toBe(true);
    expect(await transaction(shop.id, (tx) => startImport(tx, shop.id, id))).toBeUndefined();
    await until("what was read to go", async () => (await left("import_entry")) === 0);
    expect(await storedWishlist(database, shop.id, "c1")).toBeUndefined();
  });

  test("accepts each part of the file once and in order", async () => {
    const bytes = Buffer.from(csvFile(`customer,c1,p1,v,${SAVED_AT}`));
    const { id } = unwrap(
      await transaction(shop.id, (tx) => beginImport(tx, shop.id, { fileName: "a.csv", size: bytes.length })),
    );
    const part = (at: number, to: number) => takePart(shop.id, { id, at, bytes: bytes.subarray(at, to) });
    expect(await part(0, 20)).toEqual({ received: 20 });
    expect(await part(0, 20)).toEqual({ received: 20 });
    expect(await part(30, 40)).toEqual({ received: 20 });
    expect(await takePart(shop.id, { id, at: 20, bytes: Buffer.alloc(bytes.length) })).toEqual({ received: 20 });
    expect(await part(20, bytes.length)).toEqual({ received: bytes.length });
    expect(await importIdle(shop.id)).toMatchObject({ status: "ready", itemsNew: 1 });
  });

  test("is read once when two processes continue at the same position", MATRIX, async () => {
    const id = `imp_${"i".repeat(22)}`;
    await database.rows(
      `WITH made AS (
         INSERT INTO wishlist_import (shop_id, id, status, format, file_name, size, received, created_at, updated_at)
         VALUES ($1, $2, 'reading', 'csv', 'a.csv', length($3::bytea), length($3::bytea), now(), now()) RETURNING shop_id, id
       )
       INSERT INTO import_part (shop_id, import_id, at_byte, bytes) SELECT shop_id, id, 0, $3 FROM made`,
      [shop.id, id, Buffer.from(customersFile(10))],
    );
    const holder = await database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM wishlist_import WHERE shop_id = $1 FOR UPDATE", [shop.id]);
      const { signal } = new AbortController();
      const both = Promise.all([readFile(shop.id, id, signal), readFile(shop.id, id, signal)]);
      await lockWaiters(database, 2, "%SET read_bytes = %");
      await holder.query("COMMIT");
      await both;
    } finally {
      holder.release(true);
    }
    expect(await latestImport(shop.id)).toMatchObject({ status: "ready", rowsRead: 10, items: 10, itemsNew: 10 });
  });

  test("that is cancelled keeps complete lists only", async () => {
    const holder = await database.pool.connect();
    try {
      await add("c000700", "held");
      const { id } = await check(shop.id, customersFile(5_000));
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = 'c000700' FOR UPDATE", [shop.id]);
      await transaction(shop.id, (tx) => startImport(tx, shop.id, id));
      await lockWaiters(database, 1, "%import_run_batch%");
      const cancelling = transaction(shop.id, (tx) => cancelImport(tx, shop.id, id));
      await lockWaiters(database, 1, '%UPDATE "public"."wishlist_import"%');
      await holder.query("COMMIT");
      expect(await cancelling).toBe(true);
    } finally {
      holder.release(true);
    }
    const ended = await importIdle(shop.id);
    expect(ended.status).toBe("cancelled");
    expect(ended.itemsDone).toBeGreaterThanOrEqual(800);
    expect(ended.itemsDone).toBeLessThan(5_000);
    expect(ended.itemsAdded).toBe(ended.itemsDone);
    expect(await disagreements(database)).toEqual([]);
  });

  test("that is abandoned is purged after a day, and its report after a month", MATRIX, async () => {
    await check(shop.id, csvFile(`customer,c1,p1,v,${SAVED_AT}`));
    const age = (days: number) =>
      database.rows(
        "UPDATE wishlist_import SET updated_at = now() - $2 * interval '1 day', finished_at = CASE WHEN finished_at IS NOT NULL THEN now() - $2 * interval '1 day' END WHERE shop_id = $1",
        [shop.id, days],
      );
    await runImportMaintenance(shop.id);
    expect(await latestImport(shop.id)).toMatchObject({ status: "ready" });
    await age(2);
    await runImportMaintenance(shop.id);
    expect(await latestImport(shop.id)).toMatchObject({ status: "cancelled" });
    await until(
      "its items to go",
      async () => (await database.rows("SELECT 1 FROM import_entry WHERE shop_id = $1", [shop.id])).length === 0,
    );
    await age(31);
    await runImportMaintenance(shop.id);
    expect(await latestImport(shop.id)).toBeUndefined();
  });
});

describe("an import of named lists", () => {
  const fileName = "lists.ndjson";
  const options = { fileName };
  const owner = () => ({ shopId: shop.id, kind: "customer", id: "c1" }) as const;

  beforeEach(async () => {
    shop = await makeShop(service, call, { plan: "growth" });
  });

  /** Returns the customer's lists as name and products. */
  const lists = async () =>
    (
      await database.rows<{ list: string }>(
        `SELECT coalesce(w.name, 'default') || ':' || coalesce(string_agg(' ' || i.product_id, '' ORDER BY i.product_id), '') AS list
           FROM wishlist w LEFT JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
          WHERE w.shop_id = $1 AND w.owner_id = 'c1' AND w.deleted_at IS NULL
          GROUP BY w.shop_id, w.id ORDER BY w.handle <> 'default', w.position`,
        [shop.id],
      )
    ).map(({ list }) => list);

  const named = (listName: string, productId: string, more: Record<string, unknown> = {}) => ({
    ...{ ownerId: "c1", listName, productId },
    ...more,
  });

  test("creates missing lists in the order of the file, beside the default list", async () => {
    const file = ndjsonFile(named("Zebra", "p1"), named("Ape", "p2"), { ownerId: "c1", productId: "p3" });
    expect(await importFile(shop.id, file, options)).toMatchObject({ lists: 3, itemsAdded: 3, listsRefused: 0 });
    expect(await lists()).toEqual(["default: p3", "Zebra: p1", "Ape: p2"]);
  });

  test("merges into a list of the same name and keeps the details of its items", async () => {
    const list = unwrap(await createList(owner(), { name: "Birthday" }, "api"));
    const ref = { ...owner(), listId: list.listId };
    unwrap(await addItem(ref, { productId: "p1", variantId: "v" }, "api"));
    unwrap(await changeItem(ref, { productId: "p1", variantId: "v" }, { note: "mine", quantity: 2 }, "api"));
    const file = ndjsonFile(
      named("BIRTHDAY", "p1", { note: "theirs", quantity: 9 }),
      named("birthday ", "p2", { note: "new" }),
      named("\uff22irth\u200dday", "p2"),
    );
    expect(await check(shop.id, file, options)).toMatchObject({ lists: 1, items: 2, itemsNew: 1 });
    await transaction(shop.id, async (tx) => cancelImport(tx, shop.id, (await latestImport(shop.id))?.id ?? ""));
    expect(await importFile(shop.id, file, options)).toMatchObject({ itemsAdded: 1 });
    expect(await lists()).toEqual(["default:", "Birthday: p1 p2"]);
    const items = await database.rows(
      "SELECT product_id, quantity, note FROM wishlist_item WHERE shop_id = $1 ORDER BY product_id",
      [shop.id],
    );
    expect(items).toEqual([
      { product_id: "p1", quantity: 2, note: "mine" },
      { product_id: "p2", quantity: null, note: "new" },
    ]);
  });

  test("creates no more than 50 lists of a customer, as the dry run reports", async () => {
    unwrap(await createList(owner(), { name: "Mine" }, "api"));
    const file = ndjsonFile(...Array.from({ length: 50 }, (_, n) => named(`List ${n}`, "p1")));
    const found = await check(shop.id, file, options);
    expect(found).toMatchObject({ itemsNew: 48, itemsRefused: 2 });
    expect(found.problems).toEqual([
      expect.stringContaining("49 : begins a new list"),
      expect.stringContaining("50 : begins a new list"),
    ]);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, found.id));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 48, listsRefused: 2 });
    expect((await lists()).at(-1)).toBe("List 47: p1");
  });

  test("creates none on a plan without named lists, but fills those that exist", async () => {
    unwrap(await createList(owner(), { name: "Mine" }, "api"));
    await database.rows("UPDATE shop SET plan = 'starter' WHERE id = $1", [shop.id]);
    const file = ndjsonFile(named("Mine", "p1"), named("Other", "p2"));
    const found = await check(shop.id, file, options);
    expect(found.problems).toEqual([
      "2 : begins a new named list, which needs the Growth plan; none of its items is imported",
    ]);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, found.id));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 1, listsRefused: 1 });
    expect(await lists()).toEqual(["default:", "Mine: p1"]);
  });

  test("skips a list that would exceed the item cap and creates the others", async () => {
    await database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
    const file = ndjsonFile(named("Large", "p1"), named("Large", "p2"), named("Small", "p1"));
    expect(await check(shop.id, file, options)).toMatchObject({
      itemsNew: 1,
      itemsRefused: 2,
      problems: [expect.stringContaining("1 : begins a list that would have 2 items")],
    });
    await transaction(shop.id, async (tx) => startImport(tx, shop.id, (await latestImport(shop.id))?.id ?? ""));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 1, listsRefused: 1 });
    expect(await lists()).toEqual(["default:", "Small: p1"]);
  });

  test("is undone with the lists that it created, except those with other items", async () => {
    unwrap(await createList(owner(), { name: "Mine" }, "api"));
    const file = ndjsonFile(named("Mine", "p1"), named("Empty", "p1"), named("Used", "p1"));
    const { id } = await importFile(shop.id, file, options);
    const used = (await readLists(owner())).lists.find(({ name }) => name === "Used");
    unwrap(await addItem({ ...owner(), listId: used?.listId }, { productId: "own", variantId: "v" }, "api"));
    await transaction(shop.id, (tx) => undoImport(tx, shop.id, id));
    expect(await importIdle(shop.id)).toMatchObject({ status: "undone", itemsUndone: 3 });
    expect(await lists()).toEqual(["default:", "Mine:", "Used: own"]);
  });

  test("creates a list without items, and its undo deletes it", async () => {
    const file = ndjsonFile({ ownerId: "c1", listName: "Empty", variantId: null, addedAt: null });
    expect(await check(shop.id, file, options)).toMatchObject({ rowsRead: 0, items: 0, lists: 0, listsNew: 1 });
    const { id } = (await latestImport(shop.id)) ?? { id: "" };
    await transaction(shop.id, (tx) => startImport(tx, shop.id, id));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 0, listsCreated: 1, listsRefused: 0 });
    expect(await lists()).toEqual(["default:", "Empty:"]);
    await transaction(shop.id, (tx) => undoImport(tx, shop.id, id));
    expect(await importIdle(shop.id)).toMatchObject({ status: "undone", itemsUndone: 0 });
    expect(await lists()).toEqual(["default:"]);
  });

  test("changes nothing in an existing list for a line without an item", async () => {
    const list = unwrap(await createList(owner(), { name: "Birthday" }, "api"));
    unwrap(await addItem({ ...owner(), listId: list.listId }, { productId: "p1", variantId: "v" }, "api"));
    const before = await everythingStored(database);
    const file = ndjsonFile({ ownerId: "c1", listName: "birthday", variantId: null, addedAt: null });
    expect(await importFile(shop.id, file, options)).toMatchObject({ itemsAdded: 0, listsCreated: 0, listsRefused: 0 });
    expect(await everythingStored(database)).toEqual(before);
  });

  test("creates a list without items when the merchant excludes items that the catalog lacks", async () => {
    shop = await makeShop(service, call, { plan: "growth", products: { known: "kv" } });
    const file = ndjsonFile(
      { ownerId: "c1", listName: "Empty", variantId: null, addedAt: null },
      { ownerId: "c1", productId: "unknown" },
    );
    const found = await check(shop.id, file, options);
    expect(found).toMatchObject({ itemsUnknown: 1, problems: ["2 productId: is not in your catalog"] });
    await transaction(shop.id, (tx) => startImport(tx, shop.id, found.id, "leave_out"));
    expect(await importIdle(shop.id)).toMatchObject({ itemsAdded: 0, listsCreated: 1 });
  });

  test("does not refuse a list beyond the item cap whose items are all saved already", async () => {
    const { listId } = unwrap(await createList(owner(), { name: "Full" }, "api"));
    for (const productId of ["p1", "p2"]) {
      unwrap(await addItem({ ...owner(), listId }, { productId, variantId: "v" }, "api"));
    }
    await database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
    const file = ndjsonFile(named("Full", "p1"), { ownerId: "c1", listName: "Full", variantId: null, addedAt: null });
    expect(await importFile(shop.id, file, options)).toMatchObject({ itemsAdded: 0, listsRefused: 0 });
  });

  test("creates no list without items on a plan without named lists", async () => {
    await database.rows("UPDATE shop SET plan = 'starter' WHERE id = $1", [shop.id]);
    const file = ndjsonFile({ ownerId: "c1", listName: "Empty", variantId: null, addedAt: null });
    expect((await check(shop.id, file, options)).problems).toEqual([expect.stringContaining("needs the Growth plan")]);
    await transaction(shop.id, async (tx) => startImport(tx, shop.id, (await latestImport(shop.id))?.id ?? ""));
    expect(await importIdle(shop.id)).toMatchObject({ listsCreated: 0, listsRefused: 1 });
    expect(await lists()).toEqual(["default:"]);
  });

  test("takes the price when an item was saved from the file, and none when it has none", async () => {
    shop = await makeShop(service, call, { plan: "growth", products: { p1: "v", p2: "v2" } });
    await database.rows(
      `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
       SELECT shop_id, 'v', product_id, 'V' || product_id, 200, true, 1 FROM product WHERE shop_id = $1 AND product_id = 'p2'`,
      [shop.id],
    );
    const file = ndjsonFile(
      { ownerId: "c1", productId: "p1", savedPrice: "129.5" },
      { ownerId: "c1", productId: "p2" },
    );
    await importFile(shop.id, file, options);
    expect(
      await database.rows("SELECT product_id, saved_price FROM wishlist_item WHERE shop_id = $1 ORDER BY product_id", [
        shop.id,
      ]),
    ).toEqual([
      { product_id: "p1", saved_price: "129.5" },
      { product_id: "p2", saved_price: null },
    ]);
  });

  test("gives a list another id when the customer has a deleted list with the id of the file", async () => {
    const { listId } = unwrap(await createList(owner(), { name: "Birthday" }, "api"));
    unwrap(await deleteList({ ...owner(), listId }, "api"));
    await importFile(shop.id, ndjsonFile(named("Birthday", "p1", { listId })), options);
    expect(await lists()).toEqual(["default:", "Birthday: p1"]);
    expect((await readLists(owner())).lists[1]?.listId).toMatch(/^lst_[0-9a-f]{32}$/);
  });

  test("sends no webhook for created and deleted lists", async () => {
    const receiver = await startReceiver();
    await subscribe(call, shop, receiver.url);
    const events = ["wishlist.list.created", "wishlist.list.deleted", "wishlist.item.added"];
    await database.rows("UPDATE webhook_endpoint SET events = $2 WHERE shop_id = $1", [shop.id, events]);
    const { id } = await importFile(shop.id, ndjsonFile(named("Birthday", "p1")), options);
    await transaction(shop.id, (tx) => undoImport(tx, shop.id, id));
    await importIdle(shop.id);
    await add("c1", "p2");
    const [first] = await receiver.until(1);
    expect(first?.body).toMatchObject({ event: "wishlist.item.added", data: { productId: "p2" } });
    await receiver.close();
  });
});

describe("privacy requests", () => {
  test("erase a customer from files that wait for their import", async () => {
    const { id } = await check(shop.id, csvFile(`customer,forgotten,p1,v,${SAVED_AT}`, `customer,c1,p1,v,${SAVED_AT}`));
    await eraseCustomer(shop.id, "forgotten");
    await transaction(shop.id, (tx) => startImport(tx, shop.id, id));
    expect(await importIdle(shop.id)).toMatchObject({ status: "done", itemsAdded: 1 });
    expect(await storedWishlist(database, shop.id, "forgotten")).toBeUndefined();

    const bytes = Buffer.from(csvFile(`customer,forgotten,p1,v,${SAVED_AT}`));
    const begun = unwrap(
      await transaction(shop.id, (tx) => beginImport(tx, shop.id, { fileName: "a.csv", size: bytes.length + 1 })),
    );
    unwrap(await takePart(shop.id, { id: begun.id, at: 0, bytes }));
    await eraseCustomer(shop.id, "forgotten");
    expect(await latestImport(shop.id)).toMatchObject({
      status: "failed",
      failedReason: expect.stringContaining("erased"),
    });
    expect(await database.rows("SELECT 1 FROM import_part WHERE shop_id = $1", [shop.id])).toEqual([]);
  });

  test("erase a shop's files immediately", async () => {
    await check(shop.id, customersFile(10));
    await eraseShop(shop.id);
    for (const table of ["wishlist_import", "import_part", "import_entry", "import_problem"]) {
      expect(await database.rows(`SELECT 1 FROM ${table} WHERE shop_id = $1`, [shop.id])).toEqual([]);
    }
  });
});
