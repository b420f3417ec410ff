import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AlertKind } from "../../app/alerts/kinds.ts";
import type { Message } from "../../packages/devstore/store/inbox.ts";
import { turnOn } from "../support/app/alerts.ts";
import { client, type Call } from "../support/app/client.ts";
import { EMAIL_FORM, emitPriceAlerts } from "../support/app/emails.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { startService, type Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { visitor } from "../support/app/storefront.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };

const BEN = { id: "702", firstName: "Ben", lastName: "Dahl", email: "ben@example.com" };

let connected: Connected;
let call: Call;
let shop: ConnectedShop;
let token: string;

beforeAll(async () => {
  connected = await startConnected({ NODE_ENV: "test" }, { smtp: { user: "app", password: "a secret" } });
  call = client(connected.service.url);
});
afterAll(() => connected.close());

const SETTINGS = { ...EMAIL_FORM, kinds: ["price_dropped", "back_in_stock"] };

const staff = () => merchant(connected.service, shop);

async function configure(change: Record<string, string> = {}): Promise<void> {
  const response = await staff().send("/app/alerts/email", { ...SETTINGS, ...change, intent: "save" });
  expect(response).toContain("senderName");
}

beforeEach(async () => {
  connected.shopify.inbox.clear();
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  connected.shopify.store(domain).installation.scopes.push("read_customers");
  shop = await connectShop(connected.service, connected.shopify, {
    domain,
    products: [1, 2].map((id) => ({
      id,
      handle: `lamp-${id}`,
      title: id === 1 ? "Lamp <b>One</b> & more" : "Lamp Two",
      variants: [{ id: id * 10, priceCents: 10_000 }],
    })),
  });
  shop.store.customers.add({ ...ANNA });
  token = await issueToken(call, shop.id);
  await turnOn(shop.id, ["price_dropped", "back_in_stock"], { coolDownHours: 1 });
});

async function ask(customerId: string, kind: AlertKind, given = true): Promise<void> {
  (await call("PATCH", `/v1/wishlists/${customerId}/alerts`, { token, json: { alerts: { [kind]: given } } })).data();
}

async function save(customerId: string, ...productIds: string[]): Promise<void> {
  for (const productId of productIds)
    (await call("POST", `/v1/wishlists/${customerId}/items`, { token, json: { product_id: productId } })).data();
  await ask(customerId, "price_dropped");
}

/** Changes the prices of products in the store, which reports each change. */
async function price(cents: number, ...productIds: number[]): Promise<void> {
  for (const id of productIds) shop.store.catalog.editVariant(String(id * 10), { priceCents: cents });
  for (const id of productIds) {
    await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/products/update", {
      topic: "products/update",
      shop: shop.domain,
      payload: bodies.product(id),
    });
  }
}

const nextMessage = (): Promise<Message> => connected.shopify.inbox.next();

const headersOf = (message: Message, name: string): string[] =>
  message.headers.filter((header) => header.name === name).map(({ value }) => value);

/** Returns the shop's deliveries by email once each of them has been tried, such as `failed 1 the customer has no email address`. */
async function deliveries(count: number): Promise<string[]> {
  return until(`${count} deliveries`, async () => {
    const rows = await connected.service.database.rows<{ shown: string }>(
      `SELECT concat_ws(' ', d.status, d.attempts, a.status, a.error) AS shown
         FROM webhook_delivery d
         JOIN webhook_attempt a ON a.shop_id = d.shop_id AND a.delivery_id = d.id AND a.number = d.attempts
        WHERE d.shop_id = $1 AND d.endpoint_id = 'email' ORDER BY d.id`,
      [shop.id],
    );
    return rows.length === count ? rows.map(({ shown }) => shown) : undefined;
  });
}

