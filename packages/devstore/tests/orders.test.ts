// @module-tag matrix

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createDevstore } from "../devstore.ts";
import { adminApi, type AdminApi } from "./fixtures/admin-api.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const SCOPES = ["read_products", "read_orders", "read_customers", "read_inventory"];
const CUSTOMER = { id: "501", firstName: "Ada", lastName: "Byron", email: "ada@example.com" };

let stage: Stage;
let query: AdminApi;
beforeAll(async () => {
  stage = await startStage({ scopes: SCOPES, data: "none" });
  stage.devstore.store().customers.add(CUSTOMER);
  query = await adminApi(stage.devstore);
});
afterAll(async () => stage.close());
beforeEach(async () => {
  await stage.control("await-deliveries");
  await stage.control("reset");
  stage.devstore
    .store()
    .catalog.put(
      { id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10, title: "Brass", priceCents: 1_000 }] },
      { id: 2, handle: "vase", title: "Vase", variants: [{ id: 20, title: "Default Title", priceCents: 333 }] },
    );
  stage.app.requests.length = 0;
});

const placedSchema = z.object({
  orderId: z.string(),
  name: z.string(),
  lines: z.array(z.object({ id: z.string(), variantId: z.string() })),
});
const place = async (order: object) => placedSchema.parse(await stage.control("place-order", order));

const orderSchema = z.looseObject({
  id: z.number(),
  cart_token: z.string().nullable(),
  customer: z.looseObject({ id: z.number() }).nullable(),
  line_items: z.array(z.looseObject({ id: z.number(), quantity: z.number() })),
});

/** Returns the bodies of a topic's webhooks. */
async function received(topic: string): Promise<unknown[]> {
  await stage.control("await-deliveries");
  return stage.app.requests
    .filter(({ headers }) => headers["x-shopify-topic"] === topic)
    .map(({ body }): unknown => JSON.parse(body));
}
const created = async () => z.array(orderSchema).parse(await received("orders/create"));

const quantityOf = (id: string) => stage.devstore.store().catalog.variant(id)?.variant.inventory.quantity;

describe("an order", () => {
  test("is sent by orders/create with the fields of the REST Admin API", async () => {
    const { orderId, name } = await place({ customerId: "501", lines: [{ variantId: "10", quantity: 2 }] });
    expect(await created()).toMatchObject([
      {
        id: Number(orderId),
        admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
        name,
        test: false,
        currency: "EUR",
        cancelled_at: null,
        total_price: "20.00",
        customer: { id: 501 },
        line_items: [
          {
            product_id: 1,
            variant_id: 10,
            quantity: 2,
            price: "10.00",
            total_discount: "0.00",
            discount_allocations: [],
          },
        ],
      },
    ]);
  });

  test("takes its units from the inventory", async () => {
    await place({ lines: [{ variantId: "10", quantity: 2 }] });
    expect(quantityOf("10")).toBe(10);
    expect(await received("inventory_levels/update")).toMatchObject([{ available: 10 }]);
  });

  test("allocates a code's discount to its lines", async () => {
    await place({ lines: [{ variantId: "20", quantity: 3 }], discountPercent: 10 });
    expect(await created()).toMatchObject([
      { total_price: "8.99", line_items: [{ price: "3.33", discount_allocations: [{ amount: "1.00" }] }] },
    ]);
  });

  test("can have a hundred lines", async () => {
    await place({ customerId: "501", lines: Array.from({ length: 100 }, () => ({ variantId: "10", quantity: 1 })) });
    const [order] = await created();
    expect(new Set(order?.line_items.map(({ id }) => id)).size).toBe(100);
  });

  test("without contact details has no customer", async () => {
    await place({ lines: [{ variantId: "10" }] });
    expect(await created()).toMatchObject([{ customer: null }]);
  });

  test("of a guest belongs to the customer with that address, or to a new one", async () => {
    for (const email of ["ADA@example.com", "new@example.com", "new@example.com"]) {
      await place({ email, lines: [{ variantId: "10" }] });
    }
    const [known, first, second] = (await created()).map(({ customer }) => customer?.id);
    expect(known).toBe(501);
    expect(first).not.toBe(501);
    expect(second).toBe(first);
  });

  test("is not sent to an app without read_orders", async () => {
    const { installation } = stage.devstore.store();
    installation.scopes = ["read_products"];
    const { orderId } = await place({ lines: [{ variantId: "10" }] });
    await stage.control("cancel-order", { orderId });
    const topics = stage.app.requests.map(({ headers }) => String(headers["x-shopify-topic"]));
    expect(topics.filter((topic) => /^(?:orders|refunds)\//.test(topic))).toEqual([]);
    installation.scopes = [...SCOPES];
  });

  test.each([
    [{ lines: [] }, "lines"],
    [{ lines: [{ variantId: "99" }] }, "there is no variant 99"],
    [{ lines: [{ variantId: "10" }], customerId: "9" }, "no customer has the id 9"],
  ])("%j is refused and changes nothing", async (order, error) => {
    expect(await stage.control("place-order", order)).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
    });
    expect(quantityOf("10")).toBe(12);
  });
});

