import type { Request } from "playwright";
import { MATRIX } from "../support/matrix.ts";
import { afterEach, beforeEach, expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { COLLECTION, expect, heartOf, press } from "../e2e/fixtures/visitor.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import {
  cancelModal,
  endSession,
  enter,
  expectAccessibleOnAllSizes,
  inModal,
  pathOf,
  renewSession,
  save,
  type Admin,
} from "./fixtures.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const NEW = "/app/webhooks/new";
const EVENTS = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"];

/** Submits the open form and opens the webhook's page. @returns the page's path and the secret */
async function add(admin: Admin): Promise<{ path: string; secret: string }> {
  const { app, page } = admin;
  await app.getByLabel("URL").fill(` ${receiver.url} `);
  await save(page);
  const secret = await app.getByLabel("Secret", { exact: true }).inputValue();
  await app.getByRole("link", { name: "Done" }).click();
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/webhooks\/whk_\w+$/);
  return { path: pathOf(admin), secret };
}

/** Makes a webhook through /v1, as a developer would. @returns its page's path */
async function createWebhook({ call, token }: LiveStore): Promise<string> {
  const json = { url: receiver.url, events: EVENTS };
  const response = await call("POST", "/v1/webhooks", { token: await token(), json });
  return `/app/webhooks/${response.data<{ webhookId: string }>().webhookId}`;
}

test("a new webhook delivers a saved item, reports a failure and redelivers", async ({ arrive, store }) => {
  const admin = await enter(await arrive(), "/app/webhooks");
  const { app, page } = admin;
  await app.getByRole("link", { name: "Add webhook" }).click();
  const { path, secret } = await add(admin);

  const shopper = await arrive();
  await shopper.startSession(store.newCustomer());
  const shop = await shopper.context.newPage();
  await shopper.visit(shop, COLLECTION);
  await press(heartOf(shop, productAt(0).handle));
  await receiver.until(1);
  await expect.poll(() => store.database.rows("SELECT 1 FROM webhook_attempt WHERE status = 204")).toHaveLength(1);
  await admin.open(path);
  await expect(app.getByText("Response 204")).toBeVisible();
  expectValue(await app.locator("html").innerHTML()).not.toContain(secret);

  receiver.respondWith((response) => void response.writeHead(503).end("under repair"));
  await press(heartOf(shop, productAt(1).handle));
  const [, failed] = await receiver.until(2);
  await expect.poll(() => store.database.rows("SELECT 1 FROM webhook_attempt WHERE status = 503")).toHaveLength(1);
  await admin.open(path);
  await expect(app.getByText("Deliveries have been failing since")).toBeVisible();
  await expect(app.getByText("Last attempt: Response 503")).toBeVisible();
  await app.getByRole("row", { name: "Waiting" }).getByRole("link").click();
  expectValue(JSON.parse(await app.getByLabel("Body").innerText())).toEqual(JSON.parse(failed?.text ?? ""));
  await expect(app.getByRole("link", { name: "View product" })).toHaveAttribute(
    "href",
    /\/app\/analytics\/products\/\d+/,
  );
  await expect(app.getByRole("link", { name: "View customer in Shopify" })).toBeVisible();
  await expect(app.getByLabel("Request of attempt 1")).toContainText(`webhook-timestamp: ${String(failed?.timestamp)}`);
  await expect(app.getByLabel("Response to attempt 1")).toHaveText("under repair");

  receiver.respondWith(204);
  await page.getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("Delivery queued")).toBeVisible();
  await expect(app.getByText("Attempt 1: response 204")).toBeVisible();
  await expect(app.getByText("Succeeded")).toBeVisible();
  const again = await receiver.until((received) => received.filter(({ id }) => id === failed?.id).length > 1);
  expectValue(again.at(-1)?.text).toBe(failed?.text);
});

test("a webhook is changed to batches, and a delivery names its batch", MATRIX, async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, `${path}/edit`);
  const { app, page } = admin;
  await app.getByLabel("Send events in batches").check();
  await app.getByLabel("Name (optional)").fill(" Newsletter ");
  await save(page);
  await expect(app.getByRole("heading", { name: "Newsletter", level: 1 })).toHaveCount(1);
  await expect(app.getByText("Up to 100 events each")).toBeVisible();
  await app.getByRole("button", { name: "Send test" }).click();
  const [one] = await receiver.until(1);
  expectValue(one?.batch).toHaveLength(1);
  await app.getByRole("link", { name: "View the last test" }).click();
  await expect(app.getByText("The request carried a batch with this event.")).toBeVisible();
  await expect(app.getByLabel("Request of attempt 1")).toContainText(`webhook-id: ${one?.id ?? ""}`);
  await admin.go(`${path}/edit`);
  await expect(app.getByLabel("Send events in batches")).toBeChecked();
  await app.getByLabel("Send events in batches").uncheck();
  await save(page);
  await expect(app.getByText("One event each")).toBeVisible();
});

