import { randomBytes } from "node:crypto";
import { Liquid } from "liquidjs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { purgeRequests } from "../../app/contacts/index.server.ts";
import { purgeEmail } from "../../app/email/index.server.ts";
import { gatherCustomerRecord } from "../../app/privacy/customer-record.server.ts";
import { MERCHANT_BROWSER } from "../../packages/devstore/devstore.ts";
import type { Message } from "../../packages/devstore/store/inbox.ts";
import * as orderPayloads from "../../packages/devstore/webhooks/order-payloads.ts";
import { turnOn } from "../support/app/alerts.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { EMAIL_FORM } from "../support/app/emails.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { issueToken } from "../support/app/shop.ts";
import { visitor, type ProxyCall, type Visit } from "../support/app/storefront.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const REPORTS_TOKEN = randomBytes(24).toString("hex");
const reportedSchema = z.object({ data: z.object({ outcomes: z.tuple([z.string()]) }) });

const ANA = "Ana+wish@Example.com";
const CUSTOMER = { id: "701", firstName: "Ana", lastName: "Berg", email: "ana+wish@example.com" };

let connected: Connected;
let call: Call;
let shop: ConnectedShop;
let token: string;
/** each test's guests have a network of their own, because asking is limited by it */
let network = 0;
/** changes of variants in the store */
let changes = 0;

beforeAll(async () => {
  connected = await startConnected({ NODE_ENV: "test", MAIL_REPORTS_TOKEN: REPORTS_TOKEN }, { smtp: {} });
  call = client(connected.service.url);
});
afterAll(() => connected.close());

beforeEach(async () => {
  connected.shopify.inbox.clear();
  connected.shopify.store().faults.clear();
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  connected.shopify.store(domain).installation.scopes.push("read_customers", "read_orders");
  shop = await connectShop(connected.service, connected.shopify, {
    domain,
    products: [1, 2].map((id) => ({
      id,
      handle: `lamp-${id}`,
      title: id === 1 ? "Lamp <b>One</b>" : "Lamp Two",
      variants: [{ id: id * 10, priceCents: 10_000, available: id !== 1 }],
    })),
  });
  token = await issueToken(call, shop.id);
  await turnOn(shop.id, ["price_dropped", "back_in_stock"]);
  const settings = { ...EMAIL_FORM, kinds: ["price_dropped", "back_in_stock"], intent: "save" };
  await merchant(connected.service, shop).send("/app/alerts/email", settings);
  network++;
  changes = 0;
});

function visit(more: Partial<Visit> = {}): ProxyCall {
  const address = `203.0.${network % 250}.7`;
  const { SHOPIFY_API_SECRET: secret } = connected.shopify.env;
  return visitor(connected.service.url, { shop: shop.domain, secret, address, ...more });
}

const LAMP = { productId: "1", variantId: "10", kind: "back_in_stock" } as const;
const LAMP_TWO = { productId: "2", variantId: "20", kind: "price_dropped" } as const;

function ask(json: object, by: ProxyCall = visit()): Promise<ApiResponse> {
  return by("POST", "/api/askForAlert", { json });
}

async function stateOf(json: object, by?: ProxyCall): Promise<string> {
  return (await ask(json, by)).data<{ state: string }>().state;
}

/** Returns the path of the link in the email with which an address confirms. */
async function nextLink(): Promise<string> {
  const message = await connected.shopify.inbox.next(({ subject }) => subject.startsWith("Please confirm"));
  const [, path] = /https:\/\/[^/]+\/apps\/wishlist(\/requests\/[\w-]+)/.exec(message.text) ?? [];
  if (path === undefined) throw new Error(`no link in ${message.text}`);
  connected.shopify.inbox.clear();
  return path;
}

/** Returns what the page of a link says, and about which product. */
async function shownBy(path: string): Promise<string> {
  const { text } = await visit()("GET", path);
  const html: unknown = await new Liquid().parseAndRender(text, { shop: { currency: "EUR" } });
  const [, lead = "", product = ""] = /<h1[^>]*>([^<]*)<\/h1><p>([^<]*)/.exec(String(html)) ?? [];
  return `${lead} ${product}`;
}

