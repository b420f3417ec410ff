// @module-tag matrix

import type { Browser, FrameLocator, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { jwtVerify } from "jose";
import { launchBrowser, LIKE_A_PERSON } from "../../../tests/support/browser/browser.ts";
import { API_KEY, API_SECRET, APP_URL, startStage, type Stage } from "./fixtures/devstore.ts";

const CSP = "frame-ancestors https://larkfell-outdoor.myshopify.com https://admin.shopify.com;";

/** A page of an embedded app, with what App Bridge reads from it. */
function appPage(path: string): string {
  return `<!doctype html><html lang="en"><head><title>App</title>
<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js" data-api-key="${API_KEY}"></script></head><body>
<ui-nav-menu><a href="/app" rel="home">Home</a><a href="/app/keys">API keys</a></ui-nav-menu>
<ui-title-bar title="Page ${path}"><button variant="primary" onclick="shopify.toast.show('Saved', { duration: 120000 })">Save it</button></ui-title-bar>
<main>${path}</main><output></output>
<form data-save-bar onsubmit="event.preventDefault(); document.querySelector('output').textContent = 'submitted'"><input name="name" aria-label="Name"></form>
<form id="settings" onsubmit="event.preventDefault(); document.querySelector('output').textContent = 'settings submitted'"><ui-save-bar id="bar" discardConfirmation><button variant="primary">Save</button><button onclick="document.querySelector('output').textContent = 'discarded'">Discard</button></ui-save-bar></form>
<ui-modal id="ask"><p>Really?</p><ui-title-bar title="Delete"><button variant="primary" tone="critical" onclick="document.querySelector('output').textContent = 'deleted'">Delete it</button></ui-title-bar></ui-modal>
<script>
addEventListener("shopify:navigate", (event) => {
  history.pushState({}, "", event.target.getAttribute("href"));
  document.querySelector("main").textContent = location.pathname;
});
</script></body></html>`;
}

let stage: Stage;
let browser: Browser;
let page: Page;
let frame: FrameLocator;
let complaints: string[];

beforeAll(async () => {
  stage = await startStage({ tlsPort: 0 });
  browser = await launchBrowser({ hostResolverRules: stage.devstore.hostResolverRules });
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(async () => {
  stage.app.requests.length = 0;
  stage.app.respondWith((response, { target }) => {
    const { pathname } = new URL(target, APP_URL);
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": CSP }).end(appPage(pathname));
  });
  complaints = [];
  page = await (await browser.newContext(LIKE_A_PERSON)).newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  frame = page.frameLocator("#app-frame");
});
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

// The app's pages are production's in both ways: the second translates addresses on the way to the browser.
const WAYS = [
  [
    "under Shopify's own names",
    () => "https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist",
    () => APP_URL,
  ],
  ["over plain http on this machine", () => stage.devstore.adminUrl, () => frameOrigin()],
] as const;

async function frameOrigin(): Promise<string> {
  return new URL((await page.getAttribute("#app-frame", "src")) ?? "").origin;
}

test("the admin's script comes before the app's frame, so that it misses no message", async () => {
  const html = await (await fetch(stage.devstore.adminUrl)).text();
  expect(html).toMatch(/shopifycloud\/admin\.js[^]*id="app-frame"/);
});

describe.each(WAYS)("%s", (_way, adminUrl, appOrigin) => {
  async function open(path = "/app"): Promise<void> {
    await page.goto(adminUrl() + path);
    await frame.locator("main").waitFor();
    await page.locator('body[data-app="ready"]').waitFor();
  }
  const inApp = <T>(work: () => T | Promise<T>) => frame.locator("body").evaluate(work);

  test("the admin frames the app with its signed parameters", async () => {
    await open("/app/keys?tab=1");
    const { searchParams, pathname } = new URL(stage.app.requests[0]?.target ?? "", APP_URL);
    expect(pathname).toBe("/app/keys");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      embedded: "1",
      shop: "larkfell-outdoor.myshopify.com",
      tab: "1",
      locale: "en",
      hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Buffer.from(searchParams.get("host") ?? "", "base64").toString()).toBe(
      "admin.shopify.com/store/larkfell-outdoor",
    );
    expect(stage.app.requests[0]?.headers.host).toBe("app.example.com");
    expect(await page.textContent("#title-bar-title")).toBe("Page /app/keys");
  });

  test("a request to the app carries a session token and is retried once with a fresh one", async () => {
    await open();
    const tokens: string[] = [];
    stage.app.respondWith((response, { headers }) => {
      tokens.push(headers.authorization?.replace("Bearer ", "") ?? "");
      if (tokens.length === 1) response.writeHead(401, { "x-shopify-retry-invalid-session-request": "1" }).end();
      else response.writeHead(200).end("in");
    });
    expect(await inApp(async () => (await fetch("/app/data")).text())).toBe("in");
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(API_SECRET), { audience: API_KEY });
      expect(payload).toMatchObject({
        dest: "https://larkfell-outdoor.myshopify.com",
        iss: "https://larkfell-outdoor.myshopify.com/admin",
      });
    }
  });

  test("a response with a reauthorize URL redirects the whole admin", async () => {
    await open();
    stage.app.respondWith(
      (response) =>
        void response
          .writeHead(401, {
            "x-shopify-api-request-failure-reauthorize-url": "https://admin.shopify.com/store/larkfell-outdoor",
          })
          .end(),
    );
    await inApp(async () => (await fetch("/app/upgrade", { method: "POST" })).status);
    await page.getByRole("link", { name: "Open Wishlist" }).waitFor();
  });

  test("the bounce page reloads the requested page with a fresh session token", async () => {
    await open();
    const origin = await appOrigin();
    const reload = encodeURIComponent(`${APP_URL}/app/keys?embedded=1`);
    stage.app.requests.length = 0;
    await frame
      .locator("body")
      .evaluate(
        (_body, to) => location.assign(to),
        `${origin}/auth/session-token?shopify-reload=${reload.replace(encodeURIComponent(APP_URL), encodeURIComponent(origin))}`,
      );
    await frame.getByText("/app/keys", { exact: true }).waitFor();
    expect(stage.app.requests.at(-1)?.target).toMatch(/^\/app\/keys\?embedded=1&id_token=[\w.-]+$/);
  });

  test("the admin's menu navigates the app without a page load and updates the address", async () => {
    await open();
    stage.app.requests.length = 0;
    await page.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await frame.getByText("/app/keys", { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/apps\/headless-wishlist\/app\/keys$/);
    expect(stage.app.requests).toEqual([]);
    expect(await page.getByRole("link", { name: "API keys" }).getAttribute("aria-current")).toBe("page");
  });

  test("buttons of the title bar, toasts, save bar and modal reach the app", async () => {
    await open();
    await page.getByRole("button", { name: "Save it" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();

    await frame.getByLabel("Name").fill("x");
    const save = page.locator("#save-bar").getByRole("button", { name: "Save" });
    const button = await save.elementHandle();
    await frame.getByLabel("Name").blur();
    await inApp(async () => shopify.idToken());
    // A press on it takes the field's focus away, and must still be one on the same button.
    expect(await button.evaluate(({ isConnected }) => isConnected)).toBe(true);
    await save.click();
    await frame.getByText("submitted").waitFor();
    expect(await page.locator("#save-bar").isHidden()).toBe(true);

    await inApp(async () => shopify.modal.show("ask"));
    await frame.getByText("Really?").waitFor();
    await frame.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await frame.getByText("deleted").waitFor();
  });

  test("a save bar's button without a type submits its form after Discard is confirmed", async () => {
    await open();
    await inApp(async () => shopify.saveBar.show("bar"));
    await page.locator("#save-bar").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Continue editing" }).click();
    await inApp(async () => shopify.idToken());
    expect(await frame.locator("output").innerText()).toBe("");
    await page.locator("#save-bar").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await frame.getByText("settings submitted").waitFor();
  });

  test("leaveConfirmation resolves only when the merchant leaves the unsaved page", async () => {
    await open();
    const ask = () =>
      inApp(() => {
        void shopify.saveBar.leaveConfirmation().then(() => {
          document.querySelector("output")?.append("left ");
        });
      });
    await ask();
    await frame.getByText("left", { exact: true }).waitFor();
    await inApp(async () => shopify.saveBar.show("bar"));
    await ask();
    await page.getByRole("button", { name: "Stay" }).click();
    await ask();
    await page.getByRole("button", { name: "Leave page" }).click();
    await frame.getByText("left left", { exact: true }).waitFor();
    expect(await page.locator("#save-bar").isHidden()).toBe(true);
  });

  test("App Bridge returns the user, the active blocks and the picked products", async () => {
    await open();
    const known = await inApp(async () => ({
      config: shopify.config,
      extensions: await shopify.app.extensions(),
      environment: shopify.environment,
    }));
    expect(known).toMatchObject({
      config: { apiKey: API_KEY, shop: "larkfell-outdoor.myshopify.com", locale: "en" },
      environment: { embedded: true },
      extensions: [
        {
          type: "theme_app_extension",
          activations: expect.arrayContaining([
            expect.objectContaining({ handle: "heart", status: "active", target: "section" }),
          ]),
        },
      ],
    });
    const picked = inApp(async () => shopify.resourcePicker({ type: "product", multiple: true }));
    await page.getByRole("searchbox", { name: "Search products" }).fill("beanie");
    await page.getByLabel("Wool Beanie").check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    expect(await picked).toMatchObject([{ title: "Wool Beanie", handle: "wool-beanie" }]);
  });

  test("the resource picker returns the variant that was picked, with its product", async () => {
    await open();
    const picked = inApp(async () => shopify.resourcePicker({ type: "variant", action: "select" }));
    await page.getByRole("searchbox", { name: "Search variants" }).fill("beanie");
    await page.getByRole("radio").first().check();
    await page.getByRole("button", { name: "Select", exact: true }).click();
    expect(await picked).toMatchObject([
      {
        id: expect.stringMatching(/^gid:\/\/shopify\/ProductVariant\/\d+$/),
        product: { id: expect.stringMatching(/^gid:\/\/shopify\/Product\/\d+$/), title: "Wool Beanie" },
      },
    ]);
  });

  test("the resource picker refuses options that App Bridge does not have", async () => {
    await open();
    const refused = frame.locator("body").evaluate(() =>
      Promise.resolve(Reflect.apply(shopify.resourcePicker, undefined, [{ type: "variant", limit: 1 }])).then(
        () => "picked",
        (error: unknown) => String(error),
      ),
    );
    expect(await refused).toContain("limit");
  });

  test("the merchant grants or declines an optional scope, and the app revokes it", async () => {
    await open();
    const SCOPES = ["read_customers"];
    expect(await inApp(async () => shopify.scopes.query())).toEqual({
      granted: ["read_products", "write_app_proxy"],
      required: ["read_products", "write_app_proxy"],
      optional: [...SCOPES, "read_inventory", "read_orders", "write_customers", "write_draft_orders"],
    });
    const ask = () =>
      frame.locator("body").evaluate(async (_body, scopes) => (await shopify.scopes.request(scopes)).result, SCOPES);
    const dialog = page.getByRole("dialog", { name: "Update permissions" });

    const declined = ask();
    await dialog.getByText("read customers").waitFor();
    await dialog.getByRole("button", { name: "Decline" }).click();
    expect(await declined).toBe("declined-all");
    expect((await inApp(async () => shopify.scopes.query())).granted).not.toContain("read_customers");

    const granted = ask();
    await dialog.getByRole("button", { name: "Update permissions" }).click();
    expect(await granted).toBe("granted-all");
    // Without another question.
    expect(await ask()).toBe("granted-all");
    expect((await inApp(async () => shopify.scopes.query())).granted).toContain("read_customers");

    // A scope to write implies the one to read, which is not revoked before it.
    await stage.control("scopes", {
      scopes: ["read_products", "write_app_proxy", "read_customers", "write_customers"],
    });
    await expect(inApp(async () => shopify.scopes.revoke(["read_customers"]))).rejects.toThrow();
    await inApp(async () => shopify.scopes.revoke(["write_customers"]));

    const { detail } = await frame.locator("body").evaluate((_body, scopes) => shopify.scopes.revoke(scopes), SCOPES);
    expect(detail.granted).not.toContain("read_customers");
    await expect
      .poll(async () => (await stage.state()).deliveries.filter(({ topic }) => topic === "app/scopes_update").length)
      .toBeGreaterThanOrEqual(2);
  });

  test("a scope that the app does not declare is refused without a dialog", async () => {
    await open();
    const refused = frame.locator("body").evaluate(() =>
      shopify.scopes.request(["write_orders"]).then(
        () => "granted",
        (error: unknown) => String(error),
      ),
    );
    expect(await refused).toContain("write_orders is not an optional scope");
  });

  test("the app works without storage", async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, "sessionStorage", {
        get: () => {
          throw new Error("blocked");
        },
      });
    });
    await open();
    expect(await inApp(async () => (await shopify.idToken()).split(".").length)).toBe(3);
  });
});
