import { describe, expect } from "vitest";
import { gatherCustomerRecord } from "../../app/privacy/customer-record.server.ts";
import { eraseCustomer } from "../../app/privacy/index.server.ts";
import { turnOn } from "../support/app/alerts.ts";
import type { Call } from "../support/app/client.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { SHOPIFY_ENV, visitor, type ProxyCall } from "../support/app/storefront.ts";
import type { TestDatabase } from "../support/database/database.ts";

interface Store {
  shop: TestShop;
  call: Call;
  database: TestDatabase;
  customer: ProxyCall;
  guest: ProxyCall;
  /** the customer's rows, oldest first */
  ledger: () => Promise<
    { kind: string; given: boolean; source: string; wording: string | null; locale: string | null }[]
  >;
  /** the token of the form on the customer's page */
  token: () => Promise<string>;
}

const test = base
  .override("appOptions", { env: SHOPIFY_ENV })
  .extend("store", async ({ app, call }): Promise<Store> => {
    const shop = await makeShop(app, call, { plan: "growth", products: { p1: "v1" } });
    await turnOn(shop.id, ["price_dropped", "back_in_stock"]);
    const customer = visitor(app, { shop: shop.domain, customer: "77" });
    return {
      shop,
      call,
      database: app.database,
      customer,
      guest: visitor(app, { shop: shop.domain }),
      ledger: () =>
        app.database.rows(
          "SELECT kind, given, source, wording, locale FROM alert_consent WHERE shop_id = $1 ORDER BY id",
          [shop.id],
        ),
      async token() {
        const page = await customer("GET", "");
        return /wl_token = "([^"]+)"/.exec(page.text)?.[1] ?? "";
      },
    };
  });

function form(fields: Record<string, string>): { body: string; headers: Record<string, string> } {
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
}

describe("the form of the wishlist page", () => {
  test("records what is checked with the words of the page's language, and what is unchecked as withdrawn", async ({
    store,
  }) => {
    const token = await store.token();
    const saved = await store.customer(
      "POST",
      "/alerts",
      form({ token, list: "", locale: "de-CH", price_dropped: "1" }),
    );
    expect(saved.status).toBe(200);
    await store.customer("POST", "/alerts", form({ token, list: "", locale: "de-CH", price_dropped: "1" }));
    await store.customer("POST", "/alerts", form({ token, list: "", locale: "de-CH" }));
    expect(await store.ledger()).toEqual([
      {
        kind: "price_dropped",
        given: true,
        source: "storefront",
        wording: expect.stringContaining("Bei Preissenkungen") as string,
        locale: "de",
      },
      expect.objectContaining({ kind: "price_dropped", given: false }),
    ]);
  });

  test("records no kind that the shop does not offer", async ({ store }) => {
    const token = await store.token();
    await store.customer("POST", "/alerts", form({ token, list: "", locale: "en", low_stock: "1" }));
    expect(await store.ledger()).toEqual([]);
  });

  test("without the page's token is refused", async ({ store }) => {
    const response = await store.customer(
      "POST",
      "/alerts",
      form({ token: "x", list: "", locale: "en", price_dropped: "1" }),
    );
    expect(response.text).toContain('wl_code = "forbidden_origin"');
    expect(await store.ledger()).toEqual([]);
  });

  test("is not there for guests, nor where the merchant answers for the consent", async ({ store }) => {
    expect((await store.customer("GET", "")).text).toContain('wl_offered = "price_dropped');
    expect((await store.guest("GET", "")).text).not.toContain("wl_offered = ");
    await turnOn(store.shop.id, ["price_dropped"], { mode: "merchant_managed", version: 1 });
    expect((await store.customer("GET", "")).text).toContain('wl_offered = ""');
  });
});

