import { createHmac, randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FLOW_EVENTS } from "../../app/flow/index.server.ts";
import { order as orderPayload } from "../../packages/devstore/webhooks/order-payloads.ts";
import { turnOn } from "../support/app/alerts.ts";
import { client, type Call } from "../support/app/client.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { issueToken } from "../support/app/shop.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };

let connected: Connected;
/** a copy of the app's extensions, whose version at Shopify a test changes */
let extensions: string;
let call: Call;
let shop: ConnectedShop;
let token: string;

beforeAll(async () => {
  extensions = await mkdtemp(path.join(tmpdir(), "flow-extensions-"));
  await cp(new URL("../../extensions", import.meta.url), extensions, {
    recursive: true,
    filter: (file) => !file.includes("node_modules"),
  });
  connected = await startConnected({ NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" }, { extensions });
  call = client(connected.service.url);
});
afterAll(async () => {
  await connected.close();
  await rm(extensions, { recursive: true });
});

beforeEach(async () => {
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  // Flow accepts a customer only from an app that may read customers.
  connected.shopify.store(domain).installation.scopes.push("read_customers");
  shop = await connectShop(connected.service, connected.shopify, {
    domain,
    products: [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10, priceCents: 10_000 }] }],
  });
  shop.store.customers.add(ANNA);
  token = await issueToken(call, shop.id);
});

/** Sends the callback with which Shopify tells that a trigger is in use or no longer is. */
function callBack(trigger: string, enabled: boolean, { at = new Date(), secret = "" } = {}): Promise<Response> {
  const callback = {
    flow_trigger_definition_id: trigger,
    has_enabled_flow: enabled,
    shop_id: 1,
    shopify_domain: shop.domain,
    timestamp: at.toISOString(),
  };
  return sendCallback(JSON.stringify(callback), secret);
}

function sendCallback(body: string, secret = ""): Promise<Response> {
  const signature = createHmac("sha256", secret || connected.shopify.env.SHOPIFY_API_SECRET).update(body);
  return fetch(`${connected.service.url}/webhooks/flow`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-hmac-sha256": signature.digest("base64") },
    body,
  });
}

/** Turns on a workflow that writes to the customer. */
async function work(handle: string, body: string): Promise<void> {
  const workflow = shop.store.flow.create({
    name: handle,
    trigger: handle,
    to: "{{ customer.email }}",
    subject: "News",
    body,
  });
  workflow.isOn = true;
  expect((await callBack(handle, true)).status).toBe(200);
}

async function save(): Promise<void> {
  (await call("POST", "/v1/wishlists/701/items", { token, json: { product_id: "1" } })).data();
}

/** Returns the events that are sent to Flow. */
async function events(): Promise<string[] | undefined> {
  const [endpoint] = await connected.service.database.rows<{ events: string[] }>(
    "SELECT events FROM webhook_endpoint WHERE shop_id = $1 AND id = 'flow'",
    [shop.id],
  );
  return endpoint?.events.toSorted();
}

const received = () => shop.store.flow.received().map(({ handle }) => handle);

/** Lowers the price of the saved lamp. @param body of the email that a workflow writes then; undefined for no workflow */
async function dropOf(body: string | undefined): Promise<void> {
  await turnOn(shop.id, ["price_dropped"]);
  if (body !== undefined) await work("wishlist-price-dropped", body);
  await save();
  await call("PATCH", "/v1/wishlists/701/alerts", { token, json: { alerts: { price_dropped: true } } });
  shop.store.catalog.editVariant("10", { priceCents: 8_000 });
  await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/products/update", {
    topic: "products/update",
    shop: shop.domain,
    payload: bodies.product(1),
  });
}

describe("a webhook's alert", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    const json = { url: receiver.url, events: ["wishlist.alert.price_dropped"] };
    (await call("POST", "/v1/webhooks", { token, json })).data();
  });
  afterEach(() => receiver.close());

  test("has the customer's name and email address, which are not stored", async () => {
    await dropOf(undefined);
    const [delivery] = await receiver.until(1);
    expect(delivery?.body.data).toMatchObject({
      formattedPrice: "€80.00",
      customer: { name: `${ANNA.firstName} ${ANNA.lastName}`, email: ANNA.email },
    });
    for (const text of await textOfEveryTable(connected.service.database))
      expect(text).not.toMatch(/\b(?:Anna|Berg)\b|anna@/);
    expect(JSON.stringify(connected.service.log())).not.toMatch(/\b(?:Anna|Berg)\b|anna@/);
  });

  test("has no customer while the app may not read customers", async () => {
    const { installation } = shop.store;
    installation.scopes = installation.scopes.filter((scope) => scope !== "read_customers");
    await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/app/scopes_update", {
      topic: "app/scopes_update",
      shop: shop.domain,
      payload: bodies.scopes(shop.domain, installation.scopes),
    });
    await dropOf(undefined);
    const [delivery] = await receiver.until(1);
    expect(delivery?.body.data["customer"]).toBeNull();
  });
});

