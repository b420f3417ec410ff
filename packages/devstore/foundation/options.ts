import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readAppConfig } from "./app-config.ts";
import { hasScope } from "./scopes.ts";

const CONFIG = readAppConfig(new URL("../../../shopify.app.toml", import.meta.url));

/** The app's address in the files of the repository. A deployment replaces it, as `appUrl` does here. */
export const CONFIGURED_APP_URL = new URL(CONFIG.applicationUrl).origin;

const extensionFolder = (name: string) => fileURLToPath(new URL(`../../../extensions/${name}`, import.meta.url));

/** An address without path, as `https://app.example.com`. */
const origin = (protocol: RegExp, hint: string) =>
  z.url({ protocol, error: hint }).transform((text) => new URL(text).origin);

const port = z.int().min(0).max(65_535);

/** Returns 32 hexadecimal digits, as Shopify's client ids and secrets have. */
const randomHex = () => randomBytes(16).toString("hex");

export const TOPICS = [
  "app/uninstalled",
  "app/scopes_update",
  "app_subscriptions/update",
  "products/create",
  "products/update",
  "products/delete",
  "inventory_levels/update",
  "orders/create",
  "orders/updated",
  "orders/edited",
  "orders/cancelled",
  "refunds/create",
  "shop/update",
  "customers/data_request",
  "customers/redact",
  "shop/redact",
] as const;
export type Topic = (typeof TOPICS)[number];

/** The scope without which an app can't subscribe to a topic; the topics about the app and privacy need none. */
export const TOPIC_SCOPES: Partial<Record<Topic, string>> = {
  "products/create": "read_products",
  "products/update": "read_products",
  "products/delete": "read_products",
  "inventory_levels/update": "read_inventory",
  "orders/create": "read_orders",
  "orders/updated": "read_orders",
  "orders/edited": "read_orders",
  "orders/cancelled": "read_orders",
  "refunds/create": "read_orders",
};

/** Tells whether a topic's payload has protected customer data, so that an app without approval can't subscribe to it. */
export function isProtected(topic: Topic): boolean {
  return TOPIC_SCOPES[topic] === "read_orders";
}

const webhookSchema = z.union([
  z
    .string()
    .startsWith("/")
    .transform((uri) => ({ uri, includeFields: undefined })),
  z.object({ uri: z.string().startsWith("/"), includeFields: z.array(z.string()).optional() }),
]);

/** An app that runs in the same process. */
export type AppHandler = (request: Request) => Response | Promise<Response>;

/** Renders a page of the storefront; undefined is 404. @param customerId of the logged-in customer; "" for a guest */
export type PageRenderer = (url: URL, customerId: string) => string | undefined;

/** Renders the document around a page's content. */
export type LayoutRenderer = (content: string) => string;

