import { z } from "zod";
import { normalForm } from "../../platform/text/normal-form.ts";
import { hasAtMost } from "../text.ts";

const MAX_NAME = 100;

/** Control characters, half surrogate pairs, and characters that reverse the direction of the text around a name. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const VISIBLE = /[^\p{Z}\p{C}]/u;

/**
 * Returns the schema of a name of one line and at most `max` characters, without surrounding space and in Unicode's composed form. It is text,
 * in any script: pages escape it.
 */
export function nameSchema(max: number) {
  const tooLong = `must have at most ${max} characters`;
  return (
    z
      .string()
      // Before a name is composed: a composed character has at most four code units.
      .refine((text) => text.trim().length <= 4 * max, { error: tooLong, abort: true })
      .refine((text) => !REFUSED.test(text), "has control characters or is not valid Unicode")
      .transform((text) => normalForm("NFC", text.trim()))
      .refine((text) => VISIBLE.test(text), "must not be empty")
      .refine((text) => hasAtMost(max, text), tooLong)
  );
}

export const listNameSchema = nameSchema(MAX_NAME).meta({
  minLength: 1,
  description: `1 to ${MAX_NAME} characters, unique per customer without regard to case; surrounding space is removed`,
  example: "Birthday",
});

/** Returns the form in which names are compared: without regard to case, compatible forms, spacing and invisible characters. */
export function nameKey(name: string): string {
  const plain = normalForm("NFKC", name)
    .replaceAll(/\p{Cf}/gu, "")
    .toUpperCase()
    .toLowerCase();
  return normalForm("NFKC", plain).replaceAll(/\s+/gu, " ").trim();
}
