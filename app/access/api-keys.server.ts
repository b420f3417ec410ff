import { timingSafeEqual } from "node:crypto";
import type { Prisma } from "@prisma/client";
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
/** Within this many milliseconds a use is not written again. */
const USE_RESOLUTION = 60_000;

/** A key with its secret, which is shown this once and kept only as a hash. */
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

async function insertKey(
  tx: Prisma.TransactionClient,
  key: { shopId: number; name: string; kind: KeyKind; scopes: readonly Scope[]; expiresAt: Date | null },
): Promise<IssuedKey> {
  const secret = checkedId(SECRET.prefix, SECRET.length);
  const row = await tx.apiKey.create({
    data: {
      shopId: key.shopId,
      keyId: checkedId(ID.prefix, ID.length),
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

/** Serializes creations in a shop, so that two of them cannot both pass the cap. */
async function lockShop(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.$queryRaw`SELECT id AS shop_id FROM shop WHERE id = ${shopId} FOR NO KEY UPDATE`;
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
  await lockShop(tx, key.shopId);
  if ((await tx.apiKey.count({ where: active(key.shopId, now()) })) >= KEY_CAP) {
    return new Failure("key_limit_reached", ACCESS_FAILURES.key_limit_reached.message);
  }
  return insertKey(tx, { ...key, kind, expiresAt: key.expiresAt ?? null });
}

/** Of them there are at most `KEY_CAP`; newest first. */
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

/** Newest first, revoked and expired ones included: all of them, or a page. */
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
  await lockShop(tx, shopId);
  const at = now();
  const old = await tx.apiKey.findFirst({ where: { ...active(shopId, at), keyId } });
  // Rotating a key that has a successor would give it two.
  if (old?.successorKeyId !== null) return undefined;
  if (overlap > 0 && (await tx.apiKey.count({ where: active(shopId, at) })) >= KEY_CAP) {
    return new Failure("key_limit_reached", ROTATION_AT_CAP);
  }
  const { name, kind, scopes, expiresAt } = toApiKey(old);
  const issued = await insertKey(tx, { shopId, name, kind, scopes, expiresAt });
  const end = new Date(at.getTime() + overlap);
  await tx.apiKey.update({
    where: { shopId_keyId: { shopId, keyId } },
    data: {
      successorKeyId: issued.keyId,
      expiresAt: old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end,
    },
  });
  return issued;
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

/** Can it be the id of a key? A mistyped or cut-off one can't. */
export function isKeyId(text: string): boolean {
  return isCheckedId(text, ID.prefix, ID.length);
}

/**
 * Unscoped: the key tells the shop. For those who know a key by its id alone: the token exchange and the command line.
 * @returns undefined for an unknown id; a mistyped one is refused without a query
 */
export async function findKey(
  keyId: string,
): Promise<{ shopId: number; key: ApiKey; secretHash: Uint8Array } | undefined> {
  if (!isKeyId(keyId)) return undefined;
  const row = await prisma().apiKey.findUnique({ where: { keyId } });
  return row ? { shopId: Number(row.shopId), key: toApiKey(row), secretHash: row.secretHash } : undefined;
}

/** Constant in time over the secret. */
export function secretMatches(secret: string, hash: Uint8Array): boolean {
  return isCheckedId(secret, SECRET.prefix, SECRET.length) && timingSafeEqual(sha256(secret), hash);
}

/** Remembers that a key was used, to the minute. */
export async function noteUse(shopId: number, key: ApiKey): Promise<void> {
  const at = now();
  if (key.lastUsedAt !== null && at.getTime() - key.lastUsedAt.getTime() < USE_RESOLUTION) return;
  await prisma().apiKey.updateMany({ where: { shopId, keyId: key.keyId }, data: { lastUsedAt: at } });
}
