import type { AlertSettings, AlertSettingsChange } from "./settings-form.ts";

/** A changed setting, in words for the audit log. */
export interface ChangedAlertSetting {
  name: string;
  from: string;
  to: string;
}

const NAMES: Record<keyof AlertSettingsChange, string> = {
  kinds: "the kinds of alerts",
  mode: "the consent for alerts",
  priceDropPercent: "the threshold of price drops in percent",
  lowStockQuantity: "the threshold of low stock",
  reminderDays: "the days until a reminder",
  coolDownHours: "the pause between alerts in hours",
  quietFrom: "the start of quiet hours",
  quietUntil: "the end of quiet hours",
  digestAt: "the hour of the daily digest",
  priceDropsAtOnce: "price drops at once instead of in the digest",
};

const SETTINGS = [
  "kinds",
  "mode",
  "priceDropPercent",
  "lowStockQuantity",
  "reminderDays",
  "coolDownHours",
  "quietFrom",
  "quietUntil",
  "digestAt",
  "priceDropsAtOnce",
] as const satisfies readonly (keyof AlertSettingsChange)[];

function shown(value: AlertSettingsChange[keyof AlertSettingsChange]): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return value.length === 0 ? "none" : value.join(", ").replaceAll("_", " ");
  return String(value).replaceAll("_", " ");
}

/** Returns the settings that differ, in words. */
export function changedAlertSettings(before: AlertSettings, after: AlertSettings): ChangedAlertSetting[] {
  return SETTINGS.map((name) => ({ name: NAMES[name], from: shown(before[name]), to: shown(after[name]) })).filter(
    ({ from, to }) => from !== to,
  );
}
