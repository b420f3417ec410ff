// @module-tag matrix

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { addItem, beginImport, startImport, takePart } from "../../app/wishlists/index.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { check, customersFile, importIdle, unwrap } from "../support/app/imports.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

let database: TestDatabase;
let service: Service;
let call: Call;
let shop: TestShop;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ database, env: LOOPBACK });
  call = client(service.url);
});
afterAll(async () => {
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

test("the next process completes the reads and imports of a killed one exactly once", async () => {
  const other = await makeShop(service, call);
  const running = await check(shop.id, customersFile(1_000));
  await add("c000700", "held");
  const holder = await database.pool.connect();
  const second = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = 'c000700' FOR UPDATE", [shop.id]);
    await transaction(shop.id, (tx) => startImport(tx, shop.id, running.id));
    await lockWaiters(database, 1, "%import_run_batch(%");
    const file = Buffer.from(customersFile(12_000));
    const { id } = unwrap(
      await transaction(other.id, (tx) => beginImport(tx, other.id, { fileName: "a.csv", size: file.length })),
    );
    unwrap(await takePart(other.id, { id, at: 0, bytes: file.subarray(0, -1) }));
    await second.query("BEGIN");
    await second.query("LOCK TABLE import_problem IN ACCESS EXCLUSIVE MODE");
    unwrap(await takePart(other.id, { id, at: file.length - 1, bytes: file.subarray(-1) }));
    await lockWaiters(database, 1, "%SET read_bytes = %");
    await service.stop("SIGKILL");
    await Promise.all([holder.query("COMMIT"), second.query("COMMIT")]);
  } finally {
    holder.release(true);
    second.release(true);
  }
  service = await startService({ database, env: LOOPBACK });
  call = client(service.url);
  expect(await importIdle(shop.id)).toMatchObject({ status: "done", itemsDone: 1_000, itemsAdded: 1_000 });
  expect(await importIdle(other.id)).toMatchObject({
    status: "ready",
    rowsRead: 12_000,
    rowsInvalid: 0,
    items: 12_000,
  });
  expect(await disagreements(database)).toEqual([]);
  const [logged] = await database.rows<{ n: number }>(
    "SELECT count(*)::integer AS n FROM activity WHERE shop_id = $1 AND source = 'import'",
    [shop.id],
  );
  expect(logged?.n).toBe(1_000);
});