describe("a trigger that a workflow uses", () => {
  test("is fired with the customer and the product", async () => {
    await work("wishlist-item-saved", "{{ product.title }} {{ variantId }} {{ listId }}");
    await save();
    await until("the email", async () => shop.store.flow.emails().length === 1);
    expect(shop.store.flow.emails()).toMatchObject([{ to: ANNA.email, body: "Lamp 10 default" }]);
  });

  test("tells of a price drop, from the change in the store to the email", async () => {
    await dropOf(
      "{{ product.title }}: {{ previousPrice }} → {{ price }} {{ consent }} {{ formattedPreviousPrice }} → {{ formattedPrice }} {{ productTitle }}",
    );
    await until("the email", async () => shop.store.flow.emails().length === 1);
    expect(shop.store.flow.emails()).toMatchObject([
      { to: ANNA.email, body: "Lamp: 100 → 80 shopper €100.00 → €80.00 Lamp" },
    ]);
  });

  test("that is older at Shopify than the service is fired with the fields that it has", async () => {
    const file = path.join(extensions, "flow-price-dropped", "shopify.extension.toml");
    const text = await readFile(file, "utf8");
    const [head = "", ...fields] = text.split("[[settings.fields]]");
    const old = [head, ...fields.filter((field) => !field.includes("required = false"))];
    expect(old.length).toBeLessThan(fields.length);
    await writeFile(file, old.join("[[settings.fields]]"));
    try {
      await dropOf("{{ product.title }}: {{ price }} {{ productTitle }}");
      await until("the email", async () => shop.store.flow.emails().length === 1);
      expect(shop.store.flow.emails()).toMatchObject([{ body: "Lamp: 80" }]);
    } finally {
      await writeFile(file, text);
    }
  });

  test("tells of a saved item that was bought, once for each line", async () => {
    shop.store.installation.scopes.push("read_orders");
    await work(
      "wishlist-item-bought",
      "{{ product.title }} {{ order.name }} {{ quantity }} {{ revenue }} {{ currency }}",
    );
    await save();
    const line = { productId: "1", variantId: "10", title: "Lamp", variantTitle: "Default Title", quantity: 2 };
    const order = shop.store.orders.add({
      lines: [{ ...line, priceCents: 10_000, discountCents: 1_000 }],
      ...{ customerId: ANNA.id, email: undefined, cartToken: undefined, test: false, currency: "EUR" },
    });
    const webhook = { topic: "orders/create", shop: shop.domain, payload: orderPayload(order, undefined) };
    const payload = { ...webhook.payload, customer: { id: Number(ANNA.id) } };
    for (let times = 0; times < 2; times++) {
      await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/orders/create", { ...webhook, payload });
    }
    await until("the email", async () => shop.store.flow.emails().length === 1);
    expect(shop.store.flow.emails()).toMatchObject([{ body: `Lamp ${order.name} 2 190 EUR` }]);
    expect(received()).toEqual(["wishlist-item-bought"]);
  });

  test("is fired again after Flow was out of reach, from the queue", async () => {
    await work("wishlist-item-saved", "{{ product.title }}");
    const recover = shop.store.faults.inject({ on: "graphql", behaviour: { status: 503 } });
    await save();
    const [delivery] = await until("an attempt", async () => {
      const rows = await connected.service.database.rows<{ status: string }>(
        "SELECT status FROM webhook_delivery WHERE shop_id = $1 AND endpoint_id = 'flow' AND attempts > 0",
        [shop.id],
      );
      return rows.length > 0 && rows;
    });
    expect(delivery?.status).toBe("pending");
    recover();
    await connected.service.database.rows(
      "UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1 AND status = 'pending'",
      [shop.id],
    );
    await connected.service.database.rows(
      "UPDATE webhook_endpoint SET backoff_until = NULL, due_at = now() WHERE shop_id = $1",
      [shop.id],
    );
    await until("the trigger", async () => received().length === 1);
  });
});