describe("the API", () => {
  test("tells and changes what a customer asks for, kind by kind", async ({ store: { call, shop, ledger } }) => {
    const path = "/v1/wishlists/77/alerts";
    const changed = await call("PATCH", path, {
      token: shop.token,
      json: { alerts: { price_dropped: true, low_stock: true }, wording: "Tell me", locale: "en" },
    });
    expect(changed.data()).toMatchObject({
      offered: ["price_dropped", "back_in_stock"],
      alerts: [
        { kind: "price_dropped", on: true, since: expect.any(String) as string },
        { kind: "back_in_stock", on: false, since: null },
        { kind: "low_stock", on: true },
        { kind: "reminder_due", on: false },
      ],
    });
    await call("PATCH", path, { token: shop.token, json: { alerts: { low_stock: false } } });
    const read = await call("GET", path, { token: shop.token });
    expect(read.data<{ alerts: { on: boolean }[] }>().alerts.map(({ on }) => on)).toEqual([true, false, false, false]);
    expect((await ledger()).map(({ source }) => source)).toEqual(["api", "api", "api"]);
  });

  test.for([{ alerts: { unknown: true } }, { alerts: { price_dropped: "yes" } }, {}, { alerts: {}, wording: "" }])(
    "refuses %j with 400 and records nothing",
    async (json, { store: { call, shop, ledger } }) => {
      const response = await call("PATCH", "/v1/wishlists/77/alerts", { token: shop.token, json });
      expect(response.status).toBe(400);
      expect(await ledger()).toEqual([]);
    },
  );
});

describe("the link in an email", () => {
  const ALERT = "0192f3a8-0000-7000-8000-000000000001";

  async function sendAlert({ database, shop }: Store): Promise<void> {
    await database.rows(
      `INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, status, created_at, due_at, sent_at)
       VALUES ($1, $2, 1, 'price_dropped', '77', 1, 'p1', 'v1', now(), 'sent', now(), now(), now())`,
      [shop.id, ALERT],
    );
  }

  test("withdraws only after the button, for everyone who has it, and again without effect", async ({ store }) => {
    await sendAlert(store);
    await store.call("PATCH", "/v1/wishlists/77/alerts", {
      token: store.shop.token,
      json: { alerts: { price_dropped: true, low_stock: true } },
    });
    const opened = await store.guest("GET", `/alerts/${ALERT}/withdraw`, { query: [["utm_source", "email"]] });
    expect(opened.text).toContain('wl_state = "asking"');
    expect(await store.ledger()).toHaveLength(2);
    for (let time = 0; time < 2; time++) {
      const done = await store.guest("POST", `/alerts/${ALERT}/withdraw`, form({ "List-Unsubscribe": "One-Click" }));
      expect(done.text).toContain('wl_state = "done"');
    }
    expect((await store.ledger()).slice(2)).toEqual([
      { kind: "price_dropped", given: false, source: "link", wording: null, locale: null },
    ]);
  });

  test("works from a mail program, which has another origin", async ({ store }) => {
    await sendAlert(store);
    const { body, headers } = form({ "List-Unsubscribe": "One-Click" });
    const response = await store.guest("POST", `/alerts/${ALERT}/withdraw`, {
      body,
      headers: { ...headers, origin: "https://mail.example.com" },
    });
    expect(response.status).toBe(200);
  });

  test.for(["unknown", ALERT])("for alert %s of no shop says that it does not work", async (id, { store }) => {
    const response = await store.guest("POST", `/alerts/${id}/withdraw`, form({ "List-Unsubscribe": "One-Click" }));
    expect(response.text).toContain('wl_state = "unknown"');
    expect(await store.ledger()).toEqual([]);
  });
});

test("the customer's record shows the ledger, and an erasure deletes it", async ({ store: { call, shop, ledger } }) => {
  await call("PATCH", "/v1/wishlists/77/alerts", {
    token: shop.token,
    json: { alerts: { price_dropped: true }, wording: "Tell me" },
  });
  expect(await gatherCustomerRecord(shop.id, "77")).toMatchObject({
    alertConsents: [{ kind: "price_dropped", given: true, through: "api", wording: "Tell me" }],
  });
  await eraseCustomer(shop.id, "77");
  expect(await ledger()).toEqual([]);
});
