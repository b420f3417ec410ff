import { z } from "zod";

/** Far beyond any bound, and still an integer to zod. */
const HUGE = Number.MAX_SAFE_INTEGER;

/** A query parameter is text; what looks like a whole number is one, anything else is left for the schema to refuse. */
function toInteger(value: unknown): unknown {
  return typeof value === "string" && /^(0|-?[1-9]\d*)$/.test(value)
    ? Math.max(-HUGE, Math.min(HUGE, Number(value)))
    : value;
}

/** A whole number in a query, within bounds; `fallback` when it is left out. */
export function integerParameter(parameter: {
  min: number;
  max: number;
  fallback: number;
  description: string;
  example: number;
  /** for values over `max`: what to do instead */
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
