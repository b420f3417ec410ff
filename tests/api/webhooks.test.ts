import { afterAll, beforeAll, describe, expect } from "vitest";
import { unseal } from "../../app/platform/encryption/crypto.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { SECRET_PURPOSE } from "../../app/webhooks/subscriptions/secrets.server.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { ADDED, RECEIVER, REMOVED, SHARED, subscribe, webhooksStored } from "../support/webhooks/webhooks.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { serviceEnv } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

const DAY_MS = 24 * 3_600_000;

interface Webhook {
  webhookId: string;
  url: string;
  events: string[];
  createdAt: string;
  enabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
}

interface CreatedWebhook extends Webhook {
  secret: string;
}

let service: InProcessApp;
let call: Call;
let shop: TestShop;

// Without a worker deliveries are not sent.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

function create(json: unknown, token = shop.token): Promise<ApiResponse> {
  return call("POST", "/v1/webhooks", { token, json });
}

async function list(token: string): Promise<Webhook[]> {
  return (await call("GET", "/v1/webhooks", { token })).data<{ webhooks: Webhook[] }>().webhooks;
}

function read(webhookId: string, token = shop.token): Promise<ApiResponse> {
  return call("GET", `/v1/webhooks/${webhookId}`, { token });
}

function change(webhookId: string, json: unknown, token = shop.token): Promise<ApiResponse> {
  return call("PATCH", `/v1/webhooks/${webhookId}`, { token, json });
}

async function rotate(webhookId: string): Promise<{ secret: string; previousSecretValidUntil: string }> {
  return (await call("POST", `/v1/webhooks/${webhookId}/rotate-secret`, { token: shop.token })).data();
}

interface EndpointRow {
  url: string;
  created_at: Date;
  secret_sealed: string;
  old_secret_sealed: string | null;
  old_secret_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  failures: number;
  failing_since: Date | null;
  backoff_until: Date | null;
  due: boolean;
}

async function stored(webhookId: string): Promise<EndpointRow> {
  const [row] = await service.database.rows<EndpointRow>(
    "SELECT *, due_at IS NOT NULL AND due_at <= clock_timestamp() AS due FROM webhook_endpoint WHERE id = $1",
    [webhookId],
  );
  if (!row) throw new Error(`there is no row of ${webhookId}`);
  return row;
}

/** Creates a webhook in a new shop, whose maximum no other test uses. */
async function newWebhook(): Promise<CreatedWebhook & { token: string }> {
  const { token } = await makeShop(service, call);
  return { ...(await create({ url: RECEIVER, events: [ADDED] }, token)).data<CreatedWebhook>(), token };
}

const ISO_TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Unseals a value with the service's key. */
function open(sealed: string | null): string {
  provideEnv(serviceEnv(service.database.url));
  return unseal(sealed ?? "", SECRET_PURPOSE);
}

test("a webhook is created with an id and a secret that is shown once", async () => {
  const response = await create({ url: RECEIVER, events: [SHARED, ADDED] });
  const { secret, ...webhook } = response.data<CreatedWebhook>();
  const row = await stored(webhook.webhookId);
  expect([response.status, webhook]).toEqual([
    201,
    {
      webhookId: expect.stringMatching(/^whk_[0-9A-Za-z]{28}$/),
      url: RECEIVER,
      events: [SHARED, ADDED],
      batch: false,
      name: null,
      createdAt: row.created_at.toISOString(),
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
    },
  ]);
  // Standard Webhooks: a prefix and the base64 of 24 to 64 bytes.
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(open(row.secret_sealed)).toBe(secret);
  expect((await read(webhook.webhookId)).data()).toEqual(webhook);
  expect(await list(shop.token)).toContainEqual(webhook);
});

test("webhooks of one shop are listed, oldest first", async () => {
  const other = await makeShop(service, call);
  expect(await list(other.token)).toEqual([]);
  const made: string[] = [];
  for (let i = 0; i < 3; i++) made.push((await subscribe(call, other, RECEIVER)).webhookId);
  await service.database.rows("UPDATE webhook_endpoint SET created_at = now() - interval '1 day' WHERE id = $1", [
    made[2],
  ]);
  expect((await list(other.token)).map(({ webhookId }) => webhookId)).toEqual([made[2], made[0], made[1]]);
});

