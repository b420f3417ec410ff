// @module-tag matrix

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { liquid } from "./fixtures/app.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const SHOP = "larkfell-outdoor.myshopify.com";
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => stage.close());
beforeEach(async () => {
  stage.app.requests.length = 0;
  stage.app.respondWith(liquid("Hello"));
  await stage.control("reset");
});

const ask = (path = "", init: RequestInit = {}) => fetch(`${stage.devstore.storefrontUrl}/apps/wishlist${path}`, init);

async function page(template: string, path = ""): Promise<string> {
  stage.app.respondWith(liquid(template));
  return (await ask(path)).text();
}

async function logIn(): Promise<{ id: string; firstName: string; cookie: string }> {
  const [customer] = (await stage.state()).customers;
  if (customer === undefined) throw new Error("there are no customers");
  const body = new URLSearchParams({ customer_id: customer.id });
  const response = await fetch(`${stage.devstore.storefrontUrl}/account/login`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  return { ...customer, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

/** Returns the name of the parameter that no app can know. */
const added = (url: URL): string | undefined => [...url.searchParams.keys()].find((name) => name.startsWith("added_"));

describe("the forwarded request", () => {
  test("has the path after the prefix and the signed customer in its query", async () => {
    const { id, cookie } = await logIn();
    await ask("/shared/abc?page=2", { headers: { cookie } });
    const url = new URL(stage.app.requests[0]?.target ?? "", "https://app.example.com");
    expect(url.pathname).toBe("/proxy/shared/abc");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      page: "2",
      shop: SHOP,
      logged_in_customer_id: id,
      path_prefix: "/apps/wishlist",
      timestamp: expect.stringMatching(/^\d{10}$/),
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      [added(url) ?? ""]: "2",
    });
  });

  test("has a further signed parameter, of another name each time", async () => {
    await ask();
    await ask();
    const urls = stage.app.requests.map(({ target }) => new URL(target, "https://app.example.com"));
    expect(new Set(urls.map(added)).size).toBe(2);
  });

  test("has an empty customer id for a guest", async () => {
    await ask();
    expect(stage.app.requests[0]?.target).toContain("logged_in_customer_id=&");
  });

  test("has no cookies, the shop's host, and the original method, body and type", async () => {
    await ask("/api/add", {
      method: "POST",
      headers: {
        cookie: "cart=1; wishlist_guest=2",
        "content-type": "application/json",
        origin: stage.devstore.storefrontUrl,
        "x-forwarded-host": "evil.example",
      },
      body: '{"handle":"ü"}',
    });
    const [{ method, headers, body }] = [...stage.app.requests, { method: "", headers: {}, body: "" }] as const;
    expect(method).toBe("POST");
    expect(body).toBe('{"handle":"ü"}');
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      host: "app.example.com",
      origin: `https://${SHOP}`,
      "x-forwarded-host": SHOP,
    });
  });

  test("keeps the origin of another site", async () => {
    await ask("/api/add", { method: "POST", headers: { origin: "https://evil.example" } });
    expect(stage.app.requests[0]?.headers.origin).toBe("https://evil.example");
  });

  test("appends the shopper's address to the X-Forwarded-For that it received", async () => {
    await ask("", { headers: { "x-forwarded-for": "1.2.3.4" } });
    expect(stage.app.requests[0]?.headers["x-forwarded-for"]).toBe("1.2.3.4, 127.0.0.1");
  });
});

