import { createHmac, createSecretKey, generateKeySync, type KeyObject } from "node:crypto";

/** Signatures of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

const SECRET_PREFIX = "whsec_";
const SECRET_BITS = 256;

/** Returns `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return SECRET_PREFIX + generateKeySync("hmac", { length: SECRET_BITS }).export().toString("base64");
}

/** Returns the key of a secret. Keys are kept between requests, because creating one takes longer than signing with it. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"));
}

/**
 * Returns the value of `webhook-signature`: one signature per key, so that a receiver can verify it with the old or the new secret during a
 * rotation.
 */
export function signatureHeader(
  keys: readonly KeyObject[],
  messageId: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${messageId}.${timestampSeconds}.${body}`;
  return keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`).join(" ");
}