test.each([
  ["HTTPS://Hooks.Example.COM:443/a/../b?x=1", "https://hooks.example.com/b?x=1"],
  ["https://bücher.example/ö", "https://xn--bcher-kva.example/%C3%B6"],
  ["https://8.8.8.8:8443", "https://8.8.8.8:8443/"],
  [`https://a.example/${"p".repeat(2_030)}`, `https://a.example/${"p".repeat(2_030)}`],
])("the URL %s is stored in its normal form", async (url, normal) => {
  const { token } = await makeShop(service, call);
  expect((await create({ url, events: [ADDED] }, token)).data()).toMatchObject({ url: normal });
});

const HOST = /^must lead to a public host: \S/;
const SCHEME = /^must begin with https:\/\/$/;
const BAD_URLS: [url: string, problem: RegExp][] = [
  ["http://hooks.example.com/", SCHEME],
  ["ftp://hooks.example.com/", SCHEME],
  ["javascript:alert(1)", SCHEME],
  ["hooks.example.com", SCHEME],
  ["//hooks.example.com", SCHEME],
  ["https:hooks.example.com", SCHEME],
  ["https:\\\\hooks.example.com", SCHEME],
  ["", SCHEME],
  ["https://", /^is not a valid URL$/],
  ["https://hooks.example.com:99999/", /^is not a valid URL$/],
  ["https://300.1.1.1/", /^is not a valid URL$/],
  ["https://me:pass@hooks.example.com/", /user name or a password/],
  ["https://me@hooks.example.com/", /user name or a password/],
  ["https://:pass@hooks.example.com/", /user name or a password/],
  ["https://hooks.example.com/#top", /fragment/],
  ["https://hooks.example.com/#", /fragment/],
  ["https://hooks.example.com/a b", /white space/],
  ["https://hooks.example.com/\n", /white space/],
  ["https://hooks.exa\tmple.com/", /white space/],
  ["https://hooks.example.com/\u0000", /white space or control/],
  [`https://a.example/${"p".repeat(2_031)}`, /^must have at most 2048 characters$/],
  [`https://a.example/${"ö".repeat(1_000)}`, /^must have at most 2048 characters once it is percent-encoded$/],
  ["https://localhost/", HOST],
  ["https://LOCALHOST./", HOST],
  ["https://hooks.localhost/", HOST],
  ["https://intranet/", HOST],
  ["https://db.internal/", HOST],
  ["https://printer.local/", HOST],
  ["https://127.0.0.1/", HOST],
  ["https://127.1/", HOST],
  ["https://2130706433/", HOST],
  ["https://0x7f000001/", HOST],
  ["https://0177.0.0.1/", HOST],
  ["https://%31%32%37.0.0.1/", HOST],
  ["https://１２７.0.0.1/", HOST],
  ["https://0.0.0.0/", HOST],
  ["https://10.0.0.5/", HOST],
  ["https://172.16.0.1/", HOST],
  ["https://192.168.1.1/", HOST],
  ["https://169.254.169.254/latest/meta-data", HOST],
  ["https://100.64.0.1/", HOST],
  ["https://255.255.255.255/", HOST],
  ["https://[::1]/", HOST],
  ["https://[::]/", HOST],
  ["https://[::ffff:127.0.0.1]/", HOST],
  ["https://[::ffff:8.8.8.8]/", HOST],
  ["https://[64:ff9b::7f00:1]/", HOST],
  ["https://[2002:7f00:1::]/", HOST],
  ["https://[fe80::1]/", HOST],
  ["https://[fd00::1]/", HOST],
];

