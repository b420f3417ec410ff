import type { EmailSettings } from "./settings.ts";

/** A changed setting, in words for the audit log. */
interface ChangedEmailSetting {
  name: string;
  from: string;
  to: string;
}

const SETTINGS = [
  "kinds",
  "senderName",
  "replyTo",
  "accent",
  "logoUrl",
  "weeklyLimit",
  "postalAddress",
  "texts",
] as const;

const NAMES: Record<(typeof SETTINGS)[number], string> = {
  kinds: "the alerts that are emailed",
  senderName: "the sender of emails",
  replyTo: "the address for replies to emails",
  accent: "the color of emails",
  logoUrl: "the logo of emails",
  weeklyLimit: "the most emails a week to a customer",
  postalAddress: "the postal address in emails",
  texts: "the texts of emails",
};

function shown(value: EmailSettings[(typeof SETTINGS)[number]] | undefined): string {
  if (value === undefined || value === null || value === "") return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ").replaceAll("_", " ");
  // The audit log has short values: that a text changed, not the text.
  if (typeof value === "object")
    return Object.values(value).some((own) => own.subject + own.introduction !== "") ? "the shop's" : "the app's";
  return String(value).replaceAll(/\s+/g, " ");
}

/** Returns the settings that differ, in words. @param before undefined for settings that are saved for the first time */
export function changedEmailSettings(before: EmailSettings | undefined, after: EmailSettings): ChangedEmailSetting[] {
  return SETTINGS.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name])).map((name) => ({
    name: NAMES[name],
    from: shown(before?.[name]),
    to: shown(after[name]),
  }));
}
