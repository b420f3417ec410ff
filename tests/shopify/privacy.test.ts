import { randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { processOutbox } from "../../app/activity/index.server.ts";
import { recordOrder, recordReport, unreadOrders } from "../../app/orders/records.server.ts";
import { eraseCustomer } from "../../app/privacy/index.server.ts";
import { createExportToken } from "../../app/wishlists/index.server.ts";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import type { Store } from "../../packages/devstore/store/store.ts";
import { turnOn } from "../support/app/alerts.ts";
import { client, type Call } from "../support/app/client.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { dump } from "../support/database/dump.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import type { Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { MATRIX } from "../support/matrix.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let receiver: Receiver;
let call: Call;
let shop: { id: number; domain: string; token: string };

beforeAll(async () => {
  connected = await startConnected({ WEBHOOKS_ALLOW_LOOPBACK: "1" });
  ({ shopify, service } = connected);
  receiver = await startReceiver();
  call = client(service.url);
});
afterAll(async () => {
  await receiver.close();
  await connected.close();
});

async function makeShop(): Promise<typeof shop> {
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  const store = shopify.store(domain);
  store.subscriptions.replaceAll({ name: "Growth", status: "ACTIVE" });
  store.catalog.put({
    id: 1,
    handle: "lamp",
    title: "Brass lamp",
    variants: [{ id: 10, title: "Small", priceCents: 10_000 }],
  });
  expect((await shopify.openApp({ app: service.url, shop: domain })).status).toBe(200);
  const [row] = await until("the shop", async () => {
    const rows = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready' AND plan = 'growth'",
      [domain],
    );
    return rows.length > 0 && rows;
  });
  if (!row) throw new Error("no shop");
  const scopes = ["read_wishlists", "write_wishlists", "read_webhooks", "write_webhooks"] as const;
  const token = await issueToken(call, row.id, scopes);
  const events = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared", "wishlist.alert.price_dropped"];
  const json = { url: receiver.url, events };
  (await call("POST", "/v1/webhooks", { token, json, headers: { "idempotency-key": "once" } })).data();
  return { id: row.id, domain, token };
}

beforeEach(async () => {
  shop = await makeShop();
});

/** A customer who used every feature, first as a guest. */
async function shopper(): Promise<{ customer: string; guest: string; shareToken: string }> {
  const customer = String(randomInt(7_000_000_000_000, 8_000_000_000_000));
  const guest = randomBytes(32).toString("base64url");
  const { id, token } = shop;
  const sql = service.database;
  await sql.rows("SELECT wishlist_add($1, 'guest', $2, '1', '10', 'storefront', now())", [id, guest]);
  await processOutbox(id);
  await sql.rows("SELECT wishlist_remove($1, 'guest', $2, '1', '10', 'guest_merge', now())", [id, guest]);
  await sql.rows("DELETE FROM wishlist WHERE shop_id = $1 AND owner_kind = 'guest' AND owner_id = $2", [id, guest]);
  for (const product of ["1", "2", "3"]) {
    const json = { product_id: product, variant_id: `${product}0` };
    (await call("POST", `/v1/wishlists/${customer}/items`, { token, json })).data();
  }
  await call("DELETE", `/v1/wishlists/${customer}/items/3`, { token });
  const json = { shared_by: `Ana, ${customer}` };
  const named = await call("PATCH", `/v1/wishlists/${customer}/share`, { token, json });
  const { shareToken } = named.data<{ shareToken: string }>();
  await sql.rows("SELECT wishlist_record_cart($1, 'customer', $2, '1', '10', 'event-1', 'api', now())", [id, customer]);
  await sql.rows(
    `WITH login AS (
       INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, merged_guest_id, wishlist_id, version, item_count, at, day)
       SELECT $1, 'merged', 'guest_merge', 'customer', $2, $3, id, version, item_count, now(), current_date
         FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = $2)
     INSERT INTO merged_guest (shop_id, guest_id, customer_id, merged_at) VALUES ($1, $3, $2, now())`,
    [id, customer, guest],
  );
  await sql.rows(
    `INSERT INTO audit (shop_id, id, at, area, action, subject, customer_id, details, staff_id)
     VALUES ($1, uuid_v7(), now(), 'wishlist', 'wishlist.items_removed', '1', $2, '{"items": []}', '4711')`,
    [id, customer],
  );
  await processOutbox(id);
  await delivered();
  return { customer, guest, shareToken };
}

function delivered(): Promise<true> {
  return until("the deliveries", async () => {
    const open = await service.database.rows(
      "SELECT 1 FROM webhook_delivery WHERE shop_id = $1 AND status <> 'succeeded'",
      [shop.id],
    );
    return open.length === 0;
  });
}

/** Lowers the price of a product that a customer has saved, who has asked for alerts, and waits for the alert. */
async function alertOf(customer: string): Promise<void> {
  const { id, domain, token } = shop;
  await turnOn(id, ["price_dropped"]);
  const json = { alerts: { price_dropped: true } };
  (await call("PATCH", `/v1/wishlists/${customer}/alerts`, { token, json })).data();
  shopify.store(domain).catalog.editVariant("10", { priceCents: 5_000 });
  const payload = bodies.product(1);
  await shopify.deliverWebhook(service.url, "/webhooks/products/update", {
    topic: "products/update",
    shop: domain,
    payload,
  });
  await until("the alert", async () => {
    const sent = await service.database.rows("SELECT 1 FROM alert WHERE shop_id = $1 AND status = 'sent'", [id]);
    return sent.length > 0;
  });
  await delivered();
  await service.database.rows("INSERT INTO email_message VALUES ($1, $2, now())", [id, customer]);
  await service.database.rows("INSERT INTO email_suppression VALUES ($1, $2, 'sealed', now(), '550')", [id, customer]);
  const request = { kind: "price_dropped", product_id: "1", variant_id: "10" };
  (await call("POST", `/v1/wishlists/${customer}/alert-requests`, { token, json: request })).data();
}

async function compliance(topic: string, payload: object): Promise<void> {
  const response = await shopify.deliverWebhook(service.url, "/webhooks/compliance", {
    topic,
    shop: shop.domain,
    payload,
  });
  expect(response.status).toBe(200);
}

async function completed(kind: string): Promise<string> {
  const [row] = await until("the request", async () => {
    const rows = await service.database.rows<{ id: string }>(
      `SELECT id FROM privacy_request WHERE shop_id = $1 AND kind = $2
        AND NOT EXISTS (SELECT 1 FROM privacy_request WHERE shop_id = $1 AND status <> 'completed')`,
      [shop.id, kind],
    );
    return rows.length > 0 && rows;
  });
  return row?.id ?? "";
}

const sums = (): Promise<unknown[]> =>
  service.database.rows(
    `SELECT day, items_added, items_removed, carted, cohort_carted, unique_shoppers, last_seen
       FROM daily_stats WHERE shop_id = $1 ORDER BY day`,
    [shop.id],
  );

/** Returns products whose count differs from their saved items. */
const miscounted = (): Promise<unknown[]> =>
  service.database.rows(
    `SELECT product_id, s.wishlist_count, i.n
       FROM (SELECT product_id, wishlist_count FROM product_stats WHERE shop_id = $1) s
       FULL JOIN (SELECT product_id, count(*) AS n FROM wishlist_item WHERE shop_id = $1 GROUP BY product_id) i USING (product_id)
      WHERE coalesce(s.wishlist_count, 0) <> coalesce(i.n, 0)`,
    [shop.id],
  );

function fetchRecord(id: string, domain: string): Promise<Response> {
  const headers = { authorization: `Bearer ${shopify.sessionToken(domain)}`, "user-agent": MERCHANT_BROWSER };
  return fetch(`${service.url}/app/privacy/${id}`, { headers, redirect: "manual" });
}

describe("a customer's data request", () => {
  test("produces a file with all data except share tokens", async () => {
    const { customer, guest, shareToken } = await shopper();
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }, 77));
    const id = await completed("data_request");
    const response = await fetchRecord(id, shop.domain);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = await response.text();
    expect(text).not.toContain(shareToken);
    const anything = expect.anything();
    expect(JSON.parse(text)).toMatchObject({
      customerId: customer,
      wishlists: [
        {
          items: [
            { productId: "1", variantId: "10", product: "Brass lamp", variant: "Small", putIntoCartAt: anything },
            { productId: "2", variantId: "20", product: null },
          ],
        },
      ],
      shareLinks: [{ expiresAt: anything, views: 0, sharedBy: `Ana, ${customer}` }],
      cartEvents: [{ eventId: "event-1", productId: "1" }],
      webhookEvents: expect.arrayContaining([expect.objectContaining({ event: "wishlist.shared" })]),
      activeDays: [anything],
      lastActiveOn: anything,
      changedByStaff: [{ what: "wishlist.items_removed", at: anything }],
      beforeLogin: [{ guest }],
    });
    const { activity } = JSON.parse(text) as { activity: { what: string; through: string }[] };
    expect(activity.map(({ what, through }) => `${what} ${through}`)).toEqual([
      "added storefront",
      "removed guest_merge",
      "added api",
      "added api",
      "added api",
      "removed api",
      "shared api",
      "carted api",
      "merged guest_merge",
    ]);
    const [row] = await service.database.rows<{ row: string }>(
      "SELECT r::text AS row FROM privacy_request r WHERE shop_id = $1",
      [shop.id],
    );
    expect(row?.row).not.toContain(customer);
  });

  test("shows customer and Shopify's id in list and file until the erasure", async () => {
    const { customer } = await shopper();
    const list = async (): Promise<string> =>
      (await shopify.openApp({ app: service.url, shop: shop.domain, path: "/app/settings/privacy" })).text();
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }, 4_711_077));
    const file = await fetchRecord(await completed("data_request"), shop.domain);
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin", dateStyle: "short" }).format(new Date());
    expect(file.headers.get("content-disposition")).toBe(
      `attachment; filename="customer-data-${customer}-${day}.json"`,
    );
    expect(await file.json()).toMatchObject({ customerId: customer, shopifyRequestId: "4711077" });
    expect(await list()).toMatch(new RegExp(`Customer ${customer}[^]*Shopify request (?:<!-- -->)?4711077`));
    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: Number(customer) }));
    await completed("redact");
    const erased = await list();
    expect(erased).toContain("Erased customer");
    expect(erased).not.toContain(customer);
  });

  test("includes the customer's activity as a guest, long after the merge", async () => {
    const { customer, guest } = await shopper();
    await service.database.rows("DELETE FROM merged_guest WHERE shop_id = $1", [shop.id]);
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    const record = await (await fetchRecord(await completed("data_request"), shop.domain)).json();
    expect(record).toMatchObject({
      beforeLogin: [{ guest, until: null }],
      activity: expect.arrayContaining([expect.objectContaining({ through: "storefront" })]),
    });
  });

  test("includes every table that names the customer or the guest", async () => {
    const { customer, guest } = await shopper();
    await alertOf(customer);
    const { id } = shop;
    const names = await service.database.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'shop_id' AND table_schema = 'public' ORDER BY 1",
    );
    const naming: string[] = [];
    for (const { name } of names) {
      const rows = await service.database.rows(
        `SELECT 1 FROM ${name} t WHERE shop_id = $1 AND (t::text LIKE '%' || $2 || '%' OR t::text LIKE '%' || $3 || '%') LIMIT 1`,
        [id, customer, guest],
      );
      if (rows.length > 0) naming.push(name);
    }
    // A new table with personal data must be added to the report and to the erasure.
    expect(naming).toEqual([
      "activity",
      "alert",
      "alert_consent",
      "alert_request",
      "audit",
      "email_message",
      "email_suppression",
      "merged_guest",
      "share_link",
      "shopper",
      "webhook_event",
      "wishlist",
    ]);
    const [kept] = await service.database.rows<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM wishlist_item i JOIN wishlist w USING (shop_id) WHERE w.id = i.wishlist_id AND w.shop_id = $1 AND owner_id = $2) AS items,
              (SELECT count(*)::int FROM activity WHERE shop_id = $1 AND owner_id IN ($2, $3)) AS activity,
              (SELECT count(*)::int FROM alert WHERE shop_id = $1 AND customer_id = $2) AS alerts,
              (SELECT count(*)::int FROM alert_consent WHERE shop_id = $1 AND customer_id = $2) AS consents,
              (SELECT count(*)::int FROM alert_request WHERE shop_id = $1 AND customer_id = $2) AS requests,
              (SELECT count(*)::int FROM email_message WHERE shop_id = $1 AND customer_id = $2) AS emails,
              (SELECT count(*)::int FROM email_suppression WHERE shop_id = $1 AND customer_id = $2) AS refused,
              (SELECT count(*)::int FROM webhook_event WHERE shop_id = $1 AND customer_id = $2) AS events,
              (SELECT count(*)::int FROM webhook_delivery d JOIN webhook_event e ON e.shop_id = d.shop_id AND e.id = d.event_id
                WHERE e.shop_id = $1 AND e.customer_id = $2) AS deliveries,
              (SELECT count(*)::int FROM shopper_day d JOIN shopper s ON s.shop_id = d.shop_id AND s.id = d.shopper_id
                WHERE s.shop_id = $1 AND s.owner_id IN ($2, $3)) AS days`,
      [id, customer, guest],
    );
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    const response = await fetchRecord(await completed("data_request"), shop.domain);
    const record = (await response.json()) as {
      wishlists: { items: unknown[] }[];
      activity: unknown[];
      alerts: unknown[];
      alertConsents: unknown[];
      alertRequests: unknown[];
      emails: unknown[];
      refusedEmailAddress: { response: string } | null;
      webhookEvents: { deliveries: { to: string; attempts: unknown[] }[] }[];
      activeDays: unknown[];
    };
    const deliveries = record.webhookEvents.flatMap((event) => event.deliveries);
    expect({
      items: record.wishlists.flatMap(({ items }) => items).length,
      activity: record.activity.length,
      alerts: record.alerts.length,
      consents: record.alertConsents.length,
      requests: record.alertRequests.length,
      emails: record.emails.length,
      refused: record.refusedEmailAddress === null ? 0 : 1,
      events: record.webhookEvents.length,
      deliveries: deliveries.length,
      days: record.activeDays.length,
    }).toEqual(kept);
    for (const { to, attempts } of deliveries) expect([to, attempts.length]).toEqual([receiver.url, 1]);
  });

  test("can be downloaded by the shop's staff only", async () => {
    const { customer } = await shopper();
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    const id = await completed("data_request");
    const mine = shop.domain;
    const other = await makeShop();
    // The other shop requests an id that it does not have, and cannot tell whether another shop has it.
    const refusals = [
      await fetchRecord(id, other.domain),
      await fetchRecord("prq_unknown", mine),
      await fetchRecord(id.toLowerCase(), mine),
      await fetchRecord(id + "%00", mine),
      await fetchRecord("", mine),
    ];
    for (const refusal of refusals) {
      expect(refusal.status).toBe(404);
      expect(await refusal.text()).not.toContain(customer);
    }
    expect((await fetch(`${service.url}/app/privacy/${id}`, { redirect: "manual" })).status).not.toBe(200);
    expect((await fetchRecord(id, mine)).status).toBe(200);
    // The download is recorded.
    const fetched = await service.database.rows(
      "SELECT shop_id, subject, customer_id, staff_id FROM audit WHERE action = 'privacy.record_fetched' AND shop_id = ANY ($1)",
      [[shop.id, other.id]],
    );
    expect(fetched).toEqual([
      { shop_id: shop.id, subject: id, customer_id: null, staff_id: shopify.store().staff.owner.id },
    ]);
  });

  test("produces a file that browsers neither display nor cache", async () => {
    const { customer } = await shopper();
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    const id = await completed("data_request");
    const record = await fetchRecord(id, shop.domain);
    expect(record.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(record.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.json"$/);
    const page = await fetchRecord(`${id}?format=html`, shop.domain);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.html"$/);
    expect(await page.text()).toContain(customer);
    for (const response of [record, page, await fetchRecord("prq_unknown", shop.domain)]) {
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    // Names of customers are in no URL and therefore in no log.
    expect(JSON.stringify(service.log())).not.toContain(customer);
  });

  test("has no file while it is gathered or after the erasure", async () => {
    const rows = (status: string, kind: string): Promise<unknown[]> =>
      service.database.rows(
        `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
         VALUES ($1, $2, $2, $2, $3, now(), now(), CASE WHEN $3 = 'completed' THEN now() END)`,
        [shop.id, kind, status],
      );
    await rows("pending", "data_request");
    await rows("completed", "redact");
    for (const id of ["data_request", "redact"]) expect((await fetchRecord(id, shop.domain)).status).toBe(404);
  });
});

describe("a customer's named lists", () => {
  /** What a customer has written. */
  const textsOf = (customer: string) => ({
    name: `Birthday of ${customer}`,
    deleted: `Ideas of ${customer}`,
    notes: [`First note of ${customer}`, `Second note of ${customer}`],
  });

  /** Creates a list with a changed note, and a list that is deleted. */
  async function listsOf(customer: string): Promise<void> {
    const { token } = shop;
    const { name, deleted, notes } = textsOf(customer);
    const base = `/v1/wishlists/${customer}/lists`;
    const create = async (of: string): Promise<string> => {
      const { listId } = (await call("POST", base, { token, json: { name: of } })).data<{ listId: string }>();
      const json = { product_id: "1", variant_id: "10" };
      (await call("POST", `${base}/${listId}/items`, { token, json })).data();
      return `${base}/${listId}`;
    };
    const list = await create(name);
    for (const note of notes) {
      (await call("PATCH", `${list}/items/1`, { token, json: { note, properties: { Owner: name } } })).data();
    }
    (await call("DELETE", await create(deleted), { token })).data();
  }

  test("are in the data request's file with names, details and earlier details", async () => {
    const { customer } = await shopper();
    await listsOf(customer);
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    const text = await (await fetchRecord(await completed("data_request"), shop.domain)).text();
    const { name, deleted, notes } = textsOf(customer);
    expect([name, deleted, ...notes].filter((one) => !text.includes(one))).toEqual([]);
    const anything = expect.anything();
    expect(JSON.parse(text)).toMatchObject({
      wishlists: [
        { id: "default", name: null },
        { name, deletedAt: null, items: [{ note: notes[1], properties: { Owner: name } }] },
        { name: deleted, deletedAt: anything, items: [] },
      ],
    });
  });

  test("are erased with their notes and history", async () => {
    const { customer } = await shopper();
    await listsOf(customer);
    expect(await dump(service.database)).toContain(textsOf(customer).notes[0]);
    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: Number(customer) }));
    await completed("redact");
    expect(await dump(service.database)).not.toContain(customer);
    expect(await miscounted()).toEqual([]);
  });
});

describe("a customer's erasure", () => {
  test("removes the customer from every table and keeps the sums", async () => {
    const { customer, guest } = await shopper();
    const { customer: other } = await shopper();
    await alertOf(customer);
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    await completed("data_request");
    const before = await sums();
    expect(await dump(service.database)).toContain(customer);

    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: Number(customer) }));
    await completed("redact");
    const kept = await dump(service.database);
    const where = (text: string): string[] => kept.split("\n").filter((line) => line.includes(text));
    expect(where(customer)).toEqual([]);
    expect(where(guest)).toEqual([]);
    expect(JSON.stringify(service.log())).not.toContain(customer);
    expect(
      await service.database.rows("SELECT 1 FROM privacy_request WHERE shop_id = $1 AND record_sealed IS NOT NULL", [
        shop.id,
      ]),
    ).toEqual([]);

    // The staff activity is kept without the customer.
    expect(
      await service.database.rows(
        "SELECT customer_id IS NULL AS anonymized FROM audit WHERE shop_id = $1 AND area = 'wishlist'",
        [shop.id],
      ),
    ).toEqual(expect.arrayContaining([{ anonymized: true }, { anonymized: false }]));
    expect(await sums()).toEqual(before);
    expect(await miscounted()).toEqual([]);
    expect(
      await service.database.rows(
        "SELECT product_id, wishlist_count FROM product_stats WHERE shop_id = $1 AND wishlist_count <> 0 ORDER BY 1",
        [shop.id],
      ),
    ).toEqual([
      { product_id: "1", wishlist_count: 1 },
      { product_id: "2", wishlist_count: 1 },
    ]);
    const { token } = shop;
    expect((await call("GET", `/v1/wishlists/${customer}`, { token })).data<{ total: number }>().total).toBe(0);
    expect((await call("GET", `/v1/wishlists/${other}`, { token })).data<{ total: number }>().total).toBe(2);
    expect(where(other).length).toBeGreaterThan(5);
  });

  test("deletes the files of the customer's own data requests only", async () => {
    const customers = [7_000_000_000_011, 7_000_000_000_012] as const;
    for (const id of customers) {
      await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id }, id * 10));
    }
    await completed("data_request");
    const statuses = async (): Promise<number[]> => {
      const rows = await service.database.rows<{ id: string }>(
        "SELECT id FROM privacy_request WHERE shop_id = $1 AND kind = 'data_request' ORDER BY shopify_request_id",
        [shop.id],
      );
      return Promise.all(rows.map(async ({ id }) => (await fetchRecord(id, shop.domain)).status));
    };
    expect(await statuses()).toEqual([200, 200]);
    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: customers[0] }));
    await completed("redact");
    expect(await statuses()).toEqual([200]);
    const [kept] = await service.database.rows(
      "SELECT shopify_request_id FROM privacy_request WHERE kind = 'data_request' AND shop_id = $1",
      [shop.id],
    );
    expect(kept).toEqual({ shopify_request_id: "70000000000120" });
  });

  test("leaves counts consistent when the customer saves meanwhile", async () => {
    const { customer } = await shopper();
    const { token } = shop;
    const add = (n: number): Promise<unknown> =>
      call("POST", `/v1/wishlists/${customer}/items`, {
        token,
        json: { product_id: String(100 + n), variant_id: "1" },
      });
    const adding = Array.from({ length: 8 }, async (_, client) => {
      for (let n = 0; n < 15; n++) await add(client * 15 + n);
    });
    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: Number(customer) }));
    await completed("redact");
    await Promise.all(adding);
    await processOutbox(shop.id);
    expect(await miscounted()).toEqual([]);
    const [list] = await service.database.rows<{ item_count: number; n: number }>(
      `SELECT item_count, (SELECT count(*)::int FROM wishlist_item i WHERE i.shop_id = w.shop_id AND i.wishlist_id = w.id) AS n
         FROM wishlist w WHERE shop_id = $1 AND owner_id = $2`,
      [shop.id, customer],
    );
    expect(list?.item_count ?? 0).toBe(list?.n ?? 0);
  });

  test("keeps a new list that begins while another is locked", async () => {
    const { id } = shop;
    const customer = "7000000000001";
    const { pool } = service.database;
    const [holder, adder] = [await pool.connect(), await pool.connect()];
    const pidOf = async (connection: typeof holder): Promise<number> => {
      const { rows } = await connection.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      return rows[0]?.pid ?? 0;
    };
    const waitsFor = async (pid: number): Promise<boolean> =>
      (await service.database.rows("SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))", [pid]))
        .length > 0;
    const add = "SELECT wishlist_add($1, 'customer', $2, $3, '10', 'api', now())";
    try {
      await service.database.rows(
        `INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, created_at, updated_at)
         VALUES ($1, 'customer', $2, 'first', now(), now())`,
        [id, customer],
      );
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = $2 FOR UPDATE", [id, customer]);
      let erased = false;
      const erasing = eraseCustomer(id, customer).then(() => (erased = true));
      const held = await pidOf(holder);
      await until("the erasure to wait for the first list", () => waitsFor(held));
      await service.database.rows(add, [id, customer, "1"]);
      await adder.query("BEGIN");
      await adder.query(add, [id, customer, "2"]);
      const adding = await pidOf(adder);
      await holder.query("COMMIT");
      await until("the erasure to end, or to wait for who adds", async () => erased || (await waitsFor(adding)));
      await adder.query("COMMIT");
      await erasing;
    } finally {
      holder.release(true);
      adder.release(true);
    }
    await processOutbox(id);
    expect(await miscounted()).toEqual([]);
    expect(
      await service.database.rows(
        `SELECT w.handle, w.item_count, (SELECT count(*)::int FROM wishlist_item i WHERE i.shop_id = w.shop_id AND i.wishlist_id = w.id) AS n
           FROM wishlist w WHERE shop_id = $1 AND owner_id = $2`,
        [id, customer],
      ),
    ).toEqual([{ handle: "default", item_count: 2, n: 2 }]);
  });

  test("includes a list whose creation the erasure waits for", async () => {
    const customer = "7000000000002";
    const creating = await service.database.pool.connect();
    try {
      await service.database.rows("SELECT wishlist_add($1, 'customer', $2, '1', '10', 'api', now())", [
        shop.id,
        customer,
      ]);
      await creating.query("BEGIN");
      await creating.query(
        "SELECT wishlist_create_list($1, 'customer', $2, 'lst_late', 'Late', 'late', 50, 'api', now())",
        [shop.id, customer],
      );
      const erasing = eraseCustomer(shop.id, customer);
      await lockWaiters(service.database, 1, "%customer_erase%");
      await creating.query("COMMIT");
      await erasing;
    } finally {
      creating.release(true);
    }
    expect(await service.database.rows("SELECT handle FROM wishlist WHERE owner_id = $1", [customer])).toEqual([]);
  });

  test("succeeds for an unknown customer", async () => {
    await compliance("customers/redact", bodies.customerRedact(shop.domain, { id: 7_999_999_999_999 }));
    await completed("redact");
    expect(await dump(service.database)).not.toContain("7999999999999");
  });
});

describe("a shop's erasure", () => {
  const tables = async (): Promise<string[]> =>
    (
      await service.database.rows<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.columns
          WHERE column_name = 'shop_id' AND table_schema = 'public' ORDER BY 1`,
      )
    ).map(({ name }) => name);
  async function rowsOf(shopId: number): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const name of await tables()) {
      const [row] = await service.database.rows<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${name} WHERE shop_id = $1`,
        [shopId],
      );
      counts[name] = row?.n ?? 0;
    }
    return counts;
  }
  /** Records an order of what the customer has saved. */
  async function orderOf(customerId: string): Promise<void> {
    const [item] = await service.database.rows<{ productId: string; variantId: string }>(
      `SELECT i.product_id AS "productId", i.variant_id AS "variantId" FROM wishlist_item i JOIN wishlist w ON w.shop_id = $1 AND w.id = i.wishlist_id
        WHERE i.shop_id = $1 AND w.owner_id = $2 LIMIT 1`,
      [shop.id, customerId],
    );
    if (!item) throw new Error("the customer has saved nothing");
    await recordReport(shop.id, { orderId: "5", customerId, isNew: true });
    const at = new Date().toISOString();
    const lines = [{ lineId: "1", ...item, units: 1, revenue: "10.00" }];
    const state = { updatedAt: at, orderedAt: at, currency: "EUR", counts: true, lines };
    for (const unread of await unreadOrders(shop.id, 10)) await recordOrder(shop.id, unread, state);
  }

  async function fill(): Promise<void> {
    const { customer } = await shopper();
    await alertOf(customer);
    const { domain } = shop;
    await orderOf(customer);
    const inUse = { flow_trigger_definition_id: "wishlist-low-stock", has_enabled_flow: true };
    const payload = { ...inUse, shopify_domain: domain, timestamp: new Date().toISOString() };
    const callback = await shopify.deliverWebhook(service.url, "/webhooks/flow", {
      topic: "flow",
      shop: domain,
      payload,
    });
    expect(callback.status).toBe(200);
    await compliance("customers/data_request", bodies.dataRequest(shop.domain, { id: Number(customer) }));
    await completed("data_request");
    await service.database.rows(
      "INSERT INTO period_stats (shop_id, day, days, active_shoppers) VALUES ($1, current_date - 1, 7, 1)",
      [shop.id],
    );
    await service.database.rows(
      "INSERT INTO shop_maintenance (shop_id, job, due_at) VALUES ($1, 'retention', now() + interval '1 day')",
      [shop.id],
    );
    await service.database.rows(
      "INSERT INTO marketing_connection VALUES ($1, 'klaviyo', '', 'an account', 'An account', now())",
      [shop.id],
    );
    await service.database.rows("INSERT INTO share_daily VALUES ($1, current_date, 1)", [shop.id]);
    for (const row of [
      "email_settings (shop_id, sender_name, reply_to, postal_address, accent, weekly_limit) VALUES ($1, 'a', 'b', 'c', 'd', 1)",
      "email_message VALUES ($1, '7', now())",
      "email_suppression VALUES ($1, '7', 'sealed', now(), '550')",
      "customer_tagging (shop_id, id, tag, customer_ids, total, status) VALUES ($1, uuid_v7(), 'vip', '{7}', 1, 'running')",
      "contact VALUES ($1, 'contact 1', 'a hash', 'sealed', now())",
      "alert_request (shop_id, id, customer_id, kind, product_id, variant_id, created_at) VALUES ($1, uuid_v7(), 'contact 1', 'price_dropped', '1', '10', now())",
    ])
      await service.database.rows(`INSERT INTO ${row}`, [shop.id]);
    await service.database.rows(
      "INSERT INTO wishlist_view (shop_id, name, query, created_at) VALUES ($1, 'A view', 'kind=named', now())",
      [shop.id],
    );
    await service.database.rows("SELECT wishlist_summary_step($1, 100, false, now())", [shop.id]);
    await service.database.rows("INSERT INTO set_aside VALUES ($1, 'product', '9', 'a reason', now())", [shop.id]);
    await transaction(shop.id, (tx) => createExportToken(tx, shop.id, { format: "csv", guests: true }));
    await service.database.rows("SELECT guest_admit($1, 10, now(), ARRAY['an address'])", [shop.id]);
    const [file] = await service.database.rows<{ id: string }>(
      `INSERT INTO wishlist_import (shop_id, id, status, format, file_name, size, created_at, updated_at)
       VALUES ($1, 'imp', 'ready', 'csv', 'a.csv', 1, now(), now()) RETURNING id`,
      [shop.id],
    );
    for (const rows of [
      "import_part VALUES ($1, $2, 0, 'x')",
      "import_entry VALUES ($1, $2, 'customer', 'c', '', 'p', 'v', now(), 2)",
      "import_problem VALUES ($1, $2, 3, '', 'x')",
      "import_added VALUES ($1, $2, 1, 1, 'p', 'v', now())",
    ]) {
      await service.database.rows(`INSERT INTO ${rows}`, [shop.id, file?.id]);
    }
  }

  test("removes the shop from every table and no other shop's data", async () => {
    await fill();
    const { id, domain } = shop;
    shop = await makeShop();
    await fill();
    const others = await rowsOf(shop.id);
    // An empty table would not be tested.
    expect(Object.entries(await rowsOf(id)).filter(([, n]) => n === 0)).toEqual([]);

    await shopify.uninstall(service.url, domain);
    await shopify.deliverWebhook(service.url, "/webhooks/compliance", {
      topic: "shop/redact",
      shop: domain,
      payload: bodies.shopRedact(domain),
    });
    await delayOver(id);
    await until(
      "its end",
      async () => (await service.database.rows("SELECT 1 FROM shop WHERE id = $1", [id])).length === 0,
    );
    await until("the rest", async () => Object.values(await rowsOf(id)).every((n) => n === 0));
    expect(await dump(service.database)).not.toContain(domain);
    expect(await rowsOf(shop.id)).toEqual(others);
  });

  const redact = (domain: string): Promise<Response> =>
    shopify.deliverWebhook(service.url, "/webhooks/compliance", {
      topic: "shop/redact",
      shop: domain,
      payload: bodies.shopRedact(domain),
    });
  /** Waits until the shop's tasks have the state. */
  const tasksAre = (state: "completed" | "retry"): Promise<true> =>
    until(`the tasks to be ${state}`, async () => {
      const tasks = await service.database.rows<{ state: string }>(
        "SELECT state FROM pgboss.job WHERE name = 'store-event' AND (data->>'shopId')::int = $1",
        [shop.id],
      );
      return tasks.length > 0 && tasks.every((one) => one.state === state);
    });
  /** Waits until the erasure waits for the second query of the store, and moves it and what it waits for ten minutes into the past. */
  async function delayOver(id: number): Promise<void> {
    await until("the delayed erasure", async () => {
      const delayed = await service.database.rows(
        `SELECT 1 FROM pgboss.job WHERE name = 'store-event' AND (data->>'shopId')::int = $1 AND data ? 'uninstalledSince' AND start_after > now()`,
        [id],
      );
      return delayed.length > 0;
    });
    await service.database.rows(
      "UPDATE shop SET uninstalled_at = uninstalled_at - interval '10 minutes' WHERE id = $1",
      [id],
    );
    await service.database.rows(
      `UPDATE pgboss.job SET start_after = now(),
              data = jsonb_set(data, '{uninstalledSince}', to_jsonb(to_char(now() AT TIME ZONE 'UTC' - interval '11 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
        WHERE name = 'store-event' AND (data->>'shopId')::int = $1 AND start_after > now()`,
      [id],
    );
  }
  const exists = async (): Promise<boolean> =>
    (await service.database.rows("SELECT 1 FROM shop WHERE id = $1 AND uninstalled_at IS NULL", [shop.id])).length > 0;

  test("is refused while the store accepts the app's token", async () => {
    await fill();
    const before = await rowsOf(shop.id);
    expect((await redact(shop.domain)).status).toBe(200);
    await tasksAre("completed");
    expect(await rowsOf(shop.id)).toEqual(before);
    expect(await exists()).toBe(true);
  });

  const expire = (): Promise<unknown> =>
    service.database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop.domain]);
  test.each<[string, (store: Store) => unknown]>([
    ["is closed", ({ faults }) => faults.inject({ on: "graphql", behaviour: { status: 402 } })],
    ["was deleted", ({ faults }) => faults.inject({ on: "graphql", behaviour: { status: 404 } })],
    ["refuses the app's address", ({ faults }) => faults.inject({ on: "graphql", behaviour: { status: 403 } })],
    ["does not know the refresh token", ({ tokens }) => (tokens.endRefreshTokens(), expire())],
    [
      "refuses the client secret",
      ({ faults }) => (faults.inject({ on: "token", behaviour: { status: 401 } }), expire()),
    ],
    [
      "is not asked because the tokens are lost",
      () => service.database.rows("DELETE FROM session WHERE shop = $1", [shop.domain]),
    ],
  ])("is retried while the store %s, and nothing is erased", async (_, refuse) => {
    const before = await rowsOf(shop.id);
    await refuse(shopify.store(shop.domain));
    expect((await redact(shop.domain)).status).toBe(200);
    await tasksAre("retry");
    expect(await exists()).toBe(true);
    expect(await rowsOf(shop.id)).toEqual(before);
  });

  test("succeeds without the uninstall webhook when the store refuses the token twice", MATRIX, async () => {
    shopify.store(shop.domain).tokens.expireAll();
    expect((await redact(shop.domain)).status).toBe(200);
    await delayOver(shop.id);
    await tasksAre("completed");
    expect(await service.database.rows("SELECT 1 FROM shop WHERE id = $1", [shop.id])).toEqual([]);
  });

  test("succeeds when the store says that the app is not installed", MATRIX, async () => {
    shopify.store(shop.domain).installation.installed = false;
    await expire();
    expect((await redact(shop.domain)).status).toBe(200);
    await delayOver(shop.id);
    await tasksAre("completed");
    expect(await service.database.rows("SELECT 1 FROM shop WHERE id = $1", [shop.id])).toEqual([]);
  });

  test("is given up when the store accepts a token the second time", async () => {
    const before = await rowsOf(shop.id);
    shopify.store(shop.domain).faults.inject({ on: "graphql", behaviour: "unauthorized token", times: 1 });
    expect((await redact(shop.domain)).status).toBe(200);
    await delayOver(shop.id);
    await tasksAre("completed");
    expect(await exists()).toBe(true);
    expect(await rowsOf(shop.id)).toEqual(before);
  });

  test("allows a reinstallation as a new shop meanwhile", MATRIX, async () => {
    await fill();
    const { id, domain } = shop;
    await shopify.uninstall(service.url, domain);
    const holder = await service.database.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 FOR UPDATE", [id]);
      expect((await redact(domain)).status).toBe(200);
      await delayOver(id);
      await lockWaiters(service.database);
      shopify.install(domain);
      expect((await shopify.openApp({ app: service.url, shop: domain })).status).toBe(200);
      await holder.query("COMMIT");
    } finally {
      holder.release(true);
    }
    await until(
      "its end",
      async () => (await service.database.rows("SELECT 1 FROM shop WHERE id = $1", [id])).length === 0,
    );
    const [heir] = await until("the new shop's catalogue", async () => {
      const rows = await service.database.rows<{ id: number; uninstalled_at: Date | null }>(
        "SELECT id, uninstalled_at FROM shop WHERE domain = $1 AND catalog = 'ready'",
        [domain],
      );
      return rows.length > 0 && rows;
    });
    expect(heir?.uninstalled_at).toBeNull();
    expect(heir?.id).not.toBe(id);
    expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [domain])).toHaveLength(1);
  });
});
