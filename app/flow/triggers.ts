import { z } from "zod";
import { EVENT_RECORDS, type Event } from "../webhooks/events/events.ts";
import type { FlowField, FlowTrigger } from "../webhooks/events/flow-trigger.ts";

export interface Trigger extends FlowTrigger {
  event: Event;
}

/** The triggers of Shopify Flow. */
export const TRIGGERS: readonly Trigger[] = EVENT_RECORDS.flatMap(({ name, trigger }) =>
  trigger ? [{ ...trigger, event: name }] : [],
);

/** Returns the trigger with a handle or name: Shopify documents a handle for callbacks, and shows a name in its example. */
export function findTrigger(handleOrName: string): Trigger | undefined {
  const given = handleOrName.trim().toLowerCase();
  return TRIGGERS.find(({ handle, name }) => handle === given || name.toLowerCase() === given);
}

/** The events that fire a trigger. */
export const FLOW_EVENTS: readonly Event[] = TRIGGERS.map(({ event }) => event);

const reference = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number);
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? "");

const VALUES: Record<FlowField["type"], z.ZodType<string | number>> = {
  customer_reference: reference,
  product_reference: reference,
  order_reference: reference,
  single_line_text_field: text,
  url: text,
  number_decimal: z.union([z.number(), z.string().transform(Number)]),
};

const objectSchema = z.record(z.string(), z.unknown()).catch({});

function valueAt(data: unknown, path: string): unknown {
  return path.split(".").reduce((value: unknown, name) => {
    if (!Array.isArray(value)) return objectSchema.parse(value)[name];
    const texts = value.map((element: unknown) => objectSchema.parse(element)[name]);
    return texts.filter((one) => typeof one === "string").join(", ");
  }, data);
}

/**
 * Returns the payload of `flowTriggerReceive`, or undefined where the event's data lacks a value or an id of Shopify's.
 * @param isFull whether it has the optional fields
 */
export function payloadOf(
  { fields }: FlowTrigger,
  data: unknown,
  isFull = true,
): Record<string, string | number> | undefined {
  const payload: Record<string, string | number> = {};
  for (const { type, described, path, isOptional } of fields) {
    if (isOptional && !isFull) continue;
    const value = VALUES[type].safeParse(valueAt(data, path));
    // An event from before the field was added has no value for it.
    if (!value.success && isOptional) continue;
    if (!value.success) return undefined;
    // Flow names the property of a reference, which holds a numeric id.
    payload[described?.key ?? type.replace("_reference", "_id")] = value.data;
  }
  return payload;
}