describe("when the app may no longer read customers", () => {
  /** Withdraws the permission. The app learns of it when Flow refuses a call. */
  function withdraw(): void {
    const { installation } = shop.store;
    installation.scopes = installation.scopes.filter((scope) => scope !== "read_customers");
  }

  async function grant(): Promise<void> {
    shop.store.installation.scopes.push("read_customers");
    await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/app/scopes_update", {
      topic: "app/scopes_update",
      shop: shop.domain,
      payload: bodies.scopes(shop.domain, shop.store.installation.scopes),
    });
  }

  async function dropPrice(priceCents: number): Promise<void> {
    shop.store.catalog.editVariant("10", { priceCents });
    await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/products/update", {
      topic: "products/update",
      shop: shop.domain,
      payload: bodies.product(1),
    });
  }

  /** Waits until the shop has this many alerts that are not pending. @returns their outcomes, oldest first */
  function outcomes(count: number): Promise<unknown[]> {
    return until("the outcomes", async () => {
      const rows = await connected.service.database.rows<{ status: string; reason: string | null }>(
        "SELECT status, reason FROM alert WHERE shop_id = $1 AND status <> 'pending' ORDER BY id",
        [shop.id],
      );
      return rows.length >= count && rows.every(({ status }) => status === "suppressed") && rows;
    });
  }

  const REFUSED = { status: "suppressed", reason: "flow_not_permitted" };

  test("alerts that Flow refused count as not sent, and later ones are withheld", async () => {
    await turnOn(shop.id, ["price_dropped"]);
    await work("wishlist-price-dropped", "");
    await save();
    await call("PATCH", "/v1/wishlists/701/alerts", { token, json: { alerts: { price_dropped: true } } });
    withdraw();
    await dropPrice(8_000);
    expect(await outcomes(1)).toEqual([REFUSED]);
    const { database } = connected.service;
    const deliveries = "SELECT 1 FROM webhook_delivery WHERE shop_id = $1";
    expect(await database.rows(deliveries, [shop.id])).toEqual([]);
    expect(await events()).toEqual([]);
    const attempts = "SELECT count(*)::integer AS count FROM webhook_attempt WHERE shop_id = $1";
    const before = await database.rows(attempts, [shop.id]);
    await dropPrice(5_000);
    expect(await outcomes(2)).toEqual([REFUSED, REFUSED]);
    expect(await database.rows(attempts, [shop.id])).toEqual(before);
    expect(received()).toEqual([]);
  });

  test("an alert that a webhook receives as well counts as sent", async () => {
    await turnOn(shop.id, ["price_dropped"]);
    await work("wishlist-price-dropped", "");
    const json = { url: "https://receiver.example/", events: ["wishlist.alert.price_dropped"] };
    (await call("POST", "/v1/webhooks", { token, json })).data();
    await save();
    await call("PATCH", "/v1/wishlists/701/alerts", { token, json: { alerts: { price_dropped: true } } });
    withdraw();
    await dropPrice(8_000);
    await until("the refusal", async () => (await events())?.length === 0);
    const { database } = connected.service;
    const ended = "SELECT 1 FROM webhook_delivery WHERE shop_id = $1 AND endpoint_id = 'flow' AND status = 'failed'";
    await until("the end of the delivery", async () => (await database.rows(ended, [shop.id])).length === 1);
    expect(await database.rows("SELECT status FROM alert WHERE shop_id = $1", [shop.id])).toEqual([{ status: "sent" }]);
  });

  test("what waited for Flow fails, and what happens after a new permission is sent", async () => {
    await work("wishlist-item-saved", "{{ variantId }}");
    withdraw();
    await save();
    const { database } = connected.service;
    const failed = await until("the end of the delivery", async () => {
      const rows = await database.rows<{ error: string }>(
        `SELECT a.error FROM webhook_delivery d
           JOIN webhook_attempt a ON a.shop_id = d.shop_id AND a.delivery_id = d.id AND a.number = d.attempts
          WHERE d.shop_id = $1 AND d.status = 'failed'`,
        [shop.id],
      );
      return rows.length > 0 && rows;
    });
    expect(failed).toEqual([{ error: "the app may not read customers" }]);
    const endpoint = "SELECT disabled_at, failing_since FROM webhook_endpoint WHERE shop_id = $1";
    expect(await database.rows(endpoint, [shop.id])).toEqual([{ disabled_at: null, failing_since: null }]);
    await grant();
    await until("the subscription", async () => (await events())?.length === 1);
    (await call("DELETE", "/v1/wishlists/701/items/1", { token })).data();
    await save();
    await until("the trigger", async () => received().length === 1);
  });
});

