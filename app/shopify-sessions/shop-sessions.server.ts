import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";

/** Deletes what Shopify's library keeps of a shop: its store can't be asked any more. */
export async function forgetSessions(shop: string, transaction: Prisma.TransactionClient = prisma()): Promise<void> {
  await transaction.session.deleteMany({ where: { shop } });
}

/**
 * Ends the shop's access token, so that the merchant's next request fetches a new one. A token can keep the scopes that it was issued with, and a
 * new one says which scopes the shop has granted.
 */
export async function renewToken(shop: string): Promise<void> {
  await prisma().session.updateMany({ where: { shop, isOnline: false }, data: { expires: now() } });
}

/** Records the scopes that a shop grants now. */
export async function keepScopes(shopId: number, scopes: readonly string[]): Promise<void> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true } });
  if (!shop) return;
  await prisma().session.updateMany({
    where: { shop: shop.domain, isOnline: false },
    data: { scope: scopes.join(",") },
  });
}
