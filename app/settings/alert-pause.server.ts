import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";

/** Ends the pause of a shop's alerts after a change of its time zone: the release calculates the quiet hours anew. */
export async function endAlertPause(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.alertSettings.updateMany({
    where: { shopId, pausedUntil: { not: null } },
    data: { pausedUntil: null, dueAt: now() },
  });
}
