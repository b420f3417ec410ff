import { fileURLToPath } from "node:url";
import { z } from "zod";

const extensionFolder = fileURLToPath(new URL("../extensions/wishlist-theme", import.meta.url));

/** An address without path, as `https://app.example.com`. */
const origin = (protocol: RegExp, hint: string) =>
  z.url({ protocol, error: hint }).transform((text) => new URL(text).origin);

const port = z.int().min(0).max(65_535);

export const TOPICS = [
  "app/uninstalled",
  "app/scopes_update",
  "app_subscriptions/update",
  "products/create",
  "products/update",
  "products/delete",
  "customers/data_request",
  "customers/redact",
  "shop/redact",
] as const;
export type Topic = (typeof TOPICS)[number];

export const optionsSchema = z.object({
  /** of the storefront, the admin and the APIs, over plain http; 0 takes a free one */
  port: port.default(0),
  /** of the app as the admin's frame shows it, over plain http */
  appPort: port.default(0),
  /** of the same over TLS under Shopify's own names, for a browser with `--host-resolver-rules`; none when left out */
  tlsPort: port.optional(),
  /** SHOPIFY_APP_URL: the app's public address */
  appUrl: origin(/^https$/, "appUrl must be an https:// address: it is the app's SHOPIFY_APP_URL"),
  /** where the app listens on this machine */
  appAddress: origin(/^https?$/, "appAddress must be an http:// address: where the app listens on this machine"),
  apiKey: z.string().min(1),
  apiSecret: z.string().min(1),
  appHandle: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("headless-wishlist"),
  appTitle: z.string().default("Wishlist"),
  /** what the app's configuration asks for; granted when the app is installed */
  scopes: z.array(z.string()).default(["read_products", "write_app_proxy"]),
  /** what the app may ask the merchant for once it is installed */
  optionalScopes: z.array(z.string()).default(["read_customers"]),
  /** Admin API version that webhooks are sent with */
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .default("2026-10"),
  /** points that the Admin API gives back in a second: 100 on a Standard plan, 1,000 on Plus */
  restoreRate: z.int().min(1).default(100),
  /** the app is installed from the start */
  installed: z.boolean().default(true),
  /** the plan that the shop pays for from the start, by the name that the app's billing gives it */
  plan: z.string().optional(),
  /** the theme extension's blocks are switched on from the start */
  blocksOn: z.boolean().default(true),
  /** the theme extension's folder; it may be missing */
  extension: z.string().default(extensionFolder),
  /** the app proxy of shopify.app.toml */
  appProxy: z
    .object({ prefix: z.string(), subpath: z.string(), path: z.string().startsWith("/") })
    .default({ prefix: "apps", subpath: "wishlist", path: "/proxy" }),
  /** proxies of Shopify's that an app-proxy request passes: each appends whom it heard it from to X-Forwarded-For */
  proxyHops: z.int().min(1).max(3).default(1),
  /** where the app takes which topic, as its shopify.app.toml says; a topic left out is not subscribed to */
  webhooks: z.partialRecord(z.enum(TOPICS), z.string().startsWith("/")).default({
    "app/uninstalled": "/webhooks/app/uninstalled",
    "app/scopes_update": "/webhooks/app/scopes_update",
    "app_subscriptions/update": "/webhooks/app_subscriptions/update",
    "products/create": "/webhooks/products/update",
    "products/update": "/webhooks/products/update",
    "products/delete": "/webhooks/products/delete",
    "customers/data_request": "/webhooks/compliance",
    "customers/redact": "/webhooks/compliance",
    "shop/redact": "/webhooks/compliance",
  }),
  /** waits before each further attempt to deliver a webhook: Shopify makes 8 in 4 hours, here they are quick */
  webhookRetriesMs: z.array(z.int().min(0)).default([1_000, 5_000, 20_000]),
});

/** What a caller gives; the rest has defaults. */
export type DevstoreOptions = z.input<typeof optionsSchema>;
export type Options = z.output<typeof optionsSchema>;