describe("a lifecycle callback", () => {
  test("that no workflow uses a trigger any more ends its calls, also when an older one arrives later", async () => {
    await work("wishlist-item-saved", "");
    const [early, late] = [new Date(Date.now() + 1_000), new Date(Date.now() + 2_000)];
    expect((await callBack("wishlist-item-saved", false, { at: late })).status).toBe(200);
    expect((await callBack("wishlist-item-saved", true, { at: early })).status).toBe(200);
    await save();
    expect(await events()).toEqual([]);
  });

  test("names a trigger by its handle or by its name", async () => {
    expect((await callBack("Item saved", true)).status).toBe(200);
    expect(await events()).toEqual(["wishlist.item.added"]);
    const later = new Date(Date.now() + 1_000);
    expect((await callBack("wishlist-item-saved", false, { at: later })).status).toBe(200);
    expect(await events()).toEqual([]);
  });

  test("about an unknown trigger counts as use of each whose use was not reported since", async () => {
    const start = Date.now();
    const at = (seconds: number) => ({ at: new Date(start + seconds * 1_000) });
    await callBack("wishlist-shared", false, at(-1));
    await callBack("wishlist-item-removed", false, at(2));
    expect((await callBack("gid://shopify/FlowTrigger/1", true, at(0))).status).toBe(200);
    const used = FLOW_EVENTS.filter((event) => event !== "wishlist.item.removed");
    expect(await events()).toEqual([...used].sort());
    await callBack("gid://shopify/FlowTrigger/1", false, at(1));
    expect(await events()).toEqual([]);
  });

  test("that Shopify has signed gets 200, whatever it holds; what is missing counts as use", async () => {
    for (const body of ["", "null", "{", '{"flow_trigger_definition_id":1}'])
      expect([body, (await sendCallback(body)).status]).toEqual([body, 200]);
    const callback = { flow_trigger_definition_id: "wishlist-shared", shopify_domain: shop.domain };
    expect((await sendCallback(JSON.stringify(callback))).status).toBe(200);
    expect(await events()).toEqual(["wishlist.shared"]);
  });

  test("without Shopify's signature is refused with 401", async () => {
    expect((await callBack("wishlist-item-saved", true, { secret: "wrong" })).status).toBe(401);
    expect(await connected.service.database.rows("SELECT 1 FROM flow_trigger WHERE shop_id = $1", [shop.id])).toEqual(
      [],
    );
  });

  test("makes no webhook of the merchant's", async () => {
    await work("wishlist-item-saved", "");
    const response = await call("GET", "/v1/webhooks", { token });
    expect(response.data<{ webhooks: unknown[] }>().webhooks).toEqual([]);
    const requests = [
      await call("GET", "/v1/webhooks/flow", { token }),
      await call("PATCH", "/v1/webhooks/flow", { token, json: { enabled: false } }),
      await call("DELETE", "/v1/webhooks/flow", { token }),
      await call("POST", "/v1/webhooks/flow/rotate-secret", { token }),
      await call("POST", "/v1/webhooks/flow/test", { token }),
      await call("GET", "/v1/webhooks/flow/deliveries", { token }),
    ];
    expect(requests.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  test("of a workflow that is turned on ends an outage, and what waits is sent", async () => {
    await work("wishlist-item-saved", "{{ product.title }}");
    const recover = shop.store.faults.inject({ on: "graphql", behaviour: { status: 503 } });
    await save();
    const { database } = connected.service;
    await until("an attempt", async () => {
      const failed = await database.rows("SELECT 1 FROM webhook_attempt WHERE shop_id = $1 AND status = 503", [
        shop.id,
      ]);
      return failed.length > 0;
    });
    await database.rows(
      "UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'failing', failing_since = now() - interval '5 days' WHERE shop_id = $1",
      [shop.id],
    );
    recover();
    await database.rows(
      "UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1 AND status = 'pending'",
      [shop.id],
    );
    expect((await callBack("wishlist-shared", true)).status).toBe(200);
    await until("the trigger", async () => received().length === 1);
    const [endpoint] = await database.rows(
      "SELECT disabled_at, disabled_reason, failing_since FROM webhook_endpoint WHERE shop_id = $1",
      [shop.id],
    );
    expect(endpoint).toEqual({ disabled_at: null, disabled_reason: null, failing_since: null });
  });
});

test("an event of a customer whom Shopify does not know is not sent to Flow", async () => {
  await work("wishlist-item-saved", "");
  await call("POST", "/v1/wishlists/not-a-number/items", { token, json: { product_id: "1" } });
  await save();
  await until("the trigger", async () => received().length === 1);
  expect(shop.store.flow.received()[0]?.payload).toMatchObject({ customer_id: 701 });
});
