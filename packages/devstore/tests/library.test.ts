// @module-tag matrix

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { APP_URL, startStage, type Stage } from "./fixtures/devstore.ts";
import { BROWSER, loadLibrary } from "./fixtures/library.ts";

// Shopify's own library for apps, unchanged but for its transport, against the devstore.

const SHOP = "larkfell-outdoor.myshopify.com";
let stage: Stage;
let library: Awaited<ReturnType<typeof loadLibrary>>;

beforeAll(async () => {
  stage = await startStage();
  library = await loadLibrary(stage.devstore.url);
});
afterAll(async () => stage.close());
beforeEach(async () => {
  library.storage.sessions.clear();
  stage.app.requests.length = 0;
  await stage.control("reset");
});

/** The document that the admin puts into the app's frame, as the app would receive the request for it. */
async function framed(path = "/app"): Promise<Request> {
  const html = await (await fetch(stage.devstore.adminUrl + path)).text();
  const src = /id="app-frame"[^>]* src="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const url = new URL(src);
  return new Request(APP_URL + url.pathname + url.search, { headers: { "user-agent": BROWSER } });
}

/** What the library throws: a Response, as Remix takes it. */
async function thrown(work: () => Promise<unknown>): Promise<Response> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("the admin", () => {
  test("authenticates the framed document and issues a working access token", async () => {
    const { admin, session } = await library.shopify.authenticate.admin(await framed());
    expect(session).toMatchObject({ shop: SHOP, isOnline: false, refreshToken: expect.any(String) });
    const { data } = await (await admin.graphql("{ shop { name } }")).json();
    expect(data).toEqual({ shop: { name: "Larkfell Outdoor" } });
  });

  test("redirects to the bounce page when Shopify refuses the session token", async () => {
    await stage.control("faults", { faults: { token: "invalid_subject_token" } });
    const request = await framed();
    const response = await thrown(() => library.shopify.authenticate.admin(request));
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toContain("/auth/session-token?");
  });

  test("makes the library exchange a new token after a revocation", async () => {
    const { admin } = await library.shopify.authenticate.admin(await framed());
    await stage.control("expire-tokens");
    const response = await thrown(() => admin.graphql("{ shop { name } }"));
    expect(response.headers.get("location")).toContain("/auth/session-token?");
    const again = await library.shopify.authenticate.admin(await framed());
    expect((await again.admin.graphql("{ shop { name } }")).status).toBe(200);
  });

  test("refreshes an offline token that is about to expire", async () => {
    const { session } = await library.shopify.authenticate.admin(await framed());
    session.expires = new Date(Date.now() + 60_000);
    const before = session.accessToken;
    const { admin, session: fresh } = await library.shopify.unauthenticated.admin(SHOP);
    expect(fresh.accessToken).not.toBe(before);
    expect((await admin.graphql("{ shop { name } }")).status).toBe(200);
  });
});

