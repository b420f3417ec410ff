import { expect, test } from "vitest";
import { z } from "zod";
import { payloadOf, TRIGGERS } from "../../../app/flow/triggers.ts";
import { alertData } from "../../../app/webhooks/events/alert-payload.ts";
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

test.for([
  ["de", "EUR", "1.080,00\u00A0€"],
  ["en", "EUR", "€1,080.00"],
  [null, "JPY", "¥1,080"],
  ["xx-invalid-locale-text", "USD", "$1,080.00"],
  ["en", null, "1080.00"],
])("the prices of an alert are formatted for the language %j and the currency %j", ([locale, currency, text]) => {
  const prices = { price: "1080.00", compareAtPrice: null };
  expect(alertData({ locale, currency, ...prices, items: [prices] }, undefined)).toMatchObject({
    formattedPrice: text,
    formattedCompareAtPrice: null,
    items: [{ formattedPrice: text, formattedCompareAtPrice: null }],
    customer: null,
  });
});

test("a trigger's field of a list has the texts of its elements", () => {
  const trigger = TRIGGERS.find(({ handle }) => handle === "wishlist-price-dropped");
  if (!trigger) throw new Error("There is no such trigger.");
  const { data } = z.object({ data: z.record(z.string(), z.unknown()) }).parse(exampleBody(trigger.event));
  const items = [{ variantTitle: "M" }, { variantTitle: null }, { variantTitle: "L" }];
  expect(payloadOf(trigger, { ...data, items })).toMatchObject({ Variants: "M, L" });
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
