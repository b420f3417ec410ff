import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type Call } from "../support/app/client.ts";
import { METRICS_TOKEN, scrape, valueOf } from "../support/app/metrics.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { startTraceCollector, type CollectedSpan, type TraceCollector } from "../support/http/trace-collector.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { ADDED, subscribe } from "../support/webhooks/webhooks.ts";
import { MATRIX } from "../support/matrix.ts";

const CALLERS_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${CALLERS_TRACE}-00f067aa0ba902b7-01`;
const LOOPBACK = { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", OTEL_BSP_SCHEDULE_DELAY: "50" };

let items = 0;

/** Adds an item. @returns the request's id */
async function add(call: Call, { token }: TestShop, headers: Record<string, string> = {}): Promise<string> {
  const json = { product_id: `p${++items}`, variant_id: "v" };
  const response = await call("POST", "/v1/wishlists/a-customer/items", { token, json, headers });
  response.data();
  return response.headers.get("x-request-id") ?? "";
}

let database: TestDatabase;
let collector: TraceCollector;
let service: Service;
let call: Call;
let shop: TestShop;
let receiver: Receiver;

beforeAll(async () => {
  database = await createDatabase();
  collector = await startTraceCollector();
  receiver = await startReceiver();
  const settings = { OTEL_SERVICE_NAME: "wishlist-test", OTEL_RESOURCE_ATTRIBUTES: "deployment=test" };
  const env = { ...LOOPBACK, ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  service = await startService({ database, env });
  call = client(service.url);
  shop = await makeShop(service, call);
  await subscribe(call, shop, `${receiver.url}?token=a-credential`, [ADDED]);
});
afterAll(async () => {
  await service.dispose();
  await Promise.all([receiver.close(), collector.close(), closeDatabase()]);
  await database.drop();
});

describe("with a collector", () => {
  /** Waits for the whole trace of a request. */
  function traceOf(requestId: string, needed: string): Promise<CollectedSpan[]> {
    return until(`the span ${needed}`, async () => {
      const root = collector.spans.find(({ attributes }) => attributes["wishlist.request_id"] === requestId);
      const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
      return trace.some(({ name }) => name === needed) && trace;
    });
  }

  function only(trace: readonly CollectedSpan[], name: string): CollectedSpan {
    const [span, ...more] = trace.filter((one) => one.name === name);
    if (!span || more.length > 0) throw new Error(`${name}: ${trace.map((one) => one.name).join(", ")}`);
    return span;
  }

  test("a change is one trace: request, statement, outbox and delivery", async () => {
    const trace = await traceOf(await add(call, shop), "webhook attempt");
    const request = only(trace, "POST /v1/wishlists/{customerId}/items");
    const statement = only(trace, "statement wishlist_add");
    expect(request.parentSpanId).toBeUndefined();
    expect(statement.parentSpanId).toBe(request.spanId);
    expect(only(trace, "outbox").parentSpanId).toBe(statement.spanId);
    const attempt = only(trace, "webhook attempt");
    expect(attempt).toMatchObject({
      parentSpanId: statement.spanId,
      attributes: { "wishlist.attempt": 1, "http.response.status_code": 204, "server.address": "127.0.0.1" },
    });
    expect(request.attributes).toMatchObject({ "http.response.status_code": 200, "wishlist.shop_id": shop.id });
  });

  test("a batch of the outbox links to the traces of its rows", async () => {
    const [first] = await traceOf(await add(call, shop), "outbox");
    await until("the batch", async () =>
      collector.spans.some(
        ({ name, links }) => name === "outbox batch" && links.some(({ traceId }) => traceId === first?.traceId),
      ),
    );
  });

  test("a caller's traceparent is a link and not the parent", async () => {
    const [span] = await traceOf(
      await add(call, shop, { traceparent: TRACEPARENT }),
      "POST /v1/wishlists/{customerId}/items",
    );
    expect(span?.traceId).not.toBe(CALLERS_TRACE);
    const linked = collector.spans.filter(({ links }) => links.some(({ traceId }) => traceId === CALLERS_TRACE));
    expect(linked.map(({ name }) => name)).toEqual(["POST /v1/wishlists/{customerId}/items"]);
  });

  test("the log names the trace of a request", async () => {
    const requestId = await add(call, shop);
    const [span] = await traceOf(requestId, "POST /v1/wishlists/{customerId}/items");
    const line = await until("the line", async () => service.log().find((one) => one["requestId"] === requestId));
    expect(line["traceId"]).toBe(span?.traceId);
  });

  test("spans hold neither customers, values of statements, tokens nor the URL of a webhook", async () => {
    await traceOf(await add(call, shop), "webhook attempt");
    expect(collector.received()).not.toMatch(/a-customer|a-credential|\/hook|Bearer|whsec_/);
    expect(collector.received()).not.toContain(shop.token);
  });

  test("the resource has the standard variables' name and attributes", async () => {
    await traceOf(await add(call, shop), "webhook attempt");
    expect(collector.resource()).toMatchObject({ "service.name": "wishlist-test", deployment: "test" });
  });

  test("a receiver of webhooks gets no traceparent", async () => {
    await add(call, shop);
    const received = await receiver.until(1);
    expect(received.filter(({ headers }) => "traceparent" in headers)).toEqual([]);
  });
});

/** Starts a second web process on the database. The process ends after `work`. @returns the process after its end */
async function elsewhere(env: Record<string, string>, work: (call: Call) => Promise<unknown>): Promise<Service> {
  const other = await startService({ database, env: { ...LOOPBACK, WISHLIST_ROLE: "web", ...env } });
  await work(client(other.url));
  await other.stop();
  return other;
}

/** Collects the spans of a process. */
async function spansElsewhere(
  env: Record<string, string>,
  work: (call: Call) => Promise<unknown>,
): Promise<readonly CollectedSpan[]> {
  const own = await startTraceCollector();
  await elsewhere({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: own.url }, work);
  await own.close();
  return own.spans;
}

/** Settings with which a process writes the URLs of the modules that it loads to a file. */
function recordingModules(file: string): Record<string, string> {
  const hook = `import { appendFileSync } from "node:fs"; import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + "\\n"); return next(url, context); } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
}

