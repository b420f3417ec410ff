import { readFileSync } from "node:fs";
import { Liquid } from "liquidjs";
import type { Page } from "playwright";
import { describe, test } from "vitest";
import { z } from "zod";
import { expect } from "../support/browser/expect.ts";
import { products } from "../support/browser/wishlist-service.ts";
import { type Shopper, withShopper } from "../support/browser/shopper.ts";

const GUIDE = readFileSync(new URL("../../docs/theme-api.md", import.meta.url), "utf8");
const FIRST = "trail-shoe-1";

let shopper: Shopper;
let store: Shopper["store"];
let page: Page;

withShopper((arrival) => {
  shopper = arrival;
  store = shopper.store;
});

/** Returns the code sample under a heading of the guide, in a language. */
function sample(heading: string, language: "js" | "html" | "liquid"): string {
  const section = GUIDE.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const code = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(section)?.[1];
  if (code === undefined) throw new Error(`“${heading}” has no ${language} sample`);
  return code;
}

/**
 * Runs a sample as a theme's module after the waiting one. Lines that end in `// → value` are collected as [actual,
 * expected].
 */
async function run(code: string): Promise<unknown[][]> {
  const checked = code.replaceAll(/^(.+); \/\/ → (.+)$/gm, "results.push([$1, $2]);");
  const results: unknown = await page.evaluate(
    `(async () => { const results = []; ${sample("Wait for the script", "js")} ${checked} return results; })()`,
  );
  return z.array(z.array(z.unknown())).parse(results);
}

async function insert(html: string): Promise<void> {
  await page.locator("main").evaluate((main, markup) => {
    main.insertAdjacentHTML("beforeend", markup);
  }, html);
}

describe("the guide to the JavaScript API", () => {
  test("has only samples that these tests run", () => {
    expect(GUIDE.match(/^```\w+/gm)).toEqual(
      ["js", "js", "js", "js", "liquid", "html", "html", "js"].map((language) => `\`\`\`${language}`),
    );
  });

  test("waits for the script in a page that has not loaded it yet", async () => {
    const script = `${sample("Wait for the script", "js")}
      window.first = typeof window.wishlist;
      wishlistReady().then(({ count }) => (window.seen = count));`;
    page = await shopper.open("/collections/all", { script });
    expect(
      await page.evaluate(() => [Reflect.get(window, "first") as unknown, Reflect.get(window, "seen") as unknown]),
    ).toEqual(["undefined", 0]);
  });

  test("saves, looks up and removes with the results that its sample names", async () => {
    page = await shopper.open();
    const results = await run(sample("Members", "js"));
    expect(results).toHaveLength(5);
    for (const [is, wanted] of results) expect(is).toEqual(wanted);
  });

  test("follows a change that another tab makes", async () => {
    page = await shopper.open();
    await run(sample("Follow changes", "js"));
    const other = await shopper.open();
    await other.evaluate((handle) => wishlist.add({ handle }), FIRST);
    await expect.poll(() => page.title()).toBe("Wishlist (1)");
  });

  test("leads to the login when the store keeps lists for customers only", async () => {
    page = await shopper.open();
    store.refusals.set("add", { status: 403, code: "guest_lists_off" });
    await Promise.all([
      page.waitForURL(/\/account\/login$/),
      // The page is left during the call.
      run(sample("Handle errors", "js")).catch(() => undefined),
    ]);
  });

  test("warns with the seconds of a limit that is reached", async () => {
    page = await shopper.open();
    store.refusals.set("add", { status: 429, code: "rate_limited", retryAfter: 7 });
    const [warning] = await Promise.all([
      page.waitForEvent("console", (message) => message.type() === "warning"),
      run(sample("Handle errors", "js")),
    ]);
    expect(warning.text()).toBe("Try again in 7 seconds.");
  });

  test("makes a heart that saves its variant", async () => {
    page = await shopper.open();
    const [product] = products.slice(20);
    const selected_or_first_available_variant = product?.variants[1];
    const html: unknown = await new Liquid().parseAndRender(sample("Add a custom heart", "liquid"), {
      product: { ...product, selected_or_first_available_variant },
    });
    await insert(String(html));
    const heart = page.getByRole("button", { name: `Save ${product?.title ?? ""}` });
    await heart.click();
    expect(await heart.getAttribute("aria-pressed")).toBe("true");
    await shopper.quiet(page);
    expect([...store.service.lists.values()].flatMap((list) => [...list])).toEqual([product?.variants[1]?.id]);
  });

  test("makes a counter that is hidden while nothing is saved", async () => {
    const markup = JSON.stringify(sample("Add a custom counter", "html"));
    page = await shopper.open("/collections/all", {
      script: `addEventListener("DOMContentLoaded", () => document.querySelector("main").insertAdjacentHTML("afterbegin", ${markup}));`,
    });
    const counter = page.locator("main [data-wishlist-count]");
    expect(await counter.isVisible()).toBe(false);
    await page.evaluate((handle) => wishlist.add({ handle }), FIRST);
    await expect(counter).toHaveText("1");
    expect(await counter.isVisible()).toBe(true);
  });

  test("lists saved products, and once more after a change", async () => {
    page = await shopper.open();
    let requests = 0;
    await page.route("**/api/2026-10/graphql.json", async (route) => {
      requests++;
      const { variables } = z
        .object({ variables: z.object({ ids: z.array(z.string()) }) })
        .parse(route.request().postDataJSON());
      const nodes = variables.ids.map((id) => ({
        product: products.find(({ variants }) => variants.some((one) => id.endsWith(`/${one.id}`))),
      }));
      await route.fulfill({ json: { data: { nodes: [...nodes, null] } } });
    });
    await page.evaluate((handle) => wishlist.add({ handle }), FIRST);
    await insert(sample("Show a list of saved products", "html"));
    await run(sample("Show a list of saved products", "js"));
    const rows = page.locator("[data-saved-products] li");
    expect(await rows.allInnerTexts()).toEqual(["Trail shoe 1"]);
    await page.evaluate(() => wishlist.add({ productId: 9002 }));
    await expect.poll(() => rows.allInnerTexts()).toEqual(["Trail shoe 1", "Trail shoe 2"]);
    await shopper.quiet(page);
    expect(requests).toBe(2);
  });
});

