import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { EnvironmentError, parseEnv, SETTING_NAMES } from "../../app/platform/process/env.server.ts";

const STRONG = "vH2sKq8Zr1Xw5Ty9Lm3Np7Bc4Df6Gj0QaUeRoIi";
const SEAL = Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64");
const CLIENT_SECRET = "9f86d081884c7d659a2feaa0c55ad015";
const SHOPIFY = { SHOPIFY_API_KEY: "k", SHOPIFY_APP_URL: "https://app.example.com/" };
const SECRETS = { TOKEN_SECRETS: STRONG, ENCRYPTION_KEYS: `k1:${SEAL}` };

/** Returns the errors of an environment, one per line. */
function problems(source: Record<string, string>): string[] {
  try {
    parseEnv(source);
  } catch (error) {
    if (error instanceof EnvironmentError) {
      expect(error.message.split("\n").slice(1)).toEqual(error.problems.map((line) => `  - ${line}`));
      return error.problems;
    }
    throw error;
  }
  return [];
}

/** Returns the names of the invalid settings. */
function names(source: Record<string, string>): string[] {
  return problems(source).map((line) => line.split(" ")[0] ?? "");
}

describe("a start with invalid settings", () => {
  test("names every missing secret and how to create it", () => {
    expect(problems({})).toEqual([
      "TOKEN_SECRETS is missing; make one with: openssl rand -base64 48",
      'ENCRYPTION_KEYS is missing; make one with: echo "k1:$(openssl rand -base64 32)"',
    ]);
  });

  test("names every invalid setting and secret", () => {
    const wrong = {
      PORT: "80 80",
      DATABASE_URL: "mysql://db",
      REDIS_URL: "localhost:6379",
      NODE_ENV: "prod",
      LOG_LEVEL: "loud",
      WISHLIST_ROLE: "server",
      ACTIVITY_RETENTION_DAYS: "a year",
      WEBHOOK_RETENTION_DAYS: "1",
      WEBHOOKS_ALLOW_LOOPBACK: "yes",
      TOKEN_SECRETS: "short",
      ENCRYPTION_KEYS: "k1",
    };
    expect(names(wrong).sort()).toEqual(Object.keys(wrong).sort());
  });

  test.each([
    ["production by default", {}],
    ["production", { NODE_ENV: "production" }],
  ])("refuses webhooks to this machine in %s, along with other errors", (_, mode) => {
    const loopback = { ...mode, WEBHOOKS_ALLOW_LOOPBACK: "1" };
    expect(problems({ ...SECRETS, ...loopback })).toEqual([
      "WEBHOOKS_ALLOW_LOOPBACK would let webhooks reach this machine; it is for demo and tests, not for production",
    ]);
    const wrong = {
      ...loopback,
      PORT: "80 80",
      REDIS_URL: "localhost:6379",
      WISHLIST_ROLE: "server",
      LOG_LEVEL: "loud",
    };
    expect(names(wrong).sort()).toEqual([
      "ENCRYPTION_KEYS",
      "LOG_LEVEL",
      "PORT",
      "REDIS_URL",
      "TOKEN_SECRETS",
      "WEBHOOKS_ALLOW_LOOPBACK",
      "WISHLIST_ROLE",
    ]);
  });

  test("names the missing ones of Shopify's settings", () => {
    expect(problems({ ...SECRETS, SHOPIFY_API_KEY: "k", PORT: "80 80" })).toEqual([
      "PORT is not a whole number",
      "SHOPIFY_API_SECRET is missing, although SHOPIFY_API_KEY is set",
      "SHOPIFY_APP_URL is missing, although SHOPIFY_API_KEY is set",
    ]);
    const whole = {
      SHOPIFY_API_KEY: "k",
      SHOPIFY_API_SECRET: CLIENT_SECRET,
      SHOPIFY_APP_URL: "https://app.example.com/",
    };
    const { env, secrets } = parseEnv({ ...SECRETS, ...whole });
    expect(env.shopify).toEqual({
      apiKey: "k",
      appUrl: "https://app.example.com",
      scopes: ["read_products", "write_app_proxy"],
    });
    expect(secrets.shopifyApiSecrets).toEqual([CLIENT_SECRET]);
    expect(JSON.stringify(env)).not.toContain(CLIENT_SECRET);
    expect(parseEnv(SECRETS).env.shopify).toBeUndefined();
  });

  test.each(["http://app.example.com", "https://app.example.com/shopify", "app.example.com"])(
    "refuses %s as the app's URL",
    (address) => {
      const shopify = { SHOPIFY_API_KEY: "k", SHOPIFY_API_SECRET: CLIENT_SECRET, SHOPIFY_APP_URL: address };
      expect(names({ ...SECRETS, ...shopify })).toEqual(["SHOPIFY_APP_URL"]);
    },
  );

  test("refuses DEVSTORE_URL in production", () => {
    const devstore = { DEVSTORE_URL: "http://127.0.0.1:4000" };
    expect(problems({ ...SECRETS, ...devstore })).toEqual([
      "DEVSTORE_URL would send requests for Shopify to another host; it is for demo and tests, not for production",
    ]);
    expect(parseEnv({ ...SECRETS, ...devstore, NODE_ENV: "test" }).env.devstoreUrl).toBe("http://127.0.0.1:4000");
  });

  test("treats an empty variable as unset", () => {
    expect(names({ ...SECRETS, TOKEN_SECRETS: "" })).toEqual(["TOKEN_SECRETS"]);
    expect(parseEnv({ ...SECRETS, PORT: "", DATABASE_URL: "", LOG_LEVEL: "" }).env).toEqual(parseEnv(SECRETS).env);
  });

  test("repeats no value in its errors", () => {
    const secret = randomBytes(48).toString("hex");
    const wrong = {
      PORT: secret,
      DATABASE_URL: `mysql://me:${secret}@db`,
      DATABASE_POOL_SIZE: secret,
      REDIS_URL: `http://:${secret}@redis`,
      NODE_ENV: secret,
      LOG_LEVEL: secret,
      TRUSTED_PROXY_HOPS: secret,
      WISHLIST_ROLE: secret,
      ACTIVITY_RETENTION_DAYS: secret,
      WEBHOOK_RETENTION_DAYS: secret,
      WEBHOOKS_ALLOW_LOOPBACK: secret,
      METRICS_PORT: secret,
      METRICS_TOKEN: `${secret} ${secret}`,
      TOKEN_SECRETS: `${secret.slice(0, 31)},${secret}`,
      ENCRYPTION_KEYS: secret,
    };
    expect(names(wrong).sort()).toEqual(Object.keys(wrong).sort());
    expect(problems(wrong).join("\n")).not.toContain(secret.slice(0, 12));
    // The secret is in the place of the id.
    const swapped = problems({ ...SECRETS, ENCRYPTION_KEYS: `${secret.slice(0, 32)}:k1` });
    expect(swapped).toHaveLength(1);
    expect(swapped.join()).not.toContain(secret.slice(0, 12));
  });
});