const BAD_BODIES: [what: string, change: object, paths: string[]][] = [
  ["a text for batch", { batch: "true" }, ["body.batch"]],
  ["no event", { events: [] }, ["body.events"]],
  ["an unknown event", { events: [ADDED, "wishlist.item.moved"] }, ["body.events[1]"]],
  ["an event of another case", { events: ["Wishlist.Shared"] }, ["body.events[0]"]],
  ["an event twice", { events: [ADDED, REMOVED, ADDED] }, ["body.events"]],
  ["an event that is no text", { events: [1] }, ["body.events[0]"]],
  ["a text for a list", { events: ADDED }, ["body.events"]],
  ["null for a list", { events: null }, ["body.events"]],
  ["null for an address", { url: null }, ["body.url"]],
  ["a list of addresses", { url: [RECEIVER] }, ["body.url"]],
  ["an unknown field", { secret: "whsec_mine" }, ["body.secret"]],
  ["several mistakes", { url: "x", events: ["y"] }, ["body.url", "body.events[0]"]],
];

describe("is refused and stores nothing:", () => {
  let webhookId: string;
  beforeAll(async () => {
    webhookId = (await subscribe(call, shop, RECEIVER)).webhookId;
  });

  async function expectRefused(responses: () => Promise<ApiResponse>[], details: unknown): Promise<void> {
    const before = await webhooksStored(service.database);
    for (const response of await Promise.all(responses())) expectFailure(response, 400, "invalid_request", details);
    expect(await webhooksStored(service.database)).toEqual(before);
  }

  test.each(BAD_URLS)("a webhook to %j", async (url, problem) => {
    const details = [{ path: "body.url", problem: expect.stringMatching(problem) }];
    await expectRefused(() => [create({ url, events: [ADDED] }), change(webhookId, { url })], details);
  });

  test.each(BAD_BODIES)("a webhook with %s", async (_what, json, paths) => {
    const whole = { url: RECEIVER, events: [ADDED], ...json };
    await expectRefused(() => [create(whole), change(webhookId, json)], problemsAt(...paths));
  });

  test.each([
    [{ events: [ADDED] }, "body.url"],
    [{ url: RECEIVER }, "body.events"],
    [{ url: RECEIVER, events: [ADDED], enabled: false }, "body.enabled"],
  ])("creating one with %j", async (json, path) => {
    await expectRefused(() => [create(json)], problemsAt(path));
  });

  test.each([
    [{}, "body"],
    [{ enabled: "false" }, "body.enabled"],
    [{ enabled: null }, "body.enabled"],
    [{ webhookId: "whk_other" }, "body.webhookId"],
  ])("changing one by %j", async (json, path) => {
    await expectRefused(() => [change(webhookId, json)], problemsAt(path));
  });
});

test("a shop has 20 webhooks at most, and room again when one is deleted", async () => {
  const full = await makeShop(service, call);
  for (let i = 0; i < 20; i++) await subscribe(call, full, RECEIVER);
  const before = await webhooksStored(service.database);
  expectFailure(await create({ url: RECEIVER, events: [ADDED] }, full.token), 409, "webhook_limit_reached");
  expect(await webhooksStored(service.database)).toEqual(before);

  expect((await create({ url: RECEIVER, events: [ADDED] })).status).toBe(201);
  const [first] = await list(full.token);
  (await call("DELETE", `/v1/webhooks/${String(first?.webhookId)}`, { token: full.token })).data();
  expect((await create({ url: RECEIVER, events: [ADDED] }, full.token)).status).toBe(201);
});

test.each([0, 19])("30 concurrent creations beside %i webhooks leave 20", async (there) => {
  const at = await makeShop(service, call);
  for (let i = 0; i < there; i++) await subscribe(call, at, RECEIVER);
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => create({ url: RECEIVER, events: [ADDED] }, at.token)),
  );
  const refused = responses.filter(({ status }) => status !== 201);
  for (const response of refused) expectFailure(response, 409, "webhook_limit_reached");
  expect([refused.length, (await list(at.token)).length]).toEqual([10 + there, 20]);
});