const confirm = (path: string) =>
  visit()("POST", path, { body: "confirm=1", headers: { "content-type": "application/x-www-form-urlencoded" } });

async function askAndConfirm(json: object): Promise<void> {
  expect(await stateOf(json)).toBe("confirm");
  expect((await confirm(await nextLink())).text).toContain("We will email you");
}

const nextMessage = (): Promise<Message> => connected.shopify.inbox.next();

const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
  connected.service.database.rows<Row & Record<string, unknown>>(sql, [shop.id, ...values]);

async function requests(): Promise<string[]> {
  const found = await rows<{ shown: string }>(
    `SELECT concat_ws(' ', split_part(customer_id, ' ', 1), kind, variant_id,
                      CASE WHEN confirmed_at IS NULL THEN 'unconfirmed' WHEN alerted_at IS NULL THEN 'open' ELSE 'alerted' END) AS shown
       FROM alert_request WHERE shop_id = $1 ORDER BY id`,
  );
  return found.map(({ shown }) => shown);
}

/** What mail servers have said of addresses that get nothing more. */
async function refusals(): Promise<string[]> {
  const found = await rows<{ error: string }>("SELECT error FROM email_suppression WHERE shop_id = $1");
  return found.map(({ error }) => error);
}

/** Reports what became of the next email that asks for a confirmation, as the operator's mail server does. @returns the outcome, and the email's link */
async function reportNext(
  kind: "bounce" | "complaint",
  more: { status?: string; reason?: string } = {},
): Promise<{ outcome: string; path: string }> {
  const { headers, envelope } = await connected.shopify.inbox.next();
  const path = await nextLink();
  const [recipient = ""] = envelope.to;
  const message_id = headers.find(({ name }) => name === "message-id")?.value ?? "";
  const response = await fetch(`${connected.service.url}/mail/reports`, {
    method: "POST",
    headers: { authorization: `Bearer ${REPORTS_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ reports: [{ message_id, recipient, kind, ...more }] }),
  });
  const { data } = reportedSchema.parse(await response.json());
  return { outcome: data.outcomes[0], path };
}

/** Changes a product in the store, which reports the change. */
async function edit(id: number, change: { priceCents?: number; available?: boolean }): Promise<void> {
  changes++;
  shop.store.catalog.editVariant(String(id * 10), change);
  await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/products/update", {
    topic: "products/update",
    shop: shop.domain,
    payload: bodies.product(id),
  });
}

/** Waits until what became of all changes in the store is known. */
async function processed(): Promise<void> {
  await until("the changes to be processed", async () => {
    const [counted] = await rows<{ all: number; waiting: number }>(
      `SELECT count(*)::integer AS all, (count(*) FILTER (WHERE processed_at IS NULL))::integer AS waiting
         FROM variant_change WHERE shop_id = $1`,
    );
    return counted?.all === changes && counted.waiting === 0;
  });
}

/** Lets a variant return to stock, and the minutes pass until that counts. */
async function restock(id = 1): Promise<void> {
  await edit(id, { available: true });
  await until("the return to stock", async () => {
    const found = await rows(
      "UPDATE alert_occurrence SET due_at = now() WHERE shop_id = $1 AND status = 'open' RETURNING id",
    );
    return found.length > 0;
  });
  await rows("UPDATE alert_settings SET due_at = now() WHERE shop_id = $1");
}

async function alertStates(count: number): Promise<string[]> {
  return until(`${count} alerts`, async () => {
    const found = await rows<{ shown: string }>(
      "SELECT concat_ws(' ', status, reason) AS shown FROM alert WHERE shop_id = $1 AND status <> 'pending' ORDER BY id",
    );
    return found.length === count ? found.map(({ shown }) => shown) : undefined;
  });
}

/** Places an order of a guest, which the store reports. */
async function order(email: string): Promise<void> {
  const guest =
    shop.store.customers.all().find((one) => one.email === email) ?? shop.store.customers.createGuest(email);
  const lines = [
    {
      productId: "1",
      variantId: "10",
      title: "Lamp",
      variantTitle: "Default Title",
      quantity: 1,
      priceCents: 10_000,
      discountCents: 0,
    },
  ];
  const placed = shop.store.orders.add({
    ...{ lines, customerId: guest.id, email, cartToken: undefined, test: false, currency: "EUR" },
  });
  const response = await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/orders/create", {
    topic: "orders/create",
    shop: shop.domain,
    payload: orderPayloads.order(placed, guest),
  });
  expect(response.status).toBe(200);
}

describe("a shopper without an account", () => {
  test("confirms by email, is told of the return to stock once, and what they buy then is revenue of the alert", async () => {
    expect(await stateOf({ ...LAMP, email: ANA, locale: "en" })).toBe("confirm");
    const message = await nextMessage();
    expect(message).toMatchObject({
      from: { name: "Lamps & more" },
      subject: "Please confirm: Lamp <b>One</b>",
      envelope: { to: ["Ana+wish@example.com"] },
    });
    expect(message.html).toContain("Lamp &lt;b&gt;One");
    expect(message.text).toContain("If it was not you, do nothing");
    const path = await nextLink();

    // A mail scanner opens the link: nothing is confirmed.
    expect(await shownBy(path)).toBe("May the store email you when this is back in stock? Lamp &lt;b&gt;One&lt;/b&gt;");
    expect(await requests()).toEqual(["contact back_in_stock 10 unconfirmed"]);
    expect((await confirm(path)).text).toContain("We will email you");
    expect((await confirm(path)).text).toContain("We will email you");
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);

    await restock();
    const alert = await nextMessage();
    expect(alert).toMatchObject({
      subject: "Lamp <b>One</b> is back in stock",
      envelope: { to: ["Ana+wish@example.com"] },
    });
    expect(alert.text).toContain("You asked to hear when this is back in stock");
    expect(alert.text).not.toContain("wishlist fell");
    expect(await requests()).toEqual(["contact back_in_stock 10 alerted"]);
    for (const text of await textOfEveryTable(connected.service.database)) expect(text).not.toMatch(/ana\+wish/i);
    expect(JSON.stringify(connected.service.log())).not.toMatch(/ana\+wish/i);

    await order("ana+wish@example.com");
    const sold = await until("the outcome", async () => {
      const [row] = await rows<{ customer_id: string; revenue: string }>(
        `SELECT a.customer_id, l.revenue::text AS revenue FROM alert a
           JOIN order_line l ON l.shop_id = a.shop_id AND l.customer_id = a.customer_id AND l.variant_id = a.variant_id
          WHERE a.shop_id = $1 AND a.bought_at IS NOT NULL`,
      );
      return row;
    });
    expect(sold).toEqual({ customer_id: expect.stringMatching(/^\d+$/), revenue: "100.00" });
    // It was in no list.
    expect(await gatherCustomerRecord(shop.id, sold.customer_id)).toMatchObject({
      alerts: [{ listId: null }],
      orders: [{ items: [{ listId: null }] }],
    });
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toEqual([]);

    // It is told once.
    await edit(1, { available: false });
    await processed();
    await edit(1, { available: true });
    await processed();
    expect(connected.shopify.inbox.messages()).toHaveLength(1);
  });

  test("is not told before the confirmation, nor after a withdrawal, which deletes the address", async () => {
    expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
    const path = await nextLink();
    await edit(1, { available: true });
    await processed();
    // Nobody waits for it yet.
    expect(await rows("SELECT 1 FROM alert_occurrence WHERE shop_id = $1")).toEqual([]);
    await edit(1, { available: false });
    // Until then the catalog cache says that there is nothing to wait for.
    await processed();
    expect((await confirm(path)).text).toContain("We will email you");
    await askAndConfirm({ ...LAMP_TWO, email: ANA });
    await edit(2, { priceCents: 5_000 });
    const alert = await nextMessage();
    const [, withdrawal = ""] = /\/apps\/wishlist(\/alerts\/[\w-]+\/withdraw\/all)/.exec(alert.text) ?? [];
    expect((await confirm(withdrawal)).text).toContain("You will get no more of these messages");
    expect(await requests()).toEqual([]);
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toEqual([]);
    await edit(1, { available: true });
    await processed();
    expect(await rows("SELECT kind FROM alert_occurrence WHERE shop_id = $1")).toEqual([{ kind: "price_dropped" }]);
  });

  test("is told at the target price and not above it", async () => {
    expect(await stateOf({ ...LAMP_TWO, email: ANA, targetPrice: "80.00" })).toBe("confirm");
    expect((await nextMessage()).text).toContain("once this costs €80,00 or less");
    const path = await nextLink();
    expect(await shownBy(path)).toBe("May the store email you when this costs 80.00 EUR or less? Lamp Two");
    await confirm(path);
    await edit(2, { priceCents: 8_100 });
    await until("the change to be processed", async () => {
      return (await rows("SELECT 1 FROM alert_occurrence WHERE shop_id = $1 AND status = 'done'")).length === 1;
    });
    expect(await rows("SELECT 1 FROM alert WHERE shop_id = $1")).toEqual([]);
    await edit(2, { priceCents: 8_000 });
    expect((await nextMessage()).subject).toBe("Lamp Two now costs €80,00");
    expect(await alertStates(1)).toEqual(["sent"]);
  });

  test("is known to no webhook, and gets nothing once a request that waits for the mail server is withdrawn", async () => {
    // The merchant answers for the consent of customers, not of somebody who gave an address.
    await rows("UPDATE alert_settings SET mode = 'merchant_managed' WHERE shop_id = $1");
    const events = ["wishlist.alert.price_dropped"];
    (await call("POST", "/v1/webhooks", { token, json: { url: "https://hooks.example.com/alerts", events } })).data();
    await askAndConfirm({ ...LAMP_TWO, email: ANA });
    connected.shopify.store().faults.inject({ on: "mail recipient", times: 1, behaviour: { status: 451 } });
    await edit(2, { priceCents: 5_000 });
    const deliveries = () =>
      rows<{ endpoint_id: string; status: string; attempts: number }>(
        "SELECT endpoint_id, status, attempts FROM webhook_delivery WHERE shop_id = $1",
      );
    await until("the first attempt", async () => (await deliveries()).some(({ attempts }) => attempts === 1));
    expect(await deliveries()).toEqual([{ endpoint_id: "email", status: "pending", attempts: 1 }]);
    await rows("DELETE FROM alert_request WHERE shop_id = $1");
    await rows("UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1");
    await rows("UPDATE webhook_endpoint SET due_at = now(), backoff_until = NULL WHERE shop_id = $1 AND id = 'email'");
    await until("the last attempt", async () => (await deliveries())[0]?.status === "failed");
    expect(connected.shopify.inbox.messages()).toEqual([]);
  });

  test("learns at the confirmation that what is waited for is so already", async () => {
    expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
    const path = await nextLink();
    await edit(1, { available: true });
    await until(
      "the catalog",
      async () =>
        (await rows("SELECT 1 FROM variant WHERE shop_id = $1 AND variant_id = '10' AND available")).length === 1,
    );
    const page = await confirm(path);
    expect(page.text).toContain("it is so already");
    expect(page.text).toContain("/products/lamp-1?variant=10");
    expect(await requests()).toEqual(["contact back_in_stock 10 alerted"]);
  });

  test("can't ask with a text that is no address", async () => {
    const texts = [
      "",
      "ana",
      "ana@localhost",
      "ana@example.com, ben@example.com",
      "ana@example.com\r\nBcc: ben@example.com",
      '"ana b"@example.com',
      `${"a".repeat(65)}@example.com`,
      `ana@${"example.".repeat(40)}com`,
    ];
    for (const email of texts) {
      const { code, details } = (await ask({ ...LAMP, email })).error();
      expect({ email, code, details }).toMatchObject({
        email,
        code: "invalid_request",
        details: [{ path: "body.email" }],
      });
    }
    expect(await requests()).toEqual([]);
  });

  test("has an address in another script", async () => {
    await askAndConfirm({ ...LAMP, email: "ana@bücher.example" });
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);
  });

  test("can't ask for a target that is no lower price", async () => {
    const targets: [what: string, wanted: object][] = [
      ["above today's price", { ...LAMP_TWO, targetPrice: "100.00" }],
      ["of zero", { ...LAMP_TWO, targetPrice: "0" }],
      ["with more decimals than the currency has", { ...LAMP_TWO, targetPrice: "9.999" }],
      ["that is no amount", { ...LAMP_TWO, targetPrice: "-1" }],
      ["for a return to stock", { ...LAMP, targetPrice: "9" }],
    ];
    for (const [what, wanted] of targets) {
      const { code, details } = (await ask({ ...wanted, email: ANA })).error();
      expect({ what, code, details }).toMatchObject({
        what,
        code: "invalid_request",
        details: [{ path: "body.targetPrice" }],
      });
    }
    expect(await requests()).toEqual([]);
  });

  test("gets the same response whatever is known of the address, and few emails", async () => {
    for (let n = 1; n <= 7; n++) expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
    await until("five emails", () => connected.shopify.inbox.messages().length === 5);
    expect(await requests()).toHaveLength(5);
    await confirm(await nextLink());
    // The other ones for the same are replaced.
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);
    expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
    await nextLink();
  });

  test("shares a limit with others of the network", async () => {
    for (let n = 1; n <= 10; n++) expect(await stateOf({ ...LAMP, email: `ana${n}@example.com` })).toBe("confirm");
    expect((await ask({ ...LAMP, email: "ana11@example.com" })).error()).toMatchObject({ code: "rate_limited" });
    // A later one would be the next test's.
    await until("ten emails", () => connected.shopify.inbox.messages().length === 10);
    // A customer of the same network sends no email.
    shop.store.customers.add({ ...CUSTOMER });
    expect(await stateOf(LAMP_TWO, visit({ customer: CUSTOMER.id }))).toBe("active");
  });

  test("finds nothing to ask where the merchant offers nothing", async () => {
    const [{ events } = { events: [] }] = await rows<{ events: string[] }>(
      "SELECT events FROM webhook_endpoint WHERE shop_id = $1 AND id = 'email'",
    );
    await rows("UPDATE webhook_endpoint SET events = '{}' WHERE shop_id = $1 AND id = 'email'");
    expect((await ask({ ...LAMP, email: ANA })).error()).toMatchObject({ code: "alerts_unavailable" });
    await rows("UPDATE webhook_endpoint SET events = $2 WHERE shop_id = $1 AND id = 'email'", [events]);
    await rows("UPDATE alert_settings SET kinds = '{price_dropped}' WHERE shop_id = $1");
    expect((await ask({ ...LAMP, email: ANA })).error()).toMatchObject({ code: "alerts_unavailable" });
    expect((await ask({ ...LAMP_TWO, productId: "99", email: ANA })).error()).toMatchObject({
      code: "product_not_found",
    });
  });

  test(
    "whose address the mail server refuses for good gets no further email, and one that it refuses for now gets it later",
    MATRIX,
    async () => {
      const { faults } = connected.shopify.store();
      faults.inject({ on: "mail recipient", times: 1, behaviour: { status: 550 } });
      expect(await stateOf({ ...LAMP, email: "nobody@example.com" })).toBe("confirm");
      await until("the refusal", async () => (await refusals()).length === 1);
      expect(await requests()).toEqual([]);
      expect(await stateOf({ ...LAMP_TWO, email: "nobody@example.com" })).toBe("confirm");
      faults.inject({ on: "mail recipient", times: 1, behaviour: { status: 451 } });
      expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
      expect((await nextMessage()).envelope.to).toEqual(["Ana+wish@example.com"]);
    },
  );

  describe("whose email for confirmation is reported", () => {
    test.each([
      [
        "bounce",
        { status: "5.1.1", reason: `550 5.1.1 <${ANA}> unknown` },
        "the email came back: 550 5.1.1 <the address> unknown",
      ],
      ["complaint", {}, "the recipient reported the email as spam"],
    ] as const)("by a %s gets no further one, and the same response as everybody", async (kind, more, error) => {
      expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
      const { outcome, path } = await reportNext(kind, more);
      expect(outcome).toBe("suppressed");
      expect(await requests()).toEqual([]);
      expect((await confirm(path)).text).toContain("This link doesn’t work any more");
      expect(await refusals()).toEqual([error]);
      for (const text of await textOfEveryTable(connected.service.database)) expect(text).not.toMatch(/ana\+wish/i);

      const other = { ...LAMP_TWO, email: "ben@example.com" };
      expect(await stateOf({ ...LAMP_TWO, email: ANA.toLowerCase() })).toBe("confirm");
      expect(await stateOf(other)).toBe("confirm");
      expect((await nextMessage()).envelope.to).toEqual(["ben@example.com"]);
      expect(await requests()).toEqual(["contact price_dropped 20 unconfirmed"]);
    });

    test("for a reason that is not the address can ask again", async () => {
      expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
      const { outcome } = await reportNext("bounce", { status: "5.7.1", reason: "550 5.7.1 Policy" });
      expect(outcome).toBe("recorded");
      expect(await requests()).toEqual([]);
      expect(await refusals()).toEqual([]);
      await askAndConfirm({ ...LAMP, email: ANA });
    });

    test("as spam after the confirmation keeps the request and gets no alert", async () => {
      expect(await stateOf({ ...LAMP_TWO, email: ANA })).toBe("confirm");
      const message = await nextMessage();
      await confirm(await nextLink());
      connected.shopify.inbox.receive(message);
      expect((await reportNext("complaint")).outcome).toBe("suppressed");
      expect(await requests()).toEqual(["contact price_dropped 20 open"]);
      await edit(2, { priceCents: 5_000 });
      await until("the delivery", async () => {
        const [row] = await rows<{ error: string }>("SELECT error FROM webhook_attempt WHERE shop_id = $1");
        return row?.error === "the customer’s address has refused an email before";
      });
      expect(connected.shopify.inbox.messages()).toEqual([]);
    });

    test("is remembered for a year, and then forgotten", async () => {
      expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
      await reportNext("complaint");
      const later = async (days: number): Promise<number> => {
        await rows("UPDATE contact SET requested_at = requested_at - $2 * interval '1 day' WHERE shop_id = $1", [days]);
        await rows("UPDATE email_suppression SET at = at - $2 * interval '1 day' WHERE shop_id = $1", [days]);
        await purgeEmail(shop.id);
        await purgeRequests(shop.id);
        return (await rows("SELECT 1 FROM contact WHERE shop_id = $1")).length;
      };
      expect(await later(300)).toBe(1);
      expect(await later(66)).toBe(0);
    });
  });

  test("asks by the form of a page without JavaScript", async () => {
    const form = new URLSearchParams({
      product_id: "1",
      variant_id: "10",
      kind: "back_in_stock",
      target_price: "",
      email: ANA,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await visit()("POST", "/alerts/ask", { body: form.toString(), headers })).text).toContain(
      "Check your inbox",
    );
    await confirm(await nextLink());
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);
    form.set("email", "nobody");
    const invalid = await visit()("POST", "/alerts/ask", { body: form.toString(), headers });
    expect(invalid.text).toContain("This is no email address");
  });

  test("is forgotten after a week without a confirmation, a month after the alert, and after a year", async () => {
    expect(await stateOf({ ...LAMP, email: ANA })).toBe("confirm");
    const path = await nextLink();
    await askAndConfirm({ ...LAMP, email: "ben@example.com" });
    await askAndConfirm({ ...LAMP_TWO, email: "carla@example.com" });
    const later = async (days: number): Promise<void> => {
      await rows(
        `UPDATE alert_request SET created_at = created_at - $2 * interval '1 day', alerted_at = alerted_at - $2 * interval '1 day' WHERE shop_id = $1`,
        [days],
      );
      await rows("UPDATE contact SET requested_at = requested_at - $2 * interval '1 day' WHERE shop_id = $1", [days]);
      await purgeRequests(shop.id);
    };
    await edit(2, { priceCents: 5_000 });
    await nextMessage();
    await later(8);
    expect((await confirm(path)).text).toContain("This link doesn’t work any more");
    expect(await requests()).toEqual(["contact back_in_stock 10 open", "contact price_dropped 20 alerted"]);
    await later(23);
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toHaveLength(1);
    await later(340);
    expect(await requests()).toEqual([]);
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toEqual([]);
  });
});

describe("a person without an account", () => {
  const request = (fields: Record<string, string>): Promise<string> =>
    merchant(connected.service, shop).send("/app/settings/privacy", { intent: "person", ...fields });
  const done = (kind: string) =>
    until("the request", async () => {
      const [row] = await rows<{ id: string }>(
        "SELECT id FROM privacy_request WHERE shop_id = $1 AND kind = $2 AND status = 'completed'",
        [kind],
      );
      return row?.id;
    });

  test("gets all data of an address by a request that staff make, and its erasure, which leaves nothing", async () => {
    await askAndConfirm({ ...LAMP, email: ANA });
    expect(await stateOf({ ...LAMP_TWO, email: ANA })).toBe("confirm");
    await nextLink();
    await askAndConfirm({ ...LAMP, email: "ben@example.com" });
    expect(await request({ kind: "data_request", email: ` ${ANA.toUpperCase()} ` })).toContain('"ok",true');
    const headers = { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${shop.sessionToken()}` };
    const file = await fetch(`${connected.service.url}/app/privacy/${await done("data_request")}?format=json`, {
      headers,
    });
    expect(await file.json()).toMatchObject({
      email: "Ana+wish@example.com",
      alertRequests: [
        { kind: "back_in_stock", variantId: "10" },
        { kind: "price_dropped", variantId: "20", confirmedAt: null },
      ],
    });
    expect(await request({ kind: "redact", email: ANA })).toContain('"ok",true');
    await done("redact");
    expect(await requests()).toEqual(["contact back_in_stock 10 open"]);
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toHaveLength(1);
    expect(await rows("SELECT 1 FROM privacy_request WHERE shop_id = $1 AND kind = 'data_request'")).toEqual([]);
    expect(
      await rows("SELECT action, staff_id, customer_id FROM audit WHERE shop_id = $1 AND area = 'privacy' ORDER BY id"),
    ).toMatchObject([
      { action: "privacy.data_requested", staff_id: "4711", customer_id: null },
      { action: "privacy.record_fetched" },
      { action: "privacy.erasure_requested", staff_id: "4711", customer_id: null },
    ]);
  });

  test("is found by an address that has asked in this shop, and by no other text", async () => {
    await askAndConfirm({ ...LAMP, email: ANA });
    const other = await connectShop(connected.service, connected.shopify, { products: [] });
    for (const [of, email, message] of [
      [shop, "carla@example.com", "Nobody without an account has asked for alerts with this address."],
      [shop, "ana", "Nobody without an account has asked for alerts with this address."],
      [other, ANA, "Nobody without an account has asked for alerts with this address."],
      [shop, " ", "Enter an email address."],
    ] as const) {
      const fields = { intent: "person", kind: "redact", email };
      expect(await merchant(connected.service, of).send("/app/settings/privacy", fields)).toContain(message);
    }
    expect(await requests()).toHaveLength(1);
    expect(await rows("SELECT 1 FROM privacy_request WHERE shop_id = $1")).toEqual([]);
  });
});

