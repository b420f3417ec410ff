import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { listOf } from "./settings-schema.server.ts";

const SECRET_MIN_LENGTH = 32;
const SECRET_MIN_DISTINCT = 10;
const HOW_TO_MAKE = "make one with: openssl rand -base64 48";

/** Describes what makes a secret weak. @returns undefined for a strong one */
function weakness(secret: string): string | undefined {
  if (secret.length < SECRET_MIN_LENGTH)
    return `has ${secret.length} characters, at least ${SECRET_MIN_LENGTH} are needed`;
  if (new Set(secret).size < SECRET_MIN_DISTINCT) return "repeats a few characters, which can be guessed";
  if (/change.?me|example|password|secret|insecure|placeholder/i.test(secret)) return "is a placeholder";
  return undefined;
}

/** A random secret of 32 hexadecimal digits has about 14 different ones, and almost never fewer than this. */
const HEX_MIN_DISTINCT = 6;

/** Describes what makes the app's client secret weak. Shopify's have 32 hexadecimal digits, newer ones with the prefix `shpss_`. */
function clientSecretWeakness(secret: string): string | undefined {
  if (!/^(?:shpss_)?[0-9a-f]{32}$/.test(secret)) return weakness(secret);
  const distinct = new Set(secret.slice(-32)).size;
  return distinct < HEX_MIN_DISTINCT ? "repeats a few characters, which can be guessed" : undefined;
}

const HOW_TO_GET_CLIENT_SECRET = "copy the client secret from the app's settings in Shopify";

/** A list of client secrets of the app. The first is sent to Shopify, all verify. */
const clientSecrets = z.string().transform((text, context): [string, ...string[]] => {
  const [first, ...rest] = listOf(text);
  if (first === undefined) {
    context.addIssue("is empty; " + HOW_TO_GET_CLIENT_SECRET);
    return z.NEVER;
  }
  for (const secret of [first, ...rest]) {
    const weak = clientSecretWeakness(secret);
    if (weak !== undefined) context.addIssue(`${weak}; ${HOW_TO_GET_CLIENT_SECRET}`);
  }
  return [first, ...rest];
});

const OPERATOR_TOKEN_MIN_LENGTH = 16;

/** The characters of a bearer token (RFC 6750). */
const BEARER = /^[\w.~+/-]+=*$/;

/** What opens a path of the operator's. */
const operatorToken = z.string().superRefine((token, context) => {
  if (token.length < OPERATOR_TOKEN_MIN_LENGTH)
    context.addIssue(
      `has ${token.length} characters, at least ${OPERATOR_TOKEN_MIN_LENGTH} are needed; make one with: openssl rand -hex 24`,
    );
  else if (new Set(token).size < HEX_MIN_DISTINCT)
    context.addIssue("repeats a few characters, which can be guessed; make one with: openssl rand -hex 24");
  else if (!BEARER.test(token))
    context.addIssue("has characters that a bearer token cannot have; make one with: openssl rand -hex 24");
});

/** A private key in PEM, or its base64, which fits into one line. */
const dkimKey = z.string().transform((text, context) => {
  const pem = text.includes("-----BEGIN") ? text : Buffer.from(text, "base64").toString("utf8");
  try {
    createPrivateKey(pem);
    return pem;
  } catch {
    context.addIssue(
      "is not a private key in PEM, nor the base64 of one; make one with: openssl genrsa 2048 | base64 -w 0",
    );
    return z.NEVER;
  }
});

/** A mail server, with the user and the password if it wants them. */
export interface SmtpServer {
  host: string;
  port: number;
  /** `implicit`: TLS from the start; `required`: by STARTTLS, or nothing is sent; `none`: never, as within this machine */
  tls: "implicit" | "required" | "none";
  auth: { user: string; pass: string } | undefined;
}

const SMTP_FORM = "is not an address such as smtps://user:password@mail.example.com or smtp://mail.example.com:587";

/** An address of a mail server. Its text may hold a password, so that no message repeats it. */
const smtpServer = z.string().transform((text, context): SmtpServer => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "smtps:";
  const tls = url?.searchParams.get("tls");
  const isPlain = url !== undefined && [...url.searchParams.keys()].every((name) => name === "tls") && url.hash === "";
  if (!isPlain || (!isSecure && url.protocol !== "smtp:") || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    context.addIssue(SMTP_FORM);
    return z.NEVER;
  }
  if (tls !== null && (tls !== "none" || isSecure)) {
    context.addIssue("has an option that does not exist: smtp:// may have ?tls=none");
    return z.NEVER;
  }
  const auth =
    url.username === ""
      ? undefined
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (isSecure ? 465 : 587) : Number(url.port);
  const isPrivate = tls === "none" || host === "localhost" || host === "::1" || host.startsWith("127.");
  return { host, port, tls: isSecure ? "implicit" : isPrivate ? "none" : "required", auth };
});

/** A list of at least one strong secret. The first signs, all verify. */
const signingSecrets = z.string("is missing; " + HOW_TO_MAKE).transform((text, context): [string, ...string[]] => {
  const [first, ...rest] = listOf(text);
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

/** A list of `<id>:<base64 of 32 bytes>`. The first key encrypts, all decrypt. */
export const encryptionKeys = z
  .string("is missing; " + HOW_TO_MAKE_KEY)
  .transform((text, context): [EncryptionKey, ...EncryptionKey[]] => {
    const keys = listOf(text).map((entry): EncryptionKey => {
      const colon = entry.indexOf(":");
      const base64 = entry.slice(colon + 1);
      // Buffer.from skips characters that are not base64, which would hide a typing error.
      const secret = /^[\w+/-]*={0,2}$/.test(base64) ? Buffer.from(base64, "base64") : Buffer.alloc(0);
      return { id: entry.slice(0, Math.max(colon, 0)), secret };
    });
    for (const [index, key] of keys.entries()) {
      // Named by position, because the text in the id's place may be a secret.
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

/** The secrets of the service, from environment variables. */
export const secretsSchema = z
  .object({
    TOKEN_SECRETS: signingSecrets,
    ENCRYPTION_KEYS: encryptionKeys,
    SHOPIFY_API_SECRET: clientSecrets.optional(),
    METRICS_TOKEN: operatorToken.optional(),
    MAIL_REPORTS_TOKEN: operatorToken.optional(),
    SMTP_URL: smtpServer.optional(),
    DKIM_PRIVATE_KEY: dkimKey.optional(),
  })
  .transform(({ TOKEN_SECRETS, ENCRYPTION_KEYS, SHOPIFY_API_SECRET, METRICS_TOKEN, ...mail }) => ({
    /** the first signs access tokens, all verify */
    tokenSecrets: TOKEN_SECRETS,
    /** the first encrypts, all decrypt */
    encryptionKeys: ENCRYPTION_KEYS,
    /** the app's client secrets, with which Shopify signs its requests; the first also authenticates the app's requests */
    shopifyApiSecrets: SHOPIFY_API_SECRET,
    /** opens `/metrics` on the main port; undefined: it is not served there */
    metricsToken: METRICS_TOKEN,
    /** the mail server for messages to shoppers; undefined: none are sent */
    smtp: mail.SMTP_URL,
    /** signs messages to shoppers (PEM) */
    dkimPrivateKey: mail.DKIM_PRIVATE_KEY,
    /** opens the path for reports about sent messages; undefined: there is none */
    mailReportsToken: mail.MAIL_REPORTS_TOKEN,
  }));

export type Secrets = z.infer<typeof secretsSchema>;
