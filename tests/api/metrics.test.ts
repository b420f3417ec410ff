import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/app/fixtures.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { METRICS_TOKEN as TOKEN, samplesOf, valueOf, type Sample } from "../support/app/metrics.ts";
import { createDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { subscribe } from "../support/webhooks/webhooks.ts";

const FAILURES = 5;
const env = {
  METRICS_TOKEN: TOKEN,
  RATE_LIMIT_STOREFRONT_PER_MINUTE: String(FAILURES),
  TRUSTED_PROXY_HOPS: "1",
  NODE_ENV: "test",
  WEBHOOKS_ALLOW_LOOPBACK: "1",
};
test.override("appOptions", { env });

function bearer(token: string, address = "203.0.113.1"): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address } };
}

async function scrape(app: InProcessApp): Promise<Sample[]> {
  const response = await app.fetch("/metrics", bearer(TOKEN));
  expect(response.status).toBe(200);
  return samplesOf(await response.text());
}

test("metrics are served as Prometheus' text to a holder of the token", async ({ app }) => {
  const response = await app.fetch("/metrics", bearer(TOKEN));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  expect(text).toMatch(/^# HELP wishlist_http_requests_total .+\n# TYPE wishlist_http_requests_total counter$/m);
  expect(text).toMatch(/^wishlist_build_info\{version="0\.0\.0-test",role="all",node="[\d.]+"\} 1$/m);
  expect(text).not.toContain("NaN");
});

test("metrics have every value that is known in advance from the start", async ({ app }) => {
  const samples = await scrape(app);
  for (const outcome of ["succeeded", "retried", "failed"]) {
    expect(valueOf(samples, "wishlist_delivery_attempts_total", { outcome })).toBe(0);
  }
  expect(valueOf(samples, "wishlist_database_errors_total", { class: "request", kind: "lock_timeout" })).toBe(0);
});

test("requests count by route pattern, method and status", async ({ app, call, shop }) => {
  const { token } = shop;
  await call("POST", "/v1/wishlists/7001/items", { token, json: { product_id: "1", variant_id: "2" } });
  await call("GET", "/v1/wishlists/7001", { token });
  await call("GET", "/v1/wishlists/7002?limit=0", { token });
  const samples = await scrape(app);
  const count = (labels: Record<string, string>): number | undefined =>
    valueOf(samples, "wishlist_http_requests_total", labels);
  const read = { route: "/v1/wishlists/{customerId}", method: "GET" };
  expect(count({ ...read, status: "200" })).toBe(1);
  expect(count({ ...read, status: "400" })).toBe(1);
  expect(count({ route: "/v1/wishlists/{customerId}/items", method: "POST", status: "200" })).toBe(1);
  expect(valueOf(samples, "wishlist_http_request_duration_seconds_count", read)).toBe(2);
});

test("unknown paths and methods share one label value each", async ({ app }) => {
  for (let path = 0; path < 20; path++) await app.fetch(`/api/unknown-${path}`);
  await app.fetch("/v1/wishlists/1", { method: "PROPFIND" });
  const samples = await scrape(app);
  const counted = samples.filter(({ name }) => name === "wishlist_http_requests_total");
  expect(valueOf(counted, "wishlist_http_requests_total", { route: "unmatched", status: "404" })).toBe(20);
  expect(counted.filter(({ labels }) => labels["route"]?.includes("unknown"))).toEqual([]);
  expect(new Set(counted.map(({ labels }) => labels["method"]))).toContain("other");
  expect(new Set(counted.map(({ labels }) => labels["method"]))).not.toContain("PROPFIND");
});

test("labels name no shop, customer, product or key", async ({ app, call, shop }) => {
  const { token } = shop;
  const customer = "customer-8c1d";
  await call("POST", `/v1/wishlists/${customer}/items`, {
    token,
    json: { product_id: "product-5e7a", variant_id: "variant-b04f" },
  });
  await call("GET", `/v1/wishlists/shared/${"x".repeat(30)}`);
  const text = await (await app.fetch("/metrics", bearer(TOKEN))).text();
  for (const secret of [shop.domain, shop.keyId, token, customer, "product-5e7a", "variant-b04f", "xxxx", TOKEN]) {
    expect(text).not.toContain(secret);
  }
});

test("statements count by name and class of work", async ({ app, call, shop }) => {
  await call("GET", "/v1/wishlists/9001", { token: shop.token });
  const samples = await scrape(app);
  expect(valueOf(samples, "wishlist_statements_total", { statement: "key_state" })).toBeGreaterThan(0);
  expect(valueOf(samples, "wishlist_statement_duration_seconds_count", { class: "request" })).toBeGreaterThan(0);
  expect(valueOf(samples, "wishlist_pool_connections", { class: "request", state: "limit" })).toBe(10);
});

test("wrong tokens use up the failed authentications of an address for the right one, too", async ({ app }) => {
  // A worker has no pages, whose not-found page needs the build.
  const worker = await startApp({ database: app.database, env: { ...env, WISHLIST_ROLE: "worker" } });
  const statusOf = async (token: string): Promise<number> =>
    (await worker.fetch("/metrics", bearer(token, "203.0.113.2"))).status;
  expect(await statusOf(TOKEN)).toBe(200);
  for (let failed = 0; failed < FAILURES; failed++) expect(await statusOf(`${TOKEN}0`)).not.toBe(200);
  expect(await statusOf(TOKEN)).not.toBe(200);
  expect(valueOf(await scrape(worker), "wishlist_rate_limit_refusals_total", { class: "failures" })).toBe(1);
  await worker.stop();
});

test("a delivery in progress holds a lease, and counts as failed when its webhook is gone", async ({
  app,
  call,
  shop,
}) => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const requests: ServerResponse[] = [];
  receiver.respondWith((response) => requests.push(response));
  await subscribe(call, shop, receiver.url);
  await call("POST", "/v1/wishlists/1/items", { token: shop.token, json: { product_id: "1", variant_id: "2" } });
  await receiver.until(1);
  expect(valueOf(await scrape(app), "wishlist_webhook_leases")).toBe(1);
  requests[0]?.writeHead(410).end();
  const samples = await until("a webhook to be disabled", async () => {
    const found = await scrape(app);
    return valueOf(found, "wishlist_webhook_endpoints_disabled_total", { reason: "gone" }) === 1 && found;
  });
  expect(valueOf(samples, "wishlist_delivery_attempts_total", { outcome: "failed" })).toBe(1);
  expect(valueOf(samples, "wishlist_delivery_attempt_duration_seconds_count")).toBe(1);
});

