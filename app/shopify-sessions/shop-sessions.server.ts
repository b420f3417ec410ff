import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";

/** Deletes the sessions of a shop, and with them its access tokens. */
export async function deleteSessions(tx: Prisma.TransactionClient, domain: string): Promise<void> {
  await tx.session.deleteMany({ where: { shop: domain } });
}

/**
 * Expires the shop's access token, so that the merchant's next request fetches a new one. A token can keep the scopes that it was issued with;
 * a new one has the scopes that the shop grants now.
 */
export async function expireAccessToken(tx: Prisma.TransactionClient, domain: string): Promise<void> {
  await tx.session.updateMany({ where: { shop: domain, isOnline: false }, data: { expires: now() } });
}

/** Records the scopes that a shop grants now. */
export async function recordScopes(
  tx: Prisma.TransactionClient,
  domain: string,
  scopes: readonly string[],
): Promise<void> {
  await tx.session.updateMany({ where: { shop: domain, isOnline: false }, data: { scope: scopes.join(",") } });
}
