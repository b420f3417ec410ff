import { afterAll, beforeAll, expect, test } from "vitest";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant } from "../support/app/merchant.ts";

let connected: Connected;

beforeAll(async () => {
  connected = await startConnected();
});
afterAll(() => connected.close());

test("each form of a page takes effect once, however often it is sent", async () => {
  const { service, shopify } = connected;
  const shop = await connectShop(service, shopify);
  const maren = merchant(service, shop);
  const idempotencyKey = "s".repeat(22);
  const url = "https://hooks.example.com/wishlist";
  const made = await maren.send("/app/webhooks/new", {
    intent: "create",
    url,
    events: "wishlist.shared",
    idempotencyKey,
  });
  const path = `/app/webhooks/${/whk_\w+/.exec(made)?.[0] ?? ""}`;

  const rotated = await maren.send(path, { intent: "rotate", idempotencyKey });
  expect(rotated).toContain("whsec_");
  expect(await maren.send(path, { intent: "rotate", idempotencyKey })).toBe(rotated);
  const tested = { intent: "test", event: "wishlist.shared", idempotencyKey };
  const first = await maren.send(path, tested);
  expect(first).not.toContain("problem");
  expect(await maren.send(path, tested)).toBe(first);
  const done = await service.database.rows(
    "SELECT kind, count(*)::int AS times FROM webhook_delivery WHERE shop_id = $1 GROUP BY kind",
    [shop.id],
  );
  expect(done).toEqual([{ kind: "test", times: 1 }]);
});
