import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { rawRequest, sendRaw } from "../support/http/raw.ts";

const QUOTA = 5;
const PATH = "/webhooks/products/update";
/** Maximum bytes of deliveries with an unchecked signature. */
const IN_FLIGHT = 8 * 1024 * 1024;
const LARGEST = 64 * 1024;

let connected: Connected;
let addresses = 0;

beforeAll(async () => {
  connected = await startConnected({ RATE_LIMIT_STOREFRONT_PER_MINUTE: String(QUOTA), TRUSTED_PROXY_HOPS: "1" });
});
afterAll(() => connected.close());

function newAddress(): string {
  return `198.51.100.${++addresses}`;
}

function send(address: string, more: { forged?: boolean } = {}): Promise<Response> {
  const headers = { "x-forwarded-for": address };
  return connected.shopify.deliverWebhook(connected.service.url, PATH, {
    topic: "products/update",
    shop: "nobody.myshopify.com",
    payload: { id: 5 },
    headers: more.forged ? { ...headers, "x-shopify-hmac-sha256": Buffer.alloc(32, 7).toString("base64") } : headers,
  });
}

async function statuses(times: number, address: string, more: { forged?: boolean } = {}): Promise<number[]> {
  const given: number[] = [];
  for (let i = 0; i < times; i++) given.push((await send(address, more)).status);
  return given;
}

describe("an address that sends forged deliveries", () => {
  test("gets 429 after its quota, even for a genuine delivery", async () => {
    const address = newAddress();
    expect(await statuses(QUOTA, address, { forged: true })).toEqual(Array<number>(QUOTA).fill(401));
    const refused = await send(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send(newAddress())).status).toBe(200);
  });

  test("is refused before the body arrives", async () => {
    const address = newAddress();
    await statuses(QUOTA, address, { forged: true });
    const headers = { "X-Forwarded-For": address, "Content-Length": "1000" };
    const response = await sendRaw(connected.service.url, rawRequest("POST", PATH, { headers }));
    expect(response.status).toBe(429);
  });

  test("does not limit an address that sends genuine deliveries", async () => {
    expect(await statuses(QUOTA + 2, newAddress())).toEqual(Array<number>(QUOTA + 2).fill(200));
  });
});

test("concurrent deliveries use 8 MiB together, and further ones get 503", async () => {
  const { hostname, port } = new URL(connected.service.url);
  const sockets: Socket[] = [];
  try {
    // Each request announces a body and sends none.
    for (let bytes = 0; bytes < IN_FLIGHT; bytes += LARGEST) {
      const socket = connect(Number(port), hostname).on("error", () => undefined);
      const headers = { "X-Forwarded-For": newAddress(), "Content-Length": String(LARGEST) };
      socket.write(rawRequest("POST", PATH, { headers }));
      sockets.push(socket);
    }
    const refused = await expect
      .poll(async () => (await send(newAddress())).status, { interval: 20 })
      .toBe(503)
      .then(() => send(newAddress()));
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(async () => (await send(newAddress())).status).toBe(200);
});