describe("a login with the same address", () => {
  test("makes what was asked for the customer's, confirmed or not by its own rules", async () => {
    await askAndConfirm({ ...LAMP, email: ANA });
    expect(await stateOf({ ...LAMP_TWO, email: ANA })).toBe("confirm");
    await nextLink();
    shop.store.customers.add({ ...CUSTOMER });
    (await visit({ customer: CUSTOMER.id })("POST", "/api/saved", { json: { productIds: ["1"] } })).data();
    await until("the join", async () => (await requests())[0]?.startsWith(CUSTOMER.id) === true);
    expect(await requests()).toEqual(["701 back_in_stock 10 open", "contact price_dropped 20 unconfirmed"]);
    connected.shopify.inbox.clear();
    await restock();
    expect((await nextMessage()).to).toEqual([{ name: "Ana Berg", address: CUSTOMER.email }]);
  });

  test("shows and erases all of it by a privacy request", async () => {
    await askAndConfirm({ ...LAMP, email: ANA });
    expect(await stateOf({ ...LAMP_TWO, email: ANA })).toBe("confirm");
    await nextLink();
    const person = { id: 701, email: CUSTOMER.email };
    const privacy = (topic: "customers/data_request" | "customers/redact") => {
      const body = topic === "customers/redact" ? bodies.customerRedact : bodies.dataRequest;
      const payload = body(shop.domain, person);
      return connected.shopify.deliverWebhook(connected.service.url, "/webhooks/compliance", {
        topic,
        shop: shop.domain,
        payload,
      });
    };
    expect((await privacy("customers/data_request")).status).toBe(200);
    await until("the record", async () => {
      return (await rows("SELECT 1 FROM privacy_request WHERE shop_id = $1 AND status = 'completed'")).length === 1;
    });
    expect(await gatherCustomerRecord(shop.id, "701")).toMatchObject({
      alertRequests: [
        { kind: "back_in_stock", variantId: "10" },
        { kind: "price_dropped", variantId: "20", confirmedAt: null },
      ],
    });
    expect((await privacy("customers/redact")).status).toBe(200);
    await until("the erasure", async () => (await requests()).length === 0);
    expect(await rows("SELECT 1 FROM contact WHERE shop_id = $1")).toEqual([]);
  });
});

