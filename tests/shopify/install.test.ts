import { randomBytes } from "node:crypto";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../app/access/index.server.ts";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { provideSettings } from "../../app/platform/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { client } from "../support/client.ts";
import { startService, type Service } from "../support/service.ts";
import { exchange } from "../support/shop.ts";
import { deliver, openApp, sessionToken, startShopify, type StandIn } from "../support/shopify-stand-in.ts";
import { until } from "../support/until.ts";

let shopify: StandIn;
let service: Service;
let shop: string;

beforeAll(async () => {
  shopify = await startShopify();
  service = await startService({ env: shopify.env });
  provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "3" });
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await shopify.close();
});
beforeEach(() => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  shopify.products.clear();
  shopify.subscriptions = [];
});

interface ShopRow {
  id: number;
  plan: string;
  time_zone: string;
  catalog: string;
  uninstalled: boolean;
}

async function shopRow(): Promise<ShopRow | undefined> {
  const [row] = await service.database.rows<ShopRow>(
    "SELECT id, plan, time_zone, catalog, uninstalled_at IS NOT NULL AS uninstalled FROM shop WHERE domain = $1",
    [shop],
  );
  return row;
}

describe("a merchant who opens the app", () => {
  test("has it installed: the shop is made, its time zone and plan are read, its catalogue is mirrored", async () => {
    shopify.subscriptions = [{ name: "Starter", status: "ACTIVE" }];
    shopify.products.set(11, { id: 11, handle: "lamp", title: "Lamp", variants: [{ id: 110 }, { id: 111 }] });
    shopify.products.set(12, { id: 12, handle: "vase", title: "Vase", variants: [{ id: 120 }] });
    const page = await openApp(service.url, shop);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(shop);
    expect(page.headers.get("content-security-policy")).toContain(`frame-ancestors https://${shop}`);

    const row = await until("the sync", async () => {
      const found = await shopRow();
      return found?.catalog === "ready" && found.plan !== "free" && found;
    });
    expect(row).toMatchObject({ plan: "starter", time_zone: "Europe/Berlin", uninstalled: false });
    const products = await service.database.rows(
      "SELECT product_id, handle, default_variant_id FROM product WHERE shop_id = $1 ORDER BY product_id",
      [row.id],
    );
    expect(products).toEqual([
      { product_id: "11", handle: "lamp", default_variant_id: "110" },
      { product_id: "12", handle: "vase", default_variant_id: "120" },
    ]);
  });
});
