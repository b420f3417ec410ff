import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { toScopes } from "./scopes.ts";

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

/** Returns the scopes that a shop has granted, as last recorded; undefined for a shop without a session. */
export async function readScopes(tx: Prisma.TransactionClient, domain: string): Promise<string[] | undefined> {
  const session = await tx.session.findFirst({ where: { shop: domain, isOnline: false }, select: { scope: true } });
  return session ? toScopes(session.scope) : undefined;
}

/**
 * Records the scopes that a shop grants now.
 * @param used the scopes of the service's own requests: a token that was issued without one of those that are granted now expires
 */
export async function recordScopes(
  tx: Prisma.TransactionClient,
  domain: string,
  scopes: readonly string[],
  used: readonly string[],
): Promise<void> {
  const where = { shop: domain, isOnline: false };
  const known = (await readScopes(tx, domain)) ?? [];
  if (used.some((scope) => scopes.includes(scope) && !known.includes(scope))) await expireAccessToken(tx, domain);
  await tx.session.updateMany({ where, data: { scope: scopes.join(",") } });
}