describe("billing", () => {
  const confirmation = z.string().startsWith("https://admin.shopify.com/store/larkfell-outdoor/charges/");

  async function request(plan: "Starter" | "Growth"): Promise<string> {
    const { billing } = await library.shopify.authenticate.admin(await framed());
    const returnUrl = `${APP_URL}/app/billing`;
    const response = await thrown(() => billing.request({ plan, isTest: true, returnUrl }));
    const exit = new URL(response.headers.get("location") ?? "", APP_URL);
    return confirmation.parse(exit.searchParams.get("exitIframe"));
  }

  async function decide(url: string, decision: string): Promise<string> {
    const response = await fetch(stage.devstore.url + new URL(url).pathname, {
      method: "POST",
      body: new URLSearchParams({ decision }),
      redirect: "manual",
    });
    expect(response.status).toBe(303);
    return response.headers.get("location") ?? "";
  }

  async function check() {
    const { billing } = await library.shopify.authenticate.admin(await framed());
    return { billing, ...(await billing.check({ isTest: true })) };
  }

  test("an approved plan becomes active, replaces the previous one and sends webhooks", async () => {
    const returned = await decide(await request("Starter"), "approve");
    expect(returned).toMatch(/\/app\/billing\?charge_id=\d+$/);
    const first = await check();
    expect(first.appSubscriptions).toMatchObject([{ name: "Starter", trialDays: 14, status: "ACTIVE" }]);

    await decide(await request("Growth"), "approve");
    const second = await check();
    expect(second.appSubscriptions.map(({ name }) => name)).toEqual(["Growth"]);

    await second.billing.cancel({ subscriptionId: second.appSubscriptions[0]?.id ?? "", isTest: true });
    expect((await check()).hasActivePayment).toBe(false);

    await stage.control("await-deliveries");
    const received = stage.app.requests.map(({ headers, body }) => [headers["x-shopify-topic"], nameAndStatus(body)]);
    expect(received).toEqual(
      ["Starter ACTIVE", "Starter CANCELLED", "Growth ACTIVE", "Growth CANCELLED"].map((what) => [
        "app_subscriptions/update",
        what,
      ]),
    );
  });

  test("a declined plan does not become active", async () => {
    await decide(await request("Starter"), "decline");
    expect((await check()).hasActivePayment).toBe(false);
  });

  function nameAndStatus(body: string): string {
    const schema = z.object({ app_subscription: z.object({ name: z.string(), status: z.string() }) });
    const { name, status } = schema.parse(JSON.parse(body)).app_subscription;
    return `${name} ${status}`;
  }
});

test("the app proxy signs the query whatever parameters the shopper adds", async () => {
  stage.app.respondWith((response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  await fetch(`${stage.devstore.storefrontUrl}/apps/wishlist/api/list?extra=1&extra=2&page=ü%20%26`, {
    method: "POST",
    body: "{}",
  });
  const [forwarded] = stage.app.requests;
  await library.shopify.authenticate.public.appProxy(
    new Request(APP_URL + (forwarded?.target ?? ""), { method: "POST" }),
  );
  const forged = forwarded?.target.replace("logged_in_customer_id=", "logged_in_customer_id=7") ?? "";
  const response = await thrown(() => library.shopify.authenticate.public.appProxy(new Request(APP_URL + forged)));
  expect(response.status).toBe(400);
});

test.each([
  ["APP_UNINSTALLED", "uninstall"],
  ["APP_SCOPES_UPDATE", "scopes"],
  ["PRODUCTS_CREATE", "create-product"],
  ["PRODUCTS_UPDATE", "edit-product"],
  ["PRODUCTS_DELETE", "delete-product"],
  ["CUSTOMERS_DATA_REQUEST", "data-request"],
  ["CUSTOMERS_REDACT", "redact-customer"],
  ["SHOP_REDACT", "redact-shop"],
])("the webhook %s is valid for the library, but not with another body", async (topic, action) => {
  const [customer] = (await stage.state()).customers;
  const body = {
    productId: "8401930311165",
    customerId: customer?.id,
    title: "A title with ü",
    scopes: ["read_products"],
  };
  expect(await stage.control(action, body)).toMatchObject({ ok: true });
  await stage.control("await-deliveries");
  const sent = stage.app.requests.find(({ headers }) => toName(headers["x-shopify-topic"]) === topic);
  expect(sent).toBeDefined();
  const headers = Object.entries(sent?.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const request = (text: string) => new Request(`${APP_URL}/webhooks`, { method: "POST", headers, body: text });
  const webhook = await library.shopify.authenticate.webhook(request(sent?.body ?? ""));
  expect(webhook).toMatchObject({ topic, shop: SHOP, webhookId: expect.any(String), apiVersion: "2026-10" });
  expect((await thrown(() => library.shopify.authenticate.webhook(request(`${sent?.body ?? ""} `)))).status).toBe(401);
  await stage.control("install");
});

function toName(topic: string | string[] | undefined): string {
  return String(topic).toUpperCase().replace("/", "_");
}
