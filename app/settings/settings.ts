import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { timeZoneSchema } from "./time-zone.ts";

/** Schema of the settings form. Its messages appear at the fields. */

function wholeNumber({ min, max }: { min: number; max: number }) {
  const message = `Enter a whole number from ${min} to ${max.toLocaleString("en")}.`;
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,9}$/, { error: message, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}

export const settingsForm = z.strictObject({
  shareLinkDays: wholeNumber(LIMITS.shareLinkDays),
  itemCap: wholeNumber(LIMITS.itemCap),
  guestLists: z.enum(["on", "off"], "Choose an option.").transform((choice) => choice === "on"),
  guestRetentionDays: wholeNumber(LIMITS.guestRetentionDays),
  namedLists: z.enum(["on", "off"], "Choose an option.").transform((choice) => choice === "on"),
  timeZone: timeZoneSchema,
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** The settings of a shop. `version` increases with each save. */
export type Settings = z.output<typeof settingsForm>;

export type SettingsChange = Omit<Settings, "version">;
