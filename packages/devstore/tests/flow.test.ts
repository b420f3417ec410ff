// @module-tag matrix

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { webhookSignature } from "../foundation/signatures.ts";
import { launchBrowser } from "../../../tests/support/browser/browser.ts";
import { adminApi, type AdminApi } from "./fixtures/admin-api.ts";
import { API_SECRET, startStage, type Stage } from "./fixtures/devstore.ts";

const SCOPES = ["read_products", "read_customers"];
const HANDLE = "price-watch";
const PAYLOAD = { customer_id: 501, product_id: 1, "New price": 19.5 };

let stage: Stage;
let query: AdminApi;
beforeAll(async () => {
  const extensions = fileURLToPath(new URL("fixtures/flow", import.meta.url));
  stage = await startStage({ scopes: SCOPES, data: "none", extensions });
  const store = stage.devstore.store();
  store.customers.add({ id: "501", firstName: "Ada", lastName: "Byron", email: "ada@example.com" });
  query = await adminApi(stage.devstore);
});
afterAll(async () => stage.close());
beforeEach(async () => {
  const store = stage.devstore.store();
  for (const workflow of [...store.flow.workflows()]) store.flow.remove(workflow);
  await stage.control("reset");
  store.catalog.put({ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] });
  stage.app.respondWith((response) => void response.writeHead(200).end());
  stage.app.requests.length = 0;
});

const MUTATION = `mutation ($handle: String, $payload: JSON) {
  flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } }
}`;

/** Sends a trigger. @returns userErrors */
async function trigger(payload: unknown, handle = HANDLE): Promise<unknown> {
  const { data, errors } = await query(MUTATION, { handle, payload });
  expect(errors).toBeUndefined();
  return z.object({ flowTriggerReceive: z.object({ userErrors: z.unknown() }) }).parse(data).flowTriggerReceive
    .userErrors;
}

const create = async (workflow: object = {}) =>
  z.object({ workflowId: z.string() }).parse(await stage.control("create-workflow", { trigger: HANDLE, ...workflow }));

const emails = () => stage.devstore.store().flow.emails();

describe("flowTriggerReceive", () => {
  test("starts a workflow, which writes to the customer with the fields of the payload", async () => {
    await create({ subject: "{{ product.title }} costs less", body: "{{ customer.firstName }}: {{ newPrice }}" });
    expect(await trigger(PAYLOAD)).toEqual([]);
    expect(emails()).toMatchObject([{ to: "ada@example.com", subject: "Lamp costs less", body: "Ada: 19.5" }]);
  });

  test("without a workflow that is on, is accepted and writes to nobody", async () => {
    await create({ on: false });
    expect(await trigger(PAYLOAD)).toEqual([]);
    expect(emails()).toEqual([]);
    expect(stage.devstore.store().flow.received()).toMatchObject([{ handle: HANDLE, payload: PAYLOAD, runs: [] }]);
  });

  test("an email to an unknown customer fails in the log", async () => {
    await create();
    expect(await trigger({ ...PAYLOAD, customer_id: 9 })).toEqual([]);
    expect(emails()).toEqual([]);
    expect(stage.devstore.store().flow.received()[0]?.runs).toMatchObject([
      { outcome: expect.stringContaining("no recipient") },
    ]);
  });

  const body = (message: string) => [{ field: ["body"], message: `Errors validating schema:\n  ${message}\n` }];
  test.each([
    ["an unknown handle", "no-such", PAYLOAD, body("Invalid handle 'no-such'.")],
    ["a missing field", HANDLE, { customer_id: 501, product_id: 1 }, body("Required field missing: 'New price'.")],
    ["an unknown field", HANDLE, { ...PAYLOAD, colour: "red" }, body("Invalid field: 'colour'.")],
    [
      "a field of another type",
      HANDLE,
      { ...PAYLOAD, product_id: "gid://shopify/Product/1" },
      body(`Type error for field 'product_id': "gid://shopify/Product/1" is not a Int.`),
    ],
    [
      "more than 50,000 bytes",
      HANDLE,
      { ...PAYLOAD, text: "x".repeat(50_000) },
      body("Properties size exceeds the limit of 50000 bytes."),
    ],
    ["no payload", HANDLE, null, [{ field: ["handle"], message: "`handle` and `payload` arguments are required" }]],
  ])("refuses %s with Shopify's user error", async (_, handle, payload, errors) => {
    expect(await trigger(payload, handle)).toEqual(errors);
    expect(stage.devstore.store().flow.received()).toEqual([]);
  });

  test("requires read_customers for a trigger that names a customer", async () => {
    const { installation } = stage.devstore.store();
    installation.scopes = ["read_products"];
    const { errors } = await query(MUTATION, { handle: HANDLE, payload: PAYLOAD });
    expect(errors).toMatchObject([{ message: expect.stringContaining("`read_customers`") }]);
    installation.scopes = [...SCOPES];
  });
});

