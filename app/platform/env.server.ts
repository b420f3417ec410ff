import { z } from "zod";

/** A start without the settings it needs. `problems` has one line for each. */
export class EnvironmentError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The environment is not complete:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.name = "EnvironmentError";
    this.problems = problems;
  }
}

const SECRET_MIN_LENGTH = 32;
const SECRET_MIN_DISTINCT = 10;
const HOW_TO_MAKE = "make one with: openssl rand -base64 48";

/** Says what is weak about a secret, or nothing. A repeated or guessable one is as bad as none. */
function weakness(secret: string): string | undefined {
  if (secret.length < SECRET_MIN_LENGTH)
    return `has ${secret.length} characters, at least ${SECRET_MIN_LENGTH} are needed`;
  if (new Set(secret).size < SECRET_MIN_DISTINCT) return "repeats a few characters, which can be guessed";
  if (/change.?me|example|password|secret|insecure|placeholder/i.test(secret)) return "is a placeholder";
  return undefined;
}

/** Digits that a random secret of 32 hexadecimal digits has with all but certainty: 14 are usual. */
const HEX_MIN_DISTINCT = 6;

/** Says what is weak about the app's client secret, or nothing. Shopify makes 32 hexadecimal digits, of late behind `shpss_`. */
function clientSecretWeakness(secret: string): string | undefined {
  if (!/^(?:shpss_)?[0-9a-f]{32}$/.test(secret)) return weakness(secret);
  const distinct = new Set(secret.slice(-32)).size;
  return distinct < HEX_MIN_DISTINCT ? "repeats a few characters, which can be guessed" : undefined;
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const flag = z.enum(["on", "off"]);

const clientSecret = z.string().superRefine((secret, context) => {
  const weak = clientSecretWeakness(secret);
  if (weak !== undefined) context.addIssue(`${weak}; copy the client secret from the app's settings in Shopify`);
});

/** "first signs, all verify": at least one, each strong. */
const signingSecrets = z.string("is missing; " + HOW_TO_MAKE).transform((text, context): [string, ...string[]] => {
  const [first, ...rest] = list(text);
  if (first === undefined) {
    context.addIssue("is empty; " + HOW_TO_MAKE);
    return z.NEVER;
  }
  for (const secret of [first, ...rest]) {
    const weak = weakness(secret);
    if (weak !== undefined) context.addIssue(`${weak}; ${HOW_TO_MAKE}`);
  }
  return [first, ...rest];
});

export interface EncryptionKey {
  id: string;
  /** 32 bytes */
  secret: Buffer;
}

const HOW_TO_MAKE_KEY = 'make one with: echo "k1:$(openssl rand -base64 32)"';

/** "first seals, all open": `<id>:<base64 of 32 bytes>`, separated by commas. */
const encryptionKeys = z
  .string("is missing; " + HOW_TO_MAKE_KEY)
  .transform((text, context): [EncryptionKey, ...EncryptionKey[]] => {
    const keys = list(text).map((entry): EncryptionKey => {
      const colon = entry.indexOf(":");
      const text = entry.slice(colon + 1);
      // Buffer.from skips what is no base64, and a typing error with it.
      const secret = /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
      return { id: entry.slice(0, Math.max(colon, 0)), secret };
    });
    for (const [index, key] of keys.entries()) {
      // By its place: what stands where the id belongs may be a secret.
      const which = `key ${index + 1} of ${keys.length}`;
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(key.id)) context.addIssue(`${which} has no id; ${HOW_TO_MAKE_KEY}`);
      else if (key.secret.length !== 32)
        context.addIssue(`${which} has ${key.secret.length} bytes, 32 are needed; ${HOW_TO_MAKE_KEY}`);
      else if (new Set(key.secret).size < SECRET_MIN_DISTINCT)
        context.addIssue(`${which} repeats a few bytes, which can be guessed; ${HOW_TO_MAKE_KEY}`);
    }
    if (new Set(keys.map(({ id }) => id)).size !== keys.length) context.addIssue("uses the same key id twice");
    const [first, ...rest] = keys;
    if (first === undefined) {
      context.addIssue("is empty; " + HOW_TO_MAKE_KEY);
      return z.NEVER;
    }
    return [first, ...rest];
  });

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "is not a whole number")
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const secretsSchema = z.object({ TOKEN_SECRETS: signingSecrets, ENCRYPTION_KEYS: encryptionKeys });

/** What connects the service to Shopify: all of it or nothing. */
const SHOPIFY_SETTINGS = ["SHOPIFY_API_KEY", "SHOPIFY_API_SECRET", "SHOPIFY_APP_URL"];

