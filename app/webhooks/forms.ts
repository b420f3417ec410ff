import { z } from "zod";
import { DELIVERY_KINDS, DELIVERY_STATUSES, EVENTS } from "./events.ts";
import { eventSchema, eventsSchema, urlSchema } from "./schemas.ts";

/** What the merchant's forms about webhooks hold. What /v1 says of a field is shown at it. */

const HOUR = 3_600_000;

/** A form with one of several boxes ticked has a single value, with none none. */
const chosenEvents = z.preprocess((given) => (typeof given === "string" ? [given] : (given ?? [])), eventsSchema);

/** Addresses are pasted, with what stands around them. */
const pastedUrl = z.preprocess((given) => (typeof given === "string" ? given.trim() : given), urlSchema);

export const webhookForm = z.strictObject({ url: pastedUrl, events: chosenEvents });

export const testForm = z.strictObject({ event: eventSchema });

export const redeliverFailedForm = z.strictObject({
  /** milliseconds that it looks back */
  span: z.enum(["1", "24", "168", "720"], "Choose how far to look back.").transform((hours) => Number(hours) * HOUR),
});

/** The filters in a log's address. What can't be one is none. */
export const logFilter = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().catch(undefined),
  event: z.enum(EVENTS).optional().catch(undefined),
  kind: z.enum(DELIVERY_KINDS).optional().catch(undefined),
  before: z.string().optional(),
  after: z.string().optional(),
});
