import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { startService, type Service } from "../support/app/service.ts";
import { bodies, startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const LAMP = { id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] };
const VASE = { id: 2, handle: "vase", title: "Vase", variants: [{ id: 20 }] };

let shopify: Devstore;
let service: Service;
let slow: { id: number; domain: string };
let quick: { id: number; domain: string };
const releases: (() => void)[] = [];

beforeAll(async () => {
  shopify = await startShopify();
  service = await startService({ env: shopify.env });
});
afterAll(async () => {
  await service.dispose();
  await shopify.close();
});

async function install(): Promise<typeof slow> {
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  shopify.store(domain).catalog.put(LAMP, VASE);
  expect((await shopify.openApp({ app: service.url, shop: domain })).status).toBe(200);
  const [row] = await until("the catalogue", async () => {
    const rows = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready' AND time_zone <> 'UTC'",
      [domain],
    );
    return rows.length > 0 && rows;
  });
  return { id: row?.id ?? 0, domain };
}

beforeEach(async () => {
  slow = await install();
  quick = await install();
});
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

/** Locks the rows of a statement until the test ends, so that changes to them wait. */
async function lock(sql: string, values: unknown[]): Promise<{ waitedFor: () => Promise<void> }> {
  const holder = await service.database.pool.connect();
  releases.push(() => {
    holder.release(true);
  });
  const { rows } = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await holder.query("BEGIN");
  expect((await holder.query(sql, values)).rowCount).toBe(1);
  return {
    async waitedFor() {
      await until("the task to wait", async () => {
        const waiting = await service.database.rows(
          "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))",
          [rows[0]?.pid],
        );
        return waiting.length > 0;
      });
    },
  };
}

const sendWebhook = async (domain: string, path: string, topic: string, payload: object): Promise<void> => {
  expect(
    (await shopify.deliverWebhook(service.url, `/webhooks/${path}`, { topic, shop: domain, payload })).status,
  ).toBe(200);
};

describe("a slow task does not delay", () => {
  test("another shop's product sync", async () => {
    await service.database.rows(
      "UPDATE catalog_sync SET finished_at = finished_at - interval '2 days' WHERE shop_id = $1",
      [slow.id],
    );
    await service.database.rows("UPDATE session SET expires = now() WHERE shop = $1", [slow.domain]);
    const { waitedFor } = await lock("SELECT 1 FROM catalog_sync WHERE shop_id = $1 FOR UPDATE", [slow.id]);
    expect((await shopify.openApp({ app: service.url, shop: slow.domain })).status).toBe(200);
    await waitedFor();
    await install();
  });

  test("another shop's plan refresh", MATRIX, async () => {
    for (const { domain } of [slow, quick]) {
      shopify.store(domain).subscriptions.replaceAll({ name: "Starter", status: "ACTIVE" });
    }
    const { waitedFor } = await lock("SELECT 1 FROM shop WHERE id = $1 FOR UPDATE", [slow.id]);
    await sendWebhook(
      slow.domain,
      "app_subscriptions/update",
      "app_subscriptions/update",
      bodies.subscription(slow.domain),
    );
    await waitedFor();
    await sendWebhook(
      quick.domain,
      "app_subscriptions/update",
      "app_subscriptions/update",
      bodies.subscription(quick.domain),
    );
    await until("the plan", async () => {
      const rows = await service.database.rows("SELECT 1 FROM shop WHERE id = $1 AND plan = 'starter'", [quick.id]);
      return rows.length > 0;
    });
  });

  test("the refresh of another product", MATRIX, async () => {
    const { waitedFor } = await lock("SELECT 1 FROM product WHERE shop_id = $1 AND product_id = '1' FOR UPDATE", [
      slow.id,
    ]);
    await sendWebhook(slow.domain, "products/update", "products/update", bodies.product(1));
    await waitedFor();
    shopify.store(slow.domain).catalog.put({ ...VASE, title: "Blue vase" });
    await sendWebhook(slow.domain, "products/update", "products/update", bodies.product(2));
    await until("the title", async () => {
      const rows = await service.database.rows("SELECT 1 FROM product WHERE shop_id = $1 AND title = 'Blue vase'", [
        slow.id,
      ]);
      return rows.length > 0;
    });
  });
});