describe("a refund", () => {
  test("of a line restocks it and is sent by refunds/create", async () => {
    const { orderId, lines } = await place({
      lines: [
        { variantId: "10", quantity: 2 },
        { variantId: "20", quantity: 1 },
      ],
    });
    const lineId = lines[0]?.id;
    await stage.control("refund-order", { orderId, lines: [{ lineId, quantity: 1 }] });
    expect(await received("refunds/create")).toMatchObject([
      {
        order_id: Number(orderId),
        refund_line_items: [
          { line_item_id: Number(lineId), quantity: 1, subtotal: 10, line_item: { variant_id: 10, price: "10.00" } },
        ],
      },
    ]);
    expect(await received("orders/updated")).toMatchObject([{ financial_status: "partially_refunded" }]);
    expect(quantityOf("10")).toBe(11);
  });

  test("in parts adds up to what was paid", async () => {
    const { orderId, lines } = await place({ lines: [{ variantId: "20", quantity: 3 }], discountPercent: 10 });
    const lineId = lines[0]?.id;
    for (const quantity of [1, 1]) await stage.control("refund-order", { orderId, lines: [{ lineId, quantity }] });
    await stage.control("refund-order", { orderId });
    const schema = z.array(z.object({ refund_line_items: z.array(z.object({ subtotal: z.number() })) }));
    const parts = schema.parse(await received("refunds/create")).map((refund) => refund.refund_line_items[0]?.subtotal);
    expect(parts).toHaveLength(3);
    expect(parts.reduce<number>((sum, part) => sum + Math.round((part ?? 0) * 100), 0)).toBe(899);
  });

  test("of more units than are left is refused", async () => {
    const { orderId, lines } = await place({ lines: [{ variantId: "10", quantity: 2 }] });
    const refund = { orderId, lines: [{ lineId: lines[0]?.id, quantity: 3 }] };
    expect(await stage.control("refund-order", refund)).toMatchObject({ ok: false });
    await stage.control("refund-order", { orderId });
    expect(await stage.control("refund-order", { orderId })).toMatchObject({ ok: false });
    expect(await received("refunds/create")).toHaveLength(1);
  });
});

test("cancelling refunds and restocks the order, and works once", async () => {
  const { orderId } = await place({ lines: [{ variantId: "10", quantity: 2 }] });
  await stage.control("cancel-order", { orderId });
  expect(await stage.control("cancel-order", { orderId })).toMatchObject({ ok: false });
  expect(await received("orders/cancelled")).toMatchObject([
    { id: Number(orderId), cancelled_at: expect.any(String), cancel_reason: "customer" },
  ]);
  expect(await received("refunds/create")).toHaveLength(1);
  expect(quantityOf("10")).toBe(12);
});

const ORDER = `query ($id: ID!) { order(id: $id) {
  id name createdAt cancelledAt test currencyCode customer { id }
  lineItems(first: 5) { nodes {
    id quantity product { id } variant { id }
    originalUnitPriceSet { shopMoney { amount currencyCode } }
    discountedTotalSet(withCodeDiscounts: true) { shopMoney { amount } }
  } }
  refunds { createdAt refundLineItems(first: 5) { nodes { quantity lineItem { id } subtotalSet { shopMoney { amount } } } } }
} }`;

