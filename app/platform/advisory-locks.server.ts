import { sha256 } from "./crypto.server.ts";

// Advisory locks that the service takes itself. Those of the SQL functions are listed in prisma/functions/advisory_lock_key.sql.

/** Held while migrations and SQL functions are applied. `prisma migrate deploy` takes the same lock. */
export const MIGRATION_LOCK = 72_707_369;

/** Returns the key of the lock that is held while a request with an `Idempotency-Key` is processed. */
export function idempotencyLock(shopId: number, keyId: string, idempotencyKey: string): bigint {
  return sha256(`${shopId} ${keyId} ${idempotencyKey}`).readBigInt64BE();
}
