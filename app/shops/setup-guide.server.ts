import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database.server.ts";
import type { SetupState } from "./views.ts";

export async function setupState(shopId: number): Promise<SetupState> {
  const row = await prisma().shop.findUniqueOrThrow({
    where: { id: shopId },
    select: { catalog: true, setupDismissedAt: true, catalogSync: true },
  });
  const { seen = 0, total, failedReason } = row.catalogSync ?? {};
  return {
    dismissed: row.setupDismissedAt !== null,
    sync:
      row.catalog === "syncing" || (row.catalogSync !== null && row.catalog === "none")
        ? { seen, total: total ?? undefined, failedReason: failedReason ?? undefined }
        : undefined,
  };
}

/** Puts the set-up guide away, or has it back. */
export async function showSetup(shopId: number, shown: boolean): Promise<void> {
  await prisma().shop.updateMany({ where: { id: shopId }, data: { setupDismissedAt: shown ? null : now() } });
}
