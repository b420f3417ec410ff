import { timingSafeEqual } from "node:crypto";
import type { Prisma } from "@prisma/client";
import { serializeInShop } from "../platform/database/advisory-locks.server.ts";
import { now } from "../platform/clock.server.ts";
import { sha256 } from "../platform/encryption/crypto.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { checkedId, isCheckedId } from "../platform/ids.server.ts";
import { env } from "../platform/process/env.server.ts";
import { ACCESS_FAILURES, KEY_CAP, ROTATION_AT_CAP } from "./failures.ts";
import { keyKindSchema, scopesBeyond, type KeyKind, type SecretKeyKind } from "./kinds.ts";
import { CUSTOMER_SCOPES, isScope, type Scope } from "./scopes.ts";
import type { ApiKey, KeyLimits } from "./views.ts";

const WISHLISTS_ONLY = "Its scopes are read_wishlists and write_wishlists; use another key for the rest.";

const ID_LENGTH = 22;
const ID_PREFIX: Record<KeyKind, string> = { admin: "wlk_", storefront_server: "wlk_", publishable: "wlp_" };
/** 43 base62 characters: 256 random bits, so that a fast hash suffices. */
const SECRET = { prefix: "wls_", length: 43 };
/** Milliseconds between two updates of `lastUsedAt`. */
const USE_RESOLUTION = 60_000;

/** A new key with its secret, of which only the hash is stored. */
export interface IssuedKey extends ApiKey {
  secret: string;
}

/** A key that replaces another one: with a secret, unless it is publishable. */
export type SuccessorKey = ApiKey & { secret: string | undefined };

type Row = Omit<ApiKey, "kind" | "scopes"> & { kind: string; scopes: string[] };

function toApiKey(row: Row): ApiKey {
  const { keyId, name, allowedOrigins, secretHint, createdAt, lastUsedAt, expiresAt, revokedAt, successorKeyId } = row;
  const scopes = row.scopes.filter(isScope);
  const kind = keyKindSchema.parse(row.kind);
  return {
    keyId,
    name,
    kind,
    scopes,
    allowedOrigins,
    secretHint,
    createdAt,
    lastUsedAt,
    expiresAt,
    revokedAt,
    successorKeyId,
  };
}

function newKeyId(kind: KeyKind): string {
  return checkedId(ID_PREFIX[kind], ID_LENGTH);
}

async function insertKey(
  tx: Prisma.TransactionClient,
  key: Pick<ApiKey, "keyId" | "name" | "kind" | "expiresAt"> & {
    shopId: number;
    scopes: readonly Scope[];
    allowedOrigins: readonly string[];
  },
): Promise<IssuedKey> {
  // The secret of a publishable key is discarded, so that no secret matches its hash.
  const secret = checkedId(SECRET.prefix, SECRET.length);
  const row = await tx.apiKey.create({
    data: {
      shopId: key.shopId,
      keyId: key.keyId,
      name: key.name,
      kind: key.kind,
      scopes: [...key.scopes],
      allowedOrigins: [...key.allowedOrigins],
      secretHash: new Uint8Array(sha256(secret)),
      secretHint: key.kind === "publishable" ? "" : secret.slice(-4),
      createdAt: now(),
      expiresAt: key.expiresAt,
    },
  });
  return { ...toApiKey(row), secret };
}