test("a test message shows the receiver's response", async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, path);
  const { app } = admin;
  await app.getByRole("button", { name: "Send test" }).click();
  await expect(app.getByText("Response 204").first()).toBeVisible();
  await expect(app.getByRole("link", { name: "View the last test" })).toBeVisible();
});

test("a paused webhook keeps its deliveries and sends them when it resumes", async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, path);
  const { app, page } = admin;
  await page.getByRole("button", { name: "Pause" }).click();
  await cancelModal(admin);
  await page.getByRole("button", { name: "Pause" }).click();
  await inModal(admin, "Pause webhook").click();
  await expect(page.getByText("Webhook paused")).toBeVisible();
  const token = await store.token();
  expectValue((await store.call("GET", `/v1${path.slice("/app".length)}`, { token })).data()).toMatchObject({
    disabledReason: "paused",
  });
  await store.call("POST", `/v1${path.slice("/app".length)}/test`, { token });
  await admin.open(path);
  await expect(app.getByText("Waits until the webhook is turned on")).toBeVisible();
  expectValue(receiver.received).toEqual([]);
  await app.getByRole("button", { name: "Resume" }).click();
  await receiver.until(1);
  await expect(app.getByText("Waits until the webhook is turned on")).toHaveCount(0);
});

test(
  "a webhook that was turned off is turned on and its failed delivery sent again",
  MATRIX,
  async ({ visitor, store }) => {
    const path = await createWebhook(store);
    receiver.respondWith(410);
    const token = await store.token();
    const json = { product_id: "1", variant_id: "1" };
    await store.call("POST", "/v1/wishlists/turned-off/items", { token, json });
    const [failed] = await receiver.until(1);
    const disabled = "SELECT 1 FROM webhook_endpoint WHERE disabled_reason = 'gone'";
    await expect.poll(() => store.database.rows(disabled)).toHaveLength(1);
    const admin = await enter(visitor, "/app/webhooks");
    const { app, page } = admin;
    await expect(app.getByText("The endpoint responded with 410 Gone on")).toBeVisible();
    await app.getByRole("link", { name: "View webhook" }).click();
    await expect.poll(() => pathOf(admin)).toBe(path);
    receiver.respondWith(204);
    await app.getByRole("button", { name: "Turn on and redeliver" }).click();
    await expect(page.getByText("Webhook resumed. 1 delivery queued")).toBeVisible();
    const received = await receiver.until(2);
    expectValue(received[1]?.id).toBe(failed?.id);
  },
);

test("a rotated secret signs beside the previous one until it is rotated again", async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, path);
  const { app } = admin;
  await app.getByRole("button", { name: "Rotate secret" }).click();
  await expect(app.getByLabel("Secret", { exact: true })).toHaveValue(/^whsec_/);
  await app.getByRole("button", { name: "Send test" }).click();
  const received = await receiver.until(1);
  expectValue(received.at(-1)?.signature.split(" ")).toHaveLength(2);

  await admin.open(path);
  const sealed = () => store.database.rows("SELECT secret_sealed FROM webhook_endpoint");
  const before = await sealed();
  await app.getByRole("button", { name: "Rotate secret" }).click();
  await expect(app.getByText("The previous secret stops signing immediately")).toBeVisible();
  await cancelModal(admin);
  expectValue(await sealed()).toEqual(before);
  await app.getByRole("button", { name: "Rotate secret" }).click();
  await inModal(admin, "Rotate secret").click();
  await expect(app.getByLabel("Secret", { exact: true })).toHaveValue(/^whsec_/);
});

test("a deleted webhook's page no longer exists", MATRIX, async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, path);
  const { app, page } = admin;
  await page.getByRole("button", { name: "Delete" }).click();
  await cancelModal(admin);
  await page.getByRole("button", { name: "Delete" }).click();
  await inModal(admin, "Delete webhook").click();
  await expect(page.getByText("Webhook deleted")).toBeVisible();
  await expect(app.getByText("Send wishlist events to your systems")).toBeVisible();
  await page.goBack();
  await expect(app.getByText("There's no page at this address")).toBeVisible();
  visitor.expectFailures(`404 GET ${path}.data`);
});

