import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { customersAnswer, type Customers } from "./store-customers.ts";

/** The app as the stand-in knows it. */
const API_KEY = "0f7a3c1e9b2d4856a1c0e8f7d6b5a493";
export const API_SECRET = "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";
const APP_URL = "https://app.example.com";

const GRANTED = ["read_products", "write_app_proxy"];

/** Shopify's id of a shop. */
export function storeIdOf(shop: string): number {
  return 80_000_000_000 + createHash("sha256").update(shop).digest().readUInt32BE();
}

export interface StoreVariant {
  id: number;
  title?: string;
  price?: string;
  /** true when left out */
  available?: boolean;
}

export interface StoreProduct {
  id: number;
  handle: string;
  title: string;
  variants: StoreVariant[];
  /** ACTIVE when left out */
  status?: string;
  /** long ago when left out */
  publishedAt?: string | null;
}

/** One question to the Admin API. */
export interface Asked {
  shop: string;
  /** the operation's name */
  operation: string;
  variables: Record<string, unknown>;
}

/** What the stand-in does instead of answering as it should. */
interface Behaviour {
  /** an answer (or "token") is held back until what this yields has resolved */
  hold: ((operation: string, variables: Record<string, unknown>, shop: string) => Promise<void>) | undefined;
  /** HTTP status of Admin API answers instead of 200 */
  status: number | undefined;
  /** so many questions are refused as throttled before one is answered */
  throttled: number;
  /** of a page of the catalogue; a greater one costs too much */
  mostProducts: number;
  /** token requests are refused */
  refuseTokens: boolean;
  /** seconds that a token is good for */
  tokenLife: number;
}

export interface StandIn {
  url: string;
  /** by id; changes show at once */
  products: Map<number, StoreProduct>;
  timeZone: string;
  currency: string;
  subscriptions: { name: string; status: string }[];
  customers: Customers;
  asked: Asked[];
  /** tokens that were issued, or those of one shop, are not accepted any more */
  forgetTokens: (shop?: string) => void;
  /** what a shop grants, where it is not what every shop grants */
  scopes: Map<string, string[]>;
  /** every token that was given away */
  tokens: string[];
  behaviour: Behaviour;
  /** The settings of a service that takes this for Shopify. */
  env: Record<string, string>;
  close: () => Promise<void>;
}

const tokenBody = z.object({
  client_id: z.literal(API_KEY),
  client_secret: z.literal(API_SECRET),
  grant_type: z.string(),
});
const graphqlBody = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).default({}) });
const pageOf = z.object({ first: z.int().default(100), after: z.string().nullish(), variants: z.int().default(100) });

async function read(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString());
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function variantsOf({ variants }: StoreProduct, first: number, after: number): unknown {
  const page = variants.slice(after, after + first);
  return {
    nodes: page.map(({ id, title = `Variant ${id}`, price = "10.00", available = true }, place) => ({
      id: `gid://shopify/ProductVariant/${id}`,
      title,
      price,
      availableForSale: available,
      position: after + place + 1,
    })),
    pageInfo: { hasNextPage: after + first < variants.length, endCursor: String(after + page.length) },
  };
}

function subscriptionNode({ name, status }: StandIn["subscriptions"][number]): unknown {
  return { name, status, test: false, trialDays: 14, createdAt: "2026-11-01T10:00:00Z", currentPeriodEnd: null };
}

function productNode(product: StoreProduct, variants: number): unknown {
  return {
    id: `gid://shopify/Product/${product.id}`,
    handle: product.handle,
    title: product.title,
    status: product.status ?? "ACTIVE",
    publishedAt: product.publishedAt === undefined ? "2026-01-05T09:00:00Z" : product.publishedAt,
    updatedAt: "2026-11-20T10:00:00Z",
    featuredMedia: { preview: { image: { url: `https://cdn.shopify.com/${product.handle}.jpg` } } },
    variants: variantsOf(product, variants, 0),
  };
}