test("a lock time-out counts as an error of its class of work", async ({ app, call, shop }) => {
  for (const statement of [
    "CREATE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'timed out' USING ERRCODE = 'lock_not_available'; END $$",
    "CREATE TRIGGER time_out BEFORE INSERT ON share_link FOR EACH ROW EXECUTE FUNCTION time_out()",
  ]) {
    await app.database.rows(statement);
  }
  const lockTimeouts = async () =>
    valueOf(await scrape(app), "wishlist_database_errors_total", { class: "request", kind: "lock_timeout" }) ?? 0;
  const before = await lockTimeouts();
  const { status } = await call("GET", "/v1/wishlists/8001/share", { token: shop.token });
  await app.database.rows("DROP FUNCTION time_out() CASCADE");
  expect(status).toBe(503);
  expect(await lockTimeouts()).toBeGreaterThan(before);
});

test("a page that is read again is a hit of the cache", async ({ app, call, shop }) => {
  const { token } = shop;
  const uses = async () => {
    const samples = await scrape(app);
    const of = (result: string) => valueOf(samples, "wishlist_cache_requests_total", { cache: "pages", result }) ?? 0;
    return { hits: of("hit"), misses: of("miss") };
  };
  await call("POST", "/v1/wishlists/8002/items", { token, json: { product_id: "1", variant_id: "2" } });
  const { hits, misses } = await uses();
  for (const _ of ["first", "second"]) await call("GET", "/v1/wishlists/8002", { token });
  expect(await uses()).toEqual({ hits: hits + 1, misses: misses + 1 });
});