test("a saved webhook does not replace the page that staff choose meanwhile", MATRIX, async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, `${path}/edit`);
  const { app, page } = admin;
  const saved = Promise.withResolvers<undefined>();
  const left = Promise.withResolvers<undefined>();
  await page.route(/\/edit\.data/, async (route) => {
    if (route.request().method() === "GET") await saved.promise;
    await route.fallback();
  });
  await page.route(/\/app\/api-keys\.data/, async (route) => {
    await left.promise;
    await route.fallback();
  });
  const isReload = (request: Request) => request.method() === "GET" && request.url().includes("/edit.data");
  const loading = page.waitForRequest(isReload);
  const reloaded = page.waitForResponse((response) => isReload(response.request()));
  await app.getByLabel("Name (optional)").fill("Newsletter");
  await save(page);
  await loading;
  // Staff who leave now have seen it.
  await expect(page.getByText("Webhook saved")).toBeVisible();
  const leaving = page.waitForRequest(/\/app\/api-keys\.data/);
  await page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
  await leaving;
  saved.resolve(undefined);
  await reloaded;
  // The form has its result in the frames after that.
  await app
    .locator("body")
    .evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  left.resolve(undefined);
  await admin.quiet();
  await expect.poll(() => pathOf(admin)).toBe("/app/api-keys");
});

test(
  "an invalid webhook form shows the API's errors at its fields",
  MATRIX,
  async ({ visitor, store: { database, call, token } }) => {
    const admin = await enter(visitor, NEW);
    const { app, page } = admin;
    const bad = [
      "",
      "ftp://example.com",
      "https://10.0.0.1/",
      `https://example.com/${"x".repeat(2_050)}`,
      "<script>alert(1)</script>",
    ];
    const bearer = await token();
    for (const url of bad) {
      const refused = await call("POST", "/v1/webhooks", { token: bearer, json: { url, events: ["wishlist.shared"] } });
      const { error } = refused.body as { error: { details: { problem: string }[] } };
      const problem = error.details[0]?.problem ?? "";
      await app.getByLabel("URL").fill(url);
      await app.getByLabel("URL").press("Enter");
      await expect(app.locator("[id$=Error]").first()).toHaveText(problem, { ignoreCase: true });
      await expect(app.getByLabel("URL")).toHaveValue(url);
    }
    // What was wrong about the last address is not said about the next one while that is sent.
    const checked = Promise.withResolvers<undefined>();
    await page.route(/\/app\/webhooks\/new\.data/, async (route) => {
      if (route.request().method() === "POST") await checked.promise;
      await route.continue();
    });
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/new.data"));
    await app.getByLabel("URL").fill("ftp://example.com");
    await app.getByLabel("URL").press("Enter");
    await sent;
    await expect(app.locator("[id$=Error]")).toHaveCount(0);
    checked.resolve(undefined);
    await expect(app.locator("[id$=Error]")).toHaveCount(1);
    for (const label of ["Item saved", "Item removed", "Wishlist shared"]) await app.getByLabel(label).uncheck();
    await save(page);
    await expect(app.getByText("Must name at least one event")).toBeVisible();

    // An invalid form that the page can't produce, and a form that is submitted twice.
    const { path, responses } = await app.locator("body").evaluate(
      async (_, [page = "", url = ""]) => {
        const text = await (await fetch(`${page}.data`)).text();
        const idempotencyKey = /"idempotencyKey","(\w{22})"/.exec(text)?.[1] ?? "";
        const send = async (...events: string[]) => {
          const body = new URLSearchParams([
            ["intent", "create"],
            ["url", url],
            ["idempotencyKey", idempotencyKey],
            ...events.map((event) => ["events", event]),
          ]);
          return (await fetch(`${page}.data`, { method: "POST", body })).text();
        };
        const twice = ["wishlist.shared", "wishlist.shared"];
        const sent = [
          await send(...twice),
          await send("nonsense"),
          await send("wishlist.shared"),
          await send("wishlist.shared"),
        ];
        return { path: page, responses: sent };
      },
      [NEW, receiver.url],
    );
    expectValue(path).toBe(NEW);
    expectValue(responses[0]).toContain("names an event more than once");
    expectValue(responses[1]).toContain("is not an event");
    const [first, second] = responses.slice(2).map((response) => /whsec_[\w+/=]+/.exec(response)?.[0]);
    expectValue(first).toBeDefined();
    expectValue(second).toBe(first);
    expectValue(await database.rows("SELECT url FROM webhook_endpoint")).toEqual([{ url: receiver.url }]);
  },
);