/** Something that answers as Shopify does, as far as installing and mirroring a catalogue need it. A real server, without Shopify's data. */
export async function startShopify(): Promise<StandIn> {
  const behaviour: Behaviour = {
    hold: undefined,
    status: undefined,
    throttled: 0,
    mostProducts: 100,
    refuseTokens: false,
    tokenLife: 3_600,
  };
  /** the shops of the tokens that are accepted */
  const live = new Map<string, string>();
  const standIn: Omit<StandIn, "url" | "env" | "close"> = {
    products: new Map(),
    timeZone: "Europe/Berlin",
    currency: "EUR",
    subscriptions: [],
    customers: { all: [], permitted: new Set() },
    asked: [],
    forgetTokens: (shop) => {
      for (const [token, of] of live) if (shop === undefined || of === shop) live.delete(token);
    },
    scopes: new Map(),
    tokens: [],
    behaviour,
  };

  function grantedBy(shop: string): string[] {
    return standIn.customers.permitted.has(shop) ? [...GRANTED, "read_customers"] : GRANTED;
  }

  function answerOf(operation: string, variables: Record<string, unknown>, shop: string): unknown {
    const { first, after, variants } = pageOf.parse(variables);
    const all = [...standIn.products.values()].sort((a, b) => a.id - b.id);
    const byGid = (gid: unknown): StoreProduct | undefined =>
      standIn.products.get(Number(String(gid).replace("gid://shopify/Product/", "")));
    switch (operation) {
      case "ShopSettings":
        return {
          shop: {
            id: `gid://shopify/Shop/${storeIdOf(shop)}`,
            ianaTimezone: standIn.timeZone,
            currencyCode: standIn.currency,
            plan: { partnerDevelopment: false },
          },
          currentAppInstallation: {
            activeSubscriptions: standIn.subscriptions.map(subscriptionNode),
            allSubscriptions: { nodes: standIn.subscriptions.map(subscriptionNode).toReversed() },
          },
        };
      case "Installation": {
        const scopes = standIn.scopes.get(shop) ?? grantedBy(shop);
        return { currentAppInstallation: { accessScopes: scopes.map((handle) => ({ handle })) } };
      }
      case "CatalogPage": {
        const rest = all.filter(({ id }) => id > Number(after ?? 0));
        const page = rest.slice(0, first);
        return {
          products: {
            nodes: page.map((product) => productNode(product, variants)),
            pageInfo: { hasNextPage: rest.length > first, endCursor: String(page.at(-1)?.id ?? after) },
          },
        };
      }
      case "CatalogVariants": {
        const product = byGid(variables["id"]);
        return { product: product ? { variants: variantsOf(product, variants, Number(after)) } : null };
      }
      case "CatalogProductsById":
        return {
          nodes: z
            .array(z.string())
            .parse(variables["ids"])
            .map((gid) => {
              const product = byGid(gid);
              return product ? productNode(product, variants) : null;
            }),
        };
      case "CatalogProductsByHandle":
        return Object.fromEntries(
          Object.entries(variables)
            .filter(([name]) => /^h\d+$/.test(name))
            .map(([name, handle]) => {
              const product = all.find((one) => one.handle === handle);
              return [name, product ? productNode(product, variants) : null];
            }),
        );
      default:
        throw new Error(`the stand-in does not know ${operation}`);
    }
  }

  function refusal(code: string): unknown {
    return {
      errors: [{ message: code.toLowerCase(), extensions: { code } }],
      extensions: {
        cost: {
          requestedQueryCost: 10,
          throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 9, restoreRate: 100 },
        },
      },
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const shop = String(request.headers["x-forwarded-host"]);
    const body = await read(request);
    if (request.url === "/admin/oauth/access_token") {
      if (behaviour.refuseTokens || !tokenBody.safeParse(body).success) {
        send(response, 400, { error: "invalid_request" });
        return;
      }
      const [token, refresh] = [`shpat_${randomUUID()}`, `shprt_${randomUUID()}`];
      standIn.tokens.push(token, refresh);
      live.set(token, shop);
      await behaviour.hold?.("token", {}, shop);
      send(response, 200, {
        access_token: token,
        scope: grantedBy(shop).join(","),
        expires_in: behaviour.tokenLife,
        refresh_token: refresh,
        refresh_token_expires_in: 7_776_000,
      });
      return;
    }
    const { query, variables } = graphqlBody.parse(body);
    const operation = /query (\w+)/.exec(query)?.[1] ?? "";
    standIn.asked.push({ shop, operation, variables });
    await behaviour.hold?.(operation, variables, shop);
    if (!live.has(String(request.headers["x-shopify-access-token"]))) {
      send(response, 401, { errors: "[API] Invalid API key or access token" });
    } else if (behaviour.status !== undefined) {
      send(response, behaviour.status, { errors: "as told" });
    } else if (behaviour.throttled > 0) {
      behaviour.throttled--;
      send(response, 200, refusal("THROTTLED"));
    } else if (operation === "CatalogPage" && pageOf.parse(variables).first > behaviour.mostProducts) {
      send(response, 200, refusal("MAX_COST_EXCEEDED"));
    } else if (operation.startsWith("Customer") && !standIn.customers.permitted.has(shop)) {
      send(response, 200, refusal("ACCESS_DENIED"));
    } else {
      send(response, 200, {
        data: customersAnswer(standIn.customers, shop, operation, variables) ?? answerOf(operation, variables, shop),
        extensions: {
          cost: {
            requestedQueryCost: 10,
            throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 900, restoreRate: 100 },
          },
        },
      });
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      send(response, 500, { errors: String(error) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return Object.assign(standIn, {
    url,
    env: {
      NODE_ENV: "test",
      SHOPIFY_API_KEY: API_KEY,
      SHOPIFY_API_SECRET: API_SECRET,
      SHOPIFY_APP_URL: APP_URL,
      DEVSTORE_URL: url,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** A session token as App Bridge hands it to the page. */
export function sessionToken(shop: string, claims: Record<string, unknown> = {}): string {
  const seconds = Math.floor(Date.now() / 1000);
  const payload = {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: API_KEY,
    sub: "1",
    exp: seconds + 60,
    nbf: seconds - 1,
    iat: seconds,
    jti: randomUUID(),
    sid: randomUUID(),
    ...claims,
  };
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(payload)}`;
  return `${signed}.${createHmac("sha256", API_SECRET).update(signed).digest("base64url")}`;
}

/** The browser of a merchant. Shopify's library answers programs with 410. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** The app as a merchant opens it in the admin: this installs it. */
export async function openApp(serviceUrl: string, shop: string, path = "/app"): Promise<Response> {
  const name = shop.replace(".myshopify.com", "");
  const query = new URLSearchParams({
    embedded: "1",
    shop,
    host: Buffer.from(`admin.shopify.com/store/${name}`).toString("base64"),
    id_token: sessionToken(shop),
    locale: "en",
  });
  return fetch(`${serviceUrl}${path}?${query}`, { headers: { "user-agent": BROWSER }, redirect: "manual" });
}

export interface Delivery {
  topic: string;
  shop: string;
  payload: unknown;
  webhookId?: string;
  triggeredAt?: Date;
  /** sent instead of what belongs there; undefined leaves a header out */
  headers?: Record<string, string | undefined>;
  /** sent instead of the payload's JSON */
  body?: string;
}

/** Delivers a webhook as Shopify does. */
export async function deliver(serviceUrl: string, path: string, delivery: Delivery): Promise<Response> {
  const body = delivery.body ?? JSON.stringify(delivery.payload);
  const given: Record<string, string | undefined> = {
    "content-type": "application/json",
    "x-shopify-topic": delivery.topic,
    "x-shopify-shop-domain": delivery.shop,
    "x-shopify-api-version": "2026-10",
    "x-shopify-webhook-id": delivery.webhookId ?? randomUUID(),
    "x-shopify-triggered-at": (delivery.triggeredAt ?? new Date()).toISOString(),
    "x-shopify-hmac-sha256": createHmac("sha256", API_SECRET).update(body).digest("base64"),
    ...delivery.headers,
  };
  const headers = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(serviceUrl + path, { method: "POST", headers, body });
}
