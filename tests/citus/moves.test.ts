import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { isolate, rebalance } from "../../server/distribution/moves.ts";
import { readDistribution, type Distribution } from "../../server/distribution/state.ts";
import { wrongRollups } from "../support/app/audit.ts";
import { client } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { databaseAt } from "../support/database/database.ts";
import { asAdmin } from "../support/database/servers.ts";
import { until } from "../support/until.ts";

let service: Service;
let shops: TestShop[];

beforeAll(async () => {
  service = await startService();
  const call = client(service.url);
  shops = [];
  for (let count = 0; count < 6; count++) shops.push(await makeShop(service, call, { plan: "growth" }));
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
});

/** Milliseconds between two adds of a shopper. */
const PAUSE_MS = 10;
/** Items after which another customer goes on: far fewer than a list may hold. */
const ITEMS_PER_CUSTOMER = 200;

/** A shopper of each shop who saves one product after the other, until `stop`. */
function saving(name: string): { stop: () => Promise<Map<number, string[]>> } {
  const call = client(service.url);
  const saved = new Map<number, string[]>();
  let wanted = true;
  const work = shops.map(async ({ id, token }) => {
    const products: string[] = [];
    saved.set(id, products);
    while (wanted) {
      const product = `${name}-${products.length + 1}`;
      const customer = `${name}-${Math.floor(products.length / ITEMS_PER_CUSTOMER)}`;
      const json = { product_id: product, variant_id: "v" };
      const response = await call("POST", `/v1/wishlists/${customer}/items`, { token, json });
      // An add that had to wait for too long is repeated, as the response says.
      const seconds = response.status === 503 ? Number(response.headers.get("retry-after")) : 0;
      if (response.status === 200) products.push(product);
      else if (response.status !== 503) throw new Error(`an add responded ${response.status}`);
      await pause(Math.max(PAUSE_MS, seconds * 1_000));
    }
  });
  return {
    async stop() {
      wanted = false;
      await Promise.all(work);
      return saved;
    },
  };
}

/** Expects each saved item once, in the order in which it was saved, and that the outbox has counted all of them once. */
async function expectKept(saved: ReadonlyMap<number, string[]>): Promise<void> {
  for (const [shopId, products] of saved) {
    expect(products.length).toBeGreaterThan(0);
    const items = await service.database.rows<{ product_id: string }>(
      "SELECT product_id FROM wishlist_item WHERE shop_id = $1 AND product_id = ANY ($2) ORDER BY seq",
      [shopId, products],
    );
    expect(items.map(({ product_id }) => product_id)).toEqual(products);
    const activity = await service.database.rows<{ product_id: string }>(
      "SELECT product_id FROM activity WHERE shop_id = $1 AND kind = 'added' AND product_id = ANY ($2) ORDER BY id",
      [shopId, products],
    );
    expect(activity.map(({ product_id }) => product_id)).toEqual(products);
  }
  await until("the outbox to be empty", async () => {
    const waiting = await service.database.rows("SELECT 1 FROM activity WHERE processed_at IS NULL LIMIT 1");
    return waiting.length === 0;
  });
  for (const shopId of saved.keys()) expect(await wrongRollups(service.database.rows, shopId)).toEqual([]);
}

function nodeOf({ largest }: Distribution, { shop }: { shop: string }): string | undefined {
  return largest.find((one) => one.shop === shop)?.node;
}

test("a shop that is isolated on another node under load loses nothing, and its ids grow on", async () => {
  const [shop] = shops;
  if (!shop) throw new Error("there is no shop");
  const load = saving("isolated");
  await until("the first items", async () => {
    return (await service.database.rows("SELECT 1 FROM product_stats")).length >= shops.length;
  });
  const { url } = service.database;
  const before = await readDistribution(url);
  const from = nodeOf(before, { shop: shop.domain });
  const target = before.nodes.find(({ role, node }) => role === "worker" && node !== from);
  // The ids of the shop's node are far ahead of the other node's.
  const source = inject("servers").find((server) => new URL(server).host === from) ?? "";
  await asAdmin(databaseAt(source, service.database.name), (admin) =>
    admin.query(
      "SELECT setval(s, nextval(s) + 1024 * 1000000) FROM unnest(ARRAY['activity_id_seq', 'wishlist_item_seq_seq']::regclass[]) AS s",
    ),
  );
  const isolated = await isolate(url, shop.domain, target?.node);
  const countOf = async () =>
    (await service.database.rows("SELECT 1 FROM activity WHERE shop_id = $1", [shop.id])).length;
  const moved = await countOf();
  await until("items on the new node", async () => (await countOf()) > moved + 3);
  const saved = await load.stop();
  expect(isolated).toEqual({ shop: shop.domain, node: target?.node, split: true, moved: true });
  const after = await readDistribution(url);
  expect(after.largest.find((one) => one.shop === shop.domain)).toMatchObject({ node: target?.node, isolated: true });
  await expectKept(saved);
  expect(await isolate(url, shop.domain, undefined)).toMatchObject({ split: false, moved: false });
});

test("a rebalance under load loses nothing", async () => {
  const { url } = service.database;
  // One node gets a shop's shard more than the other.
  const { nodes } = await readDistribution(url);
  const [first] = nodes.filter(({ role }) => role === "worker");
  for (const { domain } of shops.slice(0, 3)) await isolate(url, domain, first?.node);
  const load = saving("rebalanced");
  const moves = await rebalance(url, () => undefined);
  const saved = await load.stop();
  expect(moves.length).toBeGreaterThan(0);
  const shards = (await readDistribution(url)).nodes.filter(({ role }) => role === "worker").map((node) => node.shards);
  expect(Math.max(...shards)).toBeLessThan(2 * Math.min(...shards));
  await expectKept(saved);
  expect(await rebalance(url, () => undefined)).toEqual([]);
});

test("a node that shall hold no shards is emptied by a rebalance", async () => {
  const { url } = service.database;
  const workers = async () => (await readDistribution(url)).nodes.filter(({ role }) => role === "worker");
  const [first] = await workers();
  const [host, port] = first?.node.split(":") ?? [];
  const hold = (shards: boolean) =>
    service.database.rows("SELECT citus_set_node_property($1, $2::integer, 'shouldhaveshards', $3)", [
      host,
      port,
      shards,
    ]);
  await hold(false);
  await rebalance(url, () => undefined);
  expect((await workers()).map(({ node, shops: held }) => ({ node, some: held > 0 }))).toEqual([
    { node: first?.node, some: false },
    { node: expect.any(String), some: true },
  ]);
  await hold(true);
});

test("a shop or node that does not exist is refused", async () => {
  const { url } = service.database;
  await expect(isolate(url, "unknown.myshopify.com", undefined)).rejects.toThrow("does not exist");
  await expect(isolate(url, shops[0]?.domain ?? "", "10.0.0.1:5432")).rejects.toThrow(
    "10.0.0.1:5432 is no node that holds shards. These are: 127.0.0.1:",
  );
});
