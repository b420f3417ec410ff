import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { holdClock } from "../../../app/platform/clock.server.ts";
import { launchBrowser } from "../../../tests/support/browser/browser.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";
import { hasOpenApi, openApiProblems, WITHOUT_OPENAPI } from "./fixtures/klaviyo-openapi.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ data: "none" });
});
afterAll(() => stage.close());
beforeEach(() => {
  holdClock(new Date("2026-11-27T10:00:00Z"));
  // A new minute for each test: the rate limits count by fixed windows.
  minute += 1;
  holdClock(new Date(Date.UTC(2026, 10, 27, 10, minute)));
});
afterEach(async () => {
  await stage.control("reset");
  holdClock(undefined);
});
let minute = 0;

const klaviyo = () => stage.devstore.klaviyo;

const refusalSchema = z.object({
  errors: z
    .array(z.object({ code: z.string(), detail: z.string(), source: z.object({ pointer: z.string() }).optional() }))
    .length(1),
});

async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const sent = {
    "x-forwarded-host": "a.klaviyo.com",
    authorization: `Klaviyo-API-Key ${klaviyo().key}`,
    revision: "2026-07-15",
    ...(body === undefined ? {} : { "content-type": "application/vnd.api+json" }),
    ...headers,
  };
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await fetch(stage.devstore.url + path, { method, headers: sent, ...init });
  const text = await response.text();
  const refusal = response.status < 400 ? undefined : refusalSchema.parse(JSON.parse(text)).errors[0];
  return { status: response.status, text, refusal, retryAfter: response.headers.get("retry-after") };
}

interface Given {
  email?: string;
  external_id?: string;
  unique_id?: string;
  [field: string]: unknown;
}

function eventOf({ email, external_id, metric = "Price dropped", profile, ...attributes }: Given = {}) {
  const identifiers = { ...(email && { email }), ...(external_id && { external_id }) };
  return {
    data: {
      type: "event",
      attributes: {
        properties: { Title: "Lamp" },
        metric: { data: { type: "metric", attributes: { name: metric } } },
        profile: { data: { type: "profile", attributes: { ...identifiers, ...Object(profile) } } },
        ...attributes,
      },
    },
  };
}

/** Returns a bulk request with one entry per event. */
function bulkOf(events: Given[]) {
  const data = events.map((given) => {
    const { profile, ...attributes } = eventOf(given).data.attributes;
    return {
      type: "event-bulk-create",
      attributes: { profile, events: { data: [{ type: "event", attributes }] } },
    };
  });
  return { data: { type: "event-bulk-create-job", attributes: { "events-bulk-create": { data } } } };
}

const ADA = { email: "ada@example.com", external_id: "501", unique_id: "e-1" };
const EVENTS = "/api/events";
const BULK = "/api/event-bulk-create-jobs";

test("a key reads the account's name", async () => {
  const { status, text } = await request("GET", "/api/accounts");
  expect(status).toBe(200);
  expect(text).toContain('"organization_name":"Larkfell Outdoor"');
});

describe("events", () => {
  test("make a profile, and one event per profile, metric and unique id", async () => {
    const event = eventOf({ ...ADA, time: "2026-11-27T09:00:00.999Z", value: 19.5, value_currency: "EUR" });
    expect((await request("POST", EVENTS, event)).status).toBe(202);
    expect((await request("POST", EVENTS, event)).status).toBe(202);
    expect((await request("POST", BULK, bulkOf([ADA]))).status).toBe(202);
    expect(klaviyo().events()).toMatchObject([
      {
        metric: "Price dropped",
        time: new Date("2026-11-27T09:00:00Z"),
        uniqueId: "e-1",
        value: 19.5,
        currency: "EUR",
      },
    ]);
    await request("POST", EVENTS, eventOf({ ...ADA, metric: "Back in stock" }));
    expect(klaviyo().events()).toHaveLength(2);
    expect(klaviyo().profiles()).toMatchObject([{ email: "ada@example.com", externalId: "501" }]);
  });

  test("of an external id and of an address belong to one profile after an event with both", async () => {
    await request("POST", EVENTS, eventOf({ external_id: "501", unique_id: "a" }));
    await request("POST", EVENTS, eventOf({ ...ADA, unique_id: "b" }));
    await request("POST", EVENTS, eventOf({ email: "ADA@example.com", unique_id: "c" }));
    expect(klaviyo().profiles()).toHaveLength(1);
  });

  test.for([
    ["an unknown field", { extra: 1 }, "/data/attributes"],
    ["a field of consent", { profile: { subscriptions: {} } }, "/data/attributes/profile/data/attributes"],
    ["an invalid address", { email: "ada" }, "/data/attributes/profile/data/attributes/email"],
    ["no identifier", { email: "", external_id: "" }, "/data/attributes/profile/data"],
    ["a name of 128 characters", { metric: "m".repeat(128) }, "/data/attributes/metric/data/attributes/name"],
    ["a time without zone", { time: "2026-11-27T10:00:00" }, "/data/attributes/time"],
    ["a time two years ahead", { time: "2028-11-27T10:00:00Z" }, "/data/attributes/time"],
    [
      "401 properties",
      { properties: Object.fromEntries(Array.from({ length: 401 }, (_, index) => [index, 1])) },
      "/data/attributes/properties",
    ],
    ["a string above 100 KB", { properties: { Title: "a".repeat(100_001) } }, "/data/attributes/properties/Title"],
  ] as const)("with %s are refused with 400", async ([, change, pointer]) => {
    const { status, refusal } = await request("POST", EVENTS, eventOf({ ...ADA, ...change }));
    expect([status, refusal?.source?.pointer]).toEqual([400, pointer]);
    expect(klaviyo().events()).toEqual([]);
  });

  test("in bulk are recorded all or none", async () => {
    const { status } = await request(
      "POST",
      BULK,
      bulkOf([ADA, { ...ADA, email: "not an address", unique_id: "e-2" }]),
    );
    expect(status).toBe(400);
    expect((await request("POST", BULK, bulkOf([ADA, ADA]))).refusal?.detail).toContain("is repeated");
    expect(klaviyo().events()).toEqual([]);
    await request("POST", BULK, bulkOf([ADA, { ...ADA, unique_id: "e-2" }]));
    expect(klaviyo().events()).toHaveLength(2);
  });

  test("in bulk are at most 1,000 and 5 MB", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ADA, unique_id: String(index) }));
    expect((await request("POST", BULK, bulkOf(many(1_001)))).status).toBe(400);
    expect((await request("POST", BULK, " ".repeat(5_000_001))).status).toBe(413);
    expect((await request("POST", BULK, bulkOf(many(1_000)))).status).toBe(202);
    expect(klaviyo().events()).toHaveLength(1_000);
  });
});