const settingsSchema = z
  .object({
    NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
    HOST: z.string().default("0.0.0.0"),
    PORT: integer(0, 65535).prefault("3000"),
    DATA_DIR: z.string().min(1).default(".data"),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "is not a postgres:// address" }).optional(),
    DATABASE_POOL_SIZE: integer(2, 500).prefault("10"),
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: "is not a redis:// address" }).optional(),
    RATE_LIMIT_ADMIN_PER_MINUTE: integer(1, 999_999_999).prefault("120"),
    RATE_LIMIT_STOREFRONT_PER_MINUTE: integer(1, 999_999_999).prefault("60"),
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: integer(1, 999_999_999).prefault("1200"),
    RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE: integer(1, 999_999_999).prefault("1200"),
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: integer(1, 999_999_999).prefault("2000"),
    TRUSTED_PROXY_HOPS: integer(0, 10).prefault("0"),
    WISHLIST_ROLE: z.enum(["all", "web", "worker"]).default("all"),
    ACTIVITY_RETENTION_DAYS: integer(2, 36_500).prefault("400"),
    WEBHOOK_RETENTION_DAYS: integer(2, 36_500).prefault("30"),
    WEBHOOKS_ALLOW_LOOPBACK: z.enum(["0", "1"]).default("0"),
    SHOPIFY_API_KEY: z
      .string()
      .regex(/^[\w-]+$/, "is not a client id")
      .optional(),
    SHOPIFY_API_SECRET: clientSecret.optional(),
    SHOPIFY_APP_URL: z
      .url({ protocol: /^https$/, error: "is not an https:// address", abort: true })
      .refine((url) => new URL(url).pathname === "/", "is not the address of a host: leave the path out")
      .optional(),
    SCOPES: z.string().default("read_products,write_app_proxy"),
    DEVSTORE_URL: z.url({ protocol: /^https?$/, error: "is not an http:// address" }).optional(),
    APP_PROXY_EXTRA_HOPS: integer(0, 10).prefault("1"),
    LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    EXPRESS_LANE: flag.default("on"),
    SHUTDOWN_DELAY_SECONDS: integer(0, 300).prefault("0"),
    SHUTDOWN_GRACE_SECONDS: integer(1, 300).prefault("25"),
  })
  .refine(({ NODE_ENV, WEBHOOKS_ALLOW_LOOPBACK }) => NODE_ENV !== "production" || WEBHOOKS_ALLOW_LOOPBACK !== "1", {
    path: ["WEBHOOKS_ALLOW_LOOPBACK"],
    // Whatever else is wrong: everything is named at once.
    when: () => true,
    message: "would let webhooks reach this machine; it is for demo and tests, not for production",
  })
  .refine(({ NODE_ENV, DEVSTORE_URL }) => NODE_ENV !== "production" || DEVSTORE_URL === undefined, {
    path: ["DEVSTORE_URL"],
    when: () => true,
    message: "would send what is meant for Shopify elsewhere; it is for demo and tests, not for production",
  });

/** The environment variables that the service reads. */
export const SETTING_NAMES = [...Object.keys(secretsSchema.shape), ...Object.keys(settingsSchema.shape)];

/** The settings of the service without its secrets. docs/settings.md says what each is for. */
export interface Env {
  production: boolean;
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  redisUrl: string | undefined;
  rateLimitAdminPerMinute: number;
  rateLimitStorefrontPerMinute: number;
  rateLimitStorefrontAddressPerMinute: number;
  rateLimitStorefrontServerPerMinute: number;
  /** guests of a shop who may begin a list in an hour */
  rateLimitNewGuestsPerHour: number;
  trustedProxyHops: number;
  /** `web` answers requests, `worker` does what follows from them, `all` does both */
  role: "all" | "web" | "worker";
  /** days after which activity and cart events are dropped */
  activityRetentionDays: number;
  /** days after which webhook events, deliveries and attempts are dropped */
  webhookRetentionDays: number;
  /** webhooks may go to `http:` and to this machine: for demo and tests */
  webhooksAllowLoopback: boolean;
  /** undefined: the service is the headless API alone */
  shopify: ShopifySettings | undefined;
  /** where requests to `https://{shop}.myshopify.com` go instead, such as http://127.0.0.1:4000: for demo and tests */
  devstoreUrl: string | undefined;
  /** proxies of Shopify's in front of ours, on requests that come through a store's app proxy */
  appProxyExtraHops: number;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** API requests bypass Remix's request handler */
  fastPath: boolean;
  shutdownDelaySeconds: number;
  shutdownGraceSeconds: number;
}

/** The app as Shopify knows it. */
export interface ShopifySettings {
  /** the client id */
  apiKey: string;
  /** such as https://app.example.com */
  appUrl: string;
  scopes: string[];
}

/** What the server needs and the command line does not. */
export interface Secrets {
  /** the first signs access tokens, all verify */
  tokenSecrets: [string, ...string[]];
  /** the first seals, all open */
  encryptionKeys: [EncryptionKey, ...EncryptionKey[]];
  /** the app's client secret: signs what Shopify sends */
  shopifyApiSecret: string | undefined;
}

type Source = Readonly<Record<string, string | undefined>>;

/** An empty variable is how shells and compose files spell "not set". */
function given(source: Source): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
}

function problems(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map((issue) => `${issue.path.join(".")} ${issue.message}`);
}

