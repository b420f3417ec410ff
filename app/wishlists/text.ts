import { z } from "zod";

/** Control characters other than tab and line break, and half surrogate pairs: no text that a person has written has them. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Tells whether a text has at most `max` characters, counted as code points, as JSON Schema does. */
export function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
}

/** Returns the schema of a text of at most `max` characters. */
export function textSchema(max: number) {
  return z
    .string()
    .refine((text) => hasAtMost(max, text), { error: `must have at most ${max} characters`, abort: true })
    .refine((text) => !UNREADABLE.test(text), "has control characters or is not valid Unicode")
    .meta({ maxLength: max });
}
