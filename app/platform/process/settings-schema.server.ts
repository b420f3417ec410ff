import { z } from "zod";
import { databaseUrl } from "../database/url.server.ts";

export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "is not a whole number")
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const limit = integer(1, 999_999_999);

/** The address that messages to shoppers come from. A name beside it is ignored: theirs is the shop's. */
const mailbox = z
  .string()
  .transform((text) => /^[^<>]*<([^<>]+)>$/.exec(text.trim())?.[1] ?? text.trim())
  .pipe(z.email({ pattern: z.regexes.html5Email, error: "is not an email address" }));

/** Every setting of the service except its secrets, from environment variables. docs/settings.md explains each. */
export const settingsSchema = z
  .object({
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    HOST: z.string().default("0.0.0.0"),
    PORT: integer(0, 65535).prefault("3000"),
    DATA_DIR: z.string().min(1).default(".data"),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_POOL_SIZE: integer(2, 500).prefault("10"),
    DATABASE_WAIT_SECONDS: integer(0, 600).prefault("60"),
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: "is not a redis:// address" }).optional(),
    RATE_LIMIT_ADMIN_PER_MINUTE: limit.prefault("120"),
    RATE_LIMIT_STOREFRONT_PER_MINUTE: limit.prefault("60"),
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: limit.prefault("1200"),
    RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE: limit.prefault("1200"),
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: limit.prefault("2000"),
    TRUSTED_PROXY_HOPS: integer(0, 10).prefault("0"),
    WISHLIST_ROLE: z.enum(["all", "web", "worker"]).default("all"),
    ACTIVITY_RETENTION_DAYS: integer(30, 36_500).prefault("400"),
    WEBHOOK_RETENTION_DAYS: integer(2, 36_500).prefault("30"),
    WEBHOOKS_ALLOW_LOOPBACK: z.enum(["0", "1"]).default("0"),
    SHOPIFY_API_KEY: z
      .string()
      .regex(/^[\w-]+$/, "is not a client id")
      .optional(),
    SHOPIFY_APP_URL: z
      .url({ protocol: /^https$/, error: "is not an https:// address", abort: true })
      .refine((url) => new URL(url).pathname === "/", "is not the address of a host: leave the path out")
      .optional(),
    SCOPES: z.string().default("read_products,write_app_proxy"),
    DEVSTORE_URL: z.url({ protocol: /^https?$/, error: "is not an http:// address" }).optional(),
    APP_PROXY_EXTRA_HOPS: integer(0, 10).prefault("1"),
    MAIL_FROM: mailbox.optional(),
    DKIM_DOMAIN: z
      .string()
      .regex(/^[a-z\d-]+(\.[a-z\d-]+)+$/i, "is not a domain")
      .optional(),
    DKIM_SELECTOR: z
      .string()
      .regex(/^[\w-]+(\.[\w-]+)*$/, "is not a selector")
      .optional(),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "is not an http:// address" }).optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/, error: "is not an http:// address" }).optional(),
    OTEL_SDK_DISABLED: z
      .string()
      .default("false")
      .transform((text) => text.toLowerCase() === "true"),
    OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 999_999_999).prefault("2048"),
    TRUST_TRACEPARENT: z.enum(["0", "1"]).default("0"),
    SHUTDOWN_DELAY_SECONDS: integer(0, 300).prefault("0"),
    SHUTDOWN_GRACE_SECONDS: integer(1, 300).prefault("25"),
    METRICS_PORT: integer(0, 65535).optional(),
  })
  .refine(({ NODE_ENV, WEBHOOKS_ALLOW_LOOPBACK }) => NODE_ENV !== "production" || WEBHOOKS_ALLOW_LOOPBACK !== "1", {
    path: ["WEBHOOKS_ALLOW_LOOPBACK"],
    // Also when other settings are invalid, so that one start reports all problems.
    when: () => true,
    message: "would let webhooks reach this machine; it is for demo and tests, not for production",
  })
  .refine(({ NODE_ENV, DEVSTORE_URL }) => NODE_ENV !== "production" || DEVSTORE_URL === undefined, {
    path: ["DEVSTORE_URL"],
    when: () => true,
    message: "would send requests for Shopify to another host; it is for demo and tests, not for production",
  })
  .transform((given) => ({
    production: given.NODE_ENV === "production",
    host: given.HOST,
    port: given.PORT,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    /** how long a start waits for an external database */
    databaseWaitSeconds: given.DATABASE_WAIT_SECONDS,
    redisUrl: given.REDIS_URL,
    rateLimitAdminPerMinute: given.RATE_LIMIT_ADMIN_PER_MINUTE,
    rateLimitStorefrontPerMinute: given.RATE_LIMIT_STOREFRONT_PER_MINUTE,
    rateLimitStorefrontAddressPerMinute: given.RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE,
    rateLimitStorefrontServerPerMinute: given.RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE,
    /** new guest lists that a shop may get in an hour */
    rateLimitNewGuestsPerHour: given.RATE_LIMIT_NEW_GUESTS_PER_HOUR,
    trustedProxyHops: given.TRUSTED_PROXY_HOPS,
    /** `web` serves requests, `worker` runs jobs and delivers webhooks, `all` does both */
    role: given.WISHLIST_ROLE,
    /** days after which activity and cart events are deleted */
    activityRetentionDays: given.ACTIVITY_RETENTION_DAYS,
    /** days after which webhook events, deliveries and attempts are deleted */
    webhookRetentionDays: given.WEBHOOK_RETENTION_DAYS,
    /** for demo and tests: webhooks may go to `http:` URLs and to this machine */
    webhooksAllowLoopback: given.WEBHOOKS_ALLOW_LOOPBACK === "1",
    /** the app as Shopify knows it; undefined when the service runs as the headless API only */
    shopify:
      given.SHOPIFY_API_KEY === undefined || given.SHOPIFY_APP_URL === undefined
        ? undefined
        : {
            /** the client id */
            apiKey: given.SHOPIFY_API_KEY,
            /** such as https://app.example.com */
            appUrl: new URL(given.SHOPIFY_APP_URL).origin,
            scopes: listOf(given.SCOPES),
          },
    /** for demo and tests: the origin that receives requests to `https://{shop}.myshopify.com` instead, such as http://127.0.0.1:4000 */
    devstoreUrl: given.DEVSTORE_URL === undefined ? undefined : new URL(given.DEVSTORE_URL).origin,
    /** Shopify's proxies in front of ours, on requests through a store's app proxy */
    appProxyExtraHops: given.APP_PROXY_EXTRA_HOPS,
    /** the sender's address of messages to shoppers */
    mailFrom: given.MAIL_FROM,
    /** under which name in the DNS receivers find the key of signatures; undefined: the service does not sign */
    dkim:
      given.DKIM_DOMAIN === undefined || given.DKIM_SELECTOR === undefined
        ? undefined
        : { domain: given.DKIM_DOMAIN, selector: given.DKIM_SELECTOR },
    logLevel: given.LOG_LEVEL,
    /** whether spans are exported; OpenTelemetry's SDK reads the details from the environment itself */
    tracing:
      (given.OTEL_EXPORTER_OTLP_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined &&
      !given.OTEL_SDK_DISABLED,
    /** finished spans that wait for their export; further ones are dropped */
    maxWaitingSpans: given.OTEL_BSP_MAX_QUEUE_SIZE,
    /** whether a request's `traceparent` continues the caller's trace; otherwise it is a link */
    trustTraceparent: given.TRUST_TRACEPARENT === "1",
    shutdownDelaySeconds: given.SHUTDOWN_DELAY_SECONDS,
    shutdownGraceSeconds: given.SHUTDOWN_GRACE_SECONDS,
    /** the port that serves metrics without a token; undefined: none */
    metricsPort: given.METRICS_PORT,
  }));

export type Env = z.infer<typeof settingsSchema>;