function shopifyProblems(source: Source): string[] {
  const there = SHOPIFY_SETTINGS.filter((name) => source[name] !== undefined);
  if (there.length === 0) return [];
  const missing = SHOPIFY_SETTINGS.filter((name) => !there.includes(name));
  return missing.map((name) => `${name} is missing, although ${there.join(" and ")} is set`);
}

function toEnv(e: z.infer<typeof settingsSchema>): Env {
  return {
    production: e.NODE_ENV === "production",
    host: e.HOST,
    port: e.PORT,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    databasePoolSize: e.DATABASE_POOL_SIZE,
    redisUrl: e.REDIS_URL,
    rateLimitAdminPerMinute: e.RATE_LIMIT_ADMIN_PER_MINUTE,
    rateLimitStorefrontPerMinute: e.RATE_LIMIT_STOREFRONT_PER_MINUTE,
    rateLimitStorefrontAddressPerMinute: e.RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE,
    rateLimitStorefrontServerPerMinute: e.RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE,
    rateLimitNewGuestsPerHour: e.RATE_LIMIT_NEW_GUESTS_PER_HOUR,
    trustedProxyHops: e.TRUSTED_PROXY_HOPS,
    role: e.WISHLIST_ROLE,
    activityRetentionDays: e.ACTIVITY_RETENTION_DAYS,
    webhookRetentionDays: e.WEBHOOK_RETENTION_DAYS,
    webhooksAllowLoopback: e.WEBHOOKS_ALLOW_LOOPBACK === "1",
    shopify:
      e.SHOPIFY_API_KEY === undefined || e.SHOPIFY_APP_URL === undefined
        ? undefined
        : { apiKey: e.SHOPIFY_API_KEY, appUrl: new URL(e.SHOPIFY_APP_URL).origin, scopes: list(e.SCOPES) },
    devstoreUrl: e.DEVSTORE_URL === undefined ? undefined : new URL(e.DEVSTORE_URL).origin,
    appProxyExtraHops: e.APP_PROXY_EXTRA_HOPS,
    logLevel: e.LOG_LEVEL,
    fastPath: e.EXPRESS_LANE === "on",
    shutdownDelaySeconds: e.SHUTDOWN_DELAY_SECONDS,
    shutdownGraceSeconds: e.SHUTDOWN_GRACE_SECONDS,
  };
}

/** @throws EnvironmentError that names everything that is missing or wrong at once, without showing any value. */
export function parseEnv(source: Source): { env: Env; secrets: Secrets } {
  const settings = settingsSchema.safeParse(given(source));
  const secrets = secretsSchema.safeParse(given(source));
  const incomplete = shopifyProblems(given(source));
  if (!settings.success || !secrets.success || incomplete.length > 0) {
    throw new EnvironmentError([...problems(settings.error), ...problems(secrets.error), ...incomplete]);
  }
  return {
    env: toEnv(settings.data),
    secrets: {
      tokenSecrets: secrets.data.TOKEN_SECRETS,
      encryptionKeys: secrets.data.ENCRYPTION_KEYS,
      shopifyApiSecret: settings.data.SHOPIFY_API_SECRET,
    },
  };
}

let currentEnv: Env | undefined;
let currentSecrets: Secrets | undefined;

/** The settings of this process, read at the first call. */
export function env(): Env {
  return currentEnv ?? provideSettings({});
}

/** The secrets of this process, read at the first call. */
export function secrets(): Secrets {
  currentSecrets ??= parseEnv(process.env).secrets;
  return currentSecrets;
}

/**
 * Checks settings and secrets together and fills what the process's environment leaves open: the address of the embedded
 * database, secrets that the demo made for itself. What the environment says wins.
 * To be called before anything asks for a setting.
 */
export function provideEnv(defaults: Readonly<Record<string, string>>): Env {
  const parsed = parseEnv({ ...defaults, ...given(process.env) });
  currentEnv = parsed.env;
  currentSecrets = parsed.secrets;
  return parsed.env;
}

/**
 * The encryption keys alone, for a command that needs no other secret.
 * @throws EnvironmentError when they are missing or wrong
 */
export function parseEncryptionKeys(text: string | undefined): Secrets["encryptionKeys"] {
  const parsed = secretsSchema.pick({ ENCRYPTION_KEYS: true }).safeParse({ ENCRYPTION_KEYS: text });
  if (!parsed.success) throw new EnvironmentError(problems(parsed.error));
  return parsed.data.ENCRYPTION_KEYS;
}

/** The same of the environment, or of `fallback` when the environment names none. */
export function readEncryptionKeys(fallback: string | undefined): Secrets["encryptionKeys"] {
  return parseEncryptionKeys(given(process.env)["ENCRYPTION_KEYS"] ?? fallback);
}

/** As `provideEnv`, for a process that serves nothing and needs no secrets, such as the command line. */
export function provideSettings(defaults: Readonly<Record<string, string>>): Env {
  const settings = settingsSchema.safeParse({ ...defaults, ...given(process.env) });
  if (!settings.success) throw new EnvironmentError(problems(settings.error));
  currentEnv = toEnv(settings.data);
  return currentEnv;
}
