import { z } from "zod";
import { alertKindSchema, type AlertKind } from "../alerts/kinds.ts";
import { mailAddress } from "./address.ts";
import { templateProblem } from "./liquid.server.ts";
import { EMAIL_LIMITS, introductionField, subjectField, type EmailSettings, type EmailTexts } from "./settings.ts";

// Schema of the form for email. Its messages appear at the fields.

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

const optional = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Enter at most ${max.toLocaleString("en")} characters.`)
    .default("");
/** A text of the shop's. What Liquid can't read would keep messages back. */
const template = (longest: number) =>
  optional(longest).superRefine((given, context) => {
    const problem = templateProblem(given);
    if (problem !== undefined) context.addIssue(problem);
  });
const subject = template(EMAIL_LIMITS.subject).refine((given) => !/\p{Cc}/u.test(given), "Enter one line.");
const introduction = template(EMAIL_LIMITS.introduction);

const { min, max } = EMAIL_LIMITS.weeklyLimit;
const LIMIT = `Enter a whole number from ${min} to ${max}.`;

const settingsFields = z.strictObject({
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
});

/** The texts of a form by kind. */
function textsOf(given: z.output<typeof settingsFields>): EmailTexts {
  const textOf = (kind: AlertKind) => ({
    subject: given[subjectField(kind)],
    introduction: given[introductionField(kind)],
  });
  return {
    price_dropped: textOf("price_dropped"),
    back_in_stock: textOf("back_in_stock"),
    low_stock: textOf("low_stock"),
    reminder_due: textOf("reminder_due"),
  };
}

function toSettings(given: z.output<typeof settingsFields>): EmailSettings {
  const { version, kinds, senderName, replyTo, postalAddress, accent, logoUrl, weeklyLimit } = given;
  const change = { kinds, senderName, replyTo, postalAddress, accent: accent.toLowerCase(), logoUrl, weeklyLimit };
  return { ...change, texts: textsOf(given), version };
}

/** The choices of a shop. */
export const emailSettingsForm = settingsFields.transform(toSettings);

/** What an example shows. */
const example = { kind: alertKindSchema, language: z.enum(["en", "de", "fr", "es", "ja"]) };

/** The form's choices, as a message would look with them. */
export const emailPreviewForm = settingsFields
  .extend(example)
  .transform(({ kind, language, ...given }) => ({ kind, language, settings: toSettings(given) }));

/** Where an example goes. */
export const emailTestForm = z.strictObject({ ...example, to: address });
