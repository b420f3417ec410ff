import { expect } from "vitest";
import { processAll, storeVariant, turnOn } from "../support/app/alerts.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop } from "../support/app/shop.ts";
import { SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { SHARED, subscribe } from "../support/webhooks/webhooks.ts";

const DROPPED = "wishlist.alert.price_dropped";

const test = base
  .override("appOptions", { env: { ...SHOPIFY_ENV, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } })
  .extend("store", async ({ app, call }, { onCleanup }) => {
    const receiver = await startReceiver();
    onCleanup(() => receiver.close());
    const shop = await makeShop(app, call, { plan: "growth" });
    const { token } = shop;
    const list = "/v1/wishlists/77";
    await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
    await storeVariant(shop.id);
    await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
    await call("POST", `${list}/items`, { token, json: { product_id: "1" } });
    await subscribe(call, shop, `${receiver.url}/hooks`, [SHARED, DROPPED]);
    return {
      shop,
      /** Visits the store, whose app proxy has a path. */
      async visit(prefix: string, secret?: string): Promise<void> {
        await visitor(app, { shop: shop.domain, prefix, ...(secret === undefined ? {} : { secret }) })("GET", "/");
      },
      async storedPath(): Promise<string | undefined> {
        const ofShop = "SELECT store_path FROM shop WHERE id = $1";
        const [row] = await app.database.rows<{ store_path: string }>(ofShop, [shop.id]);
        return row?.store_path;
      },
      share: async () =>
        (await call("GET", `${list}/share`, { token })).data<{ shareUrl: string; shareToken: string }>(),
      /** Returns the data of the webhook's first event. */
      firstEvent: async () => (await receiver.until(1))[0]?.body.data,
    };
  });

test("share links lead through the path of the store's last signed request, whatever its language", async ({
  store: { shop, visit, storedPath, share, firstEvent },
}) => {
  await visit("/de/tools/saved");
  await expect.poll(storedPath).toBe("/tools/saved");
  const { shareUrl, shareToken } = await share();
  expect(shareUrl).toBe(`https://${shop.domain}/tools/saved/shared/${shareToken}`);
  expect(await firstEvent()).toMatchObject({ shareUrl });
});

test("an alert's links lead through the path of the store's last signed request", async ({
  store: { shop, visit, storedPath, firstEvent },
}) => {
  await visit("/a/saved");
  await expect.poll(storedPath).toBe("/a/saved");
  await storeVariant(shop.id, { price: "80.00" });
  await processAll(shop.id);
  const url: unknown = expect.stringContaining(`https://${shop.domain}/a/saved/alerts/`);
  expect(await firstEvent()).toMatchObject({ url, withdrawUrl: url });
});

test.for([
  ["is signed with another secret", "/tools/saved", "shpss_another"],
  ["has a path that merchants cannot choose", "/proxy/wishlist", undefined],
] as const)("a request that %s leaves the path as it is", async ([, prefix, secret], { store }) => {
  await store.visit(prefix, secret);
  expect(await store.storedPath()).toBe("/apps/wishlist");
});
