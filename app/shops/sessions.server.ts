import type { Prisma } from "@prisma/client";
import { prisma } from "../platform/database.server.ts";

/** Deletes what Shopify's library keeps of a shop: its store can't be asked any more. */
export async function forgetSessions(shop: string, transaction: Prisma.TransactionClient = prisma()): Promise<void> {
  await transaction.session.deleteMany({ where: { shop } });
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
