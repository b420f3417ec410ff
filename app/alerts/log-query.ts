import { z } from "zod";
import { alertKindSchema } from "./kinds.ts";
import { ALERT_OUTCOMES, MAX_SEARCH, type AlertFilters } from "./report.ts";

const day = z.iso
  .date()
  // PostgreSQL has no year 0.
  .refine((date) => date >= "2000")
  .optional()
  .catch(undefined);

const filtersSchema = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SEARCH)
    // PostgreSQL stores no such character.
    .refine((text) => !text.includes("\0"))
    .optional()
    .catch(undefined),
  kind: alertKindSchema.optional().catch(undefined),
  status: z.enum(ALERT_OUTCOMES).optional().catch(undefined),
  from: day,
  to: day,
});

const momentId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

const momentCursor = momentId.optional().catch(undefined);
const alertCursor = z.uuid().optional().catch(undefined);

const logSchema = z.object({
  ...filtersSchema.shape,
  /** moments before or after this one */
  before: momentCursor,
  after: momentCursor,
});

const momentSchema = z.object({
  ...filtersSchema.shape,
  /** alerts before or after this one */
  before: alertCursor,
  after: alertCursor,
});

export type AlertLogQuery = z.infer<typeof logSchema>;
export type MomentQuery = z.infer<typeof momentSchema>;

/** Parses the query of the alert log. Invalid parameters are ignored. */
export function alertLogQuery(query: URLSearchParams): AlertLogQuery {
  return logSchema.parse(Object.fromEntries(query));
}

/** Parses the query of a moment's page: the filters of the log and a position in its alerts. Invalid parameters are ignored. */
export function momentQuery(query: URLSearchParams): MomentQuery {
  return momentSchema.parse(Object.fromEntries(query));
}

/** Parses the filters of an export. Invalid filters are ignored. */
export function alertFilters(query: URLSearchParams): AlertFilters {
  return filtersSchema.parse(Object.fromEntries(query));
}

/** Parses the id of a moment in a path; undefined for a text that can't be one. */
export function toMomentId(text: string | undefined): number | undefined {
  return momentId.safeParse(text).data;
}
