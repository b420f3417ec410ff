import { z } from "zod";
import { wholeNumberField } from "../platform/text/integer-parameter.ts";
import { LIMITS } from "./limits.ts";
import { timeZoneSchema } from "./time-zone.ts";

/** Schema of the settings form. Its messages appear at the fields. */

export const settingsForm = z.strictObject({
  shareLinkDays: wholeNumberField(LIMITS.shareLinkDays),
  itemCap: wholeNumberField(LIMITS.itemCap),
  guestLists: z.enum(["on", "off"], "Choose an option.").transform((choice) => choice === "on"),
  guestRetentionDays: wholeNumberField(LIMITS.guestRetentionDays),
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
