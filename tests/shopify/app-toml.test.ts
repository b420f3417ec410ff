import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPTIONAL_SCOPES } from "../../app/shopify-sessions/index.server.ts";
import { TOPIC_SUBSCRIPTIONS } from "../../app/installation/index.server.ts";
import { resources } from "../../app/surfaces/shopify-webhooks.server.ts";
import { parseEnv } from "../../app/platform/process/env.server.ts";
import { TOPICS as TOPIC_NAMES } from "../../packages/devstore/foundation/options.ts";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import { ENCRYPTION_KEY, startService, TOKEN_SECRET, type Service } from "../support/app/service.ts";
import { startShopify } from "../support/shopify/shopify.ts";

const toml = await readFile(new URL("../../shopify.app.toml", import.meta.url), "utf8");

/** Returns a string of the file. */
function text(name: string): string {
  return new RegExp(`^\\s*${name} = "(.*)"$`, "m").exec(toml)?.[1] ?? "";
}

/** Returns path and topics of each subscription. */
const subscriptions = toml
  .split("[[webhooks.subscriptions]]")
  .slice(1)
  .map((block) => ({
    uri: /^\s*uri = "(.*)"$/m.exec(block)?.[1] ?? "",
    topics: [...(/topics = \[(.*)\]/.exec(block)?.[1] ?? "").matchAll(/"(.*?)"/g)].map(([, topic]) => topic ?? ""),
  }));

/** Returns the name of a topic as in webhooks. */
function topicOf(name: string): string {
  return TOPIC_NAMES.find((topic) => topic.replace("/", "_").toUpperCase() === name) ?? name;
}

/** Paths with the topics to which stores are subscribed one by one. */
const shopSubscriptions = [...new Set(TOPIC_SUBSCRIPTIONS.map(({ path }) => path))].map((uri) => ({
  uri,
  topics: TOPIC_SUBSCRIPTIONS.filter(({ path }) => path === uri).map(({ topic }) => topicOf(topic)),
}));

let shopify: Devstore;
let service: Service;

beforeAll(async () => {
  shopify = await startShopify();
  service = await startService({ env: shopify.env });
});
afterAll(async () => {
  await service.dispose();
  await shopify.close();
});

describe("shopify.app.toml", () => {
  test("and the topics of optional scopes subscribe each path of the surface, and to nothing else", async () => {
    // The lifecycle callbacks of Shopify Flow are an extension's.
    const paths = resources.map(({ path }) => path).filter((path) => path !== "/webhooks/flow");
    const all = [...subscriptions, ...shopSubscriptions];
    expect(all.map(({ uri }) => uri).sort()).toEqual(paths.sort());
    for (const { uri, topics } of all) {
      expect(topics.length).toBeGreaterThan(0);
      for (const topic of topics) {
        const response = await shopify.deliverWebhook(service.url, uri, {
          topic,
          shop: "nobody.myshopify.com",
          payload: {},
        });
        expect({ uri, topic, status: response.status }).toEqual({ uri, topic, status: 200 });
      }
    }
    const taken = all.flatMap(({ topics }) => topics);
    for (const { uri, topics } of all) {
      for (const topic of taken.filter((one) => !topics.includes(one))) {
        const response = await shopify.deliverWebhook(service.url, uri, {
          topic,
          shop: "nobody.myshopify.com",
          payload: {},
        });
        expect({ uri, topic, status: response.status }).toEqual({ uri, topic, status: 400 });
      }
    }
  });

  test("has the three mandatory privacy topics", () => {
    expect(subscriptions.flatMap(({ topics }) => topics)).toEqual(
      expect.arrayContaining(["customers/data_request", "customers/redact", "shop/redact"]),
    );
  });

  test("requests only id and time of products", () => {
    const blocks = toml
      .split("[[webhooks.subscriptions]]")
      .filter((block) => /"products\/(?:create|update)"/.test(block));
    expect(blocks).toHaveLength(1);
    for (const block of blocks) expect(block).toContain('include_fields = ["id", "updated_at"]');
  });

  test("leaves topics of optional scopes to the subscriptions of each store", () => {
    const optional = new Set(TOPIC_SUBSCRIPTIONS.map(({ scope }) => scope));
    for (const scope of optional) expect(text("scopes").split(",")).not.toContain(scope);
    const topics = new Set(subscriptions.flatMap((subscription) => subscription.topics));
    expect(TOPIC_SUBSCRIPTIONS.filter(({ topic }) => topics.has(topicOf(topic)))).toEqual([]);
  });

  test("requests the scopes that the service requires", () => {
    const { env } = parseEnv({
      TOKEN_SECRETS: TOKEN_SECRET,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      SHOPIFY_API_KEY: "k",
      SHOPIFY_API_SECRET: "9f86d081884c7d659a2feaa0c55ad015",
      SHOPIFY_APP_URL: text("application_url"),
    });
    expect(text("scopes").split(",")).toEqual(env.shopify?.scopes);
  });

  test("declares every optional scope of the service, and no other", () => {
    const optional = /^optional_scopes = \[(.*)\]$/m.exec(toml)?.[1] ?? "";
    const scopes = Object.values(OPTIONAL_SCOPES);
    expect(optional).toBe(scopes.map((scope) => `"${scope}"`).join(", "));
    // Merchants cannot decline a required scope.
    for (const scope of scopes) expect(text("scopes").split(",")).not.toContain(scope);
  });

  test("uses the API version of the service", async () => {
    const source = await readFile(
      new URL("../../node_modules/@shopify/shopify-api/dist/esm/lib/types.mjs", import.meta.url),
      "utf8",
    );
    const app = await readFile(new URL("../../app/shopify.server.ts", import.meta.url), "utf8");
    const name = /ApiVersion\.(\w+)/.exec(app)?.[1] ?? "";
    expect(source).toContain(`ApiVersion["${name}"] = "${text("api_version")}"`);
  });

  test("has URLs that exist", async () => {
    const origin = text("application_url");
    const [redirect = ""] = [...(/redirect_urls = \["(.*)"\]/.exec(toml) ?? [])].slice(1);
    expect(redirect.startsWith(origin)).toBe(true);
    for (const path of [redirect.slice(origin.length), "/app", "/?shop=a.myshopify.com"]) {
      const response = await fetch(service.url + path, {
        headers: { "user-agent": MERCHANT_BROWSER },
        redirect: "manual",
      });
      // Shopify's library redirects requests without a session.
      expect({ path, status: response.status }).toEqual({ path, status: 302 });
    }
    expect([text("prefix"), text("subpath")]).toEqual(["apps", "wishlist"]);
  });
});
