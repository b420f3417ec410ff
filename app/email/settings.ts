import { z } from "zod";
import type { AlertKind } from "../alerts/kinds.ts";

/** Ranges and lengths of the fields. */
export const EMAIL_LIMITS = {
  senderName: 100,
  postalAddress: 300,
  subject: 150,
  introduction: 1_000,
  weeklyLimit: { min: 1, max: 50 },
} as const;

/** The names of the fields for a kind's own text. */
export const subjectField = (kind: AlertKind) => `subject_${kind}` as const;
export const introductionField = (kind: AlertKind) => `introduction_${kind}` as const;

const ownText = z.object({ subject: z.string(), introduction: z.string() }).catch({ subject: "", introduction: "" });

/** The shop's own texts by kind of alert, as templates in Liquid; empty for the texts of the service. */
export const textsSchema = z.object({
  price_dropped: ownText,
  back_in_stock: ownText,
  low_stock: ownText,
  reminder_due: ownText,
});

export type EmailTexts = z.output<typeof textsSchema>;

/** The choices of a shop. */
export interface EmailSettings {
  kinds: AlertKind[];
  /** the address is the operator's */
  senderName: string;
  replyTo: string;
  postalAddress: string;
  /** such as #1a1a1a */
  accent: string;
  logoUrl: string | null;
  /** the most messages that a customer gets in seven days */
  weeklyLimit: number;
  texts: EmailTexts;
  /** increases with each save; 0: never saved */
  version: number;
}

/** The languages of messages, with their names in English. */
export const EMAIL_LANGUAGES = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
  ja: "Japanese",
} as const;

export type EmailLanguage = keyof typeof EMAIL_LANGUAGES;
