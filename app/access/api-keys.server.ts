import { timingSafeEqual } from "node:crypto";
import type { Prisma } from "@prisma/client";
import { serializeInShop } from "../platform/advisory-locks.server.ts";
import { now } from "../platform/clock.server.ts";
import { sha256 } from "../platform/crypto.server.ts";
import { prisma } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { checkedId, isCheckedId } from "../platform/ids.server.ts";
import { ACCESS_FAILURES, KEY_CAP, ROTATION_AT_CAP } from "./failures.ts";
import { keyKindSchema, scopesBeyond, type KeyKind } from "./kinds.ts";
import { isScope, type Scope } from "./scopes.ts";
import type { ApiKey } from "./views.ts";

const WISHLISTS_ONLY = "Its scopes are read_wishlists and write_wishlists; use another key for the rest.";

const ID = { prefix: "wlk_", length: 22 };
/** 43 base62 characters: 256 random bits, so that a fast hash suffices. */
const SECRET = { prefix: "wls_", length: 43 };
/** Milliseconds between two updates of `lastUsedAt`. */
const USE_RESOLUTION = 60_000;

/** A new key with its secret. Only the secret's hash is stored. */
export interface IssuedKey extends ApiKey {
  secret: string;
}

type Row = Omit<ApiKey, "kind" | "scopes"> & { kind: string; scopes: string[] };

function toApiKey(row: Row): ApiKey {
  const { keyId, name, secretHint, createdAt, lastUsedAt, expiresAt, revokedAt, successorKeyId } = row;
  const scopes = row.scopes.filter(isScope);
  const kind = keyKindSchema.parse(row.kind);
  return { keyId, name, kind, scopes, secretHint, createdAt, lastUsedAt, expiresAt, revokedAt, successorKeyId };
}

function newKeyId(): string {
  return checkedId(ID.prefix, ID.length);
}

async function insertKey(
  tx: Prisma.TransactionClient,
  key: { shopId: number; keyId: string; name: string; kind: KeyKind; scopes: readonly Scope[]; expiresAt: Date | null },
): Promise<IssuedKey> {
  const secret = checkedId(SECRET.prefix, SECRET.length);
  const row = await tx.apiKey.create({
    data: {
      shopId: key.shopId,
      keyId: key.keyId,
      name: key.name,
      kind: key.kind,
      scopes: [...key.scopes],
      secretHash: new Uint8Array(sha256(secret)),
      secretHint: secret.slice(-4),
      createdAt: now(),
      expiresAt: key.expiresAt,
    },
  });
  return { ...toApiKey(row), secret };
}

function active(shopId: number, at: Date): Prisma.ApiKeyWhereInput {
  return { shopId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
}

/** @returns `key_limit_reached` when the shop has `KEY_CAP` active keys, `insufficient_scope` for scopes that the kind can't have */
export async function createKey(
  tx: Prisma.TransactionClient,
  key: { shopId: number; name: string; kind?: KeyKind; scopes: readonly Scope[]; expiresAt?: Date },
): Promise<IssuedKey | Failure> {
  const { kind = "admin" } = key;
  const beyond = scopesBeyond(kind, key.scopes);
  if (beyond.length > 0) {
    return new Failure(
      "insufficient_scope",
      `A storefront server's key can't have ${beyond.join(", ")}. ${WISHLISTS_ONLY}`,
    );
  }
  await serializeInShop(tx, key.shopId, "api_key");
  if ((await tx.apiKey.count({ where: active(key.shopId, now()) })) >= KEY_CAP) {
    return new Failure("key_limit_reached", ACCESS_FAILURES.key_limit_reached.message);
  }
  return insertKey(tx, { ...key, keyId: newKeyId(), kind, expiresAt: key.expiresAt ?? null });
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
): Promise<IssuedKey | Failure | undefined> {
  await serializeInShop(tx, shopId, "api_key");
  const at = now();
  const old = await tx.apiKey.findFirst({ where: { ...active(shopId, at), keyId } });
  // Rotating a key that has a successor would give it two.
  if (old?.successorKeyId !== null) return undefined;
  if (overlap > 0 && (await tx.apiKey.count({ where: active(shopId, at) })) >= KEY_CAP) {
    return new Failure("key_limit_reached", ROTATION_AT_CAP);
  }
  const { name, kind, scopes, expiresAt } = toApiKey(old);
  const successor = newKeyId();
  const end = new Date(at.getTime() + overlap);
  // Before the insertion: on Citus the update takes a stronger lock of the table, for which two rotations would wait for each other.
  await tx.apiKey.update({
    where: { shopId_keyId: { shopId, keyId } },
    data: {
      successorKeyId: successor,
      expiresAt: old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end,
    },
  });
  return insertKey(tx, { shopId, keyId: successor, name, kind, scopes, expiresAt });
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

/** Whether a text has the form of a key id. Its checksum detects typos. */
export function isKeyId(text: string): boolean {
  return isCheckedId(text, ID.prefix, ID.length);
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
