import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { test } from "../support/app/fixtures.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { METRICS_TOKEN as TOKEN, samplesOf, valueOf, type Sample } from "../support/app/metrics.ts";

const FAILURES = 5;
const env = { METRICS_TOKEN: TOKEN, RATE_LIMIT_STOREFRONT_PER_MINUTE: String(FAILURES), TRUSTED_PROXY_HOPS: "1" };
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
  await call("POST", `/v1/wishlists/${customer}/items`, { token, json: { product_id: "84001", variant_id: "44001" } });
  await call("GET", `/v1/wishlists/shared/${"x".repeat(30)}`);
  const text = await (await app.fetch("/metrics", bearer(TOKEN))).text();
  for (const secret of [shop.domain, shop.keyId, token, customer, "84001", "44001", "xxxx", TOKEN]) {
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

test("wrong tokens use up the failed authentications of an address, which refuses the right one too", async ({
  app,
}) => {
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

test("a refused scrape of a worker looks like any other path of a worker", async ({ app }) => {
  const worker = await startApp({ database: app.database, env: { ...env, WISHLIST_ROLE: "worker" } });
  const visible = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await worker.fetch(path, init);
    return { status: response.status, body: (await response.text()).replaceAll(/req_\w{22}/g, "(request)") };
  };
  const unknown = await visible("/metricz");
  expect(unknown).toMatchObject({ status: 404 });
  expect(await visible("/metrics")).toEqual(unknown);
  expect(await visible("/metrics", bearer("wrong"))).toEqual(unknown);
  expect((await worker.fetch("/metrics", bearer(TOKEN))).status).toBe(200);
  await worker.stop();
});

test("the outbox's lag is the number and age of its unprocessed rows", async ({ app, shop }) => {
  // A process that serves requests only leaves them unprocessed.
  const web = await startApp({ database: app.database, env: { ...env, WISHLIST_ROLE: "web" } });
  await app.stop();
  await app.database.rows(
    "UPDATE activity SET processed_at = NULL, at = now() - interval '1 hour' WHERE shop_id = $1",
    [shop.id],
  );
  const [{ rows } = { rows: 0 }] = await app.database.rows<{ rows: number }>("SELECT count(*) AS rows FROM activity");
  const samples = await scrape(web);
  await web.stop();
  expect(rows).toBeGreaterThan(0);
  expect(valueOf(samples, "wishlist_outbox_rows")).toBe(rows);
  expect(valueOf(samples, "wishlist_outbox_oldest_seconds")).toBeGreaterThanOrEqual(3_600);
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
