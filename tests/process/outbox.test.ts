import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type Call } from "../support/app/client.ts";
import type { TestDatabase } from "../support/database/database.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { deliveriesOf, subscribe } from "../support/webhooks/webhooks.ts";
import { command } from "./fixtures/commands.ts";
import { MATRIX } from "../support/matrix.ts";

const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

/** A process with all roles, on `database`. */
let service: Service;
let call: Call;
let shop: TestShop;
let database: TestDatabase;

beforeAll(async () => {
  service = await startService({ env: LOOPBACK });
  ({ database } = service);
  call = client(service.url);
});
beforeEach(async () => {
  shop = await makeShop(service, call);
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
});

async function add(call: Call, { token }: TestShop, product: string): Promise<void> {
  const json = { product_id: product, variant_id: "v" };
  (await call("POST", "/v1/wishlists/c1/items", { token, json })).data();
}

function waiting({ database }: Service): Promise<number> {
  return database.rows("SELECT 1 FROM activity WHERE processed_at IS NULL").then(({ length }) => length);
}

async function added(call: Call, { token }: TestShop): Promise<number | undefined> {
  const { days } = (await call("GET", "/v1/analytics/daily?days=1", { token })).data<{
    days: { itemsAdded: number }[];
  }>();
  return days[0]?.itemsAdded;
}

test("outbox processor processes a change once that commits after later ones", async () => {
  const receiver = await startReceiver();
  await subscribe(call, shop, receiver.url);
  const slow = new pg.Client({ connectionString: database.url });
  await slow.connect();
  await slow.query("BEGIN");
  await slow.query("SELECT wishlist_add($1, 'customer', 'slow', 'late', 'v', 'api', now())", [shop.id]);

  // Their activity has higher ids and is processed before the lower one is committed.
  for (const product of ["a", "b", "c"]) await add(call, shop, product);
  await receiver.until(3);
  await until("the outbox processor", async () => (await waiting(service)) === 0);
  expect(await added(call, shop)).toBe(3);

  await slow.query("COMMIT");
  await slow.end();
  const all = await receiver.until(4);
  expect(all.map(({ body }) => body.data["productId"]).toSorted()).toEqual(["a", "b", "c", "late"]);
  expect(await added(call, shop)).toBe(4);
  const ids = await database.rows<{ late: boolean }>(
    "SELECT id < (SELECT max(id) FROM activity WHERE shop_id = $1 AND product_id <> 'late') AS late FROM activity WHERE shop_id = $1 AND product_id = 'late'",
    [shop.id],
  );
  expect(ids).toEqual([{ late: true }]);
  await receiver.close();
});

describe("beside a web process", () => {
  let web: Service;
  let ofWeb: Call;
  let here: TestShop;

  beforeAll(async () => {
    web = await startService({ env: { ...LOOPBACK, WISHLIST_ROLE: "web" } });
    ofWeb = client(web.url);
    // The shop is made in the database to which this process is connected.
    await closeDatabase();
    here = await makeShop(web, ofWeb);
    await closeDatabase();
  });
  afterAll(() => web.dispose());

  test("reports include every committed change when no outbox processor runs", async () => {
    await add(ofWeb, here, "a");
    expect(await waiting(web)).toBe(1);
    expect(await added(ofWeb, here)).toBe(1);
    expect(await waiting(web)).toBe(0);
  });

  test("worker processes and delivers a web process's changes and serves only its health", async () => {
    const worker = await startService({ database: web.database, env: { ...LOOPBACK, WISHLIST_ROLE: "worker" } });
    const receiver = await startReceiver();
    const { webhookId } = await subscribe(ofWeb, here, receiver.url);
    await add(ofWeb, here, "b");
    await receiver.until(1);
    (await ofWeb("POST", `/v1/webhooks/${webhookId}/test`, { token: here.token })).data();
    await receiver.until(2);
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const refused = await fetch(`${worker.url}/v1/openapi.json`);
    expect([refused.status, (await refused.json()) as unknown]).toMatchObject([404, { error: { code: "not_found" } }]);
    await worker.stop();
    await receiver.close();
  });
});

test("two processes share the work: each event arrives once", MATRIX, async () => {
  const other = await startService({ database, env: LOOPBACK });
  const calls = [call, client(other.url)];
  const receiver = await startReceiver();
  const { webhookId } = await subscribe(call, shop, receiver.url);
  await Promise.all(Array.from({ length: 60 }, (_, n) => add(calls[n % 2] ?? call, shop, `p${n}`)));
  await receiver.until(60);
  await until("all to be recorded", async () => {
    const deliveries = await deliveriesOf(call, shop, webhookId);
    return deliveries.length === 60 && deliveries.every(({ status }) => status === "succeeded");
  });
  expect(receiver.received).toHaveLength(60);
  expect(await added(call, shop)).toBe(60);
  await other.stop();
  await receiver.close();
});

