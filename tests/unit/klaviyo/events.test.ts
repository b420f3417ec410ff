import { describe, expect, test } from "vitest";
import { bulkBody, KLAVIYO_METRICS, singleBody, toKlaviyo } from "../../../app/klaviyo/events.ts";
import { exampleBody } from "../../../app/webhooks/events/example.ts";

const OPTIONS = { uniqueId: "e-1", email: "ada@example.com", isTest: false };

function entryOf(data: object, options: Partial<typeof OPTIONS> = {}, event = "wishlist.item.added") {
  const body = JSON.stringify({ event, timestamp: "2026-11-27T10:00:00.000Z", shop: "a.myshopify.com", data });
  return toKlaviyo(body, { ...OPTIONS, ...options });
}

describe("an event for Klaviyo", () => {
  test("has the data of the webhook without the customer", () => {
    const customer = { name: "Ada", email: "ada@example.com" };
    const entry = entryOf({ customerId: "7", customer, productTitle: "Lamp" });
    expect(entry?.event.properties).toEqual({ productTitle: "Lamp" });
    expect(entry?.profile.attributes).toEqual({ external_id: "7", email: "ada@example.com" });
  });

  test.for([
    "",
    "ada",
    "ada@example.com, bob@example.com",
    "ada@example.com\r\nBcc: x",
    `${"a".repeat(250)}@example.com`,
  ])("leaves the address %j out and keeps the id", (email) => {
    expect(entryOf({ customerId: "7" }, { email })?.profile.attributes).toEqual({ external_id: "7" });
  });

  test("has what was paid, or else the price, as its value with the currency", () => {
    const money = { customerId: "7", currency: "EUR" };
    expect(entryOf({ ...money, price: "9.50" })?.event).toMatchObject({ value: 9.5, value_currency: "EUR" });
    expect(entryOf({ ...money, price: "9.50", revenue: "8" })?.event).toMatchObject({ value: 8 });
    expect(entryOf({ customerId: "7" })?.event).not.toHaveProperty("value");
  });

  test("has the id and the time of the webhook's event, so that a repetition is no second event", () => {
    expect(entryOf({ customerId: "7" })?.event).toMatchObject({
      unique_id: "e-1",
      time: "2026-11-27T10:00:00.000Z",
      metric: { data: { attributes: { name: "Added to Wishlist" } } },
    });
  });

  test.for(["", "7".repeat(256), 7, null])(
    "is none for the customer id %j, which Klaviyo would refuse",
    (customerId) => {
      expect(entryOf({ customerId })).toBeUndefined();
    },
  );

  test("is none without a customer, and for an event that has no metric", () => {
    expect(entryOf({ productId: "1" })).toBeUndefined();
    expect(entryOf({ customerId: "7" }, {}, "webhook.disabled")).toBeUndefined();
  });

  test("starts no flow as a test", () => {
    expect(entryOf({ customerId: "7" }, { isTest: true })?.event.backfill).toBe(true);
    expect(entryOf({ customerId: "7" })?.event).not.toHaveProperty("backfill");
  });

  test.for(KLAVIYO_METRICS)("of $event has the metric $metric in single and bulk requests", ({ event, metric }) => {
    const entry = toKlaviyo(JSON.stringify(exampleBody(event)), OPTIONS);
    if (!entry) throw new Error("the example has no customer");
    for (const body of [singleBody(entry), bulkBody([entry])]) expect(JSON.stringify(body)).toContain(`"${metric}"`);
  });
});
