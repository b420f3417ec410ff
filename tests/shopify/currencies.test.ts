import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { exportTable } from "../../app/analytics/index.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { currencyDecimals } from "../../app/platform/text/currency.ts";
import { alertData } from "../../app/webhooks/events/alert-payload.ts";
import type { Topic } from "../../packages/devstore/foundation/options.ts";
import * as orderPayloads from "../../packages/devstore/webhooks/order-payloads.ts";
import { TOPIC_SUBSCRIPTIONS } from "../../app/installation/index.server.ts";
import { selectFields } from "../../packages/devstore/webhooks/sender.ts";
import { turnOn } from "../support/app/alerts.ts";
import { client, type Call } from "../support/app/client.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { issueToken } from "../support/app/shop.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";

// From the store to what merchants, shoppers and receivers read: amounts have the decimals of their currency, and none is rounded on the way.

const CUSTOMER = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };

let connected: Connected;
let call: Call;

beforeAll(async () => {
  connected = await startConnected();
  call = client(connected.service.url);
});
afterAll(() => connected.close());

interface Case {
  currency: string;
  /** hundredths in the devstore, before and after the price drop */
  cents: [number, number];
  /** the prices as the API has them */
  price: string;
  lower: string;
  /** what two units cost at the lower price */
  revenue: string;
  /** the lower price as shoppers read it */
  formatted: string;
}

interface Product {
  price: string;
  savedPrice: string;
  currency: string;
}

async function connect(currency: string, priceCents: number): Promise<{ shop: ConnectedShop; token: string }> {
  const domain = `${currency.toLowerCase()}.myshopify.com`;
  const store = connected.shopify.store(domain);
  store.shop.currency = currency;
  store.installation.scopes.push("read_orders");
  const products = [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10, priceCents }] }];
  const shop = await connectShop(connected.service, connected.shopify, { domain, products });
  store.customers.add(CUSTOMER);
  return { shop, token: await issueToken(call, shop.id) };
}

async function deliver({ domain }: ConnectedShop, path: string, topic: Topic, payload: unknown): Promise<void> {
  const given = { topic, shop: domain, payload: z.looseObject({}).parse(payload) };
  const { status } = await connected.shopify.deliverWebhook(connected.service.url, path, given);
  expect(status).toBe(200);
}

async function lowerPrice(shop: ConnectedShop, priceCents: number): Promise<void> {
  shop.store.catalog.editVariant("10", { priceCents });
  await deliver(shop, "/webhooks/products/update", "products/update", { id: 1, updated_at: new Date().toISOString() });
}

/** Lets the customer order two units. */
async function order(shop: ConnectedShop, priceCents: number): Promise<void> {
  const line = { productId: "1", variantId: "10", title: "Lamp", variantTitle: "Default Title", discountCents: 0 };
  const placed = shop.store.orders.add({
    lines: [{ ...line, quantity: 2, priceCents }],
    ...{ customerId: CUSTOMER.id, email: undefined, cartToken: undefined, test: false },
    currency: shop.store.shop.currency,
  });
  const { path = "", includeFields } = TOPIC_SUBSCRIPTIONS.find(({ topic }) => topic === "ORDERS_CREATE") ?? {};
  const payload = orderPayloads.order(placed, shop.store.customers.byId(CUSTOMER.id));
  await deliver(shop, path, "orders/create", selectFields(payload, includeFields));
}

describe.each<Case>([
  {
    currency: "KWD",
    cents: [1_234.5, 1_000.2],
    price: "12.345",
    lower: "10.002",
    revenue: "20.004",
    formatted: "KWD\u{A0}10.002",
  },
  { currency: "JPY", cents: [120_000, 100_000], price: "1200", lower: "1000", revenue: "2000", formatted: "¥1,000" },
  { currency: "EUR", cents: [4_900, 3_990], price: "49.00", lower: "39.90", revenue: "79.80", formatted: "€39.90" },
])("in a shop in $currency", ({ currency, cents, price, lower, revenue, formatted }) => {
  test("prices, an alert, an order and its files keep the decimals", async () => {
    const { shop, token } = await connect(currency, cents[0]);
    const { database } = connected.service;
    await call("POST", `/v1/wishlists/${CUSTOMER.id}/items`, { token, json: { product_id: "1" } });
    const product = async (): Promise<Product | undefined> => {
      const list = await call("GET", `/v1/wishlists/${CUSTOMER.id}?expand=product`, { token });
      return list.data<{ items: { product: Product }[] }>().items[0]?.product;
    };
    expect(await product()).toMatchObject({ price, savedPrice: price, currency });

    await turnOn(shop.id, ["price_dropped"]);
    const events = ["wishlist.alert.price_dropped", "wishlist.item.bought"];
    await call("POST", "/v1/webhooks", { token, json: { url: "https://receiver.example/", events } });
    await call("PATCH", `/v1/wishlists/${CUSTOMER.id}/alerts`, { token, json: { alerts: { price_dropped: true } } });
    const sent = (event: string): Promise<Record<string, unknown>> =>
      until(event, async () => {
        const [row] = await database.rows<{ data: Record<string, unknown> }>(
          "SELECT data FROM webhook_event WHERE shop_id = $1 AND event = $2",
          [shop.id, event],
        );
        return row?.data;
      });
    await lowerPrice(shop, cents[1]);
    const alert = await sent("wishlist.alert.price_dropped");
    expect(alert).toMatchObject({
      price: lower,
      previousPrice: price,
      currency,
      items: [{ price: lower, previousPrice: price }],
    });
    expect(alertData({ ...alert, locale: "en" }, undefined)).toMatchObject({ formattedPrice: formatted });
    expect(await product()).toMatchObject({ price: lower, savedPrice: price });

    await order(shop, cents[1]);
    expect(await sent("wishlist.item.bought")).toMatchObject({ revenue, currency });
    const report = await call("GET", "/v1/analytics/revenue?days=2", { token });
    const none = (0).toFixed(currencyDecimals(currency));
    expect(report.data()).toMatchObject({
      ...{ currency, revenue, products: [{ productId: "1", revenue }] },
      days: [{ revenue: none }, { revenue }],
    });
    const of = { id: shop.id, domain: shop.domain, timeZone: "UTC", currency };
    const file = await exportTable(of, new URLSearchParams({ table: "revenue-products", period: "7" }));
    if (file instanceof Failure) throw new Error(file.message);
    expect(file.text.trim().split("\r\n").at(-1)).toBe(`1,Lamp,1,2,${revenue},${currency}`);
  });
});

test("the database and the service have the same decimals for every currency", async () => {
  const currencies = Intl.supportedValuesOf("currency");
  const rows = await connected.service.database.rows<{ currency: string; decimals: number }>(
    "SELECT c AS currency, amount_decimals(c) AS decimals FROM unnest($1::text[]) AS c",
    [currencies],
  );
  expect(rows).toEqual(currencies.map((currency) => ({ currency, decimals: currencyDecimals(currency) })));
});

test.each([
  ["1200.0", "JPY", "1200"],
  ["49.0", "EUR", "49.00"],
  ["1.5", "KWD", "1.500"],
  // What a currency should not have is not cut off.
  ["49.005", "EUR", "49.005"],
  ["0", null, "0.00"],
])("an amount of %s %s is published as %s", async (amount, currency, text) => {
  const { database } = connected.service;
  expect(await database.rows("SELECT amount_text($1, $2) AS text", [amount, currency])).toEqual([{ text }]);
});
