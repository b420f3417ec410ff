import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { secrets, type EncryptionKey } from "../process/env.server.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns 32 bytes. For random input only; it is not a password hash. */
export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The first key seals, all keys unseal. */
export type KeyRing = readonly [EncryptionKey, ...EncryptionKey[]];

/** Returns the id of the key that a value is sealed with. */
export function keyIdOf(sealed: string): string {
  return sealed.slice(0, sealed.indexOf("."));
}

/**
 * Encrypts a secret that must be shown again, with AES-256-GCM (NIST SP 800-38D) under the first key of the ring.
 * `purpose` is authenticated as well, so that a value sealed for one column can't be unsealed in another.
 * @returns `<key id>.<base64url of nonce, ciphertext and tag>`
 */
export function seal(plain: string, purpose: string, ring: KeyRing = secrets().encryptionKeys): string {
  const [key] = ring;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key.secret, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${key.id}.${sealed.toString("base64url")}`;
}

/** @throws Error when the key is not in the ring, or the value was altered or sealed for another purpose */
export function unseal(sealed: string, purpose: string, ring: KeyRing = secrets().encryptionKeys): string {
  const keyId = keyIdOf(sealed);
  const key = ring.find(({ id }) => id === keyId);
  if (!key) throw new Error(`a value is sealed with key "${keyId}", which ENCRYPTION_KEYS does not contain`);
  const bytes = Buffer.from(sealed.slice(keyId.length + 1), "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key.secret, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/**
 * Returns keyed hashes (HMAC-SHA-256) by which a sealed value is found without unsealing all, that of the ring's first key first: a value that another key
 * has hashed is found as well. Each purpose and key has a hash key of its own (HKDF, RFC 5869).
 */
export function fingerprints(text: string, purpose: string, ring: KeyRing = secrets().encryptionKeys): string[] {
  return ring.map(({ secret }) => {
    const key = Buffer.from(hkdfSync("sha256", secret, "", `fingerprint ${purpose}`, 32));
    return createHmac("sha256", key).update(text).digest("base64url");
  });
}