describe("a price drop", () => {
  test("reaches the customer as a message with the shop's sender, and leaves no address behind", async () => {
    await configure();
    await save(ANNA.id, "1");
    await price(8_000, 1);
    const message = await nextMessage();
    expect(message).toMatchObject({
      from: { name: "Lamps & more", address: "owner@store.example" },
      to: [{ name: "Anna Berg", address: ANNA.email }],
      subject: "Lamp <b>One</b> & more now costs €80,00",
    });
    expect(headersOf(message, "reply-to")).toEqual(["help@lamps.example"]);
    expect(message.html).toContain("Lamp &lt;b&gt;One&lt;/b&gt; &amp; more");
    expect(message.html).not.toContain("<b>One");
    for (const part of [message.html, message.text]) {
      expect(part).toContain("€80,00");
      expect(part).toContain("€100,00");
      expect(part).toContain("1 Long Lane");
    }
    expect(await deliveries(1)).toEqual(["succeeded 1 250"]);
    for (const text of await textOfEveryTable(connected.service.database))
      expect(text).not.toMatch(/\b(?:Anna|Berg)\b|anna@/);
    expect(JSON.stringify(connected.service.log())).not.toMatch(/\b(?:Anna|Berg)\b|anna@/);
  });

  test("has prices in the store's money format", async () => {
    await configure();
    await connected.service.database.rows(
      "UPDATE shop SET money_format = '{{amount_with_comma_separator}} EUR', currency = 'EUR' WHERE id = $1",
      [shop.id],
    );
    await save(ANNA.id, "1");
    await price(8_000, 1);
    const message = await nextMessage();
    expect(message.subject).toBe("Lamp <b>One</b> & more now costs 80,00 EUR");
    expect(message.text).toContain("100,00 EUR");
  });

  test("of two products at a moment is one message", async () => {
    await configure();
    await save(ANNA.id, "1", "2");
    await turnOn(shop.id, ["price_dropped"], { version: 1, digestAt: (new Date().getUTCHours() + 1) % 24 });
    await price(8_000, 1, 2);
    await until("two alerts", async () => {
      const [{ count } = { count: 0 }] = await connected.service.database.rows<{ count: number }>(
        "SELECT count(*)::int AS count FROM alert WHERE shop_id = $1 AND status = 'pending'",
        [shop.id],
      );
      return count === 2 ? true : undefined;
    });
    // The hour comes.
    await connected.service.database.rows("UPDATE alert SET due_at = now() WHERE shop_id = $1", [shop.id]);
    await connected.service.database.rows("UPDATE alert_settings SET due_at = now() WHERE shop_id = $1", [shop.id]);
    const message = await nextMessage();
    expect(message.html).toContain("Lamp Two");
    expect(message.html).toContain("Lamp &lt;b&gt;One");
    expect(await deliveries(2)).toEqual(["succeeded 1 250", "succeeded 1 250"]);
    expect(connected.shopify.inbox.messages()).toHaveLength(1);
  });
});

