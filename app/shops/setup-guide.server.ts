import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import type { SetupState } from "./views.ts";

/** Milliseconds after which the merchant is told that the product sync fails. Until then, it is retried without a word. */
const SYNC_PROBLEM_AFTER = 6 * 3_600_000;

export async function setupState(shopId: number): Promise<SetupState> {
  const row = await prisma().shop.findUniqueOrThrow({
    where: { id: shopId },
    select: { catalog: true, setupDismissedAt: true, menuLinkedAt: true, storePath: true, catalogSync: true },
  });
  const { seen = 0, total, failedReason, startedAt, finishedAt } = row.catalogSync ?? {};
  const since = finishedAt === null && startedAt ? now().getTime() - startedAt.getTime() : 0;
  return {
    syncProblem: since > SYNC_PROBLEM_AFTER ? (failedReason ?? undefined) : undefined,
    dismissed: row.setupDismissedAt !== null,
    menuLinked: row.menuLinkedAt !== null,
    storePath: row.storePath,
    sync:
      row.catalog === "syncing" || (row.catalogSync !== null && row.catalog === "none")
        ? { seen, total: total ?? undefined, failedReason: failedReason ?? undefined }
        : undefined,
  };
}

/** Shows the setup guide again, or dismisses it. */
export async function showSetupGuide(tx: Prisma.TransactionClient, shopId: number, shown: boolean): Promise<void> {
  await tx.shop.updateMany({ where: { id: shopId }, data: { setupDismissedAt: shown ? null : now() } });
}

/** Records whether the store's menu leads to the wishlist page, which the app can't see. */
export async function recordMenuLink(tx: Prisma.TransactionClient, shopId: number, linked: boolean): Promise<void> {
  await tx.shop.updateMany({ where: { id: shopId }, data: { menuLinkedAt: linked ? now() : null } });
}