/** Returns the names of the recorded OpenTelemetry packages, but for the interfaces that `prom-client` needs. */
async function packagesIn(file: string): Promise<Set<string>> {
  const urls = await readFile(file, "utf8");
  expect(urls).toContain("node_modules/pg/");
  return new Set(urls.match(/@opentelemetry\/(?!api\/)[\w-]+/g) ?? []);
}

/** Leaves out the requests that begin a trace. */
const LEFT_OUT = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" };

describe("with trusted callers", MATRIX, () => {
  const rounds = 4;
  let spans: readonly CollectedSpan[];
  let traces: (string | null)[];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "modules-"));
    // The spans are sent at the end of the process only, and all changes use two connections.
    const env = { ...LEFT_OUT, TRUST_TRACEPARENT: "1", OTEL_BSP_SCHEDULE_DELAY: "600000", DATABASE_POOL_SIZE: "2" };
    const first = items;
    spans = await spansElsewhere({ ...env, ...recordingModules(path.join(folder, "with")) }, async (other) => {
      for (let round = 0; round < rounds; round++) {
        await add(other, shop, { traceparent: TRACEPARENT });
        await add(other, shop);
      }
    });
    const rows = await database.rows<{ trace: string | null }>(
      "SELECT trace FROM activity WHERE substr(product_id, 2)::int > $1 ORDER BY substr(product_id, 2)::int",
      [first],
    );
    traces = rows.map(({ trace }) => trace);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("a caller's traceparent is the parent", () => {
    const joined = spans.filter(({ traceId }) => traceId === CALLERS_TRACE);
    expect(joined.map(({ name }) => name)).toContain("statement wishlist_add");
  });

  test("spans of the last requests are sent before the process ends", () => {
    expect(spans.filter(({ name }) => name === "statement wishlist_add")).toHaveLength(rounds);
  });

  test("a change without a trace does not join the trace of an earlier one on the same connection", () => {
    const joined = traces.map((trace) => trace?.includes(CALLERS_TRACE));
    expect(joined).toEqual(Array.from({ length: rounds }, () => [true, undefined]).flat());
  });

  test("the SDK of OpenTelemetry is loaded with a collector only", async () => {
    expect(await packagesIn(path.join(folder, "with"))).toContain("@opentelemetry/sdk-trace-base");
    const without = path.join(folder, "without");
    await elsewhere(recordingModules(without), (other) => add(other, shop));
    expect(await packagesIn(without)).toEqual(new Set());
  });
});

describe("with a collector that does not respond", MATRIX, () => {
  let own: TraceCollector;
  let other: Service;
  let ofOther: Call;
  beforeAll(async () => {
    own = await startTraceCollector();
    own.hold();
    const queue = { OTEL_BSP_MAX_QUEUE_SIZE: "1", OTEL_EXPORTER_OTLP_TIMEOUT: "1000" };
    const env = { ...LOOPBACK, ...queue, WISHLIST_ROLE: "web", OTEL_EXPORTER_OTLP_ENDPOINT: own.url, METRICS_TOKEN };
    other = await startService({ database, env });
    ofOther = client(other.url);
  });
  afterAll(() => other.stop());

  async function dropped(reason: string): Promise<number> {
    return valueOf(await scrape(other), "wishlist_trace_spans_dropped_total", { reason }) ?? 0;
  }

  test("spans that the queue cannot hold are counted", async () => {
    await add(ofOther, shop);
    await until("an export", () => own.received() !== "");
    // The spans of this request end during an export.
    await add(ofOther, shop);
    expect(await dropped("queue_full")).toBeGreaterThan(0);
  });

  test("failed exports are counted, logged once, and fail no request", async () => {
    const before = await until("a failed export", async () => {
      const count = await dropped("export_failed");
      return count > 0 && count;
    });
    await own.close();
    await add(ofOther, shop);
    await until("another failed export", async () => (await dropped("export_failed")) > before);
    const failures = () => other.log().filter(({ msg }) => String(msg).startsWith("traces can't be exported"));
    await until("the line", () => failures().length > 0);
    await other.stop();
    expect(failures()).toHaveLength(1);
  });
});

test("an untrusted traceparent makes no spans of a request that the sampler leaves out", MATRIX, async () => {
  const spans = await spansElsewhere(LEFT_OUT, (other) => add(other, shop, { traceparent: TRACEPARENT }));
  expect(spans).toEqual([]);
  const rows = await database.rows("SELECT trace FROM activity WHERE product_id = $1", [`p${items}`]);
  expect(rows).toEqual([{ trace: null }]);
});