describe("the Admin API", () => {
  test("has an order with its lines and refunds", async () => {
    const { orderId, name, lines } = await place({
      customerId: "501",
      lines: [{ variantId: "20", quantity: 2 }],
      discountPercent: 50,
    });
    await stage.control("refund-order", { orderId, lines: [{ lineId: lines[0]?.id, quantity: 1 }] });
    const { data, errors } = await query(ORDER, { id: `gid://shopify/Order/${orderId}` });
    expect(errors).toBeUndefined();
    const lineItem = { id: `gid://shopify/LineItem/${lines[0]?.id ?? ""}` };
    expect(data).toMatchObject({
      order: {
        name,
        cancelledAt: null,
        test: false,
        currencyCode: "EUR",
        customer: { id: "gid://shopify/Customer/501" },
        lineItems: {
          nodes: [
            {
              ...lineItem,
              quantity: 2,
              product: { id: "gid://shopify/Product/2" },
              variant: { id: "gid://shopify/ProductVariant/20" },
              originalUnitPriceSet: { shopMoney: { amount: "3.33", currencyCode: "EUR" } },
              discountedTotalSet: { shopMoney: { amount: "3.33" } },
            },
          ],
        },
        refunds: [
          { refundLineItems: { nodes: [{ quantity: 1, lineItem, subtotalSet: { shopMoney: { amount: "1.67" } } }] } },
        ],
      },
    });
  });

  test("filters orders by time and requires read_orders", async () => {
    const old = await place({ lines: [{ variantId: "10" }], createdAt: "2020-01-01T00:00:00Z" });
    const found = `{ orders(first: 5, query: "created_at:<2020-02-01") { nodes { name } } }`;
    expect((await query(found)).data).toEqual({ orders: { nodes: [{ name: old.name }] } });
    const { installation } = stage.devstore.store();
    installation.scopes = ["read_products"];
    expect((await query(found)).errors).toMatchObject([{ message: expect.stringContaining("`read_orders`") }]);
    installation.scopes = [...SCOPES];
  });

  test("withholds an order's customer without read_customers", async () => {
    const { orderId } = await place({ customerId: "501", lines: [{ variantId: "10" }] });
    const { installation } = stage.devstore.store();
    installation.scopes = ["read_orders"];
    const { data, errors } = await query("query ($id: ID!) { order(id: $id) { name customer { id } } }", {
      id: `gid://shopify/Order/${orderId}`,
    });
    expect(data).toMatchObject({ order: { customer: null } });
    expect(errors).toMatchObject([{ message: expect.stringContaining("`read_customers`") }]);
    installation.scopes = [...SCOPES];
  });
});

describe("the checkout", () => {
  let cookies: Record<string, string> = {};
  beforeEach(() => {
    cookies = {};
  });

  async function send(path: string, form?: Record<string, string>) {
    const response = await fetch(stage.devstore.storefrontUrl + path, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        cookie: Object.entries(cookies)
          .map((pair) => pair.join("="))
          .join("; "),
      },
      redirect: "manual",
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", ...value] = (cookie.split(";")[0] ?? "").split("=");
      cookies[name] = value.join("=");
    }
    return { status: response.status, location: response.headers.get("location"), text: await response.text() };
  }

  test("turns the cart of a logged-in customer into an order", async () => {
    await send("/account/login", { customer_id: "501" });
    await send("/cart/add", { id: "10", quantity: "2" });
    expect((await send("/cart")).text).toContain('name="checkout"');
    expect(await send("/cart", { checkout: "" })).toMatchObject({ location: "/checkout" });
    const { location } = await send("/checkout", {});
    const [order] = await created();
    expect(order).toMatchObject({ customer: { id: 501 }, total_price: "20.00" });
    expect(order?.cart_token).toBe(cookies["cart"]);
    expect((await send(location ?? "")).text).toContain(String(order?.["name"]));
    expect((await send("/cart")).text).toContain("Your cart is empty");
  });

  test("requires a guest's email address", async () => {
    await send("/cart/10:1");
    expect(await send("/checkout", { email: "nobody" })).toMatchObject({ status: 422 });
    expect(await created()).toEqual([]);
    expect(await send("/checkout", { email: "guest@example.com" })).toMatchObject({ status: 302 });
    expect(await created()).toMatchObject([{ email: "guest@example.com" }]);
  });

  test("refuses more units than the store has", async () => {
    await send("/cart/10:13");
    const response = await send("/checkout", { email: "guest@example.com" });
    expect(response).toMatchObject({ status: 422, text: expect.stringContaining("Lamp is no longer available") });
    expect(await created()).toEqual([]);
  });

  test.each(["", "/de", "/fr", "/es", "/ja"])("is translated under %j, as is the page after it", async (root) => {
    await send(`${root}/cart/10:1`);
    const page = await send(`${root}/checkout`);
    expect(page.status).toBe(200);
    const { location } = await send(`${root}/checkout`, { email: "guest@example.com" });
    expect(location).toMatch(new RegExp(`^${root}/checkout/thank_you`));
    for (const { text } of [page, await send(location ?? "")]) {
      expect(text).not.toMatch(/Translation missing|Liquid error/);
    }
  });

  test("leads to the cart when it is empty", async () => {
    expect(await send("/checkout")).toMatchObject({ status: 302, location: "/cart" });
  });
});

