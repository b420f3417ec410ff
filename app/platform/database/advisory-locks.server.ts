import type { Prisma } from "@prisma/client";
import { sha256 } from "../encryption/crypto.server.ts";

// Advisory locks that the service takes itself. Those of the SQL functions are listed in prisma/functions/advisory_lock_key.sql.

/** Held while migrations and SQL functions are applied. `prisma migrate deploy` takes the same lock. */
export const MIGRATION_LOCK = 72_707_369;

/** Returns the key of the lock that is held while a request with an `Idempotency-Key` is processed. */
export function idempotencyLock(shopId: number, keyId: string, idempotencyKey: string): bigint {
  return sha256(`${shopId} ${keyId} ${idempotencyKey}`).readBigInt64BE();
}

/**
 * Serializes transactions of a shop that read its rows of a table before they change them, until their end, so that two of them cannot both pass
 * a limit. A lock of the shop's row would do the same, but on Citus it would stop such transactions of all shops.
 */
export async function serializeInShop(
  tx: Prisma.TransactionClient,
  shopId: number,
  table: "api_key" | "customer_tagging" | "flow_trigger" | "webhook_endpoint" | "wishlist_import" | "wishlist_view",
): Promise<void> {
  const id = sha256(`${table} ${shopId}`).readBigInt64BE();
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${id})`;
}
