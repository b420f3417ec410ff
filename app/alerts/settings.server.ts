import type { Prisma } from "@prisma/client";
import { now } from "../platform/clock.server.ts";
import { prisma } from "../platform/database/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { alertKindSchema, alertModeSchema } from "./kinds.ts";
import { DEFAULT_ALERT_SETTINGS, type AlertSettings, type AlertSettingsChange } from "./settings-form.ts";

/** Returns a shop's choices; without any, all kinds are off. */
export async function readAlertSettings(shopId: number): Promise<AlertSettings> {
  const row = await prisma().alertSettings.findUnique({ where: { shopId } });
  if (!row) return DEFAULT_ALERT_SETTINGS;
  const { shopId: _, pausedUntil: __, dueAt: ___, kinds, mode, ...settings } = row;
  return { ...settings, kinds: alertKindSchema.array().parse(kinds), mode: alertModeSchema.parse(mode) };
}

/**
 * Saves the choices of a form, unless they were saved by another request after the form was loaded. Alerts that wait are decided by the new ones.
 * @param version of the choices that the form shows
 * @returns the saved choices, or `invalid_request` when the version is outdated
 */
export async function saveAlertSettings(
  tx: Prisma.TransactionClient,
  shopId: number,
  change: AlertSettingsChange,
  version: number,
): Promise<AlertSettings | Failure> {
  await tx.alertSettings.createMany({ data: { shopId }, skipDuplicates: true });
  const { count } = await tx.alertSettings.updateMany({
    where: { shopId, version },
    // The end of quiet hours is calculated anew.
    data: { ...change, pausedUntil: null, dueAt: now(), version: { increment: 1 } },
  });
  if (count > 0) return { ...change, version: version + 1 };
  return new Failure(
    "invalid_request",
    "The settings were changed elsewhere after you opened this page, so nothing was saved. Load the current settings, then make your change again.",
  );
}

/** Ends the pause of a shop's alerts after a change of its time zone: the release calculates the quiet hours anew. */
export async function endAlertPause(tx: Prisma.TransactionClient, shopId: number): Promise<void> {
  await tx.alertSettings.updateMany({
    where: { shopId, pausedUntil: { not: null } },
    data: { pausedUntil: null, dueAt: now() },
  });
}