describe("the shopper's response", () => {
  test("renders Liquid inside the theme with the theme's objects", async () => {
    const { firstName, cookie } = await logIn();
    stage.app.respondWith(
      liquid(
        "{% assign p = all_products['hollowbrook-1-solo-tent'] %}<h1>{{ customer.first_name }}</h1>{{ p.title }}: {{ p.price | money }} {{ p | image_url: width: 200 | image_tag }}",
      ),
    );
    const html = await (await ask("", { headers: { cookie } })).text();
    expect(html).toContain(
      `<h1>${firstName}</h1>Hollowbrook 1 Solo Tent: €249,00 <img src="${stage.devstore.url}/s/files/`,
    );
    expect(html).toContain('<main id="MainContent"');
  });

  test("is a fragment without the theme for {% layout none %}", async () => {
    expect(await page("{% layout none %} <p>{{ shop.name }}</p>")).toBe(" <p>Larkfell Outdoor</p>");
  });

  test("shows escaped braces as text", async () => {
    const html = await page(
      "<p>{{ '{{ shop.name }} {% if %}' | escape }}</p>{% raw %}<p>{{ shop.name }}</p>{% endraw %}&#123;&#123; shop.name }}",
    );
    expect(html).toContain("<p>{{ shop.name }} {% if %}</p><p>{{ shop.name }}</p>&#123;&#123; shop.name }}");
  });

  test("names the page by the title that it assigns", async () => {
    expect(await page("{% assign page_title = 'Ana & Ben' %}<p></p>")).toContain("<title>Ana &amp; Ben");
    expect(await page("<p></p>")).toContain("<title>Wishlist");
  });

  test("reports an error in Liquid inside the page", async () => {
    expect(await page("{{ 'x' | no_such_filter }}")).toContain(
      "Liquid error (app proxy): undefined filter: no_such_filter",
    );
  });

  test("has at most twenty products of all_products", async () => {
    const handles = await (await fetch(`${stage.devstore.storefrontUrl}/collections/all?page=1`)).text();
    const more = await (await fetch(`${stage.devstore.storefrontUrl}/collections/all?page=2`)).text();
    const known = [...(handles + more).matchAll(/data-product-handle="([^"]+)"/g)].map(([, handle]) => handle ?? "");
    expect(known.length).toBeGreaterThan(20);
    const html = await page(
      known
        .map((handle) => `{% if all_products['${handle}'] %}[{{ all_products['${handle}'].id }}]{% endif %}`)
        .join(""),
    );
    expect([...html.matchAll(/\[\d+\]/g)]).toHaveLength(20);
  });

  test("keeps the app's status and headers but not its cookies", async () => {
    stage.app.respondWith((response) => {
      response.writeHead(410, { "content-type": "application/json", "set-cookie": "a=b", "cache-control": "no-store" });
      response.end('{"url":"https://larkfell-outdoor.myshopify.com/apps/wishlist/shared/x"}');
    });
    const response = await ask();
    expect(response.status).toBe(410);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    // A link into the shop leads to where a person's browser finds it.
    expect(await response.json()).toEqual({ url: `${stage.devstore.url}/apps/wishlist/shared/x` });
  });

  test("is the target of the app's redirect, which Shopify follows", async () => {
    stage.app.respondWith((response, { target }) => {
      if (target.startsWith("/proxy/old")) response.writeHead(302, { location: "/proxy/new" }).end();
      else liquid("New")(response, { method: "", target, headers: {}, body: "" });
    });
    const response = await ask("/old", { method: "POST", body: "x=1", redirect: "manual" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("New");
    expect(stage.app.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  test("is Shopify's error page instead of a 5xx of the app, whose 4xx passes", async () => {
    const fails = (status: number) =>
      stage.app.respondWith((response) => void response.writeHead(status, { "retry-after": "2" }).end("own words"));
    fails(503);
    const replaced = await ask("/api/add", { method: "POST" });
    expect([replaced.status, replaced.headers.get("retry-after")]).toEqual([503, null]);
    expect(await replaced.text()).toContain("error in the third-party application");
    fails(404);
    expect(await (await ask()).text()).toBe("own words");
  });

  test("is Shopify's error page when the app does not respond", async () => {
    stage.app.respondWith((response) => void response.destroy());
    const response = await ask();
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("error in the third-party application");
  });

  test("is 404 while the app is not installed", async () => {
    await stage.control("uninstall");
    expect((await ask()).status).toBe(404);
    await stage.control("install");
    stage.app.requests.length = 0;
  });

  test("is rendered in the shopper's language", async () => {
    stage.app.respondWith(liquid("{{ request.locale.iso_code }} {{ routes.cart_url }}"));
    const html = await (await fetch(`${stage.devstore.storefrontUrl}/de/apps/wishlist`)).text();
    expect(html).toContain("de /de/cart");
    expect(html).toContain('lang="de"');
  });
});

test("a body over 1 MiB is refused with 413 and not forwarded", async () => {
  expect((await ask("", { method: "POST", body: "x".repeat(1024 * 1024 + 1) })).status).toBe(413);
  expect(stage.app.requests).toEqual([]);
});