describe("a customer", () => {
  test("asks without an address, finds the item saved, and is told at the target only", async () => {
    shop.store.customers.add({ ...CUSTOMER });
    const by = visit({ customer: CUSTOMER.id });
    expect((await ask({ ...LAMP_TWO, email: ANA }, by)).error()).toMatchObject({ details: [{ path: "body.email" }] });
    expect(await stateOf({ ...LAMP_TWO, targetPrice: "70" }, by)).toBe("active");
    expect(await stateOf({ ...LAMP_TWO, targetPrice: "80" }, by)).toBe("active");
    expect((await call("GET", `/v1/wishlists/${CUSTOMER.id}/alert-requests`, { token })).data()).toMatchObject({
      offered: ["back_in_stock", "price_dropped"],
      requests: [{ kind: "price_dropped", productId: "2", variantId: "20", targetPrice: "80.00" }],
    });
    expect((await call("GET", `/v1/wishlists/${CUSTOMER.id}`, { token })).data()).toMatchObject({
      items: [{ productId: "2", variantId: "20" }],
    });
    // Who asks for a target waits for it, although the alerts for all prices are on.
    const json = { alerts: { price_dropped: true } };
    (await call("PATCH", `/v1/wishlists/${CUSTOMER.id}/alerts`, { token, json })).data();
    await edit(2, { priceCents: 8_500 });
    await until("the change to be processed", async () => {
      return (await rows("SELECT 1 FROM alert_occurrence WHERE shop_id = $1 AND status = 'done'")).length === 1;
    });
    expect(await rows("SELECT 1 FROM alert WHERE shop_id = $1")).toEqual([]);
    await edit(2, { priceCents: 7_900 });
    expect((await nextMessage()).to).toEqual([{ name: "Ana Berg", address: CUSTOMER.email }]);
    expect(await alertStates(1)).toEqual(["sent"]);
  });

  test("withdraws a request, and removing the item ends it", async () => {
    shop.store.customers.add({ ...CUSTOMER });
    const by = visit({ customer: CUSTOMER.id });
    expect(await stateOf(LAMP_TWO, by)).toBe("active");
    expect((await by("POST", "/api/withdrawAlert", { json: { productId: "2" } })).data()).toEqual({ withdrawn: 1 });
    expect(await requests()).toEqual([]);
    const path = `/v1/wishlists/${CUSTOMER.id}/alert-requests`;
    const json = { kind: "price_dropped", product_id: "2", variant_id: "20" };
    expect((await call("POST", path, { token, json })).data()).toEqual({ state: "active" });
    (await call("DELETE", `/v1/wishlists/${CUSTOMER.id}/items/2`, { token })).data();
    await edit(2, { priceCents: 5_000 });
    expect(await alertStates(1)).toEqual(["suppressed item_removed"]);
    expect(connected.shopify.inbox.messages()).toEqual([]);
  });
});
