import { rm } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { acceptPrivacyRequest } from "../../app/privacy/index.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { stopAll } from "../../app/platform/process/lifecycle.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { csvFile, SAVED_AT, upload } from "../support/app/imports.ts";
import { startService, type Service, serviceEnv } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { backUpTo, newBackupFile, restoreFrom, wholeContent } from "../support/database/backups.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { SHARED, ADDED, subscribe } from "../support/webhooks/webhooks.ts";
import { MATRIX } from "../support/matrix.ts";

const ENV = { ...SHOPIFY_ENV, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" };

let service: Service;
let call: Call;
let shop: TestShop;
let receiver: Receiver;
const files: string[] = [];
const targets: TestDatabase[] = [];

// Without a worker, deliveries and tasks stay as they are while contents are compared.
beforeAll(async () => {
  service = await startService({ env: { ...ENV, WISHLIST_ROLE: "web" } });
  call = client(service.url);
  shop = await makeShop(service, call, { products: { p0: "v0", p1: "v1", p2: "v2" } });
  provideEnv({ ...serviceEnv(service.database.url) });
  receiver = await startReceiver();
  await subscribe(call, shop, receiver.url, [ADDED, SHARED]);
});
afterAll(async () => {
  await stopAll();
  await closeDatabase();
  await service.dispose();
  await receiver.close();
  for (const target of targets) await target.drop();
  for (const file of files) await rm(file, { force: true });
});

async function restored(): Promise<TestDatabase> {
  const file = newBackupFile();
  files.push(file);
  await backUpTo(file, service.database);
  const target = await createDatabase({ empty: true });
  targets.push(target);
  await restoreFrom(file, target);
  return target;
}

/** Text that a format for rows could confuse with its own characters. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }).map((value) => value.replaceAll("\0", "")),
  fc.constantFrom("\\.", "\\N", "\t", "\r\n", "", "a\\nb", "'\"", "\u2028", "👍🏽"),
);
const customer = fc.nat(3).map((n) => `c${n}`);
const product = fc.nat(2);

const change = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), customer, product, variant: fc.nat(2) }),
  fc.record({ kind: fc.constant("remove" as const), customer, product }),
  fc.record({
    kind: fc.constant("merge" as const),
    customer,
    products: fc.array(product, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("share" as const), customer }),
  fc.record({ kind: fc.constant("unshare" as const), customer }),
  fc.record({ kind: fc.constant("guest" as const), customer, product }),
  fc.record({ kind: fc.constant("webhook" as const), key: fc.uuid() }),
  fc.record({ kind: fc.constant("report" as const) }),
  fc.record({ kind: fc.constant("title" as const), text, product }),
  fc.record({ kind: fc.constant("audit" as const), text, object: fc.jsonValue() }),
  fc.record({ kind: fc.constant("bytes" as const), bytes: fc.uint8Array({ minLength: 1 }) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

async function make(one: Change): Promise<void> {
  const { id, token, domain } = shop;
  const { rows } = service.database;
  switch (one.kind) {
    case "add": {
      const json = { product_id: `p${one.product}`, variant_id: `v${one.variant}` };
      await call("POST", `/v1/wishlists/${one.customer}/items`, { token, json });
      return;
    }
    case "remove":
      await call("DELETE", `/v1/wishlists/${one.customer}/items/p${one.product}`, { token });
      return;
    case "merge": {
      const items = one.products.map((n) => ({ productId: `p${n}`, variantId: `v${n}`, addedAt: SAVED_AT }));
      await call("POST", `/v1/wishlists/${one.customer}/merge`, { token, json: { items } });
      return;
    }
    case "share":
      await call("GET", `/v1/wishlists/${one.customer}/share`, { token });
      return;
    case "unshare":
      await call("DELETE", `/v1/wishlists/${one.customer}/share`, { token });
      return;
    case "guest": {
      const guestId = newGuest();
      const json = { guestId, productId: `p${one.product}` };
      await visitor(service.url, { shop: domain })("POST", "/api/add", { json });
      const items = [{ product_id: `p${one.product}`, variant_id: `v${one.product}` }];
      await visitor(service.url, { shop: domain })("POST", "/api/recordCart", {
        json: { guestId, event_id: "e", items },
      });
      await visitor(service.url, { shop: domain, customer: one.customer })("POST", "/api/merge", { json: { guestId } });
      return;
    }
    case "webhook":
      await call("POST", "/v1/webhooks", {
        token,
        json: { url: `${receiver.url}?${one.key}`, events: [SHARED] },
        headers: { "idempotency-key": one.key },
      });
      return;
    case "report":
      await call("GET", "/v1/analytics/overview", { token });
      return;
    case "title":
      await rows("UPDATE product SET title = $2, updated_at = now() WHERE shop_id = $1 AND product_id = $3", [
        id,
        one.text,
        `p${one.product}`,
      ]);
      return;
    case "audit":
      await rows(
        `INSERT INTO audit (shop_id, id, at, area, action, subject, details)
         VALUES ($1, gen_random_uuid(), now(), 'wishlist', 'share_revoked', $2, $3)`,
        [id, one.text, JSON.stringify(one.object).replaceAll(String.raw`\u0000`, "")],
      );
      return;
    case "bytes":
      await rows(
        `INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, response)
         VALUES ($1, gen_random_uuid(), 1, now(), 5, encode($2::bytea, 'escape'))`,
        [id, one.bytes],
      );
      await rows(
        "INSERT INTO export_link (shop_id, token_hash, format, guests, expires_at) VALUES ($1, $2, 'csv', true, now()) ON CONFLICT DO NOTHING",
        [id, Buffer.from(one.bytes)],
      );
  }
}

test("a restored backup has the rows, sequences, tasks and schema of its database", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 60 }), async (changes) => {
      for (const one of changes) await make(one);
      expect(await wholeContent(await restored())).toEqual(await wholeContent(service.database));
    }),
    { numRuns: 1 },
  );
});

test("the service continues on a restored backup where the backed-up one was", async () => {
  const { id, token } = shop;
  await call("POST", "/v1/wishlists/kept/items", { token, json: { product_id: "p1", variant_id: "v1" } });
  const link = (await call("GET", "/v1/wishlists/kept/share", { token })).data<{ shareToken: string }>();
  const report = await call("GET", "/v1/analytics/overview", { token });
  // Tasks that no worker has run yet.
  await upload(id, csvFile(`customer,imported,p1,v1,${SAVED_AT}`));
  const request = { kind: "data_request" as const, customerId: "c1", webhookId: "hook", taskId: crypto.randomUUID() };
  await transaction(id, (tx) => acceptPrivacyRequest(tx, id, { ...request, shopifyRequestId: undefined }));

  const target = await restored();
  const other = await startService({ database: target, env: ENV });
  const restoredCall = client(other.url);
  const shared = await restoredCall("GET", `/v1/wishlists/shared/${link.shareToken}`);
  expect(shared).toMatchObject({ status: 200, body: { data: { total: 1 } } });
  const freshToken = await exchange(restoredCall, shop);
  expect((await restoredCall("GET", "/v1/analytics/overview", { token: freshToken })).body).toEqual(report.body);
  await receiver.until((received) => received.some(({ body }) => body.data["customerId"] === "kept"));
  const status = await until("the import to be read", async () => {
    const [row] = await target.rows<{ status: string }>("SELECT status FROM wishlist_import WHERE shop_id = $1", [id]);
    return row && !["uploading", "reading"].includes(row.status) && row.status;
  });
  expect(status).toBe("ready");
  await until("the privacy request to be fulfilled", async () => {
    const done = await target.rows("SELECT 1 FROM privacy_request WHERE shop_id = $1 AND status = 'completed'", [id]);
    return done.length === 1;
  });
  await other.stop();
  expect(await disagreements(target)).toEqual([]);
});

test("a backup under concurrent writes is consistent", MATRIX, async () => {
  const { token } = shop;
  let writing = true;
  let writes = 0;
  const writer = async (index: number): Promise<void> => {
    for (let n = 0; writing; n++) {
      const path = `/v1/wishlists/busy-${index}/items`;
      const product = `x${n % 40}`;
      await call("POST", path, { token, json: { product_id: product, variant_id: "v" } });
      if (n % 3 === 0) await call("DELETE", `${path}/${product}`, { token });
      writes++;
    }
  };
  const writers = Array.from({ length: 6 }, (_, index) => writer(index));
  await until("the writers to be busy", () => writes > 50);
  const before = writes;
  const target = await restored();
  writing = false;
  await Promise.all(writers);
  expect(writes).toBeGreaterThan(before);
  expect(await disagreements(target)).toEqual([]);
});