describe("a weak secret is refused:", () => {
  test.each([
    ["short", STRONG.slice(0, 31), "31 characters, at least 32"],
    ["few different characters", "abcabcabc".repeat(5), "repeats"],
    ["a placeholder", `change-me-${STRONG}`, "placeholder"],
    ["an example's", `${STRONG}-example`, "placeholder"],
    ["nothing but commas", " , ,", "is empty"],
  ])("TOKEN_SECRETS: %s", (_, value, reason) => {
    const found = problems({ ...SECRETS, TOKEN_SECRETS: value });
    expect(found).toEqual([expect.stringContaining(reason)]);
    expect(found[0]).toContain("openssl rand -base64 48");
  });

  test("TOKEN_SECRETS: one weak secret among strong ones", () => {
    expect(names({ ...SECRETS, TOKEN_SECRETS: `${STRONG}, weak` })).toEqual(["TOKEN_SECRETS"]);
  });

  test.each([
    ["one character", "x", "1 characters, at least 32"],
    ["31 hexadecimal digits", "9f86d081884c7d659a2feaa0c55ad01", "31 characters, at least 32"],
    ["the prefix and too little", "shpss_9f86d081884c7d659a2feaa0", "30 characters, at least 32"],
    ["a digit over and over", "0".repeat(32), "repeats"],
    ["the prefix and a digit over and over", `shpss_${"a".repeat(32)}`, "repeats"],
    ["a placeholder of words", "your-shopify-client-secret-goes-here", "placeholder"],
  ])("SHOPIFY_API_SECRET: %s", (_, value, reason) => {
    const found = problems({ ...SECRETS, ...SHOPIFY, SHOPIFY_API_SECRET: value });
    expect(found).toEqual([
      expect.stringMatching(new RegExp(`^SHOPIFY_API_SECRET .*${reason}.*copy the client secret`)),
    ]);
  });

  test.each([
    ["short", "5f2d9c7e1b8a403", "15 characters, at least 16"],
    ["a digit over and over", "7".repeat(32), "repeats"],
    ["a space inside", "5f2d9c7e 1b8a4036", "bearer token"],
  ])("METRICS_TOKEN: %s", (_, value, reason) => {
    expect(problems({ ...SECRETS, METRICS_TOKEN: value })).toEqual([expect.stringContaining(reason)]);
  });

  test.each([
    CLIENT_SECRET,
    `shpss_${CLIENT_SECRET}`,
    // Random digits may repeat.
    "00112233445500112233445566001122",
  ])("unless SHOPIFY_API_SECRET has Shopify's own form: %s", (value) => {
    expect(problems({ ...SECRETS, ...SHOPIFY, SHOPIFY_API_SECRET: value })).toEqual([]);
  });

  test.each([
    ["no id", SEAL, "key 1 of 1 has no id"],
    ["an id with odd characters", `k 1:${SEAL}`, "key 1 of 1 has no id"],
    ["31 bytes", `k1:${Buffer.from(STRONG).subarray(0, 31).toString("base64")}`, "31 bytes, 32 are needed"],
    ["33 bytes", `k1:${Buffer.from(STRONG).subarray(0, 33).toString("base64")}`, "33 bytes, 32 are needed"],
    ["the same byte over and over", `k1:${Buffer.alloc(32, 7).toString("base64")}`, "repeats"],
    ["the same id twice", `k1:${SEAL},k1:${SEAL}`, "twice"],
    ["nothing but commas", ",,", "is empty"],
  ])("ENCRYPTION_KEYS: %s", (_, value, reason) => {
    expect(problems({ ...SECRETS, ENCRYPTION_KEYS: value })).toEqual([expect.stringContaining(reason)]);
  });
});