test("a webhook has a name when its owner gives it one, and loses it again", async () => {
  const named = { url: RECEIVER, events: [ADDED], name: "Newsletter 📬" };
  const { webhookId, ...made } = (await create(named)).data<CreatedWebhook & { name: string | null }>();
  expect(made.name).toBe("Newsletter 📬");
  expect((await change(webhookId, { events: [REMOVED] })).data()).toMatchObject({ name: "Newsletter 📬" });
  expect((await change(webhookId, { name: "Warehouse" })).data()).toMatchObject({
    name: "Warehouse",
    events: [REMOVED],
  });
  for (const name of ["", "   ", "two\nlines", "x".repeat(101), 7]) {
    expectFailure(await change(webhookId, { name }), 400, "invalid_request", problemsAt("body.name"));
    expectFailure(await create({ ...named, name }), 400, "invalid_request", problemsAt("body.name"));
  }
  expect((await read(webhookId)).data()).toMatchObject({ name: "Warehouse" });
  expect((await change(webhookId, { name: null })).data()).toMatchObject({ name: null });
  (await call("DELETE", `/v1/webhooks/${webhookId}`, { token: shop.token })).data();
});

test("a webhook's secret is stored nowhere in a usable form", async () => {
  const { webhookId, secret } = await subscribe(call, shop, RECEIVER);
  const keyed = await call("POST", "/v1/webhooks", {
    token: shop.token,
    json: { url: RECEIVER, events: [ADDED] },
    headers: { "idempotency-key": "secrets" },
  });
  const secrets = [secret, keyed.data<CreatedWebhook>().secret, (await rotate(webhookId)).secret];
  const tables = await service.database.rows<{ table: string }>(
    "SELECT quote_ident(tablename) AS table FROM pg_tables WHERE schemaname = 'public'",
  );
  const dumps = await Promise.all(
    tables.map(({ table }) => service.database.rows<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
  );
  const dump = dumps.flatMap((rows) => rows.map(({ row }) => row)).join("\n");
  expect(dump).toContain(webhookId);
  for (const one of secrets) {
    const key = Buffer.from(one.slice("whsec_".length), "base64");
    for (const form of [one.slice("whsec_".length), key.toString("hex"), key.toString("base64url")])
      expect(dump).not.toContain(form);
  }
});

describe("changing a webhook", () => {
  const OTHER = "https://other.example.com/hook";

  /** Makes a webhook failing and disabled for that reason. */
  function disable(webhookId: string, reason: string): Promise<unknown> {
    return service.database.rows(
      `UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = $2, failures = 7, due_at = NULL,
              failing_since = '2026-11-01T10:00:00Z', backoff_until = now() + interval '1 hour' WHERE id = $1`,
      [webhookId, reason],
    );
  }

  const AFRESH = { disabled_at: null, disabled_reason: null, failures: 0, failing_since: null, backoff_until: null };

  test.each([
    [{ url: OTHER }, { url: OTHER }],
    [{ events: [SHARED, REMOVED] }, { events: [SHARED, REMOVED] }],
    [{ enabled: false }, { enabled: false, disabledReason: "paused", disabledAt: ISO_TIME }],
    [
      { url: OTHER, events: [REMOVED], enabled: false },
      { url: OTHER, events: [REMOVED], enabled: false, disabledReason: "paused", disabledAt: ISO_TIME },
    ],
  ])("by %j changes these fields only", async (json, expected) => {
    const { secret: _secret, token, ...webhook } = await newWebhook();
    const response = await change(webhook.webhookId, json, token);
    expect([response.status, response.data()]).toEqual([200, { ...webhook, ...expected }]);
    expect((await read(webhook.webhookId, token)).data()).toEqual({ ...webhook, ...expected });
  });

  test.each(["paused", "gone", "failing"])(
    "that is disabled (%s) shows the reason, and starts afresh when enabled",
    async (why) => {
      const { webhookId, token } = await newWebhook();
      await disable(webhookId, why);
      const failed = { enabled: false, disabledReason: why, failingSince: "2026-11-01T10:00:00.000Z" };
      expect((await read(webhookId, token)).data()).toMatchObject(failed);
      const response = await change(webhookId, { enabled: true }, token);
      expect(response.data()).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
      expect(await stored(webhookId)).toMatchObject({ ...AFRESH, due: true });
    },
  );

  test("to another URL starts afresh, unlike to its own URL or other events", async () => {
    const { webhookId, token } = await newWebhook();
    await disable(webhookId, "gone");
    await change(webhookId, { url: "HTTPS://hooks.example.com:443/wishlist" }, token);
    await change(webhookId, { events: [SHARED] }, token);
    expect(await stored(webhookId)).toMatchObject({ disabled_reason: "gone", failures: 7, due: false });
    await change(webhookId, { url: OTHER }, token);
    expect(await stored(webhookId)).toMatchObject({ ...AFRESH, url: OTHER, due: true });
  });

  test("to another URL keeps the merchant's pause", async () => {
    const { webhookId, token } = await newWebhook();
    await change(webhookId, { url: OTHER, enabled: false }, token);
    expect(await stored(webhookId)).toMatchObject({ url: OTHER, disabled_reason: "paused" });
    await change(webhookId, { url: RECEIVER }, token);
    expect(await stored(webhookId)).toMatchObject({ url: RECEIVER, disabled_reason: "paused", failures: 0 });
  });
});

test("a rotation keeps the previous secret for a day and ends the one before", async () => {
  const { webhookId, secret } = await subscribe(call, shop, RECEIVER);
  const before = Date.now();
  const next = await rotate(webhookId);
  const after = Date.now();
  expect(next).toEqual({
    webhookId,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    previousSecretValidUntil: expect.any(String),
  });
  const until = Date.parse(next.previousSecretValidUntil);
  expect(until).toBeGreaterThanOrEqual(before + DAY_MS);
  expect(until).toBeLessThanOrEqual(after + DAY_MS);
  const row = await stored(webhookId);
  expect([open(row.secret_sealed), open(row.old_secret_sealed)]).toEqual([next.secret, secret]);
  expect(row.old_secret_until?.toISOString()).toBe(next.previousSecretValidUntil);

  const third = await rotate(webhookId);
  const again = await stored(webhookId);
  expect([open(again.secret_sealed), open(again.old_secret_sealed)]).toEqual([third.secret, next.secret]);
  expect(new Set([secret, next.secret, third.secret]).size).toBe(3);
});

test("ten concurrent rotations leave the last two secrets that were returned", async () => {
  const { webhookId } = await subscribe(call, shop, RECEIVER);
  const given = (await Promise.all(Array.from({ length: 10 }, () => rotate(webhookId)))).map(({ secret }) => secret);
  const row = await stored(webhookId);
  const [current, previous] = [open(row.secret_sealed), open(row.old_secret_sealed)];
  expect(given).toEqual(expect.arrayContaining([current, previous]));
  expect(current).not.toBe(previous);
});

test("deleting a webhook keeps the others", async () => {
  const other = await makeShop(service, call);
  const { token } = other;
  const [gone, left] = [await subscribe(call, other, RECEIVER), await subscribe(call, other, RECEIVER)];
  const response = await call("DELETE", `/v1/webhooks/${gone.webhookId}`, { token });
  expect([response.status, response.data()]).toEqual([200, { deleted: true }]);
  expectFailure(await read(gone.webhookId, token), 404, "webhook_not_found");
  expectFailure(await call("DELETE", `/v1/webhooks/${gone.webhookId}`, { token }), 404, "webhook_not_found");
  expect((await list(token)).map(({ webhookId }) => webhookId)).toEqual([left.webhookId]);
});

describe("with WEBHOOKS_ALLOW_LOOPBACK", () => {
  let local: InProcessApp;
  beforeAll(async () => {
    local = await startApp({
      database: service.database,
      env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", WISHLIST_ROLE: "web" },
    });
  });
  afterAll(() => local.dispose());

  test.each([
    ["http://localhost:4000/hook", 201],
    ["http://127.0.0.1:4000/", 201],
    ["https://[::1]/", 201],
    ["http://hooks.example.com/", 201],
    ["http://10.0.0.5/", 400],
    ["https://169.254.169.254/", 400],
    ["http://127.0.0.1:4000/#", 400],
  ])("a webhook to %s gets %i", async (url, status) => {
    const { token } = await makeShop(service, call);
    const response = await client(local)("POST", "/v1/webhooks", { token, json: { url, events: [ADDED] } });
    expect(response.status).toBe(status);
  });
});
