import { z } from "zod";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../alerts/kinds.ts";
import { mailAddress } from "./address.ts";

// Schema of the form for email. Its messages appear at the fields.

/** Ranges and lengths of the fields. */
export const EMAIL_LIMITS = {
  senderName: 100,
  postalAddress: 300,
  subject: 150,
  introduction: 1_000,
  weeklyLimit: { min: 1, max: 50 },
} as const;

const text = (max: number, missing: string) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(max, `Enter at most ${max.toLocaleString("en")} characters.`);

/** One line: what begins another would begin another header. */
const line = (max: number, missing: string) => text(max, missing).regex(/^[^\p{Cc}]*$/u, "Enter one line.");

const ADDRESS = "Enter an email address, such as hello@example.com.";

const address = z
  .string(ADDRESS)
  .trim()
  .refine((given) => mailAddress(given) !== undefined, ADDRESS);

/** A form with one ticked box submits a string, and a form with no ticked box submits nothing. */
const tickedKinds = z.preprocess(
  (given) => (typeof given === "string" ? [given] : (given ?? [])),
  z.array(alertKindSchema),
);

/** The names of the fields for a kind's own text. */
export const subjectField = (kind: AlertKind) => `subject_${kind}` as const;
export const introductionField = (kind: AlertKind) => `introduction_${kind}` as const;

const optional = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Enter at most ${max.toLocaleString("en")} characters.`)
    .default("");
const subject = optional(EMAIL_LIMITS.subject).pipe(z.string().regex(/^[^\p{Cc}]*$/u, "Enter one line."));
const introduction = optional(EMAIL_LIMITS.introduction);

const { min, max } = EMAIL_LIMITS.weeklyLimit;
const LIMIT = `Enter a whole number from ${min} to ${max}.`;

export const emailSettingsForm = z
  .strictObject({
    kinds: tickedKinds,
    senderName: line(EMAIL_LIMITS.senderName, "Enter the name that customers know your store by."),
    replyTo: address,
    postalAddress: text(EMAIL_LIMITS.postalAddress, "Enter the postal address of your business."),
    accent: z.string("Choose a color.").regex(/^#[\da-f]{6}$/i, "Enter a color such as #1a1a1a."),
    logoUrl: z
      .string()
      .trim()
      .max(2_000, "Enter a shorter address.")
      .refine((given) => given === "" || (URL.canParse(given) && new URL(given).protocol === "https:"), {
        error: "Enter an address that begins with https://.",
      })
      .transform((given) => (given === "" ? null : given)),
    weeklyLimit: z
      .string(LIMIT)
      .trim()
      .regex(/^\d{1,9}$/, { error: LIMIT, abort: true })
      .transform(Number)
      .pipe(z.int().min(min, LIMIT).max(max, LIMIT)),
    subject_price_dropped: subject,
    introduction_price_dropped: introduction,
    subject_back_in_stock: subject,
    introduction_back_in_stock: introduction,
    subject_low_stock: subject,
    introduction_low_stock: introduction,
    subject_reminder_due: subject,
    introduction_reminder_due: introduction,
    version: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  })
  .transform((given) => {
    const { version, kinds, senderName, replyTo, postalAddress, accent, logoUrl, weeklyLimit } = given;
    const texts = Object.fromEntries(
      ALERT_KINDS.map((kind) => [
        kind,
        { subject: given[subjectField(kind)], introduction: given[introductionField(kind)] },
      ]),
    );
    const change = { kinds, senderName, replyTo, postalAddress, accent: accent.toLowerCase(), logoUrl, weeklyLimit };
    return { ...change, texts: textsSchema.parse(texts), version };
  });

const ownText = z.object({ subject: z.string(), introduction: z.string() }).catch({ subject: "", introduction: "" });

/** The shop's own texts by kind of alert, as templates in Liquid; empty for the texts of the service. */
export const textsSchema = z.object({
  price_dropped: ownText,
  back_in_stock: ownText,
  low_stock: ownText,
  reminder_due: ownText,
});

export type EmailTexts = z.output<typeof textsSchema>;

/** The choices of a shop. `version` increases with each save; 0: never saved. */
export type EmailSettings = z.output<typeof emailSettingsForm>;