const optionsShape = z.object({
  /** port of the storefront, the admin and the APIs over HTTP; 0 takes a free one */
  port: port.default(0),
  /** port under which the admin's frame loads the app over HTTP */
  appPort: port.default(0),
  /** port of the same over TLS under Shopify's own names, for a browser with `--host-resolver-rules`; none by default */
  tlsPort: port.optional(),
  /** the mail server, whose messages the inbox shows; none by default */
  smtp: z
    .strictObject({
      /** 0 takes a free one */
      port: port.default(0),
      /** with both, a client has to log in */
      user: z.string().min(1).optional(),
      password: z.string().min(1).optional(),
      /** with a certificate that the devstore signs itself for `localhost` */
      tls: z.enum(["none", "starttls", "implicit"]).default("none"),
    })
    .optional(),
  /** SHOPIFY_APP_URL: the app's public address */
  appUrl: origin(/^https$/, "appUrl must be an https:// address: it is the app's SHOPIFY_APP_URL").default(
    "https://app.example.com",
  ),
  /** where the app listens on this machine; `Devstore.connectApp` sets it later */
  appAddress: origin(
    /^https?$/,
    "appAddress must be an http:// address: where the app listens on this machine",
  ).optional(),
  /** the app itself, instead of an address, when it runs in the same process */
  app: z.custom<AppHandler>((value) => typeof value === "function").optional(),
  apiKey: z.string().min(1).default(randomHex),
  apiSecret: z
    .string()
    .min(1)
    .default(() => `shpss_${randomHex()}`),
  appHandle: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("headless-wishlist"),
  appTitle: z.string().default("Wishlist"),
  /** domain of the first store */
  shop: z.string().endsWith(".myshopify.com").default("larkfell-outdoor.myshopify.com"),
  /** products and customers of the first store: those of the demo, or none */
  data: z.enum(["demo", "none"]).default("none"),
  /** scopes that the app's configuration requires; granted when the app is installed. By default those of shopify.app.toml */
  scopes: z.array(z.string()).default(CONFIG.scopes),
  /** scopes that the app may request after installation. By default those of shopify.app.toml */
  optionalScopes: z.array(z.string()).default(CONFIG.optionalScopes),
  /** Admin API version of the webhooks, and the current one of all APIs */
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .default(CONFIG.apiVersion),
  /** points that the Admin API restores per second: 100 on a Standard plan, 1,000 on Plus */
  restoreRate: z.int().min(1).default(100),
  /** whether the stores are development stores, on which an app's charges are tests */
  developmentStore: z.boolean().default(true),
  /** whether the app is installed from the start */
  installed: z.boolean().default(true),
  /** name of the plan to which every store is subscribed from the start */
  plan: z.string().optional(),
  /** whether the theme extension's blocks are switched on from the start */
  blocksOn: z.boolean().default(true),
  /** the theme extension's folder; it may be missing */
  extension: z.string().default(extensionFolder("wishlist-theme")),
  /** the customer account UI extension's folder */
  accountExtension: z.string().default(extensionFolder("wishlist-account")),
  /** the folder whose subfolders hold the app's extensions, of which the devstore reads Flow triggers here */
  extensions: z.string().default(fileURLToPath(new URL("../../../extensions", import.meta.url))),
  /** renders the storefront's pages instead of the devstore's theme */
  renderPage: z.custom<PageRenderer>((value) => typeof value === "function").optional(),
  /** renders the layout of all pages instead of the devstore's theme, without the theme extension's embeds */
  renderLayout: z.custom<LayoutRenderer>((value) => typeof value === "function").optional(),
  /** languages of the storefront; all but English have a path prefix */
  locales: z.array(z.string()).default(["en", "de", "fr", "es", "ja"]),
  /** the access token of every store's Storefront API; it is public */
  storefrontAccessToken: z.string().min(1).default("7c1e5b90a3d84f26b8e0d5a94c37f162"),
  /** the public client of the Customer Account API, as the Headless channel registers it; by default it can't log anybody in */
  customerAccountClient: z
    .object({
      clientId: z.string().min(1).default("shp_3f0b7a52-6c1d-4e88-9b2f-5a7d0c94e1b6"),
      /** where a login may return to */
      redirectUris: z.array(z.url()).default([]),
      /** where a logout may return to */
      logoutUris: z.array(z.url()).default([]),
      /** origins whose pages may request tokens */
      javaScriptOrigins: z.array(z.url()).default([]),
    })
    .prefault({}),
  /** whether visitors are in a region that requires consent, and see a banner */
  consentBanner: z.boolean().default(false),
  /** whether `routes.storefront_login_url` is the login of new customer accounts, which returns to the page */
  storefrontLogin: z.boolean().default(false),
  /** by default that of shopify.app.toml */
  appProxy: z
    .object({ prefix: z.string(), subpath: z.string(), path: z.string().startsWith("/") })
    .default(CONFIG.appProxy),
  /** number of Shopify's proxies that an app-proxy request passes; each appends its client to X-Forwarded-For */
  proxyHops: z.int().min(1).max(3).default(1),
  /**
   * The app's path for each webhook topic, with the fields of the payload if not all; a missing topic is not subscribed to. By default
   * the subscriptions of shopify.app.toml, of which those to other topics are an error.
   */
  webhooks: z.partialRecord(z.enum(TOPICS), webhookSchema).prefault(CONFIG.webhooks),
  /** delays before each further attempt to deliver a webhook: Shopify retries 8 times in 4 hours, the devstore sooner */
  webhookRetriesMs: z.array(z.int().min(0)).default([500, 1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000]),
});

/** As in Shopify, a version of the app can't subscribe to a topic whose scope it does not require; optional scopes do not count. */
export const optionsSchema = optionsShape.superRefine(({ webhooks, scopes }, context) => {
  for (const topic of TOPICS) {
    const scope = TOPIC_SCOPES[topic];
    if (webhooks[topic] === undefined || scope === undefined || hasScope(scopes, scope)) continue;
    const message = `Missing scope for webhook topic: ${topic} needs ${scope}`;
    context.addIssue({ code: "custom", path: ["webhooks", topic], message });
  }
});

/** What a caller passes; the rest has defaults. */
export type DevstoreOptions = z.input<typeof optionsSchema>;
export type Options = z.output<typeof optionsSchema>;
