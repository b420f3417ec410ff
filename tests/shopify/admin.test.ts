import { createHmac, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import { startService, type Service } from "../support/app/service.ts";
import { startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";

let shopify: Devstore;
let service: Service;
let shop: string;

beforeAll(async () => {
  shopify = await startShopify();
  service = await startService({ env: shopify.env });
});
afterAll(async () => {
  await service.dispose();
  await shopify.close();
});
beforeEach(() => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
});

const seconds = (): number => Math.floor(Date.now() / 1000);

/** Returns a token with another header or signature. */
function resigned(header: object, secret: string): string {
  const [, payload = ""] = shopify.sessionToken(shop).split(".");
  const signed = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const CUSTOMER = "gid://shopify/Customer/7001";

const BAD_TOKENS: [what: string, token: () => string][] = [
  ["signed with another secret", () => resigned({ alg: "HS256", typ: "JWT" }, "another secret")],
  ["unsigned", () => resigned({ alg: "none" }, "").replace(/[^.]*$/, "")],
  ["of another app", () => shopify.sessionToken(shop, { aud: "another app" })],
  ["expired", () => shopify.sessionToken(shop, { exp: seconds() - 60 })],
  ["not valid yet", () => shopify.sessionToken(shop, { nbf: seconds() + 60 })],
  ["altered", () => shopify.sessionToken(shop).replace(/^([^.]*)\.[^.]*/, "$1.e30")],
  ["no token at all", () => "nonsense"],
  ["a customer's", () => shopify.sessionToken(shop, { iss: undefined, dest: shop, sub: CUSTOMER })],
];

/** The data routes of all admin pages, read from the folder so that none is missed. */
const PAGES = readdirSync(new URL("../../app/routes/", import.meta.url))
  .filter((file) => /^app\b.*\.tsx$/.test(file))
  .map((file) => `routes/${file.replace(/\.tsx$/, "")}`);
const pathOf = (page: string): string =>
  `/${page
    .replace("routes/", "")
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => part.replace(/^\$.*/, "unknown"))
    .join("/")}`;

/** Requests that App Bridge sends on navigation and downloads. */
const FETCHED = [
  ...PAGES.map((page) => `${pathOf(page)}.data?_routes=${encodeURIComponent(page)}`),
  "/app.data",
  "/app/privacy/prq_1",
  "/app/analytics/csv?table=daily",
  "/app/settings/data/report?import=imp_1",
];

describe.each(FETCHED)("%s, fetched by a page in the admin,", (path) => {
  const get = (token?: string): Promise<Response> =>
    fetch(service.url + path, {
      headers: { "user-agent": MERCHANT_BROWSER, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      redirect: "manual",
    });

  test.each(BAD_TOKENS)("refuses a token that is %s and lets App Bridge retry with a new one", async (_, token) => {
    const response = await get(token());
    expect(response.status).toBe(401);
    expect(response.headers.get("x-shopify-retry-invalid-session-request")).toBe("1");
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = $1", [shop])).toEqual([]);
  });

  test("accepts a token of the shop", async () => {
    const response = await get(shopify.sessionToken(shop));
    expect(response.status).toBe(/\/app\/privacy\/|unknown/.test(path) ? 404 : 200);
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = $1", [shop])).toHaveLength(1);
  });
});

describe.each(PAGES)("%s", (page) => {
  test("exports the shared error boundary, headers and form handling", async () => {
    const source = await readFile(new URL(`../../app/${page}.tsx`, import.meta.url), "utf8");
    expect(source).toMatch(
      page === "routes/app" ? /\bAdminLayoutError as ErrorBoundary\b/ : /\bPageError as ErrorBoundary\b/,
    );
    expect(source).toContain("export const headers = adminHeaders;");
    if (source.includes("export const action =")) {
      expect(source).toContain("export const clientAction = formClientAction;");
      expect(source).toMatch(
        /export const shouldRevalidate = revalidateUnlessFailed;|function shouldRevalidate\([^]*&& revalidateUnlessFailed\(/,
      );
    }
  });

  test.each(BAD_TOKENS)(
    "refuses a form with a token that is %s and lets App Bridge retry with a new one",
    async (_, token) => {
      const response = await fetch(`${service.url}${pathOf(page)}.data${page.endsWith("_index") ? "?index" : ""}`, {
        method: "POST",
        headers: { "user-agent": MERCHANT_BROWSER, authorization: `Bearer ${token()}` },
        body: new URLSearchParams({ intent: "create" }),
      });
      // A page without forms responds with 405.
      if (response.status !== 405) {
        expect(response.status).toBe(401);
        expect(response.headers.get("x-shopify-retry-invalid-session-request")).toBe("1");
      }
    },
  );
});

describe("the app", () => {
  const open = (query: Record<string, string>): Promise<Response> =>
    fetch(`${service.url}/app?${new URLSearchParams(query)}`, {
      headers: { "user-agent": MERCHANT_BROWSER },
      redirect: "manual",
    });
  const frame = (): Record<string, string> => ({
    embedded: "1",
    shop,
    host: Buffer.from(`admin.shopify.com/store/${shop.replace(".myshopify.com", "")}`).toString("base64"),
  });

  test("is a page that only Shopify's admin and the shop can frame", async () => {
    const page = await shopify.openApp({ app: service.url, shop });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(`frame-ancestors https://${shop}`);
    const html = await page.text();
    expect(html).toContain("app-bridge.js");
    expect(html).toContain("Setup guide");
    expect(html).toContain(`https://${shop}/admin/themes/current/editor`);
  });

  test.each(BAD_TOKENS)("redirects to the bounce page when its token is %s", async (_, token) => {
    const response = await open({ ...frame(), id_token: token() });
    expect(response.status).toBe(302);
    const to = new URL(response.headers.get("location") ?? "", "https://app.example.com");
    expect(to.pathname).toBe("/auth/session-token");
    expect(to.searchParams.get("shopify-reload")).toContain("/app?");
    // The invalid token is not passed on.
    expect(to.search).not.toContain("id_token");
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = $1", [shop])).toEqual([]);
  });

  test("uses the shop of the token, whatever the URL names", async () => {
    const other = `other-${shop}`;
    const response = await open({ ...frame(), shop: other, id_token: shopify.sessionToken(shop) });
    expect(await response.text()).not.toContain(`https://${other}/`);
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = $1", [other])).toEqual([]);
    expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [other])).toEqual([]);
  });

  test("redirects into the admin when it is opened outside", async () => {
    const response = await open({ ...frame(), embedded: "0" });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toContain(
      `https://admin.shopify.com/store/${shop.replace(".myshopify.com", "")}/apps/`,
    );
  });

  test("redirects to the same page in the admin when it is opened outside", async () => {
    const { shop: domain = "", host = "" } = frame();
    const query = new URLSearchParams({ period: "90", shop: domain, host, locale: "en" });
    const response = await fetch(`${service.url}/app/analytics?${query}`, {
      headers: { "user-agent": MERCHANT_BROWSER },
      redirect: "manual",
    });
    const store = shop.replace(".myshopify.com", "");
    expect(response.headers.get("location")).toBe(
      `https://admin.shopify.com/store/${store}/apps/${shopify.env.SHOPIFY_API_KEY}/app/analytics?period=90`,
    );
  });

  test("shows a message when Shopify issues no token, and retries on the next visit", async () => {
    const recover = shopify.store(shop).faults.inject({ on: "token", behaviour: { status: 400 } });
    const refused = await shopify.openApp({ app: service.url, shop });
    recover();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    await until("the line in the log", () =>
      service.log().some(({ level, msg }) => level === "warn" && msg === "a merchant's session could not be started"),
    );
    expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [shop])).toEqual([]);
    expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  });
});
