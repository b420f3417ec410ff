import { expect, test } from "vitest";
import { z } from "zod";
import { payloadOf, TRIGGERS } from "../../../app/flow/triggers.ts";
import { EVENT_DESCRIPTIONS, EVENT_GROUPS, EVENT_RECORDS, EVENTS } from "../../../app/webhooks/events/events.ts";
import { exampleBody } from "../../../app/webhooks/events/example.ts";

const bodySchema = z.object({ data: z.unknown() });

test("each event has a name of its own, and each trigger a handle, a name and a uid", () => {
  const values = [
    EVENTS,
    TRIGGERS.map(({ handle }) => handle),
    TRIGGERS.map(({ name }) => name.toLowerCase()),
    TRIGGERS.map(({ uid }) => uid),
  ];
  for (const all of values) expect(new Set(all).size).toBe(all.length);
});

test.for(EVENT_RECORDS)("the data of a test delivery of $name matches its schema", ({ data, test: testOf }) => {
  const context = { at: new Date(0).toISOString(), store: "https://store.example.com/apps/wishlist" };
  expect(data.safeParse(testOf(context)).error).toBeUndefined();
});

test.for(EVENT_DESCRIPTIONS)("the example of $event matches its description", ({ event, body }) => {
  expect(body.safeParse(exampleBody(event)).error).toBeUndefined();
});

test.for(TRIGGERS)("the example of $event fills each field of its trigger", ({ event, ...trigger }) => {
  const { data } = bodySchema.parse(exampleBody(event));
  const payload = payloadOf(trigger, data);
  expect(Object.keys(payload ?? {})).toHaveLength(trigger.fields.length);
  expect(Object.values(payload ?? {})).not.toContain("");
});

test("a form that groups the events has each of them once", () => {
  expect(EVENT_GROUPS.flatMap(({ events }) => events)).toEqual(EVENTS);
});
