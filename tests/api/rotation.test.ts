import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type Call } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { ENCRYPTION_KEY, TOKEN_SECRET } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";

const NEW_TOKEN_SECRET = "nEw2sKq8Zr1Xw5Ty9Lm3Np7Bc4Df6Gj0QaUeRoIi";
const NEW_KEY = `k2:${Buffer.from("vutsrqponmlkjihgfedcba9876543210").toString("base64")}`;
const { SHOPIFY_API_SECRET: API_SECRET } = SHOPIFY_ENV;
const NEW_API_SECRET = `shpss_${randomBytes(16).toString("hex")}`;

/** The values of a secret in the order of a rotation. Processes of two consecutive steps run side by side while they restart. */
function steps(old: string, next: string): [string, string, string, string] {
  return [old, `${old},${next}`, `${next},${old}`, next];
}
const TOKENS = steps(TOKEN_SECRET, NEW_TOKEN_SECRET);
const KEYS = steps(ENCRYPTION_KEY, NEW_KEY);
const API_SECRETS = steps(API_SECRET, NEW_API_SECRET);

let database: TestDatabase;
let apps: InProcessApp[];
let calls: Call[];
let shop: TestShop;

beforeAll(async () => {
  database = await createDatabase();
  apps = [];
  for (const step of [0, 1, 2, 3] as const) {
    const env = { TOKEN_SECRETS: TOKENS[step], ENCRYPTION_KEYS: KEYS[step], SHOPIFY_API_SECRET: API_SECRETS[step] };
    apps.push(await startApp({ database, env: { ...SHOPIFY_ENV, ...env, WISHLIST_ROLE: "web" } }));
  }
  calls = apps.map((app) => client(app));
  const [first] = calls;
  if (!first) throw new Error("no app");
  shop = await makeShop({ database }, first, { products: { p1: "v1" } });
});
afterAll(async () => {
  for (const app of apps) await app.stop();
  await closeDatabase();
  await database.drop();
});

/** Returns the client of a step. */
function at(step: number): Call {
  const call = calls[step];
  if (!call) throw new Error("no such step");
  return call;
}

/** Pairs of processes that run side by side. */
const BESIDE = [
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [2, 3],
  [3, 2],
] as const;

describe.each(BESIDE)("step %i of a rotation beside step %i", (one, other) => {
  test("issues tokens that the other accepts", async () => {
    const token = await exchange(at(one), shop);
    expect((await at(other)("GET", "/v1/wishlists/c1", { token })).status).toBe(200);
  });

  test("seals share links and idempotent responses that the other opens", async () => {
    const token = await exchange(at(one), shop);
    const path = `/v1/wishlists/customer-${randomUUID()}`;
    const made = await at(one)("GET", `${path}/share`, { token });
    expect(made.status).toBe(200);
    expect((await at(other)("GET", `${path}/share`, { token })).body).toEqual(made.body);
    const webhook = {
      token,
      json: { url: "https://hooks.example.com/x", events: ["wishlist.shared"] },
      headers: { "idempotency-key": randomUUID() },
    };
    const created = await at(one)("POST", "/v1/webhooks", webhook);
    expect(created.status).toBe(201);
    expect((await at(other)("POST", "/v1/webhooks", webhook)).body).toEqual(created.body);
    await database.rows("DELETE FROM webhook_endpoint");
  });
});

describe.each([
  [0, API_SECRET],
  [1, API_SECRET],
  [1, NEW_API_SECRET],
  [2, API_SECRET],
  [2, NEW_API_SECRET],
  [3, NEW_API_SECRET],
])("step %i of a rotation, with %s", (step, secret) => {
  test("accepts app-proxy requests that Shopify signs with it", async () => {
    const app = apps[step];
    if (!app) throw new Error("no such step");
    const response = await visitor(app, { shop: shop.domain, customer: "7", secret })("POST", "/api/add", {
      json: { productId: "p1" },
    });
    expect(response.status).toBe(200);
  });

  test("accepts webhooks that Shopify signs with it", async () => {
    const body = JSON.stringify(bodies.scopes(shop.domain));
    const response = await apps[step]?.fetch("/webhooks/app/scopes_update", {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-shopify-topic": "app/scopes_update",
        "x-shopify-shop-domain": shop.domain,
        "x-shopify-api-version": "2026-10",
        "x-shopify-webhook-id": randomUUID(),
        "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
      },
    });
    expect(response?.status).toBe(200);
  });
});

test("after a rotation, requests that are signed with the old secret are refused", async () => {
  const [, , , last] = apps;
  if (!last) throw new Error("no app");
  const response = await visitor(last, { shop: shop.domain, customer: "7", secret: API_SECRET })("POST", "/api/add", {
    json: { productId: "p1" },
  });
  expect(response.status).toBe(401);
  const token = await exchange(at(0), shop);
  expect((await at(3)("GET", "/v1/wishlists/c1", { token })).status).toBe(401);
});
