import { z } from "zod";
import { ALERT_EVENTS } from "./alerts.ts";
import { time } from "./fields.ts";
import { LIST_EVENTS } from "./lists.ts";
import { OPERATIONAL_EVENTS } from "./operations.ts";
import { ORDER_EVENTS } from "./orders.ts";
import { WISHLIST_EVENTS } from "./wishlists.ts";

/** All events, in the order in which documents and pages show them. */
export const EVENT_RECORDS = [
  ...WISHLIST_EVENTS,
  ...LIST_EVENTS,
  ...ALERT_EVENTS,
  ...ORDER_EVENTS,
  ...OPERATIONAL_EVENTS,
];

export type Event = (typeof EVENT_RECORDS)[number]["name"];

/** The events as a form groups them. */
export const EVENT_GROUPS: readonly { title: string; events: readonly Event[] }[] = [
  { title: "Wishlists", events: WISHLIST_EVENTS.map(({ name }) => name) },
  { title: "Lists", events: LIST_EVENTS.map(({ name }) => name) },
  { title: "Alerts", events: ALERT_EVENTS.map(({ name }) => name) },
  { title: "Orders", events: ORDER_EVENTS.map(({ name }) => name) },
  { title: "Webhooks", events: OPERATIONAL_EVENTS.map(({ name }) => name) },
];

/** The events that a webhook can subscribe to. */
export const EVENTS: readonly Event[] = EVENT_RECORDS.map(({ name }) => name);

/** Returns the record of an event. */
export function recordOf(event: Event): (typeof EVENT_RECORDS)[number] {
  const record = EVENT_RECORDS.find(({ name }) => name === event);
  if (!record) throw new Error(`The event ${event} has no record.`);
  return record;
}

/** Returns the id of an event's schema, such as `WishlistItemAddedEvent`. */
function schemaId(event: Event): string {
  const words = event.split(".").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

export interface EventDescription {
  event: Event;
  meaning: string;
  /** the body of its deliveries */
  body: z.ZodType;
}

export const EVENT_DESCRIPTIONS: readonly EventDescription[] = EVENT_RECORDS.map(({ name, meaning, data }) => ({
  event: name,
  meaning,
  body: z
    .strictObject({
      event: z.literal(name),
      timestamp: time,
      shop: z.string().meta({ description: "The shop's domain", example: "larkfell-outdoor.myshopify.com" }),
      data,
    })
    .meta({ id: schemaId(name) }),
}));

/** The events as a table in Markdown: name, meaning, fields of the data. */
export const EVENT_TABLE = [
  "| event | when | `data` |",
  "|---|---|---|",
  ...EVENT_RECORDS.map(({ name, meaning, data }) => {
    const fields = Object.entries(data.shape).map(([key, schema]) => {
      const optional = schema instanceof z.ZodOptional;
      return `\`${key}\`${optional ? "?" : ""}`;
    });
    return `| \`${name}\` | ${meaning} | ${fields.join(", ")} |`;
  }),
].join("\n");
