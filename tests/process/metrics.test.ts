import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { launch } from "../support/app/launch.ts";
import { METRICS_TOKEN, samplesOf, scrape } from "../support/app/metrics.ts";
import { serviceEnv, startService, type Service } from "../support/app/service.ts";
import { freePort } from "../support/http/ports.ts";
import { MATRIX } from "../support/matrix.ts";

let database: TestDatabase;
/** serves metrics on the main port */
let web: Service;
/** serves metrics on METRICS_PORT */
let worker: Service;
let own: string;

beforeAll(async () => {
  database = await createDatabase();
  [web, worker] = await Promise.all([
    startService({ database, env: { METRICS_TOKEN, WISHLIST_ROLE: "web" } }),
    startService({ database, env: { HOST: "localhost", METRICS_PORT: "0", WISHLIST_ROLE: "worker" } }),
  ]);
  const line = worker.log().find(({ msg }) => msg === "serving metrics");
  expect(line).toMatchObject({ host: "localhost" });
  own = `http://localhost:${String(line?.["port"])}`;
});
afterAll(async () => {
  await Promise.all([web.dispose(), worker.dispose()]);
  await database.drop();
});

/** What a caller can compare: all of a response but its date and ids. */
async function visible(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const headers = [...response.headers].filter(([name]) => !["date", "x-request-id", "content-length"].includes(name));
  const body = (await response.text()).replaceAll(/req_\w{22}|metric[sz]|nonce="[^"]*"/g, "(masked)");
  return { status: response.status, headers: headers.filter(([name]) => name !== "content-security-policy"), body };
}

test("/metrics on the main port looks like an unknown path without the token", async () => {
  const unknown = await visible(`${web.url}/metricz`);
  expect(unknown).toMatchObject({ status: 404 });
  expect(await visible(`${web.url}/metrics`)).toEqual(unknown);
  expect(await visible(`${web.url}/metrics`, { headers: { authorization: "Bearer wrong" } })).toEqual(unknown);
  expect(await visible(`${worker.url}/metrics`)).toEqual(await visible(`${worker.url}/metricz`));
});

test("METRICS_PORT serves metrics and nothing else, without a token", async () => {
  const response = await fetch(`${own}/metrics`);
  expect(response.status).toBe(200);
  const samples = samplesOf(await response.text());
  expect(samples.find(({ name }) => name === "wishlist_build_info")?.labels).toMatchObject({ role: "worker" });
  const others = await Promise.all(
    ["/", "/healthz", "/v1/docs", "/metrics/x"].map((path) => fetch(own + path).then(({ status }) => status)),
  );
  expect(others).toEqual([404, 404, 404, 404]);
  expect((await fetch(`${own}/metrics`, { method: "POST" })).status).toBe(404);
});

test("pages count by the pattern of their route", async () => {
  for (const path of ["/app/webhooks/we_1", "/app/webhooks/we_2", "/no-page"]) await fetch(web.url + path);
  const routes = (await scrape(web))
    .filter(({ name }) => name === "wishlist_http_requests_total")
    .map(({ labels }) => labels["route"]);
  expect(routes).toContain("/app/webhooks/{webhookId}");
  expect(routes).toContain("unmatched");
  expect(routes.filter((route) => route?.includes("we_"))).toEqual([]);
});

test("a start with a port of metrics that is in use is refused and names its setting", MATRIX, async () => {
  const { port } = new URL(own);
  const { stderr, ended } = launch({ ...serviceEnv(database.url), HOST: "localhost", METRICS_PORT: port });
  expect(await ended).toBe(1);
  expect(stderr()).toBe(`Port ${port} is in use; stop that program, or set METRICS_PORT to another port\n`);
});

test("a start with the same port for requests and metrics is refused and names both settings", MATRIX, async () => {
  const port = String(await freePort());
  const { stderr, ended } = launch({ ...serviceEnv(database.url), PORT: port, METRICS_PORT: port });
  expect(await ended).toBe(1);
  expect(stderr()).toBe(`PORT and METRICS_PORT are both ${port}; set METRICS_PORT to another port\n`);
});
