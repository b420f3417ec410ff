import { z } from "zod";
import { DELIVERY_KINDS, DELIVERY_STATUSES } from "../delivery/kinds.ts";
import { eventSchema, eventsSchema, urlSchema, webhookNameSchema } from "./schemas.ts";

// The merchant's forms about webhooks. They show the messages of the /v1 schemas next to the fields.

const HOUR = 3_600_000;

/** A form with one ticked box submits a string, and a form with no ticked box submits nothing. */
const chosenEvents = z.preprocess((given) => (typeof given === "string" ? [given] : (given ?? [])), eventsSchema);

/** Pasted URLs often have spaces around them. */
const pastedUrl = z.preprocess((given) => (typeof given === "string" ? given.trim() : given), urlSchema);

/** A ticked box submits `on`, and a box that is not ticked submits nothing. */
const tickedBox = z.preprocess((given) => given === "on", z.boolean());

/** A webhook without a name is known by its address. */
const webhookName = z.preprocess(
  (given) => (typeof given === "string" && given.trim() !== "" ? given.trim() : null),
  webhookNameSchema,
);

export const webhookForm = z.strictObject({
  name: webhookName,
  url: pastedUrl,
  events: chosenEvents,
  batch: tickedBox,
});

export const testForm = z.strictObject({ event: eventSchema });

export const redeliverFailedForm = z.strictObject({
  /** in the form hours, here milliseconds before now */
  span: z.enum(["1", "24", "168", "720"], "Choose how far to look back.").transform((hours) => Number(hours) * HOUR),
});

/** The filters in the URL of the delivery log. An invalid filter is ignored. */
export const logFilter = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().catch(undefined),
  event: eventSchema.optional().catch(undefined),
  kind: z.enum(DELIVERY_KINDS).optional().catch(undefined),
  before: z.string().optional(),
  after: z.string().optional(),
});