describe("valid settings", () => {
  test("keep the order of secrets and drop the spaces around them", () => {
    const other = STRONG.split("").reverse().join("");
    const { secrets } = parseEnv({
      TOKEN_SECRETS: ` ${STRONG} , ${other}`,
      ENCRYPTION_KEYS: `new:${SEAL}, old:${SEAL}`,
    });
    expect(secrets.tokenSecrets).toEqual([STRONG, other]);
    expect(secrets.encryptionKeys.map(({ id }) => id)).toEqual(["new", "old"]);
    expect(secrets.encryptionKeys[0].secret.toString("base64")).toBe(SEAL);
  });

  test("are all listed with their defaults in docs/settings.md", async () => {
    const page = await readFile(new URL("../../docs/settings.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` *\|(?: `([^`]*)`)?/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(SETTING_NAMES.toSorted());

    const documented = Object.fromEntries(
      rows.flatMap(([, name = "", value]) => (value === undefined ? [] : [[name, value]])),
    );
    expect(parseEnv({ ...SECRETS, ...documented }).env).toEqual(parseEnv(SECRETS).env);
  });

  test("have defaults", () => {
    expect(parseEnv(SECRETS).env).toEqual({
      production: true,
      host: "0.0.0.0",
      port: 3000,
      dataDir: ".data",
      databaseUrl: undefined,
      databasePoolSize: 10,
      databaseWaitSeconds: 60,
      redisUrl: undefined,
      rateLimitAdminPerMinute: 120,
      rateLimitStorefrontPerMinute: 60,
      rateLimitStorefrontAddressPerMinute: 1_200,
      rateLimitStorefrontServerPerMinute: 1_200,
      rateLimitNewGuestsPerHour: 2_000,
      trustedProxyHops: 0,
      role: "all",
      activityRetentionDays: 400,
      webhookRetentionDays: 30,
      webhooksAllowLoopback: false,
      shopify: undefined,
      devstoreUrl: undefined,
      appProxyExtraHops: 1,
      logLevel: "info",
      shutdownDelaySeconds: 0,
      shutdownGraceSeconds: 25,
      tracing: false,
      maxWaitingSpans: 2_048,
      trustTraceparent: false,
      metricsPort: undefined,
    });
  });

  test.each([
    ["PORT", 0, 65_535],
    ["DATABASE_POOL_SIZE", 2, 500],
    ["RATE_LIMIT_ADMIN_PER_MINUTE", 1, 999_999_999],
    ["RATE_LIMIT_STOREFRONT_PER_MINUTE", 1, 999_999_999],
    ["RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE", 1, 999_999_999],
    ["RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE", 1, 999_999_999],
    ["RATE_LIMIT_NEW_GUESTS_PER_HOUR", 1, 999_999_999],
    ["TRUSTED_PROXY_HOPS", 0, 10],
    ["ACTIVITY_RETENTION_DAYS", 30, 36_500],
    ["WEBHOOK_RETENTION_DAYS", 2, 36_500],
    ["DATABASE_WAIT_SECONDS", 0, 600],
    ["OTEL_BSP_MAX_QUEUE_SIZE", 1, 999_999_999],
    ["SHUTDOWN_DELAY_SECONDS", 0, 300],
    ["SHUTDOWN_GRACE_SECONDS", 1, 300],
    ["METRICS_PORT", 0, 65_535],
  ])("accept for %s a whole number from %i to %i", (name, least, most) => {
    for (const value of [least, most]) expect(problems({ ...SECRETS, [name]: String(value) })).toEqual([]);
    for (const value of [least - 1, most + 1, "1.5", "1e3", "0x10", " 5", "five"]) {
      expect(names({ ...SECRETS, [name]: String(value) }), String(value)).toEqual([name]);
    }
  });

  test.each([
    [undefined, true],
    ["false", true],
    ["true", false],
    ["TRUE", false],
  ])("with a collector and OTEL_SDK_DISABLED=%s have tracing %s", (disabled, tracing) => {
    const given = { ...SECRETS, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: disabled };
    expect(parseEnv(given).env.tracing).toBe(tracing);
  });

  test.each(["all", "web", "worker"])("accept the role %s", (role) => {
    expect(parseEnv({ ...SECRETS, WISHLIST_ROLE: role }).env.role).toBe(role);
  });

  test.each(["development", "test"])("allow webhooks to this machine in %s on request only", (mode) => {
    const source = { ...SECRETS, NODE_ENV: mode };
    expect(parseEnv({ ...source, WEBHOOKS_ALLOW_LOOPBACK: "1" }).env.webhooksAllowLoopback).toBe(true);
    expect(parseEnv({ ...source, WEBHOOKS_ALLOW_LOOPBACK: "0" }).env.webhooksAllowLoopback).toBe(false);
    expect(parseEnv(source).env.webhooksAllowLoopback).toBe(false);
  });

  test.each(["postgres://u:p@h:5432/d", "postgresql://h/d?sslmode=verify-full"])(
    "accept the database URL %s",
    (url) => {
      expect(parseEnv({ ...SECRETS, DATABASE_URL: url }).env.databaseUrl).toBe(url);
    },
  );

  test.each([
    "?sslmode=allow",
    "?sslmode=",
    "?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
    "?sslkey=/nowhere/key",
  ])("refuse a database URL with %s without showing it", (parameters) => {
    const source = { ...SECRETS, DATABASE_URL: `postgres://u:hush@h/d${parameters}` };
    const parse = () => parseEnv(source);
    expect(parse).toThrow(/DATABASE_URL (has an sslmode|names a file)/);
    expect(parse).not.toThrow(/hush|nowhere/);
  });
});

describe("the settings of a mail server", () => {
  const read = (url: string, from = "wishlist@mail.example.com") =>
    parseEnv({ ...SECRETS, SMTP_URL: url, MAIL_FROM: from });

  test.each([
    ["smtps://mail.example.com", { port: 465, tls: "implicit", auth: undefined }],
    [
      "smtps://app:p%40ss%2Fword@mail.example.com:4465",
      { port: 4465, tls: "implicit", auth: { user: "app", pass: "p@ss/word" } },
    ],
    ["smtp://mail.example.com", { port: 587, tls: "required", auth: undefined }],
    ["smtp://mail.example.com:25?tls=none", { port: 25, tls: "none", auth: undefined }],
    ["smtp://127.0.0.1:2525", { port: 2525, tls: "none", auth: undefined }],
    ["smtp://[::1]:2525", { host: "::1", port: 2525, tls: "none", auth: undefined }],
  ])("are read from %s", (url, expected) => {
    expect(read(url).secrets.smtp).toMatchObject(expected);
  });

  test.each([
    "mail.example.com:587",
    "https://mail.example.com",
    "smtp://",
    "smtp://mail.example.com/path",
    "smtp://mail.example.com?tls=maybe",
    "smtps://mail.example.com?tls=none",
    "smtp://mail.example.com?requireTLS=false",
  ])("are refused, and not shown, from %s", (url) => {
    const secret = url.replace("://", "://app:a-secret-password@");
    const found = problems({ ...SECRETS, SMTP_URL: secret, MAIL_FROM: "wishlist@mail.example.com" });
    expect(found).toEqual([expect.stringMatching(/^SMTP_URL (is not an address|has an option)/)]);
    expect(found.join()).not.toContain("a-secret-password");
  });

  test("have a sender without a name, which is the shop's", () => {
    expect(read("smtp://127.0.0.1", "Wishlist <wishlist@mail.example.com>").env.mailFrom).toBe(
      "wishlist@mail.example.com",
    );
    expect(names({ ...SECRETS, SMTP_URL: "smtp://127.0.0.1", MAIL_FROM: "a@b.example, c@d.example" })).toEqual([
      "MAIL_FROM",
    ]);
  });

  test("and those of signatures are complete or missing", () => {
    expect(names({ ...SECRETS, SMTP_URL: "smtp://127.0.0.1" })).toEqual(["MAIL_FROM"]);
    expect(names({ ...SECRETS, MAIL_FROM: "a@b.example" })).toEqual(["SMTP_URL"]);
    expect(names({ ...SECRETS, DKIM_DOMAIN: "b.example" })).toEqual(["DKIM_SELECTOR", "DKIM_PRIVATE_KEY"]);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const dkim = { DKIM_DOMAIN: "b.example", DKIM_SELECTOR: "one" };
    for (const key of [pem, Buffer.from(pem).toString("base64")])
      expect(parseEnv({ ...SECRETS, ...dkim, DKIM_PRIVATE_KEY: key }).secrets.dkimPrivateKey).toBe(pem);
    expect(names({ ...SECRETS, ...dkim, DKIM_PRIVATE_KEY: "no key" })).toEqual(["DKIM_PRIVATE_KEY"]);
  });
});
