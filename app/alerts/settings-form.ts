import { z } from "zod";
import { wholeNumberField } from "../platform/text/integer-parameter.ts";
import { alertKindSchema, alertModeSchema } from "./kinds.ts";

// Schema of the form for alerts. Its messages appear at the fields.

/** Ranges of the numbers. */
export const ALERT_LIMITS = {
  priceDropPercent: { min: 1, max: 90 },
  /** items */
  lowStockQuantity: { min: 1, max: 1_000 },
  reminderDays: { min: 1, max: 365 },
  coolDownHours: { min: 1, max: 720 },
} as const;

/** An hour of the day in the shop's time zone; empty for none. */
const hour = z
  .string("Choose an hour.")
  .regex(/^(\d|1\d|2[0-3])?$/, "Choose an hour.")
  .transform((text) => (text === "" ? null : Number(text)));

/** A form with one ticked box submits a string, and a form with no ticked box submits nothing. */
const tickedKinds = z.preprocess(
  (given) => (typeof given === "string" ? [given] : (given ?? [])),
  z.array(alertKindSchema),
);

export const alertSettingsForm = z
  .strictObject({
    kinds: tickedKinds,
    mode: alertModeSchema,
    priceDropPercent: wholeNumberField(ALERT_LIMITS.priceDropPercent),
    lowStockQuantity: wholeNumberField(ALERT_LIMITS.lowStockQuantity),
    reminderDays: wholeNumberField(ALERT_LIMITS.reminderDays),
    coolDownHours: wholeNumberField(ALERT_LIMITS.coolDownHours),
    quietFrom: hour,
    quietUntil: hour,
    digestAt: hour,
    priceDropsAtOnce: z
      .enum(["true", "false"], "Choose when price drops are sent.")
      .transform((text) => text === "true"),
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  })
  .refine(({ quietFrom, quietUntil }) => (quietFrom === null) === (quietUntil === null), {
    path: ["quietUntil"],
    error: "Choose both hours, or neither.",
  })
  .refine(({ quietFrom, quietUntil }) => quietFrom === null || quietFrom !== quietUntil, {
    path: ["quietUntil"],
    error: "Choose an hour that differs from the first one.",
  });

/** The choices of a shop. `version` increases with each save. */
export type AlertSettings = z.output<typeof alertSettingsForm>;

export type AlertSettingsChange = Omit<AlertSettings, "version">;

/** The choices of a shop that has made none. */
export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  kinds: [],
  mode: "consent",
  priceDropPercent: 5,
  lowStockQuantity: 5,
  reminderDays: 14,
  coolDownHours: 24,
  quietFrom: null,
  quietUntil: null,
  digestAt: null,
  priceDropsAtOnce: false,
  version: 0,
};