describe("one click in the mail program", () => {
  test("ends all of the customer's messages", async () => {
    await configure();
    await save(ANNA.id, "1");
    await ask(ANNA.id, "back_in_stock");
    await price(8_000, 1);
    const message = await nextMessage();
    expect(headersOf(message, "list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    const [address = ""] = headersOf(message, "list-unsubscribe");
    const { pathname } = new URL(address.replaceAll(/[<>]/g, ""));
    const visit = { shop: shop.domain, secret: connected.shopify.env.SHOPIFY_API_SECRET };
    const response = await visitor(connected.service.url, visit)("POST", pathname.replace("/apps/wishlist", ""), {
      body: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(response.status).toBe(200);
    const consents = await connected.service.database.rows<{ given: boolean }>(
      `SELECT DISTINCT ON (kind) given FROM alert_consent
        WHERE shop_id = $1 AND customer_id = $2 AND kind IN ('price_dropped', 'back_in_stock') ORDER BY kind, id DESC`,
      [shop.id, ANNA.id],
    );
    expect(consents).toEqual([{ given: false }, { given: false }]);
  });
});

/** Saves product 1 for Anna, and lowers its price until `count` deliveries have been tried. */
async function dropFor(cents = 8_000, count = 1): Promise<string[]> {
  if (count === 1) await save(ANNA.id, "1");
  await price(cents, 1);
  return deliveries(count);
}

function changeAddress(email: string): void {
  Object.assign(shop.store.customers.byId(ANNA.id) ?? {}, { email });
}

/** Lets the pause between two alerts of a customer and product end. */
async function endPause(): Promise<void> {
  await connected.service.database.rows(
    "UPDATE alert SET sent_at = now() - interval '2 days' WHERE shop_id = $1 AND sent_at IS NOT NULL",
    [shop.id],
  );
}

describe("a message is not sent", () => {
  test("to an address that the mail server has refused for good, until the customer has another", async () => {
    await configure();
    connected.shopify.store().faults.inject({ on: "mail recipient", times: 1, behaviour: { status: 550 } });
    expect(await dropFor()).toEqual([expect.stringMatching(/^failed 1 550 the mail server refused this address/)]);
    // The mail server has named it.
    for (const text of await textOfEveryTable(connected.service.database)) expect(text).not.toContain(ANNA.email);
    await endPause();
    expect((await dropFor(6_000, 2)).at(-1)).toMatch(/^failed 1 the customer’s address has refused/);
    changeAddress("anna.new@example.com");
    await endPause();
    expect((await dropFor(4_000, 3)).at(-1)).toBe("succeeded 1 250");
    expect(connected.shopify.inbox.messages().map(({ envelope }) => envelope.to)).toEqual([["anna.new@example.com"]]);
  });

  test.for(["anna@example.com, ben@example.com", "anna@example.com\r\nBcc: ben@example.com", "anna"])(
    "to an address that names several people or headers, or nobody: %j",
    async (email) => {
      await configure();
      changeAddress(email);
      expect(await dropFor()).toEqual(["failed 1 the customer’s email address is not valid"]);
      expect(connected.shopify.inbox.messages()).toEqual([]);
    },
  );

  test("more often than the shop allows within a week", async () => {
    await configure({ weeklyLimit: "1" });
    expect(await dropFor()).toEqual(["succeeded 1 250"]);
    await endPause();
    expect((await dropFor(6_000, 2)).at(-1)).toBe("failed 1 the customer has had 1 emails within a week");
    await connected.service.database.rows(
      "UPDATE email_message SET alerted_at = alerted_at - interval '8 days' WHERE shop_id = $1",
      [shop.id],
    );
    await endPause();
    expect((await dropFor(4_000, 3)).at(-1)).toBe("succeeded 1 250");
  });

  test("once the customer has withdrawn the consent, also while it waits for the mail server", async () => {
    await configure();
    connected.shopify.store().faults.inject({ on: "mail recipient", times: 1, behaviour: { status: 451 } });
    expect(await dropFor()).toEqual([expect.stringMatching(/^pending 1 451/)]);
    await ask(ANNA.id, "price_dropped", false);
    await retry();
    await until("the second attempt", async () => {
      const [row] = await deliveries(1);
      return row === "failed 2 the customer does not want these alerts any more";
    });
    expect(connected.shopify.inbox.messages()).toEqual([]);
  });
});

/** Lets the retries of all deliveries be due. */
async function retry(): Promise<void> {
  await connected.service.database.rows(
    "UPDATE webhook_delivery SET next_attempt_at = now() WHERE shop_id = $1 AND status = 'pending'",
    [shop.id],
  );
  await connected.service.database.rows(
    "UPDATE webhook_endpoint SET due_at = now(), backoff_until = NULL WHERE shop_id = $1 AND id = 'email'",
    [shop.id],
  );
}

describe("a mail server that", () => {
  test("refuses one recipient for now gets the others' messages at once, and that one again", async () => {
    await configure();
    shop.store.customers.add({ ...BEN });
    await save(BEN.id, "1");
    const fault = { on: "mail recipient", operation: ANNA.email, behaviour: { status: 451 } } as const;
    const heal = connected.shopify.store().faults.inject(fault);
    await save(ANNA.id, "1");
    await price(8_000, 1);
    const tried = await deliveries(2);
    expect(tried.filter((row) => row.startsWith("pending 1 451"))).toHaveLength(1);
    expect(tried).toContain("succeeded 1 250");
    heal();
    await retry();
    await until("both", async () => (await deliveries(2)).every((row) => row.startsWith("succeeded")));
    expect(connected.shopify.inbox.messages().map(({ envelope }) => envelope.to)).toEqual([[ANNA.email], [BEN.email]]);
  });

  test(
    "closes the connection, has no time or does not know the user counts as failing until it works again",
    MATRIX,
    async () => {
      await configure();
      const { faults } = connected.shopify.store();
      // A connection may be open from before, or not.
      faults.inject({ on: "mail message", behaviour: "closes" });
      expect(await dropFor()).toEqual([expect.stringMatching(/^pending 1 /)]);
      await until("the failure", async () => (await failingSince()) !== null);
      const heal = faults.inject({ on: "mail connection", behaviour: { status: 421 } });
      await retryUntil(/^pending \d+ 421/);
      heal();
      faults.inject({ on: "mail login", behaviour: { status: 535 } });
      await retryUntil(/^pending \d+ 535 the mail server does not accept the user and the password$/);
      faults.clear();
      await retryUntil(/^succeeded \d+ 250$/);
      await until("the recovery", async () => (await failingSince()) === null);
      expect(connected.shopify.inbox.messages()).toHaveLength(1);
    },
  );
});

test("a shop whose messages the mail server holds leaves connections to another shop", MATRIX, async () => {
  const { shopify, service } = connected;
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  shopify.store(domain).installation.scopes.push("read_customers");
  const other = await connectShop(service, shopify, { domain });
  await turnOn(other.id, ["price_dropped"]);
  await merchant(service, other).send("/app/alerts/email", { ...SETTINGS, intent: "save" });
  await configure();
  await service.database.rows("UPDATE alert_settings SET mode = 'merchant_managed' WHERE shop_id = ANY ($1)", [
    [shop.id, other.id],
  ]);
  // Shops begin with few messages at a time: the first ones are accepted.
  const [accepted, held] = [20, 20];
  const ids = Array.from({ length: accepted + held }, (_, n) => String(8_000 + n));
  shop.store.customers.add(...ids.map((id) => ({ id, firstName: "Anna", lastName: id, email: `c${id}@example.com` })));
  other.store.customers.add({ ...BEN });
  const release = Promise.withResolvers<undefined>();
  let waiting = 0;
  for (const id of ids.slice(accepted))
    shopify.store().faults.inject({
      ...{ on: "mail message", operation: `c${id}@example.com`, behaviour: { until: release.promise } },
      when: () => ++waiting > 0,
    });
  await emitPriceAlerts(service.database.rows, shop.id, ids);
  await until("six held messages", () => waiting >= 6);
  await emitPriceAlerts(service.database.rows, other.id, [BEN.id]);
  await shopify.inbox.next(({ envelope }) => envelope.to.includes(BEN.email), AbortSignal.timeout(10_000));
  release.resolve(undefined);
  shopify.store().faults.clear();
  await until("all messages", () => shopify.inbox.messages().length === ids.length + 1);
});

/** Retries the only delivery after each of its attempts, until one has this result. */
async function retryUntil(result: RegExp): Promise<void> {
  let before: string | undefined;
  await until(String(result), async () => {
    const [row = ""] = await deliveries(1);
    if (row !== before) await retry();
    before = row;
    return result.test(row);
  });
}

async function failingSince(): Promise<Date | null | undefined> {
  const [endpoint] = await connected.service.database.rows<{ failing_since: Date | null }>(
    "SELECT failing_since FROM webhook_endpoint WHERE shop_id = $1 AND id = 'email'",
    [shop.id],
  );
  return endpoint?.failing_since;
}

/** Lets the merchant grant the app access to customers or withdraw it, and waits until the app knows. */
async function permit(isPermitted: boolean): Promise<void> {
  const { installation } = shop.store;
  installation.scopes = installation.scopes.filter((scope) => scope !== "read_customers");
  if (isPermitted) installation.scopes.push("read_customers");
  await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/app/scopes_update", {
    topic: "app/scopes_update",
    shop: shop.domain,
    payload: bodies.scopes(shop.domain, installation.scopes),
  });
  await until("the subscription", async () => {
    const [endpoint] = await connected.service.database.rows<{ events: string[] }>(
      "SELECT events FROM webhook_endpoint WHERE shop_id = $1 AND id = 'email'",
      [shop.id],
    );
    return endpoint?.events.length === (isPermitted ? 2 : 0);
  });
}

test("without access to customers nothing is emailed, and the alert says that nobody received it", async () => {
  await configure();
  await permit(false);
  await save(ANNA.id, "1");
  await price(8_000, 1);
  const reason = await until("the alert", async () => {
    const [row] = await connected.service.database.rows<{ reason: string | null; status: string }>(
      "SELECT status, reason FROM alert WHERE shop_id = $1",
      [shop.id],
    );
    return row?.status === "suppressed" ? row.reason : undefined;
  });
  expect(reason).toBe("no_receiver");
  await permit(true);
  await endPause();
  await price(6_000, 1);
  expect((await nextMessage()).to).toEqual([{ name: "Anna Berg", address: ANNA.email }]);
});

describe("an operator who takes the mail server away", () => {
  /** Starts a second server on the same database, which follows what its operator has set. */
  async function restarted(hasMailServer: boolean): Promise<Service> {
    const { SMTP_URL = "", MAIL_FROM = "", ...env } = connected.shopify.env;
    const { database } = connected.service;
    const mail = hasMailServer ? { SMTP_URL, MAIL_FROM } : {};
    return startService({ database, env: { ...env, ...mail, NODE_ENV: "test" } });
  }

  async function channel(): Promise<{ events: string[]; disabled_reason: string | null } | undefined> {
    const [endpoint] = await connected.service.database.rows<{ events: string[]; disabled_reason: string | null }>(
      "SELECT events, disabled_reason FROM webhook_endpoint WHERE shop_id = $1 AND id = 'email'",
      [shop.id],
    );
    return endpoint;
  }

  const isSubscribed = (to: number) =>
    until("the subscription", async () => (await channel())?.events.length === to || undefined);

  test("ends emails until there is one again, and alerts say that nobody received them", MATRIX, async () => {
    await configure();
    await isSubscribed(2);
    const without = await restarted(false);
    try {
      await isSubscribed(0);
      // Staff may prepare their choices meanwhile.
      await merchant(without, shop).send("/app/alerts/email", {
        ...SETTINGS,
        version: "1",
        kinds: ["price_dropped"],
        intent: "save",
      });
      expect((await channel())?.events).toEqual([]);
      await save(ANNA.id, "1");
      await price(8_000, 1);
      await until("the alert", async () => {
        const [row] = await connected.service.database.rows<{ reason: string | null }>(
          "SELECT reason FROM alert WHERE shop_id = $1",
          [shop.id],
        );
        return row?.reason === "no_receiver" || undefined;
      });
    } finally {
      await without.stop();
    }
    const again = await restarted(true);
    try {
      await isSubscribed(1);
      await endPause();
      await price(6_000, 1);
      expect((await nextMessage()).to).toEqual([{ name: "Anna Berg", address: ANNA.email }]);
    } finally {
      await again.stop();
    }
  });

  test("does not end a pause by staff", async () => {
    await configure();
    await staff().send("/app/webhooks/email", { intent: "pause" });
    expect((await channel())?.disabled_reason).toBe("paused");
    for (const hasMailServer of [false, true]) {
      const next = await restarted(hasMailServer);
      try {
        await isSubscribed(hasMailServer ? 2 : 0);
      } finally {
        await next.stop();
      }
    }
    expect((await channel())?.disabled_reason).toBe("paused");
  });
});

describe("the proposal of settings", () => {
  async function proposed(): Promise<string> {
    return (await staff().page("/app/alerts/email")).text();
  }

  test("is empty when Shopify fails, and logged unless Shopify refuses or does not respond", async () => {
    const reports = () =>
      connected.service
        .log()
        .filter(({ msg, shop: of }) => msg === "could not propose settings for emails" && of === shop.domain);
    for (const behaviour of ["throttled", { status: 503 }, "unauthorized token", "query too expensive"] as const) {
      const recover = shop.store.faults.inject({ on: "graphql", operation: "ShopIdentity", behaviour });
      expect(await proposed()).toContain("senderName");
      recover();
    }
    // The log is in the order of the requests.
    await until("the log", async () => reports().length > 0);
    expect(reports()).toHaveLength(1);
  });

  test("has the brand's first color that shows on white, and its logo", async () => {
    shop.store.shop.brand = {
      logoUrl: "https://cdn.shopify.com/s/files/1/lamps.png",
      primary: ["#FFFFFF", "#2F4B3C"],
      secondary: ["#aa0000"],
    };
    const page = await proposed();
    expect(page).toContain("#2f4b3c");
    expect(page).toContain("https://cdn.shopify.com/s/files/1/lamps.png");
  });

  test.for([
    ["no brand", null],
    [
      "colors that do not show on white, and no logo",
      { logoUrl: null, primary: ["#ffffff"], secondary: ["#ffff00", "red"] },
    ],
  ] as const)("has the app's own color for a store with %s", async ([, brand]) => {
    shop.store.shop.brand = brand && { ...brand, primary: [...brand.primary], secondary: [...brand.secondary] };
    expect(await proposed()).toContain("#1a1a1a");
  });
});