describe("window.wishlist", () => {
  test("looks up a product once that a customer's page does not show", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90411");
    page = await shopper.open("/cart");
    store.requests = [];
    const handle = "trail-shoe-41";
    const found = await page.evaluate(
      async (product) => [
        ...(await Promise.all([wishlist.has(product), wishlist.has(product)])),
        await wishlist.has(product),
      ],
      { handle },
    );
    expect(found).toEqual([true, true, true]);
    expect(store.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: "saved", body: { handles: [handle] } },
    ]);
  });

  test("looks up again after a failure", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90411");
    page = await shopper.open("/cart");
    store.refusals.set("saved", { status: 503, code: "service_unavailable" });
    const code = await page.evaluate(() =>
      wishlist.has({ productId: "9041" }).catch((error: unknown) => Reflect.get(Object(error), "code") as unknown),
    );
    expect(code).toBe("service_unavailable");
    expect(await page.evaluate(() => wishlist.has({ productId: "9041" }))).toBe(true);
  });

  test("loads its requests on first use, and rejects while they can't be loaded", async () => {
    page = await shopper.open();
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.evaluate(() => [wishlist.count, wishlist.on("change", () => undefined)].length);
    expect(loaded).toEqual([]);
    await page.route("**/wishlist-api.js", (route) => route.abort());
    const failure = await page.evaluate(
      (handle) => wishlist.add({ handle }).catch((error: unknown) => ({ ...Object(error) }) as unknown),
      FIRST,
    );
    expect(failure).toMatchObject({ code: "unreachable", retryAfter: 0 });
    expect(store.requests).toEqual([]);
  });

  test("calls each follower although another one throws", async () => {
    page = await shopper.open();
    const thrown = page.waitForEvent("pageerror");
    await page.evaluate(() => {
      wishlist.on("change", () => {
        throw new Error("a theme's error");
      });
      wishlist.on("change", ({ count }) => (document.title = `Wishlist (${count})`));
    });
    await page.evaluate((handle) => wishlist.add({ handle }), FIRST);
    await expect.poll(() => page.title()).toBe("Wishlist (1)");
    expect((await thrown).message).toBe("a theme's error");
    shopper.complaints.length = 0;
  });

  test("makes no request for a guest's products", async () => {
    page = await shopper.open();
    await page.evaluate((handle) => wishlist.add({ handle }), FIRST);
    store.requests = [];
    expect(await page.evaluate(() => wishlist.has({ handle: "trail-shoe-7" }))).toBe(false);
    expect(await page.evaluate(() => wishlist.list().then(({ itemCount }) => itemCount))).toBe(1);
    expect(store.paths()).toEqual(["list"]);
  });
});