describe("requests", () => {
  test.for([
    ["without a key", { authorization: "" }, 401],
    ["with another key", { authorization: "Klaviyo-API-Key pk_other" }, 401],
    ["without a revision", { revision: "" }, 400],
    ["with another content type", { "content-type": "application/json" }, 415],
  ] as const)("%s are refused", async ([, headers, status]) => {
    expect((await request("POST", EVENTS, eventOf(ADA), headers)).status).toBe(status);
  });

  test("with a revoked key get 401, and without the scope 403", async () => {
    const { key } = klaviyo();
    klaviyo().scopes.delete("events:write");
    expect((await request("POST", EVENTS, eventOf(ADA))).status).toBe(403);
    await stage.control("klaviyo-revoke");
    expect((await request("GET", "/api/accounts", undefined, { authorization: `Klaviyo-API-Key ${key}` })).status).toBe(
      401,
    );
  });

  test("above the burst and above the steady rate get 429 with Retry-After", async () => {
    const read = () => request("GET", "/api/accounts");
    expect((await read()).status).toBe(200);
    expect(await read()).toMatchObject({ status: 429, retryAfter: "1" });
    for (let second = 1; second < 15; second++) {
      holdClock(new Date(Date.UTC(2026, 10, 27, 10, minute, second)));
      expect((await read()).status).toBe(200);
    }
    holdClock(new Date(Date.UTC(2026, 10, 27, 10, minute, 20)));
    expect(await read()).toMatchObject({ status: 429, retryAfter: "40" });
    holdClock(new Date(Date.UTC(2026, 10, 27, 10, minute + 1)));
    expect((await read()).status).toBe(200);
  });

  test("meet the faults of the first store, 429 without Retry-After among them", async () => {
    const { faults } = stage.devstore.store();
    faults.inject({ on: "klaviyo", operation: `POST ${BULK}`, behaviour: { status: 429 }, times: 1 });
    expect(await request("POST", BULK, bulkOf([ADA]))).toMatchObject({ status: 429, retryAfter: null });
    expect((await request("POST", BULK, bulkOf([ADA]))).status).toBe(202);
    expect(
      klaviyo()
        .requests()
        .map(({ status }) => status),
    ).toEqual([202, 429]);
  });
});

test("the page shows profiles, events and the flows that would start", async () => {
  await request("POST", EVENTS, eventOf({ ...ADA, properties: { Title: "<b>Lamp</b>" } }));
  await request("POST", EVENTS, eventOf({ external_id: "502", unique_id: "x" }));
  await request("POST", EVENTS, eventOf({ ...ADA, unique_id: "y", backfill: true }));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${stage.devstore.url}/store/larkfell-outdoor/klaviyo`);
    await page.getByRole("row", { name: "Price dropped 3 2 1" }).waitFor();
    await page.getByRole("table", { name: "Events" }).getByText("<b>Lamp</b>").waitFor();
    await page.getByRole("row", { name: "ada@example.com 501" }).waitFor();
    const { key } = klaviyo();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText(key).waitFor({ state: "detached" });
  } finally {
    await browser.close();
  }
});

describe.skipIf(!hasOpenApi)(`the service's own description (skipped: ${WITHOUT_OPENAPI})`, () => {
  test("accepts and refuses what the devstore does", () => {
    const full = eventOf({ ...ADA, time: "2026-11-27T09:00:00Z", value: 1, value_currency: "EUR" });
    expect(openApiProblems(`POST ${EVENTS}`, full)).toEqual([]);
    expect(openApiProblems(`POST ${BULK}`, bulkOf([ADA]))).toEqual([]);
    for (const change of [{ extra: 1 }, { profile: { subscriptions: {} } }, { value: "1" }]) {
      expect(openApiProblems(`POST ${EVENTS}`, eventOf({ ...ADA, ...change }))).not.toEqual([]);
      expect(openApiProblems(`POST ${BULK}`, bulkOf([{ ...ADA, ...change }]))).not.toEqual([]);
    }
  });
});