test("an operator lists, retries and discards changes that are set aside", async () => {
  const receiver = await startReceiver();
  await subscribe(call, shop, receiver.url);
  const env = { DATABASE_URL: database.url };
  const sum = (count: number): Promise<unknown> =>
    database.rows(
      `INSERT INTO variant_stats SELECT $1, p, 'v', $2 FROM unnest(ARRAY['full', 'wrong']) AS p
           ON CONFLICT (shop_id, product_id, variant_id) DO UPDATE SET wishlist_count = $2`,
      [shop.id, count],
    );
  await sum(2_147_483_647);
  for (const product of ["full", "wrong"]) await add(call, shop, product);
  const list = async (): Promise<{ id: string; kind: string; reason: string; retryAt: string | null }[]> => {
    const { code, stdout } = await command(env, "outbox", "list", "--shop", shop.domain, "--json");
    expect(code).toBe(0);
    return z
      .array(z.object({ id: z.string(), kind: z.string(), reason: z.string(), retryAt: z.string().nullable() }))
      .parse(JSON.parse(stdout));
  };
  await until("both to be set aside", async () => (await list()).length === 2);
  // As after the fifth failure.
  await database.rows("UPDATE set_aside SET failures = 5, retry_at = NULL WHERE shop_id = $1", [shop.id]);
  await sum(0);
  const waitsForOperator = { kind: "added", reason: "22003 integer out of range", retryAt: null };
  expect(await list()).toEqual([expect.objectContaining(waitsForOperator), expect.objectContaining(waitsForOperator)]);

  const [wrong] = await database.rows<{ id: string }>(
    "SELECT id::text FROM activity WHERE shop_id = $1 AND product_id = 'wrong'",
    [shop.id],
  );
  const discard = ["outbox", "discard", wrong?.id ?? "", "--shop", shop.domain];
  expect(await command(env, ...discard)).toMatchObject({ code: 0 });
  expect(await command(env, ...discard)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `No change with the id ${wrong?.id ?? ""} of ${shop.domain} is set aside.`,
    ) as unknown,
  });
  expect(
    await database.rows("SELECT action, subject FROM audit WHERE shop_id = $1 AND operator IS NOT NULL", [shop.id]),
  ).toEqual([{ action: "data.change_discarded", subject: wrong?.id }]);

  const retried = await command(env, "outbox", "retry", "--shop", shop.domain, "--json");
  expect(JSON.parse(retried.stdout)).toEqual({ shop: shop.domain, retried: 1 });
  const [event] = await receiver.until(1);
  expect(event?.body.data["productId"]).toBe("full");
  await until("nothing to be set aside", async () => (await list()).length === 0);
  expect(await added(call, shop)).toBe(1);
  await receiver.close();
});

describe("a cart event", () => {
  test("counts once for an item and event, and only while the item is saved", async () => {
    await add(call, shop, "a");
    const cart = async (product: string, event: string): Promise<string | undefined> => {
      const [row] = await database.rows<{ outcome: string }>(
        "SELECT outcome FROM wishlist_record_cart($1, 'customer', 'c1', $2, 'v', $3, 'storefront', now())",
        [shop.id, product, event],
      );
      return row?.outcome;
    };
    expect(await cart("a", "e1")).toBe("recorded");
    expect(await cart("a", "e1")).toBe("repeated");
    expect(await cart("a", "e2")).toBe("recorded");
    expect(await cart("b", "e1")).toBe("not_saved");
    (await call("DELETE", "/v1/wishlists/c1/items/a", { token: shop.token })).data();
    expect(await cart("a", "e3")).toBe("not_saved");

    const { days } = (await call("GET", "/v1/analytics/daily?days=1", { token: shop.token })).data<{
      days: { addToCartFromWishlist: number }[];
    }>();
    expect(days[0]?.addToCartFromWishlist).toBe(2);
    // One saved item was added to the cart; repetitions do not count.
    const overview = (await call("GET", "/v1/analytics/overview", { token: shop.token })).data();
    expect(overview).toEqual({ totalWishlistedItems: 0, activeShoppers: 1, wishlistToCartRate: 100 });
  });
});
