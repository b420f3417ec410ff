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
  const id = /whk_\w+/.exec(made)?.[0] ?? "";
  const path = `/app/webhooks/${id}`;

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

test("a webhook of another shop is neither shown nor changed by any form", async () => {
  const { service, shopify } = connected;
  const own = merchant(service, await connectShop(service, shopify));
  const made = await own.send("/app/webhooks/new", {
    intent: "create",
    url: "https://hooks.example.com/wishlist",
    events: "wishlist.shared",
    idempotencyKey: "w".repeat(22),
  });
  const id = /whk_\w+/.exec(made)?.[0] ?? "";
  const path = `/app/webhooks/${id}`;
  expect((await own.page(path)).status).toBe(200);
  const stranger = merchant(service, await connectShop(service, shopify));
  // The deliveries of other webhooks change theirs.
  const row = () => service.database.rows("SELECT * FROM webhook_endpoint WHERE id = $1", [id]);
  const before = await row();
  expect(before).toHaveLength(1);
  const delivery = `${path}/deliveries/dlv_${"0".repeat(32)}`;
  for (const [page, fields] of [
    [path, { intent: "test", event: "wishlist.shared" }],
    [path, { intent: "pause" }],
    [path, { intent: "resume" }],
    [path, { intent: "rotate" }],
    [path, { intent: "redeliver-failed", span: "24" }],
    [path, { intent: "delete" }],
    [`${path}/edit`, { intent: "save", url: "https://example.com/", events: "wishlist.shared" }],
    [delivery, { intent: "redeliver" }],
  ] as const) {
    expect(await stranger.send(page, fields)).toContain("There is no webhook with this id.");
  }
  expect(await row()).toEqual(before);
  for (const page of [path, `${path}/edit`]) expect((await stranger.page(page)).status).toBe(404);
});
