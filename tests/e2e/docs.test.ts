import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, launchBrowser, PHONE } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { client, type Call } from "../support/app/client.ts";
import { contract } from "../support/app/contract.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";

let service: Service;
let call: Call;
let shop: TestShop;
let browser: Browser;
let page: Page;
/** forbidden effects of a page: requests to other hosts, policy violations, warnings, errors */
let complaints: string[];
let requests: string[];

beforeAll(async () => {
  service = await startService();
  call = client(service.url);
  shop = await makeShop(service, call);
  await call("POST", "/v1/wishlists/c-7/items", { token: shop.token, json: { product_id: "p1", variant_id: "v1" } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.dispose();
});

beforeEach(async () => {
  complaints = [];
  requests = [];
  page = await browser.newPage({ viewport: DESKTOP });
  // The timeout of the other tests: opening an operation is slow on a busy machine.
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} responded ${response.status()}`);
  });
  // Requests to other hosts are blocked.
  await page.route(
    (url) => !url.href.startsWith(`${service.url}/`),
    async (route) => {
      complaints.push(`requested ${route.request().url()}`);
      await route.abort();
    },
  );
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
});
afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

const operation = (tag: string, operationId: string): string => `#operations-${tag}-${operationId}`;
const described = Object.values(contract.paths)
  .flatMap((operations) => Object.values(operations))
  .map((one) => ({ block: operation(one.tags[0] ?? "", one.operationId), length: JSON.stringify(one).length }));
const operationIds = described.map(({ block }) => block);
/** The operations with the longest descriptions. Swagger UI takes a second to open one. */
const largest = described
  .sort((a, b) => b.length - a.length)
  .slice(0, 8)
  .map(({ block }) => block);

/** Returns the pixels by which the page is wider than the window. */
function overflow(): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Opens the page and loads Swagger UI. */
async function openDocs(hash = "#/"): Promise<void> {
  await page.goto(`${service.url}/v1/docs${hash}`);
  await page.waitForSelector(".opblock");
}

const LIGHT = 100_000;
const TALL = 4_200;
const OPERATION_TALL = 4_500;

/** Returns the height of the page in pixels. */
function height(): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

async function execute(block: string): Promise<void> {
  await page.click(`${block} .execute`);
  await page.waitForSelector(`${block} .live-responses-table .response .highlight-code`);
}

describe("/v1/docs", () => {
  test("lists every operation and explains every error before Swagger UI is loaded", async () => {
    let bytes = 0;
    page.on("response", (response) => {
      void response.body().then((body) => (bytes += body.length));
    });
    await page.goto(`${service.url}/v1/docs`);
    await page.waitForLoadState("networkidle");
    const listed = await page
      .locator("#list .operation")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(listed.map((href) => `#operations${href?.slice(1).replaceAll("/", "-") ?? ""}`).sort()).toEqual(
      operationIds.sort(),
    );
    for (const code of Object.keys(contract.components.examples)) {
      expect(await page.locator(`#error-${code}`).count()).toBe(1);
    }
    expect(requests.filter((path) => path.includes("swagger"))).toEqual([]);
    expect(bytes).toBeLessThan(LIGHT);
  });

  test.each([PHONE, DESKTOP])(
    "is at most 4,200 pixels tall at $width pixels and starts with the guide",
    async (viewport) => {
      await page.setViewportSize(viewport);
      await page.goto(`${service.url}/v1/docs`);
      expect(await height()).toBeLessThanOrEqual(TALL);
      expect(await overflow()).toBe(0);
      const [guide, list] = [await page.locator(".guide").boundingBox(), await page.locator("#list").boundingBox()];
      if (viewport === PHONE) expect(guide?.y).toBeLessThan(list?.y ?? 0);
      else expect(guide?.x).toBeLessThan(list?.x ?? 0);
    },
  );

  test(
    "shows the largest operations within 4,500 pixels on phone and desktop, with a link for each error",
    MATRIX,
    async () => {
      await openDocs();
      const tall: string[] = [];
      for (const block of largest) {
        const summary = page.locator(`${block} .opblock-summary-control`);
        await summary.click();
        await page.waitForSelector(`${block} .responses-wrapper`);
        for (const viewport of [PHONE, DESKTOP]) {
          await page.setViewportSize(viewport);
          const box = await page.locator(block).boundingBox();
          if ((box?.height ?? Infinity) > OPERATION_TALL)
            tall.push(`${block}: ${box?.height ?? 0} at ${viewport.width} pixels`);
        }
        await summary.click();
      }
      expect(tall).toEqual([]);
      const block = operation("Wishlists", "getWishlist");
      await page.click(`${block} .opblock-summary-control`);
      await page.click(`${block} .error-code:text("token_expired")`);
      await page.waitForSelector("#error-token_expired.named", { state: "visible" });
    },
  );

  test("shows every operation with cacheable and compressed files, without requests to other hosts", async () => {
    await openDocs();
    const shown = await page.locator(".opblock").evaluateAll((blocks) => blocks.map(({ id }) => `#${id}`));
    // Swagger UI escapes the dots of an event's name.
    const events = Object.keys(contract.webhooks).map((event) => `#operations-webhooks-receive.${event}`);
    expect(shown.map((id) => id.replaceAll("\\", "")).sort()).toEqual([...operationIds, ...events].sort());
    expect(await page.title()).toBe("API documentation · Wishlist Headless");
    await page.waitForLoadState("networkidle");
    expect(requests.filter((path) => !path.startsWith("/assets/"))).toEqual(["/v1/docs", "/v1/openapi.json"]);

    const files = requests.filter((path) => path.startsWith("/assets/"));
    expect(new Set(files).size).toBe(5);
    for (const file of files) {
      const plain = await fetch(service.url + file, { headers: { "Accept-Encoding": "identity" } });
      expect([plain.status, plain.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(plain.headers.get("content-encoding")).toBeNull();
      const text = await plain.text();
      for (const encoding of ["br", "gzip"]) {
        const response = await fetch(service.url + file, { headers: { "Accept-Encoding": encoding } });
        expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([
          encoding,
          "Accept-Encoding",
        ]);
        expect(await response.text()).toBe(text);
      }
    }
  });

  test("opens the operation of the URL's fragment, with its samples and the fields of its body", MATRIX, async () => {
    await openDocs("#/Lists/changeListItems");
    const block = page.locator(operation("Lists", "changeListItems"));
    await page.waitForSelector(`${operation("Lists", "changeListItems")}.is-open .parameters-container`);
    expect(await page.locator(".opblock.is-open").count()).toBe(1);
    const samples = block.locator(".code-samples");
    await samples.locator("code", { hasText: 'curl "$API/v1/wishlists/' }).waitFor();
    await samples.getByRole("button", { name: "SDK" }).click();
    await samples.locator("code", { hasText: "await client.lists.items.batch({" }).waitFor();
    expect(await samples.getByRole("button", { name: "curl" }).getAttribute("aria-pressed")).toBe("false");

    const fields = block.getByRole("table", { name: "Fields of the body" });
    await fields.getByRole("row", { name: 'operations[].op required "add" | "remove" | "update"' }).waitFor();
    await fields
      .getByRole("row", { name: "operations[].quantity integer | null How many the shopper wants" })
      .waitFor();
  });

  test("shows lists of the guide as lists", async () => {
    await page.goto(`${service.url}/v1/docs#guide-changes`);
    const items = page.locator("#guide-changes li");
    await items.filter({ hasText: "changes no list" }).waitFor();
    expect(await items.count()).toBe(3);
  });

  test(
    "finds operations by their words, opens the first by keyboard, and the next without loading anew",
    MATRIX,
    async () => {
      await page.goto(`${service.url}/v1/docs`);
      await page.keyboard.press("/");
      await page.keyboard.type("LIST share");
      const found = page.locator("#list .operation:visible");
      await page
        .getByRole("status")
        .filter({ hasText: /^\d operations$/ })
        .waitFor();
      for (const text of await found.allTextContents()) expect(text.toLowerCase()).toMatch(/list.*share|share.*list/);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`${operation("Sharing", "shareWishlist")}.is-open .responses-wrapper`);

      await page.getByRole("searchbox", { name: "Search operations" }).fill("changeListItems");
      expect(await found.count()).toBe(1);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForSelector(`${operation("Lists", "changeListItems")}.is-open .responses-wrapper`);
      expect(await page.locator("#list").isVisible()).toBe(false);
      expect(requests.filter((path) => path === "/v1/openapi.json")).toHaveLength(1);
    },
  );

  test("says that no operation matches a search, and shows all again after it", async () => {
    await page.goto(`${service.url}/v1/docs`);
    const search = page.getByRole("searchbox", { name: "Search operations" });
    await search.fill("nothing of the kind");
    await page.getByRole("status").getByText("0 operations").waitFor();
    expect(await page.locator("#list section:visible").count()).toBe(0);
    await search.fill("");
    expect(await page.locator("#list .operation:visible").count()).toBe(operationIds.length);
  });

  const passesAxe = async (viewport: { width: number; height: number }): Promise<void> => {
    await page.setViewportSize(viewport);
    await page.goto(`${service.url}/v1/docs`);
    await page.locator(".guide details").evaluateAll((sections) => {
      for (const section of sections) section.setAttribute("open", "");
    });
    expect(await violations(page.locator("html"))).toEqual([]);
    await openDocs("#/Wishlists/getWishlist");
    const [read, batch] = [operation("Wishlists", "getWishlist"), operation("Lists", "changeListItems")];
    await page.click(`${read} .try-out button`);
    await page.waitForSelector(`${read} .execute`);
    await page.click(`${batch} .opblock-summary-control`);
    await page.waitForSelector(`${batch} .responses-wrapper`);
    expect(await violations(page.locator("html"))).toEqual([]);
    await page.click(".auth-wrapper .authorize");
    // The page behind the dialog is the one above.
    const dialog = page.getByRole("dialog", { name: "Authorize" });
    await dialog.waitFor();
    expect(await violations(dialog)).toEqual([]);
  };
  test("has no violation of axe's rules at 390 pixels", MATRIX, () => passesAxe(PHONE));
  test("has no violation of axe's rules at 1280 pixels", MATRIX, () => passesAxe(DESKTOP));

  test("offers the collection for API clients as a file", async () => {
    await page.goto(`${service.url}/v1/docs`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Collection" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("wishlist-headless.postman_collection.json");
    const committed = await readFile(
      new URL("../../app/surfaces/v1/documentation/collection.json", import.meta.url),
      "utf8",
    );
    expect(JSON.parse(await readFile(await download.path(), "utf8"))).toEqual(JSON.parse(committed));
  });

  test("allows its own scripts only and cannot be framed", async () => {
    const policy = (await call("GET", "/v1/docs")).headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  test("exchanges a key for a token, tries an operation with it, and forgets it when the page is closed", async () => {
    await openDocs(`#/Access/exchangeToken`);
    const exchange = operation("Access", "exchangeToken");
    await page.click(`${exchange} .try-out button`);
    await page.fill(`${exchange} textarea`, JSON.stringify({ api_key: shop.keyId, api_secret: shop.secret }));
    await execute(exchange);
    const granted = page.locator(`${exchange} .live-responses-table .highlight-code`).first();
    const token = /"token": "([^"]+)"/.exec(await granted.innerText())?.[1] ?? "";
    await page.click(`${exchange} .opblock-summary-control`);

    await page.click(".authorize");
    await page.fill(".modal-ux input", token);
    await page.click(".modal-ux .authorize");
    await page.click(".modal-ux .btn-done");
    const block = operation("Wishlists", "getWishlist");
    await page.click(`${block} .opblock-summary-control`);
    await page.click(`${block} .try-out button`);
    await page.fill(`${block} [data-param-name=customerId] input`, "c-7");
    await execute(block);
    const table = page.locator(`${block} .live-responses-table`);
    expect(await table.locator(".response-col_status").last().innerText()).toContain("200");
    expect(await table.locator(".highlight-code").first().innerText()).toContain('"productId": "p1"');
    expect(requests).toContain("/v1/wishlists/c-7");

    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    await page.reload();
    await page.waitForSelector(".authorize.unlocked");
  });

  test("fits a phone and a desktop with open operations", MATRIX, async () => {
    await openDocs();
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect(await overflow()).toBe(0);
    }
    // An operation with many parameters and one with a body.
    for (const block of [operation("Wishlists", "getWishlist"), operation("Wishlists", "mergeWishlist")]) {
      await page.click(`${block} .opblock-summary-control`);
      await page.click(`${block} .try-out button`);
      await page.waitForSelector(`${block} .execute`);
    }
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect(await overflow()).toBe(0);
      const beyond = await page.locator("button, input, select, textarea").evaluateAll((controls) =>
        controls.flatMap((one) => {
          const { right, width } = one.getBoundingClientRect();
          return width > 0 && right > document.documentElement.clientWidth ? [one.outerHTML] : [];
        }),
      );
      expect(beyond).toEqual([]);
      const header = await page.locator(".masthead nav").boundingBox();
      expect((header?.x ?? 0) + (header?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    }
  });
});

describe("the start page", () => {
  test.each([PHONE, DESKTOP])(
    "links to the documentation at $width pixels, without requests to other hosts",
    async (viewport) => {
      await page.setViewportSize(viewport);
      await page.goto(service.url);
      await page.waitForLoadState("networkidle");
      expect(requests).toEqual(["/"]);
      expect(await overflow()).toBe(0);
      await page.click("text=API documentation");
      await page.waitForSelector("#list .operation");
    },
  );
});