describe("a subscription by webhookSubscriptionCreate", () => {
  const SUBSCRIBE = `mutation ($topic: WebhookSubscriptionTopic!, $uri: String!, $fields: [String!]) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, includeFields: $fields }) {
      webhookSubscription { includeFields } userErrors { field message }
    }
  }`;
  const subscribe = (topic: string, fields?: string[]) =>
    query(SUBSCRIBE, { topic, uri: "https://app.example.com/own", fields });
  const refusal = (message: string) => ({
    data: {
      webhookSubscriptionCreate: {
        webhookSubscription: null,
        userErrors: [{ message: expect.stringContaining(message) }],
      },
    },
  });
  const subscriptions = () => stage.devstore.store().webhookSubscriptions;

  test("receives the fields that it includes", async () => {
    expect(await subscribe("ORDERS_CREATE", ["id"])).toMatchObject({
      data: { webhookSubscriptionCreate: { webhookSubscription: { includeFields: ["id"] }, userErrors: [] } },
    });
    const { orderId } = await place({ lines: [{ variantId: "10" }] });
    await received("orders/create");
    const own = stage.app.requests.filter(({ target }) => target === "/own");
    expect(own.map(({ body }): unknown => JSON.parse(body))).toEqual([{ id: Number(orderId) }]);
    subscriptions().length = 0;
  });

  test("is removed when all attempts to deliver have failed", async () => {
    await subscribe("ORDERS_CREATE");
    stage.app.respondWith((response, { target }) => void response.writeHead(target === "/own" ? 500 : 200).end());
    await place({ lines: [{ variantId: "10" }] });
    await received("orders/create");
    expect(subscriptions()).toEqual([]);
    stage.app.respondWith((response) => void response.writeHead(200).end());
  });

  test("is refused for a topic whose scope the app's token lacks", async () => {
    const { installation } = stage.devstore.store();
    installation.scopes = ["read_products"];
    const granted = query;
    query = await adminApi(stage.devstore);
    expect(await subscribe("ORDERS_CREATE")).toMatchObject(refusal("cannot create a webhook subscription"));
    expect(subscriptions()).toEqual([]);
    installation.scopes = [...SCOPES];
    query = granted;
  });

  test("is refused for orders to an app without approval for protected customer data, which gets no webhook", async () => {
    stage.devstore.store().protectedCustomerData = false;
    expect(await subscribe("REFUNDS_CREATE")).toMatchObject(refusal("not approved to subscribe to webhook topics"));
    expect(await subscribe("INVENTORY_LEVELS_UPDATE")).toMatchObject({
      data: { webhookSubscriptionCreate: { userErrors: [] } },
    });
    await place({ lines: [{ variantId: "10" }] });
    expect(await received("orders/create")).toEqual([]);
    subscriptions().length = 0;
  });
});

test.each([
  [["read_products"], "orders/create needs read_orders"],
  [["read_products", "read_orders"], "inventory_levels/update needs read_inventory"],
])("a version of the app with the scopes %j is refused: %s", async (scopes, problem) => {
  const webhooks = { "orders/create": "/webhooks", "inventory_levels/update": "/webhooks" };
  const options = { scopes, optionalScopes: ["read_orders", "read_inventory"], webhooks };
  await expect(createDevstore(options)).rejects.toThrow(`Missing scope for webhook topic: ${problem}`);
});
