import { z } from "zod";

/** Larger than any bound, but still an integer for zod. */
const HUGE = Number.MAX_SAFE_INTEGER;

/** Converts the text of a query parameter to a number. Other text is returned unchanged, for the schema to refuse. */
function toInteger(value: unknown): unknown {
  return typeof value === "string" && /^(0|-?[1-9]\d*)$/.test(value)
    ? Math.max(-HUGE, Math.min(HUGE, Number(value)))
    : value;
}

/** Schema of an integer query parameter; a missing parameter has the value `fallback`. */
export function integerParameter(parameter: {
  min: number;
  max: number;
  fallback: number;
  description: string;
  example: number;
  /** what to do instead of sending a value above `max` */
  advice?: string;
}) {
  const { min, max, fallback, description, example, advice } = parameter;
  return z.preprocess(
    (value) => (value === undefined ? fallback : toInteger(value)),
    z
      .int("must be a whole number")
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}${advice === undefined ? "" : `; ${advice}`}`)
      .meta({ description, default: fallback, example }),
  );
}

/** Schema of a form's field for a whole number, whose message appears at the field. */
export function wholeNumberField({ min, max }: { min: number; max: number }) {
  const message = `Enter a whole number from ${min} to ${max.toLocaleString("en")}.`;
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,9}$/, { error: message, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}
