import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MERCHANT_BROWSER } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";

let connected: Connected;

beforeAll(async () => {
  connected = await startConnected();
});
afterAll(() => connected.close());

const HOST = Buffer.from("admin.shopify.com/store/a").toString("base64");

interface Seen {
  status: number;
  /** log lines of the request, including its own entry */
  lines: Record<string, unknown>[];
}

async function request(method: string, path: string): Promise<Seen> {
  const { service } = connected;
  const before = service.log().length;
  const response = await fetch(service.url + path, {
    method,
    headers: { "user-agent": MERCHANT_BROWSER },
    redirect: "manual",
  });
  await response.text();
  const lines = await until("the request's line", () => {
    const since = service.log().slice(before);
    return Promise.resolve(since.some(({ msg }) => msg === "request") && since);
  });
  return { status: response.status, lines };
}

describe.each([
  "/app?_data=routes%2Fapp",
  "/app?_data=nowhere",
  "/?_data",
  "/nothing?x=1&_data=x",
  "/app.data",
  "/app/wishlists.data?_routes=nonsense",
  "/nothing.data",
  "/auth/exit-iframe",
  "/auth/exit-iframe?exitIframe=http://elsewhere.example/&shop=a.myshopify.com",
  "/auth/exit-iframe?exitIframe=%2F%2F&shop=a.myshopify.com&host=x",
  "/auth/session-token?shopify-reload=http://[",
  "/auth/callback?shop=a.myshopify.com&code=x&state=y&hmac=z",
  "/auth/nothing",
  "/app?shop=a.myshopify.com&host=x&embedded=1&id_token=x.y.z",
  "/app?shop=a.myshopify.com&host=%00&embedded=1",
  `/app?shop=a.myshopify.com&host=${HOST}&embedded=1&id_token=x.y.z`,
  `/app?shop=a&host=${HOST}`,
  "/app/settings/data/export?token=x",
  "/app/wishlists/export?token=x",
])("an unauthenticated request for %s", (path) => {
  test.each(["GET", "POST"])("by %s writes no stack and at most one warning to the log", async (method) => {
    const { status, lines } = await request(method, path);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(lines)).not.toContain('"stack"');
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(lines.filter(({ level }) => level === "warn").length).toBeLessThanOrEqual(1);
  });
});

test("an exit from the frame to a foreign URL gets 400", async () => {
  const { status } = await request(
    "GET",
    "/auth/exit-iframe?exitIframe=http://elsewhere.example/&shop=a.myshopify.com",
  );
  expect(status).toBe(400);
});