test("webhook forms keep their values when the session ends", MATRIX, async ({ visitor, store }) => {
  const path = await createWebhook(store);
  const admin = await enter(visitor, NEW);
  const { app, open, page } = admin;
  for (const address of [NEW, `${path}/edit`]) {
    await open(address);
    await app.getByLabel("URL").fill("https://hooks.example.com/typed");
    await app.getByLabel("Wishlist shared").uncheck();
    await endSession(admin);
    await save(page);
    await expect(app.getByText("Your session has ended, and nothing was saved.")).toBeVisible();
    await admin.quiet();
    await expect(app.getByLabel("URL")).toHaveValue("https://hooks.example.com/typed");
    await expect(app.getByLabel("Wishlist shared")).not.toBeChecked();
    await renewSession(admin);
    visitor.expectFailures(`401 POST ${address}.data`, `401 POST ${address}.data`);
  }
  expectValue(await store.database.rows("SELECT url, events FROM webhook_endpoint")).toEqual([
    { url: receiver.url, events: EVENTS },
  ]);
});

/** Adds failed deliveries and one pending delivery to the webhook. */
async function addDeliveries({ database }: LiveStore, failed: number): Promise<void> {
  await database.rows(
    `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
     SELECT shop_id, uuid_v7(), id, uuid_v7(), 'wishlist.shared', 'event', 3, CASE WHEN n = 0 THEN 'pending' ELSE 'failed' END,
            CASE WHEN n = 0 THEN now() + interval '1 hour' END, now()
       FROM webhook_endpoint, generate_series(0, $1::integer) AS n`,
    [failed],
  );
}

test("the delivery log keeps its filters and page in the URL", async ({ visitor, store }) => {
  const path = await createWebhook(store);
  await addDeliveries(store, 51);
  const admin = await enter(visitor, `${path}?status=failed`);
  const { app } = admin;
  await expect(app.getByLabel("Status")).toHaveValue("failed");
  await expect(app.getByText("51 deliveries failed and were not sent again")).toBeVisible();
  await app.getByRole("link", { name: "Next" }).click();
  await expect.poll(() => pathOf(admin)).toContain("status=failed&before=dlv_");
  await expect(app.getByRole("row", { name: "Failed" })).toHaveCount(1);
  await admin.reload();
  await expect(app.getByRole("row", { name: "Failed" })).toHaveCount(1);
  await app.getByRole("link", { name: "Previous" }).click();
  await expect(app.getByRole("row", { name: "Failed" })).toHaveCount(50);
  await app.getByLabel("Status").selectOption("succeeded");
  await expect(app.getByText("No deliveries match these filters")).toBeVisible();
  await app.getByRole("link", { name: "Clear filters" }).click();
  await expect.poll(() => pathOf(admin)).toBe(path);
});

test(
  "every state of the webhook pages is accessible and fits phones and desktops",
  MATRIX,
  async ({ arrive, store }) => {
    const admin = await enter(await arrive(), "/app/webhooks");
    const { app, page } = admin;
    await expect(app.getByText("Send wishlist events to your systems")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await app.getByRole("link", { name: "Add webhook" }).click();
    await app.getByLabel("URL").fill("http://10.0.0.1");
    await save(page);
    await expect(app.getByText("a private address")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    const { path } = await add(admin);
    await addDeliveries(store, 3);
    await admin.open(`${path}?status=pending`);
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(app.getByText("Waiting deliveries are discarded")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await store.database.rows(
      "UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'gone', failing_since = now()",
    );
    await admin.open(path);
    await expect(app.getByText("Turned off: the endpoint is gone")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await app
      .getByRole("link", { name: /\d\d:\d\d/ })
      .first()
      .click();
    await expect(app.getByText("The event was deleted")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go("/app/webhooks/receiver");
    await app.getByRole("tab", { name: "Python" }).click();
    await expect(app.getByText("receiver.py").first()).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go("/app/webhooks");
    await expect(app.getByText("Turned off", { exact: true })).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
  },
);