test("failed and due jobs, failed tasks and unprocessed activity are counted in the database", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  for (const statement of [
    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$",
    "CREATE TRIGGER refuse BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse()",
    "INSERT INTO shop (domain) VALUES ('failing.myshopify.com')",
    `INSERT INTO audit (shop_id, id, at, area, action, subject, details)
     SELECT id, uuid_v7_min(now() - interval '500 days'), now() - interval '500 days', 'plan', 'plan.changed', '', '{}' FROM shop`,
    "INSERT INTO shop_maintenance (shop_id, job, due_at) SELECT id, 'retention', now() - interval '1 hour' FROM shop",
  ]) {
    await database.rows(statement);
  }
  const worker = await startApp({ database, env: { ...env, WISHLIST_ROLE: "worker" } });
  const failed = "SELECT 1 FROM shop_maintenance WHERE failures = 1";
  await until("a failed job", async () => (await database.rows(failed)).length === 1);
  expect(valueOf(await scrape(worker), "wishlist_job_runs_total", { name: "retention", outcome: "failed" })).toBe(1);
  await worker.stop();

  // A process that serves requests only leaves all of it as it is.
  const web = await startApp({ database, env: { ...env, WISHLIST_ROLE: "web" } });
  await database.rows("SELECT wishlist_add(id, 'customer', '1', 'p', 'v', 'api', now() - interval '1 hour') FROM shop");
  await database.rows(
    "INSERT INTO shop_maintenance (shop_id, job, due_at) SELECT id, 'other', now() - interval '1 hour' FROM shop",
  );
  await database.rows("UPDATE pgboss.queue SET failed_count = 2 WHERE name = 'wishlist-import'");
  const samples = await scrape(web);
  await web.stop();
  expect(valueOf(samples, "wishlist_outbox_rows")).toBe(1);
  expect(valueOf(samples, "wishlist_outbox_oldest_seconds")).toBeGreaterThanOrEqual(3_600);
  expect(valueOf(samples, "wishlist_shop_jobs", { name: "retention", state: "failing" })).toBe(1);
  expect(valueOf(samples, "wishlist_shop_jobs", { name: "other", state: "due" })).toBe(1);
  expect(valueOf(samples, "wishlist_shop_job_overdue_seconds", { name: "other" })).toBeGreaterThanOrEqual(3_600);
  expect(valueOf(samples, "wishlist_tasks", { queue: "wishlist-import", state: "failed" })).toBe(2);
});

test("the clock's difference from PostgreSQL's is known from the start", async ({ app }) => {
  // Both are on this machine, so the difference is what the comparison took.
  expect(Math.abs(valueOf(await scrape(app), "wishlist_clock_difference_seconds") ?? NaN)).toBeLessThan(1);
});

test("the data folder has no metrics with an external database", async ({ app }) => {
  const samples = await scrape(app);
  expect(valueOf(samples, "wishlist_backup_age_seconds")).toBeUndefined();
  expect(valueOf(samples, "wishlist_data_disk_used_ratio")).toBeUndefined();
});

test("docs/monitoring.md lists the exported metrics with their types and labels", async ({ app }) => {
  const text = await (await app.fetch("/metrics", bearer(TOKEN))).text();
  const exported = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = "", type = ""]) => ({ name, type }));
  const page = await readFile(new URL("../../docs/monitoring.md", import.meta.url), "utf8");
  const rows = Array.from(
    page.matchAll(/^\| `(\w+)`[ *]*\| (\w+) +\| (.*?) *\|/gm),
    ([, name = "", type = "", labels = ""]) => ({ name, type, labels: labels.match(/\w+/g) ?? [] }),
  );
  const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
  expect(rows.map(({ name, type }) => ({ name, type })).sort(byName)).toEqual(exported.sort(byName));
  const documented = new Map(rows.map(({ name, labels }) => [name, labels]));
  for (const { name, labels } of samplesOf(text)) {
    const known = documented.get(name) ?? documented.get(name.replace(/_(?:bucket|sum|count)$/, ""));
    expect({ name, labels: Object.keys(labels).filter((label) => label !== "le") }).toEqual({ name, labels: known });
  }
});
