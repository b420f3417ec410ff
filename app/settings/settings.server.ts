import type { Prisma } from "@prisma/client";
import { prisma } from "../platform/database/database.server.ts";
import { Failure } from "../platform/failure.ts";
import type { Settings, SettingsChange } from "./settings.ts";
import { timeZoneChanged } from "./time-zone.server.ts";

/** A changed setting, in words for the audit log. */
export interface ChangedSetting {
  name: string;
  from: string;
  to: string;
}

const COLUMNS = {
  shareLinkDays: true,
  itemCap: true,
  guestLists: true,
  guestRetentionDays: true,
  namedLists: true,
  timeZone: true,
} as const;

const NAMES: Record<keyof SettingsChange, string> = {
  shareLinkDays: "the share link lifetime in days",
  itemCap: "the maximum items per wishlist",
  guestLists: "guest wishlists",
  guestRetentionDays: "the guest retention in days",
  namedLists: "named lists in the store",
  timeZone: "the time zone",
};

const SETTINGS = ["shareLinkDays", "itemCap", "guestLists", "guestRetentionDays", "namedLists", "timeZone"] as const;

function shown(value: string | number | boolean): string {
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

function changed(before: SettingsChange, after: SettingsChange): ChangedSetting[] {
  return SETTINGS.filter((name) => before[name] !== after[name]).map((name) => ({
    name: NAMES[name],
    from: shown(before[name]),
    to: shown(after[name]),
  }));
}

export async function readSettings(shopId: number): Promise<Settings> {
  const { settingsVersion, ...settings } = await prisma().shop.findUniqueOrThrow({
    where: { id: shopId },
    select: { ...COLUMNS, settingsVersion: true },
  });
  return { ...settings, version: settingsVersion };
}

/** Shows or hides customers' names in the admin. @returns the setting that has changed; undefined if it was so before */
export async function showCustomerNames(
  tx: Prisma.TransactionClient,
  shopId: number,
  shown: boolean,
): Promise<ChangedSetting | undefined> {
  const { count } = await tx.shop.updateMany({
    where: { id: shopId, customerNames: !shown },
    data: { customerNames: shown },
  });
  const name = "customer names in the admin";
  return count === 0 ? undefined : { name, from: shown ? "hidden" : "shown", to: shown ? "shown" : "hidden" };
}

/**
 * Saves the settings of a form, unless they were saved by another request after the form was loaded. They apply from the next request on: a
 * trigger on the shop's row notifies every process.
 * @param version of the settings that the form shows
 * @returns the saved settings and those that differ from before, or `invalid_request` when the version is outdated
 */
export async function saveSettings(
  tx: Prisma.TransactionClient,
  shopId: number,
  change: SettingsChange,
  version: number,
): Promise<{ settings: Settings; changes: ChangedSetting[] } | Failure> {
  const before = await tx.shop.findUniqueOrThrow({ where: { id: shopId }, select: COLUMNS });
  // A time zone that the merchant has chosen is never replaced by Shopify's.
  const isOther = before.timeZone !== change.timeZone;
  const { count } = await tx.shop.updateMany({
    where: { id: shopId, settingsVersion: version },
    data: { ...change, ...(isOther ? { timeZoneChosen: true } : {}), settingsVersion: { increment: 1 } },
  });
  if (count > 0) {
    if (isOther) await timeZoneChanged(tx, shopId);
    return { settings: { ...change, version: version + 1 }, changes: changed(before, change) };
  }
  return new Failure(
    "invalid_request",
    "The settings were changed elsewhere after you opened this page, so nothing was saved. Load the current settings, then make your change again.",
  );
}
