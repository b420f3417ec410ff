import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MERCHANT_BROWSER } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

let connected: Connected;
const shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;

beforeAll(async () => {
  connected = await startConnected();
});
afterAll(() => connected.close());

function open(path: string): Promise<Response> {
  const { service, shopify } = connected;
  const { url } = service;
  return path.startsWith("/app")
    ? shopify.openApp({ app: url, shop, path })
    : fetch(url + path, { headers: { "user-agent": MERCHANT_BROWSER }, redirect: "manual" });
}

const EXIT = `/auth/exit-iframe?shop=${shop}&exitIframe=${encodeURIComponent(`https://${shop}/admin`)}`;

/** Every kind of HTML page of the service. */
const PAGES: [path: string, status: number, frames: string][] = [
  ["/", 200, "'none'"],
  ["/nothing", 404, "'none'"],
  ["/v1/docs", 200, "'none'"],
  ["/auth/login", 200, "https://admin.shopify.com https://*.myshopify.com"],
  ["/auth/session-token", 200, "https://admin.shopify.com https://*.myshopify.com"],
  [EXIT, 200, `https://${shop}`],
  ["/app", 200, `https://${shop}`],
  ["/app/analytics", 200, `https://${shop}`],
  ["/app/nothing", 404, `https://${shop}`],
];

describe.each(PAGES)("the page %s", (path, status, frames) => {
  test("has security headers and one doctype", async () => {
    const response = await open(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain(`frame-ancestors ${frames}`);
    expect((await response.text()).match(/<!doctype/gi)?.length ?? 0).toBe(
      path.startsWith("/auth/s") || path === EXIT ? 0 : 1,
    );
  });

  test("allows only its own inline scripts, by a nonce per response", async () => {
    const nonces: string[] = [];
    for (let time = 0; time < 2; time++) {
      const response = await open(path);
      const scripts = /script-src ([^;]+)/.exec(response.headers.get("content-security-policy") ?? "")?.[1] ?? "";
      expect(scripts).not.toMatch(/unsafe|\*|data:/);
      const html = await response.text();
      const [, nonce = ""] = /'nonce-(\w{22})'/.exec(scripts) ?? [];
      for (const [, attributes = ""] of html.matchAll(/<script\b([^>]*)>/g)) {
        if (!attributes.includes("src=")) expect(attributes).toContain(`nonce="${nonce}"`);
      }
      if (nonce !== "") nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});

test("no page runs a script from its URL", async () => {
  const response = await open(
    `/auth/exit-iframe?shop=${shop}&exitIframe=${encodeURIComponent("</script><script>alert(1)</script>")}`,
  );
  expect(await response.text()).not.toContain("<script>alert");
});

test("an admin page can load product pictures from the devstore", async () => {
  const policy = (await open("/app")).headers.get("content-security-policy") ?? "";
  expect(/img-src ([^;]+)/.exec(policy)?.[1]).toBe(`'self' data: blob: https: ${connected.shopify.url}`);
});
