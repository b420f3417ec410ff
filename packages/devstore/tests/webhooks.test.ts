// @module-tag matrix

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { parsePayload, type Topic } from "../../../app/store-events/payloads.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => stage.close());
beforeEach(async () => {
  stage.app.requests.length = 0;
  stage.app.respondWith((response) => void response.writeHead(200).end());
  await stage.control("reset");
});

const PRODUCT = "8401930311165";

test("editing a product sends its current state with all variants", async () => {
  await stage.control("edit-product", { productId: PRODUCT, title: "New name", priceCents: 12_345, available: false });
  await stage.control("await-deliveries");
  const schema = z.object({
    id: z.number(),
    title: z.string(),
    variants: z.array(z.object({ price: z.string(), inventory_quantity: z.number() })),
  });
  const sent = schema.parse(JSON.parse(stage.app.requests[0]?.body ?? ""));
  expect(sent.title).toBe("New name");
  expect(String(sent.id)).toBe(PRODUCT);
  expect(new Set(sent.variants.map(({ price }) => price))).toEqual(new Set(["123.45"]));
  expect(sent.variants.every(({ inventory_quantity: quantity }) => quantity === 0)).toBe(true);
});

test("each webhook has the body of its topic and of no other", async () => {
  const topics: Record<string, Topic> = {
    "products/create": "PRODUCTS_CREATE",
    "products/update": "PRODUCTS_UPDATE",
    "products/delete": "PRODUCTS_DELETE",
    "app/scopes_update": "APP_SCOPES_UPDATE",
    "app/uninstalled": "APP_UNINSTALLED",
    "customers/data_request": "CUSTOMERS_DATA_REQUEST",
    "customers/redact": "CUSTOMERS_REDACT",
    "shop/redact": "SHOP_REDACT",
  };
  const [customer] = (await stage.state()).customers;
  await stage.control("create-product", { title: "Lamp" });
  await stage.control("edit-product", { productId: PRODUCT, title: "New name" });
  await stage.control("delete-product", { productId: PRODUCT });
  await stage.control("scopes", { scopes: ["read_products"] });
  await stage.control("data-request", { customerId: customer?.id });
  await stage.control("redact-customer", { customerId: customer?.id });
  await stage.control("redact-shop");
  await stage.control("uninstall");
  await stage.control("await-deliveries");
  const isProduct = /^PRODUCTS_(?:CREATE|UPDATE)$/;
  const sent = stage.app.requests.map(({ headers, body }) => {
    const topic = topics[String(headers["x-shopify-topic"])];
    const payload: unknown = JSON.parse(body);
    const fits = Object.values(topics).filter((name) => parsePayload(name, payload));
    return {
      topic,
      fits: fits.filter((name) => name === topic || !isProduct.test(name) || !isProduct.test(topic ?? "")),
    };
  });
  expect(sent.map(({ topic }) => topic).sort()).toEqual(Object.values(topics).sort());
  for (const { topic, fits } of sent) expect(fits).toEqual([topic]);
  await fetch(`${stage.devstore.adminUrl}/install`, { method: "POST" });
});

test("a failed webhook is retried with the same id until an attempt succeeds", async () => {
  stage.app.respondWith((response) => void response.writeHead(stage.app.requests.length < 3 ? 500 : 200).end());
  await stage.control("delete-product", { productId: PRODUCT });
  await stage.control("await-deliveries");
  expect(stage.app.requests).toHaveLength(3);
  expect(new Set(stage.app.requests.map(({ headers }) => headers["x-shopify-webhook-id"])).size).toBe(1);
  const { deliveries } = await stage.state();
  expect(deliveries[0]).toMatchObject({
    state: "delivered",
    attempts: [{ status: 500 }, { status: 500 }, { status: 200 }],
  });
});

test("a webhook is marked as failed after the last attempt", async () => {
  stage.app.respondWith((response) => void response.writeHead(302, { location: "/elsewhere" }).end());
  await stage.control("redact-shop");
  await stage.control("await-deliveries");
  expect(stage.app.requests).toHaveLength(3);
  expect((await stage.state()).deliveries[0]).toMatchObject({ state: "failed" });
});

test("uninstalling sends one webhook, and the admin then offers to install the app", async () => {
  await stage.control("uninstall");
  await stage.control("await-deliveries");
  expect(stage.app.requests.map(({ headers }) => headers["x-shopify-topic"])).toEqual(["app/uninstalled"]);
  expect(await (await fetch(stage.devstore.adminUrl)).text()).toContain("Install Wishlist");
  const install = await fetch(`${stage.devstore.adminUrl}/install`, { method: "POST" });
  expect(await install.text()).toContain('id="app-frame"');
});

test("the control API refuses an invalid request with its error and changes nothing", async () => {
  expect(await stage.control("faults", { faults: { graphql: "wobbly" } })).toMatchObject({
    ok: false,
    error: expect.stringContaining("graphql"),
  });
  expect(await stage.control("edit-product", { productId: "1" })).toMatchObject({
    ok: false,
    error: "there is no product 1",
  });
  expect(await stage.control("no-such-thing")).toMatchObject({ ok: false });
  expect(stage.app.requests).toEqual([]);
});

test("the control API refuses cross-site requests", async () => {
  for (const path of [
    "/devstore/api/uninstall",
    "/store/larkfell-outdoor/bridge/idToken",
    "/admin/themes/current/editor",
  ]) {
    const headers = { "sec-fetch-site": "cross-site" };
    const response = await fetch(stage.devstore.url + path, { method: "POST", headers });
    expect(response.status).toBe(403);
  }
  expect((await stage.state()).installed).toBe(true);
});