describe("the lifecycle callback", () => {
  const callbacks = () => stage.app.requests.map(({ body }): unknown => JSON.parse(body));
  const used = (isUsed: boolean) => ({
    flow_trigger_definition_id: "Watched price fell",
    has_enabled_flow: isUsed,
    shop_id: Number(stage.devstore.store().shop.id),
    shopify_domain: stage.devstore.shop,
    timestamp: expect.any(String),
  });

  test("is sent when a workflow is turned on, signed with the app's secret", async () => {
    await create();
    const [request] = stage.app.requests;
    expect(request).toMatchObject({ method: "POST", target: "/flow/lifecycle" });
    expect(request?.headers["x-shopify-hmac-sha256"]).toBe(webhookSignature(request?.body ?? "", API_SECRET));
    expect(callbacks()).toEqual([used(true)]);
  });

  test("reports the trigger as unused only when its last workflow is turned off", async () => {
    const [first, second] = [await create(), await create()];
    stage.app.requests.length = 0;
    await stage.control("turn-workflow", { ...first, on: false });
    await stage.control("delete-workflow", second);
    expect(callbacks()).toEqual([used(true), used(false)]);
  });

  test("keeps a workflow off when the app does not accept it", async () => {
    const { workflowId } = await create({ on: false });
    stage.app.respondWith((response) => void response.writeHead(500).end());
    expect(await stage.control("turn-workflow", { workflowId, on: true })).toMatchObject({
      ok: false,
      error: "The app responded with 500 to the lifecycle callback.",
    });
    expect(stage.devstore.store().flow.byId(workflowId)?.isOn).toBe(false);
  });

  test("is not sent on uninstall, which turns the workflows off", async () => {
    const { workflowId } = await create();
    stage.app.requests.length = 0;
    await stage.control("uninstall");
    await stage.control("await-deliveries");
    expect(stage.app.requests.map(({ target }) => target)).not.toContain("/flow/lifecycle");
    expect(stage.devstore.store().flow.byId(workflowId)?.isOn).toBe(false);
    await stage.control("install");
    query = await adminApi(stage.devstore);
  });
});

test("an app without Flow extensions has a page that says so", async () => {
  const own = await startStage({ extensions: "/no/such/folder" });
  try {
    const page = await (await fetch(`${own.devstore.url}/store/larkfell-outdoor/flow`)).text();
    expect(page).toContain("has no Flow triggers");
  } finally {
    await own.close();
  }
});

test.each([
  [
    "only letters and spaces",
    `[[extensions]]\nname = "Bad"\ntype = "flow_trigger"\nhandle = "bad"\n[[settings.fields]]\ntype = "url"\nkey = "item_url"\n`,
  ],
  [
    "an absolute https: address",
    `[[extensions]]\nname = "Bad"\ntype = "flow_trigger_lifecycle_callback"\nhandle = "bad"\nurl = "/flow"\n`,
  ],
])("an extension that Shopify's CLI refuses is named on the Flow page: %s", async (reason, toml) => {
  const folder = await mkdtemp(path.join(tmpdir(), "flow-"));
  await mkdir(path.join(folder, "bad"));
  await writeFile(path.join(folder, "bad", "shopify.extension.toml"), toml);
  const own = await startStage({ extensions: folder });
  try {
    const page = await (await fetch(`${own.devstore.url}/store/larkfell-outdoor/flow`)).text();
    expect(page).toContain("bad/shopify.extension.toml: ");
    expect(page).toContain(reason);
  } finally {
    await own.close();
    await rm(folder, { recursive: true });
  }
});

test("the admin's pages create a workflow, lower a price, show the email and refund an order", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const home = `${stage.devstore.url}/store/larkfell-outdoor`;
    await page.goto(`${home}/flow`);
    await page.getByText("New workflow: send an email").click();
    await page.getByRole("button", { name: "Create and turn on" }).click();
    await page.getByText("On", { exact: true }).waitFor();
    await trigger(PAYLOAD);
    await page.goto(`${home}/inbox`);
    await page.getByText("Hello Ada,").waitFor();

    await page.goto(`${stage.devstore.controlUrl}?product=1`);
    await page.getByRole("button", { name: "Lower price by 20%" }).click();
    const price = page.getByLabel("Price of Variant 10", { exact: true });
    await page.locator("input[name=compareAtPrice][value='10.00']").waitFor();
    expect(await price.inputValue()).toBe("8.00");
    await page.getByLabel("Compare-at price of Variant 10").fill("");
    await page.getByLabel("Inventory of Variant 10").fill("-1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator("input[name=quantity][value='-1']").waitFor();
    expect(await page.getByLabel("Compare-at price of Variant 10").inputValue()).toBe("");

    await stage.control("place-order", { customerId: "501", lines: [{ variantId: "10", quantity: 2 }] });
    await page.goto(`${home}/orders`);
    await page.getByRole("link", { name: "#1001" }).click();
    await page.getByLabel("Units of Lamp, Variant 10 to refund").fill("1");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByText("Partially refunded").waitFor();
  } finally {
    await browser.close();
  }
});