function active(shopId: number, at: Date): Prisma.ApiKeyWhereInput {
  return { shopId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
}

/** Returns `key_limit_reached` when the shop has `KEY_CAP` active keys. Until the end of the transaction, no other creates a key in the shop. */
async function refuseAtCap(tx: Prisma.TransactionClient, shopId: number): Promise<Failure | undefined> {
  await serializeInShop(tx, shopId, "api_key");
  return (await tx.apiKey.count({ where: active(shopId, now()) })) >= KEY_CAP
    ? new Failure("key_limit_reached", ACCESS_FAILURES.key_limit_reached.message)
    : undefined;
}

/** @returns `key_limit_reached` when the shop has `KEY_CAP` active keys, `insufficient_scope` for scopes that the kind can't have */
export async function createKey(
  tx: Prisma.TransactionClient,
  key: { shopId: number; name: string; kind?: SecretKeyKind; scopes: readonly Scope[]; expiresAt?: Date },
): Promise<IssuedKey | Failure> {
  const { kind = "admin" } = key;
  const beyond = scopesBeyond(kind, key.scopes);
  if (beyond.length > 0) {
    return new Failure(
      "insufficient_scope",
      `A storefront server's key can't have ${beyond.join(", ")}. ${WISHLISTS_ONLY}`,
    );
  }
  const refused = await refuseAtCap(tx, key.shopId);
  if (refused) return refused;
  return insertKey(tx, { ...key, keyId: newKeyId(kind), kind, allowedOrigins: [], expiresAt: key.expiresAt ?? null });
}

/** Creates a publishable key. @returns `key_limit_reached` when the shop has `KEY_CAP` active keys */
export async function createPublishableKey(
  tx: Prisma.TransactionClient,
  key: { shopId: number; name: string; allowedOrigins: readonly string[]; expiresAt?: Date },
): Promise<ApiKey | Failure> {
  const refused = await refuseAtCap(tx, key.shopId);
  if (refused) return refused;
  const { expiresAt = null } = key;
  const { secret: _, ...created } = await insertKey(tx, {
    ...key,
    keyId: newKeyId("publishable"),
    kind: "publishable",
    scopes: CUSTOMER_SCOPES,
    expiresAt,
  });
  return created;
}

/** Returns the active keys, newest first; at most `KEY_CAP`. */
export async function activeKeys(shopId: number): Promise<ApiKey[]> {
  const rows = await prisma().apiKey.findMany({
    where: active(shopId, now()),
    orderBy: [{ createdAt: "desc" }, { keyId: "asc" }],
  });
  return rows.map(toApiKey);
}

/** @returns undefined for an id that is unknown, mistyped, or of another shop's key */
export async function keyOfShop(shopId: number, keyId: string): Promise<ApiKey | undefined> {
  if (!isKeyId(keyId)) return undefined;
  const row = await prisma().apiKey.findUnique({ where: { shopId_keyId: { shopId, keyId } } });
  return row ? toApiKey(row) : undefined;
}

/** Lists a shop's keys, newest first, including revoked and expired ones. */
export async function listKeys(shopId: number, page?: { limit: number; offset: number }): Promise<ApiKey[]> {
  const rows = await prisma().apiKey.findMany({
    where: { shopId },
    orderBy: [{ createdAt: "desc" }, { keyId: "asc" }],
    ...(page && { take: page.limit, skip: page.offset }),
  });
  return rows.map(toApiKey);
}

/**
 * Issues a successor with the same name, kind, scopes and expiry. The old key stays valid for `overlap` milliseconds, so that its users can
 * change over without an interruption; 0 ends it at once. While both are valid, both count against the cap.
 * @returns undefined when the shop has no such active key; `key_limit_reached` when both would be one too many
 */
export async function rotateKey(
  tx: Prisma.TransactionClient,
  shopId: number,
  keyId: string,
  overlap: number,
): Promise<SuccessorKey | Failure | undefined> {
  await serializeInShop(tx, shopId, "api_key");
  const at = now();
  const old = await tx.apiKey.findFirst({ where: { ...active(shopId, at), keyId } });
  // Rotating a key that has a successor would give it two.
  if (old?.successorKeyId !== null) return undefined;
  if (overlap > 0 && (await tx.apiKey.count({ where: active(shopId, at) })) >= KEY_CAP) {
    return new Failure("key_limit_reached", ROTATION_AT_CAP);
  }
  const { name, kind, scopes, allowedOrigins, expiresAt } = toApiKey(old);
  const successor = newKeyId(kind);
  const end = new Date(at.getTime() + overlap);
  // Before the insertion: on Citus the update takes a stronger lock of the table, for which two rotations would wait for each other.
  await tx.apiKey.update({
    where: { shopId_keyId: { shopId, keyId } },
    data: {
      successorKeyId: successor,
      expiresAt: old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end,
    },
  });
  const issued = await insertKey(tx, { shopId, keyId: successor, name, kind, scopes, allowedOrigins, expiresAt });
  return kind === "publishable" ? { ...issued, secret: undefined } : issued;
}

/**
 * Revokes a key.
 * @returns the key, and whether this call has revoked it; undefined when the shop has no such key
 */
export async function revokeKey(
  tx: Prisma.TransactionClient,
  shopId: number,
  keyId: string,
): Promise<{ key: ApiKey; revokedNow: boolean } | undefined> {
  const { count } = await tx.apiKey.updateMany({
    where: { shopId, keyId, revokedAt: null },
    data: { revokedAt: now() },
  });
  const row = await tx.apiKey.findUnique({ where: { shopId_keyId: { shopId, keyId } } });
  return row ? { key: toApiKey(row), revokedNow: count > 0 } : undefined;
}

/** What staff can change of a key. Scopes are those of a key with a secret. */
export interface KeyChange {
  kind: KeyKind;
  name: string;
  scopes?: readonly Scope[];
}

/** Returns what the audit log says about a key: "Warehouse; read_wishlists". */
function describeKey({ name, scopes = [] }: Omit<KeyChange, "kind">): string {
  return scopes.length === 0 ? name : `${name}; ${scopes.join(", ")}`;
}

/**
 * Changes a key's name and scopes. Tokens that it issued before lose the scopes that it loses.
 * @returns how the key was described before and is now; undefined when the shop has no such active key of the kind
 */
export async function changeKey(
  tx: Prisma.TransactionClient,
  shopId: number,
  keyId: string,
  { kind, name, scopes }: KeyChange,
): Promise<{ from: string; to: string } | undefined> {
  const row = await tx.apiKey.findFirst({ where: { ...active(shopId, now()), keyId, kind } });
  if (!row) return undefined;
  const before = toApiKey(row);
  const after = { name, scopes: scopes ?? before.scopes };
  const [from, to] = [describeKey(before), describeKey(after)];
  if (from !== to) {
    await tx.apiKey.update({
      where: { shopId_keyId: { shopId, keyId } },
      data: { name, ...(scopes && { scopes: [...scopes] }) },
    });
  }
  return { from, to };
}

/**
 * Replaces the origins of a publishable key. Tokens that it issued before stay valid until they expire.
 * @returns the key's name and the origins before; undefined when the shop has no such active key
 */
export async function setAllowedOrigins(
  tx: Prisma.TransactionClient,
  shopId: number,
  keyId: string,
  allowedOrigins: readonly string[],
): Promise<{ name: string; before: string[] } | undefined> {
  const key = await tx.apiKey.findFirst({ where: { ...active(shopId, now()), keyId, kind: "publishable" } });
  if (!key) return undefined;
  await tx.apiKey.update({ where: { shopId_keyId: { shopId, keyId } }, data: { allowedOrigins: [...allowedOrigins] } });
  return { name: key.name, before: key.allowedOrigins };
}

/** Whether a text has the form of a key id. Its checksum detects typos. */
export function isKeyId(text: string): boolean {
  return [ID_PREFIX.admin, ID_PREFIX.publishable].some((prefix) => isCheckedId(text, prefix, ID_LENGTH));
}

/**
 * Finds a key by its id alone, for the token exchange and the command line. Unscoped: the key tells the shop.
 * @returns undefined for an unknown id; a mistyped id needs no query
 */
export async function findKey(
  keyId: string,
): Promise<{ shopId: number; key: ApiKey; secretHash: Uint8Array } | undefined> {
  if (!isKeyId(keyId)) return undefined;
  const row = await prisma().apiKey.findUnique({ where: { keyId } });
  return row ? { shopId: Number(row.shopId), key: toApiKey(row), secretHash: row.secretHash } : undefined;
}

/** Compares a secret with a hash in constant time. */
export function secretMatches(secret: string, hash: Uint8Array): boolean {
  return isCheckedId(secret, SECRET.prefix, SECRET.length) && timingSafeEqual(sha256(secret), hash);
}

/** Updates when a key was last used, at most once a minute. */
export async function recordKeyUse(shopId: number, key: ApiKey): Promise<void> {
  const at = now();
  if (key.lastUsedAt !== null && at.getTime() - key.lastUsedAt.getTime() < USE_RESOLUTION) return;
  await prisma().apiKey.updateMany({ where: { shopId, keyId: key.keyId }, data: { lastUsedAt: at } });
}

/** Returns the configured rate limits. */
export function keyLimits(): KeyLimits {
  const { rateLimitAdminPerMinute, rateLimitStorefrontServerPerMinute } = env();
  return { admin: rateLimitAdminPerMinute, storefront_server: rateLimitStorefrontServerPerMinute };
}
